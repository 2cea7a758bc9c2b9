import type { BoxMm } from "../layout/box.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import type { QrMatrix } from "../../qr/encode/encode.ts";

/**
 * A page's drawing operators as text, in points from the lower left corner. Only `k K gs` set
 * colour and state (docs/spec/print.md section 4); everything is 100% K.
 */

/** Shortest decimal form with at most `digits` decimals. */
export function toNumber(value: number, digits = 3): string {
  const scale = 10 ** digits;
  const rounded = Math.round(value * scale) / scale;
  return Object.is(rounded, -0) ? "0" : String(rounded);
}

const pt = (mm: number): string => toNumber(mmToPt(mm));

/** Fill colour of everything on a page, set once. */
export const BLACK_FILL = "0 0 0 1 k\n";

/** Names of the resources that pages use. */
export const OVERPRINT_STATE = "O";
export const FONT_NAME = "F";
export const BOLD_NAME = "B";

/** Characters of a path of modules as bytes. */
const [ZERO, BLANK, LETTER_R, LETTER_E, LINE_END] = [0x30, 0x20, 0x72, 0x65, 0x0a];
/** Bytes of the longest rectangle, `176 176 1 177 re` and the line end. */
const MOST_RUN_BYTES = 4 + 4 + 2 + 4 + 3;

/** Reused for every code: the largest has half its modules in runs of one. */
const scratch = Buffer.alloc(((177 * 177) / 2 + 177) * MOST_RUN_BYTES);
let filled = 0;

/** A whole number below 1000 and the blank after it. */
function writeNumber(n: number): void {
  let at = filled;
  if (n >= 100) scratch[at++] = ZERO + Math.trunc(n / 100);
  if (n >= 10) scratch[at++] = ZERO + (Math.trunc(n / 10) % 10);
  scratch[at] = ZERO + (n % 10);
  scratch[at + 1] = BLANK;
  filled = at + 2;
}

/** A rectangle one module wide. */
function writeRun(x: number, y: number, length: number): void {
  writeNumber(x);
  writeNumber(y);
  writeNumber(1);
  writeNumber(length);
  scratch[filled] = LETTER_R;
  scratch[filled + 1] = LETTER_E;
  scratch[filled + 2] = LINE_END;
  filled += 3;
}

/** The dark runs of column `x`, from the symbol's lower edge upwards. */
function writeColumn(matrix: QrMatrix, x: number): void {
  const { size, words, rows } = matrix;
  const bit = 1 << (x & 31);
  let word = (size - 1) * words + (x >> 5);
  let start = -1;
  for (let y = 0; y < size; y += 1) {
    const dark = ((rows[word] ?? 0) & bit) !== 0;
    if (dark && start < 0) start = y;
    if (!dark && start >= 0) {
      writeRun(x, start, y - start);
      start = -1;
    }
    word -= words;
  }
  if (start >= 0) writeRun(x, start, size - start);
}

/**
 * A code as one path with one fill: dark runs joined, whole numbers in a space whose unit is the
 * module (docs/spec/print.md section 7). Runs go down columns from the right, as data does:
 * payloads that begin alike then give equal bytes, and pages pack 4% smaller than with runs along
 * rows. `leftMm` and `bottomMm` lead to the symbol's lower left corner.
 */
export function drawCode(
  matrix: QrMatrix,
  at: { leftMm: number; bottomMm: number; xMm: number },
): string {
  // Five decimals for X keep the last module of a large code in place off the grid, too.
  const x = toNumber(mmToPt(at.xMm), 5);
  filled = 0;
  for (let column = matrix.size - 1; column >= 0; column -= 1) writeColumn(matrix, column);
  const path = scratch.toString("latin1", 0, filled);
  return `q ${x} 0 0 ${x} ${pt(at.leftMm)} ${pt(at.bottomMm)} cm\n${path}f\nQ\n`;
}

/** Black on a light ground overprints, so that no gap shows where plates don't meet. */
export const overprinted = (operators: string): string =>
  `q /${OVERPRINT_STATE} gs\n${operators}Q\n`;

