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

it.runIf(canRunAsNobody)("status, plan and verify work in it and leave nothing there", async () => {
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
