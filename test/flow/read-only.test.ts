/** A finished job in a folder that may not be written: an archive, a share, another person's work. */
import { chmodSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { canRunAsNobody, uid } from "../help/nobody.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";
import { lastLine, runProgram } from "./program.ts";

function listTree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
}

function close({ root }: JobFolder, isOpen = false): void {
  for (const name of ["", ...listTree(root)]) {
    const full = path.join(root, name);
    const isFolder = statSync(full).isDirectory();
    chmodSync(full, (isFolder ? 0o555 : 0o444) | (isOpen ? 0o200 : 0));
  }
}

it.runIf(canRunAsNobody)("a data folder that is closed to its user is no empty one", async () => {
  const files = makeJobFolder(makeRows(2));
  await runInProcess(["run", files.manifest, "--public-url", "https://go.example.com"]);
  const data = path.join(files.root, ".makeready");
  const tell = (name: string) =>
    runProgram([name, files.manifest], { ...(uid !== undefined && { uid }) });
  chmodSync(files.root, 0o755);
  chmodSync(data, 0o700);
  for (const name of ["plan", "run", "doctor"]) {
    const { code, out, err } = await tell(name);
    expect(code, name).toBe(2);
    expect(out + err).toContain(
      `the data folder must be readable, but access is denied (EACCES): ${data}`,
    );
    expect(out + err).not.toMatch(/holds no codes|rehearsal/iu);
  }
  chmodSync(data, 0o755);
  chmodSync(path.join(data, "service.db"), 0o444);
  const { code, out } = await tell("doctor");
  expect(code).toBe(2);
  expect(out).toMatch(/FAILED +data +must be writable/u);
  expect(out).not.toContain("rehearsal");
});

it.runIf(canRunAsNobody)("status, plan and verify work in it and leave nothing there", async () => {
  const files = makeJobFolder(makeRows(3));
  // By a process that ends: nothing of the state is left beside its file.
  const { code, out, err } = await runProgram(["run", files.manifest]);
  expect(code, out + err).toBe(3);
  close(files);
  const before = listTree(files.root);
  const tell = async (name: string) => {
    const ended = await runProgram([name, files.manifest, "--json"], {
      ...(uid !== undefined && { uid }),
    });
    expect(ended.code, `${name}: ${ended.out}${ended.err}`).toBe(0);
    return ended;
  };
  try {
    expect(lastLine(await tell("status"), "summary")).toMatchObject({ rows: { done: 3 } });
    expect(lastLine(await tell("plan"), "plan")).toMatchObject({ creates: 0, unchanged: 3 });
    expect(lastLine(await tell("verify"), "summary")).toMatchObject({ isProven: true });
    expect(listTree(files.root).filter((name) => !before.includes(name))).toEqual([]);
  } finally {
    close(files, true);
  }
});
