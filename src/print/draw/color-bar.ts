import { cutPositions, registrationPlaces, TARGET_ROOM_MM } from "./marks.ts";
import type { Patch } from "./content-stream.ts";
import { BLACK_PLATE, isBlackOnly, type Plate } from "./plates.ts";
import type { LabelSheet } from "../layout/label-sheet.ts";
import { MARK_LENGTH_MM, type PageFrame, toPageX, toPageY } from "../layout/page-frame.ts";

/** Solid and steps, for a densitometer, of a job in black alone. */
const TINTS = [1, 0.75, 0.5, 0.25, 0.1];
/** Dot gain is read off the middle tint; greys are made of steps. */
const INK_TINTS = [0.5, 0.25];
/** Pairs show whether inks trap, all three whether greys are neutral. */
const OVERPRINTS = [
  ["Cyan", "Magenta"],
  ["Cyan", "Yellow"],
  ["Magenta", "Yellow"],
  ["Cyan", "Magenta", "Yellow"],
];
const MOST_WIDTH_MM = 5;
const LEAST_WIDTH_MM = 2;
const HEIGHT_MM = 4;
const CLEAR_MM = 1;

/** The widest free stretch at the sheet's lower edge, trim coordinates. */
function widestStretch(taken: readonly (readonly [from: number, to: number])[]): {
  from: number;
  to: number;
} {
  let best = { from: 0, to: 0 };
  let from: number | undefined;
  for (const [start, end] of taken.toSorted((a, b) => a[0] - b[0])) {
    if (from !== undefined && start - from > best.to - best.from) best = { from, to: start };
    from = Math.max(from ?? end, end);
  }
  return best;
}

/** Shares of the plates, field by field, to control a press with these inks. */
function fieldsOf(plates: readonly Plate[], tints: readonly number[]): number[][] {
  const names = plates.map(({ name }) => name);
  const field = (inks: readonly string[], share: number): number[] =>
    names.map((name) => (inks.includes(name) ? share : 0));
  const pairs = OVERPRINTS.filter((inks) => inks.every((ink) => names.includes(ink)));
  return [
    ...names.map((name) => field([name], 1)),
    ...pairs.map((inks) => field(inks, 1)),
    ...tints.flatMap((share) => names.map((name) => field([name], share))),
  ];
}

/** Most fields first: where there is little room, tints are left out, then overprints, never a solid. */
function barsOf(plates: readonly Plate[]): number[][][] {
  if (isBlackOnly(plates)) return [TINTS.map((tint) => [tint])];
  const [middle = 0.5] = INK_TINTS;
  const solids = plates.map((_, i) => plates.map((__, at) => Number(at === i)));
  return [fieldsOf(plates, INK_TINTS), fieldsOf(plates, [middle]), fieldsOf(plates, []), solids];
}

/**
 * The bar beneath the trimmed sheet, in the zone of the crop marks and clear of them and of the
 * registration mark (docs/spec/print.md section 10). Empty when there is no room for it.
 */
export function colorBar(
  sheet: LabelSheet,
  frame: PageFrame,
  plates: readonly Plate[] = [BLACK_PLATE],
): Patch[] {
  const cuts = cutPositions(sheet.leftMm, sheet.pitchXMm, sheet.label.widthMm, sheet.columns);
  const target = (registrationPlaces(sheet, frame)[1]?.x ?? 0) - frame.margins.left;
  const { from, to } = widestStretch([
    [0, 0],
    [frame.trimWidthMm, frame.trimWidthMm],
    ...cuts.map((cut) => [cut - CLEAR_MM, cut + CLEAR_MM] as const),
    [target - TARGET_ROOM_MM, target + TARGET_ROOM_MM],
  ]);
  const bar = barsOf(plates).find((fields) => (to - from) / fields.length >= LEAST_WIDTH_MM);
  if (bar === undefined) return [];
  const width = Math.min(MOST_WIDTH_MM, (to - from) / bar.length);
  const first = toPageX(frame, (from + to - width * bar.length) / 2);
  const middle = toPageY(frame, frame.trimHeightMm) - frame.bleedMm - MARK_LENGTH_MM / 2;
  return bar.map((shares, i) => {
    return { x: first + i * width, y: middle - HEIGHT_MM / 2, width, height: HEIGHT_MM, shares };
  });
}
