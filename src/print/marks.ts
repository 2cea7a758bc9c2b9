import type { Line } from "./content-stream.ts";
import type { LabelSheet } from "./label-sheet.ts";
import { MARK_LENGTH_MM, type PageFrame, toPageX, toPageY } from "./page-frame.ts";

/** What may be drawn outside the trim. */
export const markKinds = ["crop"] as const;
export type MarkKind = (typeof markKinds)[number];

/** Ours; 0.15 pt is the least that press work keeps (`print.md` section 10). */
export const MARK_WIDTH_PT = 0.25;
const SAME_CUT_MM = 1e-3;

/** Where the guillotine falls along one axis, ascending; a cut that two labels share stands once. */
export function cutPositions(
  firstMm: number,
  pitchMm: number,
  sizeMm: number,
  count: number,
): number[] {
  const cuts: number[] = [];
  for (let i = 0; i < count; i += 1) {
    for (const cut of [firstMm + i * pitchMm, firstMm + i * pitchMm + sizeMm]) {
      const last = cuts.at(-1);
      if (last === undefined || cut - last > SAME_CUT_MM) cuts.push(cut);
    }
  }
  return cuts;
}

/** Crop marks at every cut: above, below, left and right of the trimmed sheet, page coordinates. */
export function cropMarks(sheet: LabelSheet, frame: PageFrame): Line[] {
  const { label } = sheet;
  const near = frame.bleedMm;
  const far = frame.bleedMm + MARK_LENGTH_MM;
  const lines: Line[] = [];
  for (const cut of cutPositions(sheet.leftMm, sheet.pitchXMm, label.widthMm, sheet.columns)) {
    const x = toPageX(frame, cut);
    const top = toPageY(frame, 0);
    const bottom = toPageY(frame, frame.trimHeightMm);
    lines.push(
      { x1: x, y1: top + near, x2: x, y2: top + far },
      { x1: x, y1: bottom - near, x2: x, y2: bottom - far },
    );
  }
  for (const cut of cutPositions(sheet.topMm, sheet.pitchYMm, label.heightMm, sheet.rows)) {
    const y = toPageY(frame, cut);
    const left = toPageX(frame, 0);
    const right = toPageX(frame, frame.trimWidthMm);
    lines.push(
      { x1: left - near, y1: y, x2: left - far, y2: y },
      { x1: right + near, y1: y, x2: right + far, y2: y },
    );
  }
  return lines;
}
