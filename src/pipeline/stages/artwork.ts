/** Pictures of the codes: they were fetched while codes were made; this stage removes old ones. */
import { rmdir } from "node:fs/promises";
import path from "node:path";

import type { State } from "../../state/state.ts";
import type { Work } from "./work.ts";
import type { Stage } from "./stage.ts";
import { removeFiles } from "./sweep.ts";
import { PRESENT_WITH_ARTWORK, WITH_ARTWORK } from "../../state/which-rows.ts";

const SWEPT_AT_ONCE = 1000;

/**
 * Removes pictures that rows had under names or in formats that the job no longer gives them, once
 * all rows have theirs; those of rows that are gone stay. Answers how many were removed.
 */
async function sweepArtwork({ state, folder, signal }: Work): Promise<number> {
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

export const countPictures = (state: State): number => state.count(PRESENT_WITH_ARTWORK);

/** More folders of artwork than this are not watched: every run then looks at all rows. */
const MAX_FOLDERS = 10_000;

export const artworkStage: Stage = {
  name: "artwork",
  isTimed: false,
  async make(work) {
    const removed = await sweepArtwork(work);
    return { removed, pictures: countPictures(work.state) };
  },
  /** The number comes from the seal: counting would look at every row. */
  recall: () => ({}),
  describe({ folder, job }, { pictures: codes, removed }) {
    const { files: formats } = job.output;
    if (formats.length === 0 || codes + removed === 0) return [];
    return [{ role: "artwork", file: path.join(folder, "artwork"), formats, codes, removed }];
  },
  watched(state) {
    if (countPictures(state) === 0) return [];
    const folders = state.listing.artworkFolders(MAX_FOLDERS + 1);
    return folders.length > MAX_FOLDERS ? undefined : folders;
  },
  *written(state) {
    for (const row of state.pick(["artwork"], WITH_ARTWORK)) {
      for (const { name, sha256 } of row.artwork?.files ?? []) yield { file: name, sha256 };
    }
  },
};
