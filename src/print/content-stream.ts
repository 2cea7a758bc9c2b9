import { mmToPt } from "../base/units.ts";
import { darkRuns, type QrMatrix } from "../qr/encode.ts";

/**
 * A page's drawing operators as text, in points from the lower left corner. Only `k K gs` set
 * colour and state (`print.md` section 4); everything is 100% K.
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

/** Ends of `x y length` for every run length that a code can have. */
const runEnds = Array.from({ length: 178 }, (_, length) => ` ${length} 1 re\n`);

/**
 * A code as one path with one fill: dark runs joined per row, whole numbers in a space whose unit is
 * the module (`print.md` section 7). `leftMm` and `bottomMm` lead to the symbol's lower left corner.
 */
export function drawCode(
  matrix: QrMatrix,
  at: { leftMm: number; bottomMm: number; xMm: number },
): string {
  // Five decimals for X keep the last module of a large code in place off the grid, too.
  const x = toNumber(mmToPt(at.xMm), 5);
  let path = `q ${x} 0 0 ${x} ${pt(at.leftMm)} ${pt(at.bottomMm)} cm\n`;
  const top = matrix.size - 1;
  for (const run of darkRuns(matrix)) path += `${run.x} ${top - run.y}${runEnds[run.length] ?? ""}`;
  return `${path}f\nQ\n`;
}

/** One line of text: `hex` = glyphs of the file's subset, `leftMm`, `bottomMm` = the start of its baseline. */
export interface TextLine {
  readonly hex: string;
  readonly leftMm: number;
  readonly bottomMm: number;
  readonly sizePt: number;
}

/** Black text overprints below this size; above it would, too, but need not. */
export function drawTexts(lines: readonly TextLine[]): string {
  if (lines.length === 0) return "";
  let out = `q /${OVERPRINT_STATE} gs BT\n`;
  let size = 0;
  for (const line of lines) {
    if (line.sizePt !== size) {
      out += `/${FONT_NAME} ${toNumber(line.sizePt)} Tf\n`;
      size = line.sizePt;
    }
    out += `1 0 0 1 ${pt(line.leftMm)} ${pt(line.bottomMm)} Tm <${line.hex}> Tj\n`;
  }
  return `${out}ET Q\n`;
}

/** A straight line on the page, mm from its lower left corner. */
export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** All lines as one stroke of `widthPt`, overprinting. */
export function drawLines(lines: readonly Line[], widthPt: number): string {
  if (lines.length === 0) return "";
  let out = `q /${OVERPRINT_STATE} gs 0 0 0 1 K ${toNumber(widthPt)} w\n`;
  for (const { x1, y1, x2, y2 } of lines) out += `${pt(x1)} ${pt(y1)} m ${pt(x2)} ${pt(y2)} l\n`;
  return `${out}S Q\n`;
}
