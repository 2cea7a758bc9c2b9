/**
 * Pictures on the disk, held to what was written. There are two per row: one is read only where its
 * stamp is not the noted one.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { sha256 } from "../base/ids.ts";
import { stampOf } from "../base/stamp.ts";
import type { Artwork, PictureFile } from "../state/row.ts";
import type { State } from "../state/state.ts";

/** Undefined for a file that is not there. */
export function stampPicture(full: string): string | undefined {
  try {
    return stampOf(statSync(full, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** One that can't be read is not as it was written: it is made anew. */
function holds(full: string, hash: string): boolean {
  try {
    return sha256(readFileSync(full)) === hash;
  } catch {
    return false;
  }
}

/** True for a picture that is there, with the bytes that were written. */
export function isAsWritten(folder: string, { name, sha256: hash, stamp }: PictureFile): boolean {
  const full = path.join(folder, name);
  const now = stampPicture(full);
  return now !== undefined && (now === stamp || holds(full, hash));
}

/** True where nobody has written a picture of the plan's rows since; reads none of them. */
export function areUntouched(state: State, folder: string): boolean {
  for (const page of state.pictures.pages()) {
    for (const { artwork } of page) {
      const isSame = ({ name, stamp }: PictureFile): boolean =>
        stamp !== undefined && stampPicture(path.join(folder, name)) === stamp;
      if (!artwork.files.every(isSame)) return false;
    }
  }
  return true;
}

/** The stamp of today, where the bytes are those that were written. */
function restamp(folder: string, file: PictureFile): PictureFile {
  const full = path.join(folder, file.name);
  const stamp = stampPicture(full);
  return stamp === undefined || stamp === file.stamp || !holds(full, file.sha256)
    ? file
    : { ...file, stamp };
}

/**
 * Reads the pictures whose stamps are others, as those of a copied folder or of an older makeready,
 * and notes the stamps of those that are as they were written: nobody reads them again.
 */
export async function noteUntouched(
  state: State,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  for (const page of state.pictures.pages()) {
    if (signal.aborted) return;
    const noted: [key: string, files: Artwork["files"]][] = [];
    for (const { key, artwork } of page) {
      const files = artwork.files.map((file) => restamp(folder, file));
      if (files.some((file, at) => file !== artwork.files[at])) noted.push([key, files]);
    }
    if (noted.length === 0) continue;
    state.pictures.setFiles(noted);
    await nextTurn();
  }
}