/** One line of text: `show` = operators that show it, `leftMm`, `bottomMm` = the start of its baseline. */
export interface TextLine {
  readonly show: string;
  readonly leftMm: number;
  readonly bottomMm: number;
  readonly sizePt: number;
}

/** Black text overprints below this size; above it would, too, but need not. */
export function drawTexts(
  lines: readonly TextLine[],
  weight: "regular" | "bold" = "regular",
): string {
  if (lines.length === 0) return "";
  let out = `q /${OVERPRINT_STATE} gs BT\n`;
  let size = 0;
  for (const line of lines) {
    if (line.sizePt !== size) {
      out += `/${weight === "bold" ? BOLD_NAME : FONT_NAME} ${toNumber(line.sizePt)} Tf\n`;
      size = line.sizePt;
    }
    out += `1 0 0 1 ${pt(line.leftMm)} ${pt(line.bottomMm)} Tm ${line.show}\n`;
  }
  return `${out}ET Q\n`;
}

/** A rectangle of the page, mm from its lower left corner. */
export interface Patch extends BoxMm {
  /** Shares of the plates that marks stand on, 0..1. */
  readonly shares: readonly number[];
}

/** How marks are coloured: in black, or in a colour space of several plates. */
export interface MarkInk {
  fill(shares: readonly number[]): string;
  /** Solid on every plate. */
  readonly stroke: string;
}

export const BLACK_MARKS: MarkInk = {
  fill: ([share = 0]) => `0 0 0 ${toNumber(share)} k`,
  stroke: "0 0 0 1 K",
};

/** Solid on all of `count` plates of the colour space `space`. */
export function plateMarks(space: string, count: number): MarkInk {
  const solid = Array.from({ length: count }, () => "1").join(" ");
  return {
    fill: (shares) => `/${space} cs ${shares.map((share) => toNumber(share)).join(" ")} scn`,
    stroke: `/${space} CS ${solid} SCN`,
  };
}

/** Rectangles in shares of plates. */
export function drawPatches(patches: readonly Patch[], ink: MarkInk = BLACK_MARKS): string {
  if (patches.length === 0) return "";
  const fields = patches.map(
    ({ x, y, width, height, shares }) =>
      `${ink.fill(shares)} ${pt(x)} ${pt(y)} ${pt(width)} ${pt(height)} re f\n`,
  );
  return `q\n${fields.join("")}Q\n`;
}

/** A straight line on the page, mm from its lower left corner. */
export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A circle on the page, mm. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Control points of a quarter circle of radius 1, the usual approximation by a cubic curve. */
const QUARTER = 0.5523;

/** A closed circle of four curves. */
export function circlePath({ x, y, radius: r }: Circle): string {
  const k = QUARTER * r;
  const quarters = [
    [x + r, y + k, x + k, y + r, x, y + r],
    [x - k, y + r, x - r, y + k, x - r, y],
    [x - r, y - k, x - k, y - r, x, y - r],
    [x + k, y - r, x + r, y - k, x + r, y],
  ];
  const curves = quarters.map((points) => `${points.map(pt).join(" ")} c\n`);
  return `${pt(x + r)} ${pt(y)} m\n${curves.join("")}h\n`;
}

/** Lines and circles of one stroke. */
export interface LineArt {
  readonly lines: readonly Line[];
  readonly circles?: readonly Circle[] | undefined;
}

/** All lines and circles as one stroke of `widthPt`, overprinting. */
export function drawLines(
  { lines, circles = [] }: LineArt,
  widthPt: number,
  ink: MarkInk = BLACK_MARKS,
): string {
  if (lines.length + circles.length === 0) return "";
  let out = `q /${OVERPRINT_STATE} gs ${ink.stroke} ${toNumber(widthPt)} w\n`;
  for (const { x1, y1, x2, y2 } of lines) out += `${pt(x1)} ${pt(y1)} m ${pt(x2)} ${pt(y2)} l\n`;
  return `${out}${circles.map(circlePath).join("")}S Q\n`;
}
