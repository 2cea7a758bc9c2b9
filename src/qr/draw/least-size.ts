/**
 * How small a drawing may be printed (docs/spec/qr.md section 4): a frame makes the modules of a
 * code smaller, since it takes its room from the same width.
 */
import { ptToMm } from "../../base/units.ts";
import type { Drawing } from "./drawing.ts";

/** Smaller modules are lost to many scanners in hands (docs/spec/print.md section 5). */
export const LEAST_X_MM = 0.33;
/** Smaller letters are not read (docs/spec/print.md section 2). */
export const LEAST_LETTERS_PT = 4;

export interface LeastSize {
  /** Width of the whole drawing, frame and quiet zone included, at which its code still reads. */
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
