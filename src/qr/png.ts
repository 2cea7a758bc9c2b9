/** A code as PNG of an exact width, on whole pixels (`qr.md` sections 3.4, 7 and 8). */
import type { Design } from "./design.ts";
import { drawCode, type Drawing } from "./drawing.ts";
import { encodeQr } from "./encode.ts";
import { type PixelGrid, toPixelGrid } from "./pixel-grid.ts";
import { drawPlainPng, isPlain } from "./plain-png.ts";
import { rasterizeSvgToPng } from "./raster.ts";
import { toSvg, type View } from "./svg.ts";
import { QUIET_ZONE } from "./tables.ts";
import type { TextShaper } from "./text.ts";

export interface PngOptions {
  /** Exact width of the image. Default: `design.sizePx`. */
  readonly widthPx?: number | undefined;
  /** Needed for labels. */
  readonly shaper?: TextShaper | undefined;
}

/** Moves and stretches the view so that every module is `grid.pitch` pixels. */
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

function renderStyled(drawing: Drawing, widthPx: number): Promise<Uint8Array> {
  return rasterizeSvgToPng(toSvg(drawing, gridView(toPixelGrid(drawing, widthPx))));
}

/**
 * The PNG of a code. Throws `payload-too-long`, `payload-malformed`, and `design-invalid` when
 * the width gives a module less than 2 pixels.
 */
export async function renderPng(
  text: string,
  design: Design,
  options: PngOptions = {},
): Promise<Uint8Array> {
  const widthPx = options.widthPx ?? design.sizePx;
  if (!isPlain(design)) return renderStyled(drawCode(text, design, options.shaper), widthPx);
  const matrix = encodeQr(text, { level: design.errorCorrection });
  const side = matrix.size + QUIET_ZONE * 2;
  return drawPlainPng(matrix, design, toPixelGrid({ width: side, height: side }, widthPx));
}
