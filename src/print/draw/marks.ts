import type { Circle, Line } from "./content-stream.ts";
import type { LabelSheet } from "../layout/label-sheet.ts";
import { MARK_LENGTH_MM, type PageFrame, toPageX, toPageY } from "../layout/page-frame.ts";

/** Marks that may be drawn outside the trim. */
export const markKinds = ["crop", "registration", "bar"] as const;
export type MarkKind = (typeof markKinds)[number];

/** Ours; 0.15 pt is the least that press work keeps (docs/spec/print.md section 10). */
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

/** Half of a registration target's cross; it spans the zone of the crop marks. */
const TARGET_HALF_MM = MARK_LENGTH_MM / 2;
const TARGET_RADIUS_MM = 1.25;
/** From the middle of a target to the next mark. */
export const TARGET_ROOM_MM = TARGET_HALF_MM + 1;

/** The place nearest to the middle of a side that no crop mark touches. */
function freePlace(middleMm: number, cuts: readonly number[]): number {
  const isFree = (at: number): boolean =>
    cuts.every((cut) => Math.abs(cut - at) >= TARGET_ROOM_MM - SAME_CUT_MM);
  const beside = cuts.flatMap((cut) => [cut - TARGET_ROOM_MM, cut + TARGET_ROOM_MM]);
  const places = [middleMm, ...beside].filter(isFree);
  const byDistance = places.toSorted(
    (a, b) => Math.abs(a - middleMm) - Math.abs(b - middleMm) || a - b,
  );
  return byDistance[0] ?? middleMm;
}

/** Middles of the four registration targets, page coordinates: above, below, left, right. */
export function registrationPlaces(
  sheet: LabelSheet,
  frame: PageFrame,
): { readonly x: number; readonly y: number }[] {
  const columns = cutPositions(sheet.leftMm, sheet.pitchXMm, sheet.label.widthMm, sheet.columns);
  const rows = cutPositions(sheet.topMm, sheet.pitchYMm, sheet.label.heightMm, sheet.rows);
  const x = toPageX(frame, freePlace(frame.trimWidthMm / 2, columns));
  const y = toPageY(frame, freePlace(frame.trimHeightMm / 2, rows));
  const out = frame.bleedMm + TARGET_HALF_MM;
  return [
    { x, y: toPageY(frame, 0) + out },
    { x, y: toPageY(frame, frame.trimHeightMm) - out },
    { x: toPageX(frame, 0) - out, y },
    { x: toPageX(frame, frame.trimWidthMm) + out, y },
  ];
}

/** A cross and a circle at every registration place; K only, as a cutter would follow an ink named All. */
export function registrationMarks(
  sheet: LabelSheet,
  frame: PageFrame,
): { lines: Line[]; circles: Circle[] } {
  const places = registrationPlaces(sheet, frame);
  const lines = places.flatMap(({ x, y }) => [
    { x1: x - TARGET_HALF_MM, y1: y, x2: x + TARGET_HALF_MM, y2: y },
    { x1: x, y1: y - TARGET_HALF_MM, x2: x, y2: y + TARGET_HALF_MM },
  ]);
  return { lines, circles: places.map((place) => ({ ...place, radius: TARGET_RADIUS_MM })) };
}
