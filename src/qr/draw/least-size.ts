/**
 * How small a drawing may be printed (docs/spec/qr.md section 4): a frame takes part of the width,
 * so it makes the modules smaller.
 */
import { ptToMm } from "../../base/shapes/units.ts";
import type { Drawing } from "./drawing.ts";

/** Many handheld scanners can't read smaller modules (docs/spec/print.md section 5). */
export const LEAST_X_MM = 0.33;
/** Smaller letters can't be read (docs/spec/print.md section 2). */
export const LEAST_LETTERS_PT = 4;

export interface LeastSize {
  /** Least width of the whole drawing, with frame and quiet zone, at which its code can be read. */
  readonly codeMm: number;
  /** The same for its label; undefined without one. */
  readonly textMm: number | undefined;
}

const toTenths = (mm: number): number => Math.ceil(mm * 10 - 1e-6) / 10;

/** The least widths of a drawing, rounded up to a tenth of a millimetre. */
export function leastSize({ width, letters }: Pick<Drawing, "width" | "letters">): LeastSize {
  const perModule = letters === undefined ? undefined : ptToMm(LEAST_LETTERS_PT) / letters;
  return {
    codeMm: toTenths(width * LEAST_X_MM),
    textMm: perModule === undefined ? undefined : toTenths(width * perModule),
  };
}
