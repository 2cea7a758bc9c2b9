/** Codes for inks that spread: dark modules a few device pixels narrower (docs/spec/print.md section 6). */
import { mmToPt, mmToPx } from "../../base/shapes/units.ts";
import type { QrMatrix } from "../../qr/encode/encode.ts";
import type { CodeAt } from "../art/styled-code.ts";
import type { SheetJob } from "../sheet-job.ts";
import { toNumber } from "./content-stream.ts";

/** Device pixels taken off each edge: half of the reduction, the odd one right and above. */
export interface Reduction {
  readonly dpi: number;
  readonly px: number;
}

/** The reduction of dark modules in a job. */
export function reductionOf({ options }: Pick<SheetJob, "options">): Reduction | undefined {
  const { barWidthReduction: px = 0, deviceDpi: dpi } = options;
  return px > 0 && dpi !== undefined ? { px, dpi } : undefined;
}

export const reductionEdges = ({ px }: Reduction): { low: number; high: number } => {
  const low = Math.floor(px / 2);
  return { low, high: px - low };
};

type IsDark = (x: number, y: number) => boolean;

/** Columns from the left, rows from below. */
function readDark({ size, words, rows }: QrMatrix): IsDark {
  return (x, y) => {
    const word = rows[(size - 1 - y) * words + (x >> 5)] ?? 0;
    return (word & (1 << (x & 31))) !== 0;
  };
}

/** From-to pairs of the rows for which it holds. */
function runsOf(size: number, holds: (y: number) => boolean): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  let start = -1;
  for (let y = 0; y <= size; y += 1) {
    const isIn = y < size && holds(y);
    if (isIn && start < 0) start = y;
    if (!isIn && start >= 0) {
      runs.push([start, y]);
      start = -1;
    }
  }
  return runs;
}

/** Pixels; off the grid they are not whole. */
const px = (value: number): string => toNumber(value, 4);

/** Modules to be drawn narrower, rows from below. */
export interface ModuleShape {
  readonly width: number;
  readonly height: number;
  readonly isDark: IsDark;
}

/**
 * Operators of a path in device pixels. Each column's runs lose their edges; where two columns are
 * dark side by side, the strip between them is filled again.
 */
export function reducedPath(
  { width: columns, height: size, isDark }: ModuleShape,
  unit: number,
  reduction: Reduction,
): string {
  const { low, high } = reductionEdges(reduction);
  let path = "";
  const add = (x: number, width: number, [from, to]: readonly [number, number]): void => {
    const [y, height] = [from * unit + low, (to - from) * unit - low - high];
    path += `${px(x)} ${px(y)} ${px(width)} ${px(height)} re\n`;
  };
  for (let x = 0; x < columns; x += 1) {
    for (const run of runsOf(size, (y) => isDark(x, y)))
      add(x * unit + low, unit - low - high, run);
    for (const run of runsOf(size, (y) => x + 1 < columns && isDark(x, y) && isDark(x + 1, y)))
      add((x + 1) * unit - high, low + high, run);
  }
  return path;
}

/** A code as one path with one fill in device pixels. */
export function drawReducedCode(matrix: QrMatrix, at: CodeAt, reduction: Reduction): string {
  const { size } = matrix;
  const unit = mmToPx(at.xMm, reduction.dpi);
  const path = reducedPath(
    { width: size, height: size, isDark: readDark(matrix) },
    unit,
    reduction,
  );
  const pixel = toNumber(72 / reduction.dpi, 8);
  const [left, bottom] = [at.leftMm, at.bottomMm].map((mm) => toNumber(mmToPt(mm)));
  return `q ${pixel} 0 0 ${pixel} ${left} ${bottom} cm\n${path}f\nQ\n`;
}
