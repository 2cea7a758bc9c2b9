/** Pictures of the codes, small, for an index that shows them. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import type { XlsxPicture } from "../../pack/xlsx.ts";
import { makeThumbnail } from "../../qr/png/raster.ts";
import type { ListedRow } from "../../state/row.ts";
import { showStage } from "../events.ts";
import type { Work } from "./work.ts";

/** Twice as fine as they are shown: 4 pixels a module and more up to version 7. */
const SIDE_PX = 200;
/** As many as there are threads that draw. */
const AT_ONCE = 4;

/** By row. A picture that is gone or damaged is left out: the proof reports it. */
export type Pictures = ReadonlyMap<string, XlsxPicture>;

/** Drawings come first: they scale down faster than pixels. */
const toFirst = (row: ListedRow): string | undefined => {
  const names = row.artwork?.files.map(({ name }) => name) ?? [];
  return names.find((name) => name.endsWith(".svg")) ?? names[0];
};

async function drawSmall(folder: string, name: string): Promise<XlsxPicture | undefined> {
  try {
    return await makeThumbnail(await readFile(path.join(folder, name)), SIDE_PX);
  } catch {
    return undefined;
  }
}

/** Pictures of all rows that have artwork; undefined when the run is stopped meanwhile. */
export async function drawPictures({
  state,
  folder,
  on,
  signal,
}: Work): Promise<Pictures | undefined> {
  const left = [...state.listing.rows()].flatMap((row) => {
    const name = toFirst(row);
    return name === undefined ? [] : [{ key: row.key, name }];
  });
  const total = left.length;
  const pictures = new Map<string, XlsxPicture>();
  while (left.length > 0) {
    if (signal.aborted) return undefined;
    showStage(on, "pictures of the index", total - left.length, total);
    const drawn = left.splice(0, AT_ONCE).map(async ({ key, name }) => {
      const picture = await drawSmall(folder, name);
      if (picture !== undefined) pictures.set(key, picture);
    });
    await Promise.all(drawn);
  }
  return pictures;
}
