/** What each module of a version is, for styles that draw them differently. */
import { alignmentPlaces } from "../encode/boards.ts";
import { isEye } from "./eyes.ts";
import { sizeOfVersion } from "../encode/tables.ts";

export const DATA = 0;
export const EYE = 1;
export const ALIGNMENT = 2;
export const TIMING = 3;

const known: (Uint8Array | undefined)[] = [];

function build(version: number): Uint8Array {
  const size = sizeOfVersion(version);
  const kinds = new Uint8Array(size * size);
  for (let i = 8; i < size - 8; i += 1) {
    kinds[6 * size + i] = TIMING;
    kinds[i * size + 6] = TIMING;
  }
  for (const { x, y } of alignmentPlaces(version)) {
    for (let dy = -2; dy <= 2; dy += 1) {
      kinds.fill(ALIGNMENT, (y + dy) * size + x - 2, (y + dy) * size + x + 3);
    }
  }
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) if (isEye(size, x, y)) kinds[y * size + x] = EYE;
  }
  return kinds;
}

/** One of DATA, EYE, ALIGNMENT, TIMING per module, row by row. Built once per version. */
export function moduleKinds(version: number): Uint8Array {
  return (known[version] ??= build(version));
}
