/** How a drawing is placed on pixels: whole ones for every module (docs/spec/qr.md section 3.4). */
import { AppError } from "../../base/errors.ts";
import { MAX_SIZE_PX } from "../draw/design.ts";
import type { View } from "../draw/svg.ts";

/** Fewer pixels a module than this are refused: at 1.5 most decoders fail. */
export const MIN_PITCH_PX = 2;
/** Below this, codes only read well from a clean image: `pitchWarning` says so. */
export const SAFE_PITCH_PX = 3;

export interface PixelGrid {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels of a module's side. */
  readonly pitch: number;
  /** Pixel at which the drawing begins; leftover pixels become margin on all sides. */
  readonly left: number;
  readonly top: number;
}

interface Extent {
  /** Modules. */
  readonly width: number;
  readonly height: number;
}

/** Smallest width that `toPixelGrid` takes. */
export function leastWidthPx({ width }: Extent): number {
  return Math.ceil(width * MIN_PITCH_PX);
}

/** Throws `design-invalid` when a module would get less than 2 pixels. */
export function toPixelGrid(extent: Extent, widthPx: number): PixelGrid {
  const { width, height } = extent;
  const pitch = Math.floor(widthPx / width);
  if (pitch < MIN_PITCH_PX || widthPx > MAX_SIZE_PX || !Number.isInteger(widthPx)) {
    const message = `size must be a whole number of ${leastWidthPx(extent)} to ${MAX_SIZE_PX} pixels for this code, got ${widthPx}`;
    const where = { field: "size" };
    const hint = "raise size, or shorten the text";
    throw new AppError("design-invalid", message, {
      where,
      hint,
      problems: [{ message, where, hint }],
    });
  }
  const margin = Math.floor((widthPx - Math.floor(width * pitch)) / 2);
  return {
    widthPx,
    heightPx: Math.ceil(height * pitch) + (widthPx - Math.floor(width * pitch)),
    pitch,
    left: margin,
    top: margin,
  };
}

/** A warning when a module has so few pixels that blur or a camera's noise may hide it. */
export function pitchWarning(extent: Extent, widthPx: number): string | undefined {
  const pitch = Math.floor(widthPx / extent.width);
  if (pitch >= SAFE_PITCH_PX) return undefined;
  const least = Math.ceil(extent.width * SAFE_PITCH_PX);
  return `size ${widthPx} gives a module ${pitch} pixels: it should be at least ${least} for this code`;
}

/** The view of a drawing on its grid: moved and stretched so that a module is `grid.pitch` pixels. */
export function gridView(grid: PixelGrid): View {
  const { widthPx, heightPx, pitch, left, top } = grid;
  return {
    x: -left / pitch,
    y: -top / pitch,
    width: widthPx / pitch,
    height: heightPx / pitch,
    widthPx,
    heightPx,
  };
}
