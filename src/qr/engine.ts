/** The front door of the QR engine: text and design in, SVG and PNG out. */
import { AppError } from "../base/errors.ts";
import { type ContactCell, type ContactSheetOptions, drawContactSheet } from "./contact-sheet.ts";
import { type Design, designScanWarnings } from "./design.ts";
import { drawCode } from "./drawing.ts";
import { leastWidthPx, pitchWarning } from "./pixel-grid.ts";
import { type PngOptions, renderPng } from "./png.ts";
import { normalizeLogo } from "./raster.ts";
import { StampLayers } from "./stamped-png.ts";
import { renderSvg } from "./svg.ts";
import { openTextShaper } from "./text.ts";

export interface QrEngineOptions {
  /** TTF or OTF files; the first that has every character of a label draws it. Needed for labels only. */
  readonly fonts?: readonly Uint8Array[] | undefined;
}

export type EnginePngOptions = Pick<PngOptions, "widthPx" | "compression">;

export interface QrEngine {
  /** SVG, `design.sizePx` wide. */
  svg(text: string, design: Design): string;
  /** PNG of exactly `widthPx` (default `design.sizePx`). */
  png(text: string, design: Design, options?: EnginePngOptions): Promise<Uint8Array>;
  /**
   * Why scanners may fail on a design that can be drawn: colours, and modules of less than 3
   * pixels in a PNG of `widthPx`. Empty when it is safe. Throws what `svg` throws.
   */
  scanWarnings(text: string, design: Design, options?: Pick<PngOptions, "widthPx">): string[];
  /** Smallest `widthPx` that `png` takes for a code: 2 pixels a module. Throws what `svg` throws. */
  leastWidthPx(text: string, design: Design): number;
  /** PNG, JPEG, GIF or WebP -> the PNG that `Design.logo` takes. Throws `design-invalid`. */
  normalizeLogo(image: Uint8Array): Promise<Uint8Array>;
  /** Codes side by side with their names, as SVG. Throws `design-invalid` without fonts. */
  contactSheet(cells: readonly ContactCell[], options: ContactSheetOptions): string;
  /** Frees the fonts. The engine must not be used afterwards. */
  close(): void;
}

/** Font files of this package, in the order in which `openQrEngine` should be given them. */
export const labelFonts: readonly URL[] = [
  "noto-sans-bold.ttf",
  "noto-sans-hebrew-bold.ttf",
  "noto-sans-arabic-bold.ttf",
].map((file) => new URL(`../../templates/fonts/${file}`, import.meta.url));

/** Makes an engine. One serves a whole process. */
export async function openQrEngine(options: QrEngineOptions = {}): Promise<QrEngine> {
  const { fonts = [] } = options;
  const layers = new StampLayers();
  const shaper = fonts.length === 0 ? undefined : openTextShaper({ fonts });
  return {
    svg: (text, design) => renderSvg(text, design, shaper),
    png: (text, design, options = {}) => renderPng(text, design, { ...options, shaper, layers }),
    scanWarnings: (text, design, { widthPx = design.sizePx } = {}) => {
      const pitch = pitchWarning(drawCode(text, design, shaper), widthPx);
      return [...designScanWarnings(design), ...(pitch === undefined ? [] : [pitch])];
    },
    leastWidthPx: (text, design) => leastWidthPx(drawCode(text, design, shaper)),
    normalizeLogo,
    contactSheet: (cells, options) => {
      if (shaper !== undefined) return drawContactSheet(cells, options, shaper);
      throw new AppError("design-invalid", "captions must be drawn with a font, got none", {
        hint: "open the QR engine with fonts",
      });
    },
    close: () => shaper?.close(),
  };
}
