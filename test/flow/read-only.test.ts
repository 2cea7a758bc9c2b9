/** A finished job in a folder that may not be written: an archive, a share, another person's work. */
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";
import { lastLine, PROGRAM, runProgram } from "./program.ts";

/** Nothing is closed to root: as root the program runs as the user "nobody". */
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const readsProgram = ["-e", "require('fs').accessSync(process.argv[1])", PROGRAM];
const canRun =
  process.platform !== "win32" &&
  spawnSync(process.execPath, readsProgram, uid === undefined ? {} : { uid, gid: uid }).status ===
    0;

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

it.runIf(canRun)("status, plan and verify work in it and leave nothing there", async () => {
  const files = makeJobFolder(makeRows(3));
  await runInProcess(["run", files.manifest]);
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
