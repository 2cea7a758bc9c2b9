import type { BoxMm } from "./box.ts";
import { safeBox, safeSquareMm } from "./die-shape.ts";
import type { LabelSheet } from "./label-sheet.ts";

/** Where a label keeps its code and its caption; boxes from the label's top left corner. */
export interface LabelLayout {
  /** `code` = no caption; `side` = code left, caption right of it; `below` and `above` = under and over it. */
  readonly arrangement: "code" | "side" | "below" | "above";
  /** The area that stays clear of the cut: everything that is drawn lies inside. */
  readonly safe: BoxMm;
  /** The greatest square for a code with its quiet zone. */
  readonly codeSideMm: number;
  /** Room kept beneath or above the code for the caption's lines; 0 unless it stands there. */
  readonly captionMm: number;
  /** The share of the spare width left of a code over or under its caption. Default: half. */
  readonly shareLeft?: number | undefined;
  /** Between quiet zone and caption. */
  readonly gapMm: number;
}

/** Where a caption stands; undefined: where it leaves the code more room. */
export type CaptionPlace = "beside" | "below" | "above";

/** A job's options for captions. */
export interface CaptionWish {
  /** Over or under its caption, the code stands as the caption does. */
  readonly captionAlign?: "left" | "center" | "right" | undefined;
  readonly captionPlace?: CaptionPlace | undefined;
  /** Their lines beneath or above a code have room for this size. */
  readonly captionLinePt?: number | undefined;
}

/** The share of spare width on the left, by alignment. */
export const shares = { left: 0, center: 0.5, right: 1 } as const;

const GAP_MM = 1;
/** A caption beside the code gets at least this part of the width. */
const CAPTION_SHARE = 0.35;
/** Room of a caption line under a code: 8 pt with its leading. */
const LINE_MM = 3.5;
const LINE_PT = 8;
/** Labels with a longer shorter side are posters: gap and lines grow with the difference. */
export const POSTER_MM = 70;
const POSTER_GROWTH = { gap: 0.015, line: 0.09 };

/** Cutting is less exact than pre-cut stock (docs/spec/print.md section 3: 1.6 to 3 mm). */
export function defaultSafeMm(sheet: LabelSheet): number {
  return sheet.stock === "plain" ? 3 : 1.6;
}

/** Room of a code alone: on round labels, the greatest square may reach beyond the greatest box. */
function codeArea({ label }: LabelSheet, safeMm: number): { safe: BoxMm; side: number } {
  const box = safeBox(label, safeMm);
  const side = Math.max(safeSquareMm(label, safeMm), Math.min(box.width, box.height));
  const [width, height] = [Math.max(box.width, side), Math.max(box.height, side)];
  const x = box.x - (width - box.width) / 2;
  const y = box.y - (height - box.height) / 2;
  return { safe: { x, y, width, height }, side };
}

/**
 * The one layout of a job: the arrangement that leaves the code more room, beside rather than
 * below when equal. `captionLines` = lines to make room for, 0 = none.
 */
export function layoutLabel(
  sheet: LabelSheet,
  safeMm: number,
  captionLines: number,
  { captionPlace: place, captionLinePt, captionAlign }: CaptionWish = {},
): LabelLayout {
  if (captionLines === 0) {
    const { safe, side } = codeArea(sheet, safeMm);
    return { arrangement: "code", safe, codeSideMm: side, captionMm: 0, gapMm: GAP_MM };
  }
  const safe = safeBox(sheet.label, safeMm);
  const beyondMm = Math.max(0, Math.min(safe.width, safe.height) - POSTER_MM);
  const gapMm = GAP_MM + beyondMm * POSTER_GROWTH.gap;
  const lineMm = LINE_MM + beyondMm * POSTER_GROWTH.line;
  const askedMm = captionLinePt === undefined ? lineMm : (captionLinePt / LINE_PT) * LINE_MM;
  const captionMm = gapMm + captionLines * askedMm;
  const side = Math.min(safe.height, safe.width * (1 - CAPTION_SHARE) - gapMm);
  const below = Math.min(safe.width, safe.height - captionMm);
  const isBeside = place === undefined ? side >= below : place === "beside";
  const under = place === "above" ? "above" : "below";
  const aligned = captionAlign === undefined ? {} : { shareLeft: shares[captionAlign] };
  return isBeside
    ? { arrangement: "side", safe, codeSideMm: side, captionMm: 0, gapMm }
    : { arrangement: under, safe, codeSideMm: below, captionMm, gapMm, ...aligned };
}

/**
 * The square of `reservedMm` that a code is centred in, from the label's top left corner. Code and
 * caption stand in the middle of the safe area as one block; beside a caption, the code is at the left.
 */
export function codeSquare(layout: LabelLayout, reservedMm: number): BoxMm {
  const { safe, arrangement, captionMm } = layout;
  const spareX = arrangement === "side" ? 0 : safe.width - reservedMm;
  const spareY = Math.max(0, safe.height - reservedMm - captionMm);
  const over = arrangement === "above" ? captionMm : 0;
  return {
    x: safe.x + spareX * (layout.shareLeft ?? 0.5),
    y: safe.y + spareY / 2 + over,
    width: reservedMm,
    height: reservedMm,
  };
}

/**
 * The room that a code in its square leaves for the caption, from the label's top left corner.
 * Undefined when the layout has none.
 */
export function captionBox(layout: LabelLayout, reservedMm: number): BoxMm | undefined {
  const { arrangement, safe, gapMm } = layout;
  const square = codeSquare(layout, reservedMm);
  const right = square.x + reservedMm + gapMm;
  const under = square.y + reservedMm + gapMm;
  switch (arrangement) {
    case "code":
      return undefined;
    case "side":
      return {
        x: right,
        y: safe.y,
        width: Math.max(0, safe.x + safe.width - right),
        height: safe.height,
      };
    case "above":
      return {
        x: safe.x,
        y: safe.y,
        width: safe.width,
        height: Math.max(0, square.y - gapMm - safe.y),
      };
    case "below":
      return {
        x: safe.x,
        y: under,
        width: safe.width,
        height: Math.max(0, safe.y + safe.height - under),
      };
  }
}
