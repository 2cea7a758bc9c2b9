/** Takes away what no longer belongs. */
import { opendir, rm, stat } from "node:fs/promises";
import path from "node:path";

import { TEMPORARY_SUFFIX } from "../../base/files/atomic-file.ts";
import { hashFile } from "../../base/files/hash-file.ts";

/** What a run puts before the suffix: its process and a number, a version of the state, an id of a chunk or a SHA-256. */
const OWN_TEMPORARY = /\.(?:\d+(?:-\d+)?|v\d+|[\da-f-]{36}(?:\.drawn)?|[\da-f]{64})$/u;

const isOwnTemporary = (name: string): boolean =>
  name.endsWith(TEMPORARY_SUFFIX) && OWN_TEMPORARY.test(name.slice(0, -TEMPORARY_SUFFIX.length));

/**
 * Temporary files that a killed run left below the output folder; what others call `.part` stays, as
 * do hidden folders, which may be the data of a service. The caller holds the lock. There may be
 * millions of files: their names are looked at one by one.
 */
export async function sweepTemporary(folder: string): Promise<void> {
  for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
    const full = path.join(folder, entry.name);
    if (!entry.isDirectory()) {
      if (isOwnTemporary(entry.name)) await rm(full, { force: true });
    } else if (!entry.name.startsWith(".")) await sweepTemporary(full);
  }
}

/** A file that a run wrote, relative to the output folder. */
export interface OwnFile {
  readonly file: string;
  readonly sha256: string;
}

/** A finished file that stays, because nothing finished took its place. Absolute. */
export interface KeptFile {
  readonly file: string;
  /** When it was written, epoch milliseconds. */
  readonly madeMs: number;
}

/** Those that are there, with the time of their writing. */
export async function findKept(folder: string, names: readonly string[]): Promise<KeptFile[]> {
  const found: KeptFile[] = [];
  for (const name of new Set(names)) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() === true) found.push({ file, madeMs: Math.floor(stats.mtimeMs) });
  }
  return found;
}

/**
 * Removes files only if they have the bytes that were written: a person's edit stays. Returns those
 * that were removed.
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
