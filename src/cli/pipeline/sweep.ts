/** Takes away what no longer belongs: pieces of killed runs, sheets and archives of groups that are gone. */
import { opendir, rm, rmdir } from "node:fs/promises";
import path from "node:path";

import { TEMPORARY_SUFFIX } from "../../base/atomic-file.ts";
import { hashFile } from "../../base/hash-file.ts";
import type { Work } from "./work.ts";

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

interface OwnFile {
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

const SWEPT_AT_ONCE = 1000;

/**
 * Removes pictures that rows had under names or in formats that the job no longer gives them, once
 * all rows have theirs; those of rows that are gone stay. Answers how many were removed.
 */
export async function sweepArtwork({ state, folder, signal }: Work): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const files = state.oldArtwork.next(SWEPT_AT_ONCE);
    if (files.length === 0) break;
    const removed = await removeFiles(folder, files);
    count += removed.length;
    await removeEmptyFolders(folder, removed);
    state.oldArtwork.forget(files);
  }
  return count;
}

/** Folders that held these files and nothing else, up to `artwork` itself, which stays. */
async function removeEmptyFolders(folder: string, files: readonly string[]): Promise<void> {
  for (const start of new Set(files.map((file) => path.dirname(file)))) {
    for (let name = start; name.includes("/"); name = path.dirname(name)) {
      const isGone = await rmdir(path.join(folder, name)).then(
        () => true,
        () => false,
      );
      if (!isGone) break;
    }
  }
}

/**
 * Removes the PDFs or ZIPs of groups that the job no longer has, and volumes that it no longer
 * needs: nobody must print them by mistake.
 */
export async function sweepPackages(
  work: Work,
  kind: "sheets" | "zip",
  kept: readonly { readonly name: string; readonly files: readonly OwnFile[] }[],
  filesOf: (result: unknown) => readonly OwnFile[],
): Promise<void> {
  const { state, folder } = work;
  const names = new Set(kept.map(({ name }) => name));
  const files = new Set(kept.flatMap((group) => group.files.map(({ file }) => file)));
  for (const { name, result } of state.allPackaged(kind)) {
    if (names.has(name)) continue;
    await removeFiles(
      folder,
      filesOf(result).filter(({ file }) => !files.has(file)),
    );
    state.forgetPackaged(`${kind} ${name}`);
  }
}
