/** Lengths are in millimetres everywhere; points exist only in the PDF writer. */

const MM_PER_INCH = 25.4;
const PT_PER_INCH = 72;

export function mmToPt(mm: number): number {
  return (mm * PT_PER_INCH) / MM_PER_INCH;
}

export function ptToMm(pt: number): number {
  return (pt * MM_PER_INCH) / PT_PER_INCH;
}

/** Device pixels (not rounded) of a length at `dpi`. */
export function mmToPx(mm: number, dpi: number): number {
  return (mm * dpi) / MM_PER_INCH;
}

export function pxToMm(px: number, dpi: number): number {
  return (px * MM_PER_INCH) / dpi;
}
