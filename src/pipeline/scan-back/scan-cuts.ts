/** Pictures of spoiled labels, cut out of scans and photos for people to look at. */
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { SpoiledLabel } from "../../pack/spoiled-labels.ts";
import { writeScreenPng } from "../../qr/png/png-file.ts";
import { type Picture, type ScanCell, type ScannedPicture, showCell } from "../../scan/scan.ts";

const MOST_CUTS = 200;

/** Of the picture of a spoiled label, by where the label lies. */
export const toCutName = ({
  file,
  page,
  row,
  column,
}: Pick<SpoiledLabel, "file" | "page" | "row" | "column">): string =>
  `${sha256(JSON.stringify([file, page, row, column])).slice(0, 32)}.png`;

const toRgba = (grey: Uint8Array): Uint8Array => {
  const rgba = new Uint8Array(grey.length * 4).fill(255);
  for (const [at, value] of grey.entries()) rgba.fill(value, at * 4, at * 4 + 3);
  return rgba;
};

/** Pictures of spoiled labels, of the page that shows each best. */
export class Cuts {
  readonly #written = new Set<string>();

  async write(
    folder: string,
    { image, found, name }: { image: Picture["image"]; found: ScannedPicture; name: string },
    best: ReadonlyMap<ScanCell, { readonly picture: string }>,
  ): Promise<void> {
    for (const { sheet, fit, labels } of found.sheets) {
      for (const { cell, state } of labels) {
        if (state !== "damaged" && state !== "missing") continue;
        if (best.get(cell)?.picture !== name) continue;
        const cut = toCutName({ ...sheet, ...cell });
        if (this.#written.size >= MOST_CUTS && !this.#written.has(cut)) return;
        this.#written.add(cut);
        const { data, ...size } = showCell(image, fit, cell);
        const png = writeScreenPng({ data: toRgba(data), ...size });
        await writeFileAtomic(path.join(folder, cut), png);
      }
    }
  }
}
