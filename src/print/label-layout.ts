import { type BoxMm, insetBox } from "./box.ts";
import type { LabelSheet } from "./label-sheet.ts";

/** Where a label keeps its code and its caption; boxes from the label's top left corner. */
export interface LabelLayout {
  /** `code` = no caption; `side` = code left, caption right of it; `below` = caption beneath. */
  readonly arrangement: "code" | "side" | "below";
  /** What stays clear of the cut: everything that is drawn lies inside. */
  readonly safe: BoxMm;
  /** The greatest square for a code with its quiet zone. */
  readonly codeSideMm: number;
}

/** Between quiet zone and caption. */
export const CAPTION_GAP_MM = 1;
/** A caption beside the code gets at least this part of the width. */
const CAPTION_SHARE = 0.35;
/** Room of a caption line under a code: 8 pt with its leading. */
const LINE_MM = 3.5;

/** Cutting is less exact than pre-cut stock (`print.md` section 3: 1.6 to 3 mm). */
export function defaultSafeMm(sheet: LabelSheet): number {
  return sheet.stock === "plain" ? 3 : 1.6;
}

/** What a person may rely on: inside a round label, the greatest square. */
function safeArea(sheet: LabelSheet, safeMm: number): BoxMm {
  const { shape, widthMm, heightMm } = sheet.label;
  const label = { x: 0, y: 0, width: widthMm, height: heightMm };
  if (shape === "rectangle") return insetBox(label, safeMm);
  const square = (widthMm - 2 * safeMm) / Math.SQRT2;
  return insetBox(label, (widthMm - square) / 2);
}

/**
 * The one layout of a job: the arrangement that leaves the code more room, beside rather than
 * below when equal. `captionLines` = lines to make room for, 0 = none.
 */
export function layoutLabel(sheet: LabelSheet, safeMm: number, captionLines: number): LabelLayout {
  const safe = safeArea(sheet, safeMm);
  if (captionLines === 0)
    return { arrangement: "code", safe, codeSideMm: Math.min(safe.width, safe.height) };
  const side = Math.min(safe.height, safe.width * (1 - CAPTION_SHARE) - CAPTION_GAP_MM);
  const below = Math.min(safe.width, safe.height - CAPTION_GAP_MM - captionLines * LINE_MM);
  return side >= below
    ? { arrangement: "side", safe, codeSideMm: side }
    : { arrangement: "below", safe, codeSideMm: below };
}

/**
 * The room that a code of `reservedMm` (with quiet zone) leaves for the caption, from the label's
 * top left corner. Undefined when the layout has none.
 */
export function captionBox(layout: LabelLayout, reservedMm: number): BoxMm | undefined {
  const { arrangement, safe } = layout;
  const taken = reservedMm + CAPTION_GAP_MM;
  switch (arrangement) {
    case "code":
      return undefined;
    case "side":
      return {
        x: safe.x + taken,
        y: safe.y,
        width: Math.max(0, safe.width - taken),
        height: safe.height,
      };
    case "below":
      return {
        x: safe.x,
        y: safe.y + taken,
        width: safe.width,
        height: Math.max(0, safe.height - taken),
      };
  }
}
