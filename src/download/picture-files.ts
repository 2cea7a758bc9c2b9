/**
 * Pictures on the disk, held to what was written. There are two per row: one is read only where its
 * stamp is not the noted one.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { sha256 } from "../base/ids/ids.ts";
import { stampOf } from "../base/files/stamp.ts";
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

/**
 * With the stamps of today, where the bytes are those that were written. One with other bytes, or
 * that is gone, is proven no longer. Undefined where nothing is to be noted.
 */
function restamp(folder: string, artwork: Artwork): Artwork | undefined {
  const { files, proven = [] } = artwork;
  const changed = new Set<string>();
  const now = files.map((file): PictureFile => {
    const full = path.join(folder, file.name);
    const stamp = stampPicture(full);
    if (stamp === file.stamp && stamp !== undefined) return file;
    if (stamp !== undefined && holds(full, file.sha256)) return { ...file, stamp };
    changed.add(file.name);
    return file;
  });
  const left = proven.filter((name) => !changed.has(name));
  const isSame = left.length === proven.length && now.every((file, at) => file === files[at]);
  return isSame ? undefined : { ...artwork, files: now, proven: left };
}

/**
 * Reads the pictures whose stamps are others, as those of a copied folder or of an older makeready,
 * and notes the stamps of those that are as they were written: nobody reads them again. The others
 * count as proven no longer: a run that can't fetch them again must not call them good.
 */
export async function noteUntouched(
  state: State,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  for (const page of state.pictures.pages()) {
    if (signal.aborted) return;
    const noted: [key: string, artwork: Artwork][] = [];
    for (const { key, artwork } of page) {
      const now = restamp(folder, artwork);
      if (now !== undefined) noted.push([key, now]);
    }
    if (noted.length > 0) state.pictures.note(noted);
    // Reading takes long also where nothing is to be noted.
    await nextTurn();
  }
}
