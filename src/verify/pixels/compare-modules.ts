/**
 * Modules of a code, as a page shows them, compared with those that another encoder makes of its
 * row's payload (docs/spec/print.md section 12.3): finds faults that error correction hides from a
 * decoder.
 */
import type { GreyImage } from "../../qr/read/decode.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";
import { encodeByOther, type MatrixChoice, type OtherMatrix } from "./other-matrix.ts";

/** Where a code lies on a picture, in pixels; parts of them count. */
export interface CodePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Modules of a side. */
  readonly size: number;
}

/**
 * `same`: every module is clear and right. `unclear`: only a decoder can tell. `differs`: modules
 * are clearly wrong or missing.
 */
export type Comparison =
  | { readonly kind: "same" | "unclear" }
  | { readonly kind: "differs"; readonly message: string };

/** Pixels of a module are looked at this far from its middle, in modules: edges lie outside. */
const REACH = 0.15;
/** Light modules round the code that are looked at, too. */
const RING = 2;
/** Darkest and lightest grey must be this far apart. */
const LEAST_CONTRAST = 64;
/**
 * A grey this near to the middle between both, as a share of their distance, is neither dark nor
 * light.
 */
const DOUBT = 0.25;
/** With a larger share of modules that are neither, the code is not where it must be. */
const MOST_DOUBTFUL = 0.02;

const UNCLEAR: Comparison = { kind: "unclear" };
const SAME: Comparison = { kind: "same" };

/** First and last pixel of each module's middle, along one side; outside of the picture the nearest. */
function middles(
  from: number,
  length: number,
  { size, most }: { size: number; most: number },
): Int32Array {
  const pitch = length / size;
  const ends = new Int32Array((size + 2 * RING) * 2);
  for (let i = -RING; i < size + RING; i += 1) {
    const middle = from + (i + 0.5) * pitch;
    const at = (i + RING) * 2;
    ends[at] = Math.min(most - 1, Math.max(0, Math.floor(middle - REACH * pitch)));
    ends[at + 1] = Math.min(most - 1, Math.max(0, Math.floor(middle + REACH * pitch)));
  }
  return ends;
}

/** Mean grey of the middle of each module, row by row, with the ring. */
function sample({ data, width, height }: GreyImage, place: CodePlace): Uint8Array {
  const side = place.size + 2 * RING;
  const columns = middles(place.left, place.width, { size: place.size, most: width });
  const rows = middles(place.top, place.height, { size: place.size, most: height });
  const greys = new Uint8Array(side * side);
  for (let row = 0; row < side; row += 1) {
    const top = rows[row * 2] as number;
    const bottom = rows[row * 2 + 1] as number;
    for (let column = 0; column < side; column += 1) {
      const left = columns[column * 2] as number;
      const right = columns[column * 2 + 1] as number;
      let sum = 0;
      for (let y = top; y <= bottom; y += 1) {
        for (let x = left; x <= right; x += 1) sum += data[y * width + x] as number;
      }
      greys[row * side + column] = sum / ((bottom - top + 1) * (right - left + 1));
    }
  }
  return greys;
}

/** Error correction by its two bits, as ISO/IEC 18004 numbers it. */
const LEVELS: readonly QrLevel[] = ["M", "L", "H", "Q"];
const FORMAT_MASK = 0b10101;
/** The first bits of the format, error correction and mask, stand twice: in row 8, and in column 8 from below. */
const FORMAT_BITS = [0, 1, 2, 3, 4] as const;

/** The format that a code states; a wrong reading shows up as differences, and never hides one. */
function readChoices(size: number, isDark: (x: number, y: number) => boolean): MatrixChoice[] {
  const version = (size - 17) / 4;
  const read = (bits: readonly boolean[]): MatrixChoice => {
    const format = bits.reduce((all, bit) => (all << 1) | Number(bit), 0) ^ FORMAT_MASK;
    return { version, level: LEVELS[format >> 3] as QrLevel, mask: format & 7 };
  };
  const one = read(FORMAT_BITS.map((i) => isDark(i, 8)));
  const other = read(FORMAT_BITS.map((i) => isDark(8, size - 1 - i)));
  return one.level === other.level && one.mask === other.mask ? [one] : [one, other];
}

interface Differences {
  readonly count: number;
  /** From 1, from the upper left corner; 0 and less, or more than the size: the quiet zone. */
  readonly row: number;
  readonly column: number;
}

function sayDifferences({ count, row, column }: Differences): string {
  const where = `row ${row}, column ${column} of its modules`;
  return count === 1
    ? `the modules that its row's payload makes, got another one at ${where}`
    : `the modules that its row's payload makes, got ${count} others, the first at ${where}`;
}

/** The modules of a code as they are seen, with the ring of light ones. */
interface Seen {
  readonly greys: Uint8Array;
  readonly size: number;
  /** Between the darkest and the lightest. */
  readonly middle: number;
  /** A module this near to it is neither. */
  readonly slack: number;
}

/** Clear modules that differ from the wanted ones. */
function findDifferences({ greys, size, middle, slack }: Seen, wanted: OtherMatrix): Differences {
  let found: Differences = { count: 0, row: 0, column: 0 };
  let at = 0;
  for (let y = -RING; y < size + RING; y += 1) {
    for (let x = -RING; x < size + RING; x += 1) {
      const grey = greys[at] as number;
      at += 1;
      if (grey < middle === wanted.get(x, y) || Math.abs(grey - middle) < slack) continue;
      found =
        found.count === 0
          ? { count: 1, row: y + 1, column: x + 1 }
          : { ...found, count: found.count + 1 };
    }
  }
  return found;
}

/**
 * The differences from the most similar code of the text; undefined where no code of its size holds
 * it.
 */
function compareAll(seen: Seen, text: string): Differences | undefined {
  const { greys, size, middle } = seen;
  const side = size + 2 * RING;
  const isDark = (x: number, y: number): boolean =>
    (greys[(y + RING) * side + x + RING] as number) < middle;
  const found = readChoices(size, isDark).flatMap((choice) => {
    const wanted = encodeByOther(text, choice);
    return wanted === undefined ? [] : [findDifferences(seen, wanted)];
  });
  return found.toSorted((a, b) => a.count - b.count)[0];
}

const differs = (says: string): Comparison => ({
  kind: "differs",
  message: `code must have ${says}`,
});

/** Compares every module of a code, and two rows of light ones round it, with those of `text`. */
export function compareModules(image: GreyImage, place: CodePlace, text: string): Comparison {
  const { size } = place;
  const greys = sample(image, place);
  let [darkest, lightest] = [255, 0];
  for (const grey of greys) {
    if (grey < darkest) darkest = grey;
    if (grey > lightest) lightest = grey;
  }
  const contrast = lightest - darkest;
  if (contrast < LEAST_CONTRAST) return UNCLEAR;
  const seen: Seen = { greys, size, middle: (darkest + lightest) / 2, slack: DOUBT * contrast };
  const found = compareAll(seen, text);
  if (found === undefined) return differs("room for its row's payload, got too few modules");
  if (found.count > 0) return differs(sayDifferences(found));
  let doubtful = 0;
  for (const grey of greys) if (Math.abs(grey - seen.middle) < seen.slack) doubtful += 1;
  if (doubtful === 0) return SAME;
  if (doubtful <= MOST_DOUBTFUL * greys.length) return UNCLEAR;
  return differs(
    `its modules where the map has them, got ${doubtful} that are neither dark nor light`,
  );
}
