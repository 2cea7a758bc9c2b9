/** Takes away what no longer belongs. */
import { opendir, rm } from "node:fs/promises";
import path from "node:path";

import { TEMPORARY_SUFFIX } from "../../base/atomic-file.ts";
import { hashFile } from "../../base/hash-file.ts";

/**
 * Temporary files that a killed run left below the output folder. The caller holds the lock. There
 * may be millions of files: their names are looked at one by one.
 */
export async function sweepTemporary(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await sweepTemporary(full);
    else if (entry.name.endsWith(TEMPORARY_SUFFIX)) await rm(full, { force: true });
  }
}

/** A file that a run wrote, relative to the output folder. */
export interface OwnFile {
  readonly file: string;
  readonly sha256: string;
}

/**
 * Removes files only as long as they have the bytes that were written: a person's edit stays.
 * Answers those that were removed.
 */
export async function removeFiles(folder: string, files: readonly OwnFile[]): Promise<string[]> {
  const removed: string[] = [];
  for (const { file, sha256 } of files) {
    const full = path.join(folder, file);
    const found = await hashFile(full).catch(() => undefined);
    if (found !== sha256) continue;
    await rm(full, { force: true });
    removed.push(file);
  }
  return removed;
}
