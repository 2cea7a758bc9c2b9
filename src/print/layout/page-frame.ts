import { mmToPx, mmToPt, pxToMm } from "../../base/shapes/units.ts";
import type { DeviceDpi } from "./device-grid.ts";
import type { LabelSheet, Paper } from "./label-sheet.ts";

/** The page round the trimmed sheet, mm. Media box = trim + margins; the trimmed size never changes. */
export interface PageFrame {
  readonly trimWidthMm: number;
  readonly trimHeightMm: number;
  readonly bleedMm: number;
  readonly margins: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
}

/**
 * Marks start this far outside the trim unless the job says otherwise
 * (docs/spec/print.md section 3).
 */
export const BLEED_MM = 3;
export const MARK_LENGTH_MM = 5;
const EDGE_MM = 2;
/** Room of the slug's two lines and the bottom edge, beneath the marks. */
const SLUG_MM = 9;

/** The room of marks and slug round the trimmed sheet, mm. */
export interface MarkRoom {
  readonly side: number;
  readonly top: number;
  readonly bottom: number;
}

export function markRoom(bleedMm: number = BLEED_MM): MarkRoom {
  const side = bleedMm + MARK_LENGTH_MM + EDGE_MM;
  return { side, top: side, bottom: bleedMm + MARK_LENGTH_MM + SLUG_MM };
}

/** In the middle of its paper, or above it where the slug needs the room. */
export function marginsOn(
  paper: Paper,
  { page }: Pick<LabelSheet, "page">,
  room: MarkRoom,
): PageFrame["margins"] {
  const across = (paper.widthMm - page.widthMm) / 2;
  const down = paper.heightMm - page.heightMm;
  const bottom = paper.isCentred === true ? down / 2 : Math.max(down / 2, room.bottom);
  return { left: across, right: across, bottom, top: down - bottom };
}

const over = (mm: number): number => (mm > 1e-6 ? mm : 0);

/** How much of the trimmed sheet with its marks runs off its paper, mm; 0 = it fits. */
export function offPaper({ paper, page }: LabelSheet, bleedMm: number): { x: number; y: number } {
  if (paper === undefined) return { x: 0, y: 0 };
  const { side, top, bottom } = markRoom(bleedMm);
  const ends = paper.isCentred === true ? 2 * Math.max(top, bottom) : top + bottom;
  return {
    x: over(page.widthMm + 2 * side - paper.widthMm),
    y: over(page.heightMm + ends - paper.heightMm),
  };
}

/**
 * A page that has its paper, or that grows when it carries marks. With a device grid the page is whole pixels in both
 * directions, so that the grid is the same counted from any corner.
 */
export function makePageFrame(
  sheet: LabelSheet,
  hasMarks: boolean,
  dpi: DeviceDpi,
  bleedMm: number = BLEED_MM,
): PageFrame {
  const trim = { trimWidthMm: sheet.page.widthMm, trimHeightMm: sheet.page.heightMm };
  if (hasMarks && sheet.paper !== undefined)
    return { ...trim, bleedMm, margins: marginsOn(sheet.paper, sheet, markRoom(bleedMm)) };
  if (!hasMarks) return { ...trim, bleedMm: 0, margins: { left: 0, right: 0, top: 0, bottom: 0 } };
  const { side, bottom } = markRoom(bleedMm);
  const left = side;
  const whole = (mm: number): number =>
    dpi === undefined ? mm : pxToMm(Math.ceil(mmToPx(mm, dpi) - 1e-6), dpi);
  const right = whole(left + trim.trimWidthMm + side) - left - trim.trimWidthMm;
  const top = whole(bottom + trim.trimHeightMm + side) - bottom - trim.trimHeightMm;
  return { ...trim, bleedMm, margins: { left, right, top, bottom } };
}

/** Distance of a trim coordinate from the page's left edge, mm. */
export function toPageX(frame: PageFrame, xMm: number): number {
  return frame.margins.left + xMm;
}

/** Distance of a trim coordinate (downwards) from the page's lower edge (upwards), mm. */
export function toPageY(frame: PageFrame, yMm: number): number {
  return frame.margins.bottom + frame.trimHeightMm - yMm;
}

/** PDF rectangles of a page in points: `[left, bottom, right, top]`. */
export interface PageBoxesPt {
  readonly media: readonly number[];
  readonly bleed: readonly number[];
  readonly trim: readonly number[];
}

const round3 = (pt: number): number => Math.round(pt * 1e3) / 1e3;

export function toPageBoxes(frame: PageFrame): PageBoxesPt {
  const { margins, trimWidthMm, trimHeightMm, bleedMm } = frame;
  const grown = (by: number): number[] =>
    [
      margins.left - by,
      margins.bottom - by,
      margins.left + trimWidthMm + by,
      margins.bottom + trimHeightMm + by,
    ].map((mm) => round3(mmToPt(mm)));
  const media = [
    0,
    0,
    margins.left + trimWidthMm + margins.right,
    margins.bottom + trimHeightMm + margins.top,
  ];
  return { media: media.map((mm) => round3(mmToPt(mm))), bleed: grown(bleedMm), trim: grown(0) };
}
