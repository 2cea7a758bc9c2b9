/**
 * Where everything stands in a QR code, written from the standard and apart from `src/qr`: the
 * grader must not repeat a fault of what it grades.
 */

export type Level = "L" | "M" | "Q" | "H";

/** What the two level bits of the format information mean. */
const LEVELS: readonly Level[] = ["M", "L", "H", "Q"];

/** Check codewords of a block, versions 1 to 40. */
const CHECK: Readonly<Record<Level, string>> = {
  L: "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  M: "10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28",
  Q: "13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  H: "17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
};

/** Blocks, versions 1 to 40. */
const BLOCKS: Readonly<Record<Level, string>> = {
  L: "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25",
  M: "1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49",
  Q: "1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68",
  H: "1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81",
};

const at = (row: string, version: number): number => Number(row.split(" ")[version - 1]);

export interface Blocks {
  readonly count: number;
  /** Check codewords of each. */
  readonly check: number;
  /** Data and check codewords of each block, in order. */
  readonly lengths: readonly number[];
}

export function blocksOf(version: number, level: Level, total: number): Blocks {
  const count = at(BLOCKS[level], version);
  const long = total % count;
  const lengths = Array.from(
    { length: count },
    (_, i) => Math.floor(total / count) + (i >= count - long ? 1 : 0),
  );
  return { count, check: at(CHECK[level], version), lengths };
}

/** Check codewords that guard against a wrong decoding and correct nothing. */
export function protection(version: number, level: Level): number {
  if (version === 1) return { L: 3, M: 2, Q: 1, H: 1 }[level];
  return version === 2 && level === "L" ? 2 : 0;
}

/** Rows and columns on which alignment patterns are centred. */
export function alignmentCentres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = version * 4 + 10;
  const step = version === 32 ? 26 : Math.ceil((last - 6) / (count - 1) / 2) * 2;
  return Array.from({ length: count }, (_, i) => (i === 0 ? 6 : last - (count - 1 - i) * step));
}

/** Column and row of each alignment pattern. */
export function alignmentPatterns(version: number): [number, number][] {
  const centres = alignmentCentres(version);
  const last = centres.at(-1);
  return centres.flatMap((y) =>
    centres
      .filter((x) => !((x === 6 && (y === 6 || y === last)) || (x === last && y === 6)))
      .map((x): [number, number] => [x, y]),
  );
}

/** Darkness of a finder's module; `x`, `y` from its top left corner, beyond it light. */
export function finderIsDark(x: number, y: number): boolean {
  const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
  return ring === 3 || ring <= 1;
}

/** Places of the 15 format bits, lowest first: around the first finder, and beside the others. */
export function formatPlaces(size: number): [[number, number][], [number, number][]] {
  const first: [number, number][] = [];
  for (let i = 0; i < 6; i += 1) first.push([8, i]);
  first.push([8, 7], [8, 8], [7, 8]);
  for (let i = 9; i < 15; i += 1) first.push([14 - i, 8]);
  const second: [number, number][] = [];
  for (let i = 0; i < 8; i += 1) second.push([size - 1 - i, 8]);
  for (let i = 8; i < 15; i += 1) second.push([8, size - 15 + i]);
  return [first, second];
}

/** The 15 bits of a level and mask, as they are drawn. */
export function formatBits(data: number): number {
  let rest = data;
  for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  return ((data << 10) | rest) ^ 0x5412;
}

export const levelOfFormat = (data: number): Level => LEVELS[data >>> 3] as Level;

/** 1 for each module that holds no data. */
export function fixedModules(version: number): Uint8Array {
  const size = version * 4 + 17;
  const fixed = new Uint8Array(size * size);
  const fill = (x: number, y: number, width: number, height: number): void => {
    for (let dy = 0; dy < height; dy += 1) {
      fixed.fill(1, (y + dy) * size + x, (y + dy) * size + x + width);
    }
  };
  fill(0, 0, 9, 9);
  fill(size - 8, 0, 8, 9);
  fill(0, size - 8, 9, 8);
  fill(6, 0, 1, size);
  fill(0, 6, size, 1);
  for (const [x, y] of alignmentPatterns(version)) fill(x - 2, y - 2, 5, 5);
  if (version >= 7) {
    fill(size - 11, 0, 3, 6);
    fill(0, size - 11, 6, 3);
  }
  return fixed;
}

/** Data modules in the order of their bits: two columns at a time, upwards and downwards. */
export function dataModules(version: number): [number, number][] {
  const size = version * 4 + 17;
  const fixed = fixedModules(version);
  const places: [number, number][] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i += 1) {
      const y = upwards ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (fixed[y * size + x] === 0) places.push([x, y]);
    }
    upwards = !upwards;
  }
  return places;
}

/** True where a mask inverts the module. */
export function isMasked(mask: number, x: number, y: number): boolean {
  const product = x * y;
  return (
    [
      (x + y) % 2,
      y % 2,
      x % 3,
      (x + y) % 3,
      (Math.floor(y / 2) + Math.floor(x / 3)) % 2,
      (product % 2) + (product % 3),
      ((product % 2) + (product % 3)) % 2,
      (((x + y) % 2) + (product % 3)) % 2,
    ][mask] === 0
  );
}
