import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

import { TEMPORARY_SUFFIX } from "../base/files/atomic-file.ts";
import type { Sqlite } from "../base/sqlite/sqlite.ts";

/**
 * Waits until a file (opened for writing, as Windows requires), or the names in a folder, are on the
 * disk.
 */
function sync(name: string, flags: "r" | "r+"): void {
  const handle = openSync(name, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  try {
    sync(folder, "r");
  } catch {
    // Windows can't open a folder; there the rename alone must be enough.
  }
}

/** The first of `name`, `name.2`, `name.3` … that is free. */
function toFreeName(name: string): string {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name}.${n}`;
    if (!existsSync(free)) return free;
  }
}

/**
 * Copies a state to `state.db.v<version>`, or to `.2`, `.3` … of it if earlier copies exist. The
 * name appears when the copy is complete and on the disk. Only under the folder's lock.
 */
export function keepCopy(db: Sqlite, file: string, version: number): void {
  const name = `${file}.v${version}`;
  const temporary = `${name}${TEMPORARY_SUFFIX}`;
  rmSync(temporary, { force: true });
  try {
    db.run("VACUUM INTO ?", temporary);
    sync(temporary, "r+");
    renameSync(temporary, toFreeName(name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}
