/** Letters of a frame that are smaller than the smallest text, or hardly stand out. */
import { parseHexColor, toContrastRatio } from "../../base/color/color.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import { LEAST_PT } from "../fonts/caption.ts";
import type { SheetRecord } from "../sheet-job.ts";
import { toScreen } from "./code-picture.ts";
import type { DesignedCode, DesignWarning } from "./designed-code.ts";

/** `letters`: their size in modules; undefined without any. */
export function smallLetters(
  { key }: Pick<SheetRecord, "key">,
  letters: number | undefined,
  xMm: number,
): DesignWarning[] {
  const sizePt = mmToPt((letters ?? Infinity) * xMm);
  if (sizePt >= LEAST_PT) return [];
  const size = `${Math.floor(sizePt * 10) / 10} pt`;
  const message = `row ${key}: the text of its frame has ${size}, smaller than ${LEAST_PT} pt`;
  return [{ code: "frame-text-small", row: key, what: [size], message }];
}

/** White on orange (`#fb8c00`, 2.4) is common, and read by everyone; white on yellow (1.4) is not. */
const LEAST_RATIO = 1.8;

/** Letters whose ink is too much like the one beneath them. */
export function paleLetters(
  { key }: Pick<SheetRecord, "key">,
  { around, design, look }: Pick<DesignedCode, "around" | "design" | "look">,
): DesignWarning[] {
  const [frame, letters] = around.frame;
  if (frame === undefined || letters === undefined) return [];
  // Some frames are only a line: their text stands beside it, in its colour.
  const ground = letters.fill === frame.fill ? (design.backgroundColor ?? "#ffffff") : frame.fill;
  const [ink, beneath] = [letters.fill, ground].map((color) =>
    parseHexColor(toScreen(look.inkOf(color))),
  );
  if (ink === undefined || beneath === undefined) return [];
  if (toContrastRatio(ink, beneath) >= LEAST_RATIO) return [];
  const message = `row ${key}: the text of its frame has nearly the colour that is behind it`;
  return [{ code: "frame-text-pale", row: key, message }];
}
