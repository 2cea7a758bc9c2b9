/** A code as PNG of an exact width, on whole pixels (docs/spec/qr.md sections 3.4, 7 and 8). */
import type { Design } from "../draw/design.ts";
import { drawCode } from "../draw/drawing.ts";
import { encodeQr } from "../encode/encode.ts";
import { encodeForLogo } from "../draw/logo.ts";
import { gridView, toPixelGrid } from "./pixel-grid.ts";
import { drawPlainPng, isPlain } from "./plain-png.ts";
import type { PngCompression } from "./png-file.ts";
import { rasterizeSvgToPng } from "./raster.ts";
import type { StampLayers } from "./stamped-png.ts";
import { QUIET_ZONE } from "../encode/tables.ts";
import { toPixelSvg } from "../draw/svg.ts";
import type { TextShaper } from "../draw/text.ts";

/** What a caller chooses of the picture. */
export interface PixelOptions {
  /** Exact width of the image. Default: `design.sizePx`. */
  readonly widthPx?: number | undefined;
  /** Default "fast". */
  readonly compression?: PngCompression | undefined;
}

export interface PngOptions extends PixelOptions {
  /** Needed for labels. */
  readonly shaper?: TextShaper | undefined;
  /** Layers kept between codes make styled ones many times faster. */
  readonly layers?: StampLayers | undefined;
}

/** Draws the whole code anew: works for every design. */
function renderWhole(text: string, design: Design, options: PngOptions): Promise<Uint8Array> {
  const drawing = drawCode(text, design, options.shaper);
  const grid = toPixelGrid(drawing, options.widthPx ?? design.sizePx);
  return rasterizeSvgToPng(toPixelSvg(drawing, gridView(grid)), options.compression ?? "fast");
}

/**
 * The PNG of a code. Throws `payload-too-long`, `payload-malformed`, and `design-invalid` when
 * the design can't be drawn or the width gives a module less than 2 pixels.
 */
export async function renderPng(
  text: string,
  design: Design,
  options: PngOptions = {},
): Promise<Uint8Array> {
  const { layers, shaper, widthPx = design.sizePx, compression = "fast" } = options;
  if (isPlain(design)) {
    const matrix = encodeQr(text, { level: design.errorCorrection });
    const side = matrix.size + QUIET_ZONE * 2;
    const grid = toPixelGrid({ width: side, height: side }, widthPx);
    return drawPlainPng(matrix, design, { grid, compression });
  }
  const stamped = await layers?.render(encodeForLogo(text, design), design, {
    widthPx,
    shaper,
    compression,
  });
  return stamped ?? (await renderWhole(text, design, options));
}
