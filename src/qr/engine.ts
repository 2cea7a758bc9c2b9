/** The front door of the QR engine: text and design in, SVG and PNG out. */
import { packageUrl } from "../base/files/package-files.ts";
import { AppError } from "../base/errors.ts";
import {
  type ContactCell,
  type ContactSheetOptions,
  drawContactSheet,
} from "./draw/contact-sheet.ts";
import { type Design, designScanWarnings, gradeWarnings } from "./draw/design.ts";
import { type LeastSize, leastSize } from "./draw/least-size.ts";
import { logoWarnings } from "./draw/logo.ts";
import { type Drawing, drawCode } from "./draw/drawing.ts";
import type { PredictedGrade } from "./grade/predict-grade.ts";
import { gradeDrawing, type PrintConditions } from "./grade/print-picture.ts";
import { leastWidthPx, pitchWarning } from "./png/pixel-grid.ts";
import { isPlain } from "./png/plain-png.ts";
import { PngPool } from "./png/png-pool.ts";
import { type PixelOptions, renderPng } from "./png/png.ts";
import { normalizeLogo } from "./png/raster.ts";
import { StampLayers } from "./png/stamped-png.ts";
import { renderSvg, toSvg, wholeView } from "./draw/svg.ts";
import { openTextShaper } from "./draw/text.ts";

export interface QrEngineOptions {
  /** TTF or OTF files; the first that has every character of a label draws it. Needed for labels only. */
  readonly fonts?: readonly Uint8Array[] | undefined;
  /** Number of threads that draw styled PNGs. Default 0: the caller's thread. */
  readonly threads?: number | undefined;
}

export interface QrEngine {
  /** SVG, `design.sizePx` wide. */
  svg(text: string, design: Design): string;
  /** The same, together with the `scanWarnings` for the design's own width. */
  svgWithWarnings(
    text: string,
    design: Design,
  ): { readonly svg: string; readonly warnings: string[] };
  /** PNG of exactly `widthPx` (default `design.sizePx`). */
  png(text: string, design: Design, options?: PixelOptions): Promise<Uint8Array>;
  /**
   * Why scanners or verifiers may fail on a design that can be drawn: colours, a large logo, and
   * modules of less than 3 pixels in a PNG of `widthPx`. Empty when it is safe. Throws what `svg`
   * throws.
   */
  scanWarnings(text: string, design: Design, options?: Pick<PixelOptions, "widthPx">): string[];
  /** How small the drawing may be printed, in mm. Throws what `svg` throws. */
  leastSize(text: string, design: Design): LeastSize;
  /**
   * The grade that a verifier would probably give the printed code (docs/grades.md). Throws what
   * `svg` throws.
   */
  predictGrade(text: string, design: Design, conditions?: PrintConditions): Promise<PredictedGrade>;
  /**
   * Smallest `widthPx` that `png` accepts for a code: 2 pixels a module. Throws what `svg` throws.
   */
  leastWidthPx(text: string, design: Design): number;
  /** PNG, JPEG, GIF or WebP -> the PNG for `Design.logo`. Throws `design-invalid`. */
  normalizeLogo(image: Uint8Array, maxBytes?: number): Promise<Uint8Array>;
  /** Codes side by side with their names, as SVG. Throws `design-invalid` without fonts. */
  contactSheet(cells: readonly ContactCell[], options: ContactSheetOptions): string;
  /** Frees fonts and threads. The engine must not be used afterwards. */
  close(): void;
}

/** Font files of this package, in the right order for `openQrEngine`. */
export const labelFonts: readonly URL[] = [
  "noto-sans-bold.ttf",
  "noto-sans-hebrew-bold.ttf",
  "noto-sans-arabic-bold.ttf",
].map((file) => packageUrl(`templates/fonts/${file}`));

function warningsOf(drawing: Drawing, design: Design, widthPx: number): string[] {
  const pitch = pitchWarning(drawing, widthPx);
  return [
    ...designScanWarnings(design),
    ...gradeWarnings(design),
    ...logoWarnings(drawing, design),
    ...(pitch === undefined ? [] : [pitch]),
  ];
}

/** Makes an engine. One serves a whole process. */
export async function openQrEngine(options: QrEngineOptions = {}): Promise<QrEngine> {
  const { fonts = [], threads = 0 } = options;
  const layers = new StampLayers();
  const shaper = fonts.length === 0 ? undefined : await openTextShaper({ fonts });
  const pool = threads > 0 ? new PngPool(threads, fonts) : undefined;
  return {
    svg: (text, design) => renderSvg(text, design, shaper),
    svgWithWarnings: (text, design) => {
      const drawing = drawCode(text, design, shaper);
      const svg = toSvg(drawing, wholeView(drawing, design.sizePx));
      return { svg, warnings: warningsOf(drawing, design, design.sizePx) };
    },
    png: async (text, design, options = {}) => {
      // Drawing a plain code takes less time than sending it to a thread.
      const drawn = isPlain(design) ? undefined : await pool?.render(text, design, options);
      return drawn ?? renderPng(text, design, { ...options, shaper, layers });
    },
    scanWarnings: (text, design, { widthPx = design.sizePx } = {}) =>
      warningsOf(drawCode(text, design, shaper), design, widthPx),
    leastSize: (text, design) => leastSize(drawCode(text, design, shaper)),
    predictGrade: async (text, design, conditions) =>
      gradeDrawing(drawCode(text, design, shaper), conditions),
    leastWidthPx: (text, design) => leastWidthPx(drawCode(text, design, shaper)),
    normalizeLogo,
    contactSheet: (cells, options) => {
      if (shaper !== undefined) return drawContactSheet(cells, options, shaper);
      throw new AppError("design-invalid", "captions must be drawn with a font, got none", {
        hint: "open the QR engine with fonts",
      });
    },
    close: () => {
      shaper?.close();
      void pool?.close();
    },
  };
}
