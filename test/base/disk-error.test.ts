import { describe, expect, it } from "vitest";

import { toDiskError, toPlaceError } from "../../src/base/files/disk-error.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import type { Command } from "../../src/cli/command.ts";
import type { CliContext } from "../../src/cli/context.ts";

const fail = (code: string, syscall: string, path?: string): Error =>
  Object.assign(new Error(`${code}: no, ${syscall}`), { code, syscall, ...(path && { path }) });

const fullDisk = {
  run: () => Promise.reject(fail("ENOSPC", "write")),
} as unknown as Command;

describe("a disk that takes no more (docs/spec/jobs.md section 2: exit codes)", () => {
  it.each([
    ["ENOSPC", "write", undefined, "the output folder must be writable, but the disk is full"],
    ["EDQUOT", "open", "/out/a.svg", "/out/a.svg must be writable, but the disk quota is used up"],
    ["EACCES", "open", "/ro/plan.json.77.part", "/ro/plan.json must be writable, but access"],
    ["EROFS", "mkdir", "/out", "/out must be writable, but the disk is read-only"],
  ])("%s of %s is no bug", (code, syscall, path, message) => {
    const error = toDiskError(fail(code, syscall, path));
    expect(error?.message).toContain(message);
    expect(error?.exitCode).toBe(2);
  });

  it.each([
    ["a port that may not be opened", fail("EACCES", "listen")],
    ["a file that is not there", fail("ENOENT", "open")],
    ["anything else", new TypeError("x")],
  ])("%s is something else", (_name, error) => {
    expect(toDiskError(error)).toBeUndefined();
  });

  it.each([
    ["EISDIR", "rename", "/out/a.pdf.77-1.part", "/out/a.pdf must be a file, got a folder"],
    ["EISDIR", "open", "/out", "/out must be a file, got a folder"],
    ["ENOTDIR", "mkdir", "/a.csv/in", "/a.csv/in must be or lie in a folder, got a file"],
  ])("%s of %s: something else lies there, which is no bug", (code, syscall, path, message) => {
    const error = toPlaceError(fail(code, syscall, path));
    expect([error?.message, error?.exitCode]).toEqual([message, 2]);
    expect(toPlaceError(fail(code, "read"))).toBeUndefined();
  });

  it("ends a command with exit code 2 and what to do", async () => {
    let said = "";
    const context = {
      cwd: "/",
      env: {},
      signal: new AbortController().signal,
      err: (text: string) => {
        said += text;
      },
    } as unknown as CliContext;
    const input = { args: [], options: {} } as unknown as Parameters<typeof runCommand>[2];
    expect(await runCommand(context, fullDisk, input)).toBe(2);
    expect(said).toContain("free some space");
  });
});
