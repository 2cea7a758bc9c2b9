/** A finished job in a folder that may not be written: an archive, a share, another person's work. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { canMount, makeReadOnly, unmount } from "../help/mount.ts";
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
  // As `run` does, which plans first.
  for (const name of ["run", "doctor"]) {
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

it.runIf(canRunAsNobody)("plan and verify work in it and leave nothing there", async () => {
  const files = makeJobFolder(makeRows(3));
  const { code, out, err } = await runInProcess(["run", files.manifest]);
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
    expect(lastLine(await tell("plan"), "plan")).toMatchObject({ creates: 0, unchanged: 3 });
    expect(lastLine(await tell("verify"), "summary")).toMatchObject({ isProven: true });
    expect(listTree(files.root).filter((name) => !before.includes(name))).toEqual([]);
  } finally {
    close(files, true);
  }
});

/** As a process leaves a store; of one that was killed, the last note is in the log beside it only. */
function noteLast(file: string, isKilled: boolean): void {
  const held = openSqlite(file);
  held.exec("INSERT INTO meta VALUES ('last', 'note')");
  if (!isKilled) held.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const kept = ["", "-wal"].map((end) => [`${file}${end}`, readFileSync(`${file}${end}`)] as const);
  held.close();
  for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  for (const [name, bytes] of kept) if (bytes.length > 0) writeFileSync(name, bytes);
}

/** A finished job whose disk turned read-only, and a folder on another disk. */
async function turnReadOnly(isKilled = false) {
  const files = makeJobFolder(makeRows(3));
  const ran = await runInProcess(["run", files.manifest, "--public-url", "https://go.example.com"]);
  expect(ran.code, ran.err).toBe(3);
  noteLast(path.join(files.data, "service.db"), isKilled);
  expect(makeReadOnly(files.root)).toBe(true);
  onTestFinished(() => void unmount(files.root));
  const other = mkdtempSync(path.join(os.tmpdir(), "makeready-other-"));
  const type = (...argv: string[]) => runInProcess(argv, { cwd: files.root });
  return { files, other, type };
}

describe.runIf(canMount)("on a disk that turned read-only", () => {
  it("a preview says that it can't be written, and where", async () => {
    const { files, type } = await turnReadOnly();
    for (const [folder, ...argv] of [
      ["preview", files.manifest, "--line", "3"],
      ["proof/sheet", "--design", "scan-card", "--out", "proof/sheet"],
    ]) {
      const { code, err } = await type("preview", ...argv);
      expect([code, err]).toEqual([2, expect.stringContaining("the disk is read-only (EROFS)")]);
      expect(err).toContain(path.join(files.root, folder?.split("/")[0] ?? ""));
      expect(err).not.toContain("bug");
    }
  });

  it.each([false, true])("the data folder is backed up (killed: %s)", async (isKilled) => {
    const { files, other, type } = await turnReadOnly(isKilled);
    const to = path.join(other, "backup");
    const taken = await type("backup", to, "--data", files.data);
    expect([taken.code, taken.err]).toEqual([0, ""]);
    expect(taken.out).toContain("codes: 3");
    const checked = await type("restore", to, "--check");
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining("is whole")]);
    const copy = openSqlite(path.join(to, "service.db"));
    expect(copy.get("SELECT value FROM meta WHERE key = 'last'")).toEqual({ value: "note" });
    copy.close();
  });

  it.each([false, true])("what only reads it does so (killed: %s)", async (isKilled) => {
    const { files, other, type } = await turnReadOnly(isKilled);
    const before = readdirSync(os.tmpdir()).filter((name) => name.startsWith("makeready-store-"));
    for (const [says, ...argv] of [
      ["account default", "accounts"],
      ["", "webhooks"],
      ["what https://go.example.com answers", "export-resolver", path.join(other, "bundle")],
    ]) {
      const { code, out, err } = await type(...argv, "--data", files.data);
      expect([argv[0], code, err]).toEqual([argv[0], 0, ""]);
      expect(out).toContain(says);
    }
    const status = await type("status", files.manifest, "--json");
    expect([status.code, status.out]).toEqual([0, expect.stringContaining('"done":3')]);
    const moved = await type("move", files.data, "--data", path.join(other, "data"), "--yes");
    expect([moved.code, moved.out]).toEqual([0, expect.stringContaining("found whole")]);
    const left = readdirSync(os.tmpdir()).filter((name) => name.startsWith("makeready-store-"));
    expect(left).toEqual(before);
  });

  it("what would change the data folder names it and the reason", async () => {
    const { files, type } = await turnReadOnly();
    for (const argv of [
      ["accounts", "token", "press"],
      ["webhooks", "add", "https://in.example"],
    ]) {
      const { code, err } = await type(...argv, "--data", files.data);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(
          `the data folder must be writable, but the disk is read-only (EROFS): ${files.data}`,
        ),
      ]);
    }
  });
});
