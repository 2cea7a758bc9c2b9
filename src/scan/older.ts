/**
 * Sheets that were printed before those of today were made: their codes lie elsewhere, or rows are
 * gone from them (docs/scan-back.md). No label of theirs can be judged by where it lies.
 */
import { isPaper, shiftMm } from "./measure.ts";
import { type FoundSheet, areaOf, middleOf, type PlacedCode } from "./find-sheet.ts";
import { applyFit, invertFit, type Point } from "./fit.ts";
import { medianOf } from "./median.ts";
import type { Picture } from "./read-pictures.ts";
import type { ScanCell, ScanSheet } from "./sheet.ts";

/**
 * Why the job's sheets of today lack a code that is one of its own: `vanished`, `bad`: what became
 * of its row in the spreadsheet; `deleted`: its code was; `address`: it leads to an earlier address;
 * `unprinted`: its row is on no sheet.
 */
export type PastReason = "vanished" | "bad" | "deleted" | "address" | "unprinted";

export interface PastCode {
  /** Of its row. */
  readonly key: string;
  readonly why: PastReason;
}

/**
 * What shows that a picture is of older sheets: codes that sheets of today lack, codes in the places
 * of others, places that are all equally far off, codes of another size, an end where sheets ended
 * before rows were added.
 */
export type OlderSign = "past" | "moved" | "shifted" | "resized" | "added";

/** What is known of the job's codes besides its sheets. */
export interface KnownPast {
  /** Hash -> code. */
  readonly codes: ReadonlyMap<string, PastCode>;
  /** Finished sheets were made anew once at least, as far as that was noted. */
  readonly wereRemade: boolean;
}

type Found = FoundSheet<PlacedCode>;

/** Where a pixel lies on the trimmed sheet, mm. */
export function toSheet({ fit }: Found, at: Point): Point | undefined {
  const back = invertFit(fit);
  return back === undefined ? undefined : applyFit(back, at);
}

export const isIn = ({ x, y }: Point, box: ScanCell["label"]): boolean =>
  x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;

export function isOnPage(point: Point, { pageMm, offsetMm }: ScanSheet): boolean {
  const { x, y } = { x: point.x + offsetMm.x, y: point.y + offsetMm.y };
  return x >= 0 && y >= 0 && x <= pageMm.width && y <= pageMm.height;
}

const STEPS = Array.from({ length: 10 }, (_, at) => (at + 0.5) / 10);
/** Sheets of paper that share more than this lie in one place: one of them was found wrongly. */
const MOST_SHARED = 0.05;

/** Share of a page that lies on another one, 0 to 1. */
function sharedWith(other: Found, { sheet: { pageMm, offsetMm }, fit }: Found): number {
  const points = STEPS.flatMap((across) =>
    STEPS.map((down) => ({
      x: across * pageMm.width - offsetMm.x,
      y: down * pageMm.height - offsetMm.y,
    })),
  );
  const shared = points.filter((point) => {
    const at = toSheet(other, applyFit(fit, point));
    return at !== undefined && isOnPage(at, other.sheet);
  });
  return shared.length / points.length;
}

/** Those that can lie beside one another, the likeliest first. */
function listApart(found: readonly Found[]): Found[] {
  const apart: Found[] = [];
  for (const one of found)
    if (apart.every((other) => sharedWith(other, one) <= MOST_SHARED)) apart.push(one);
  return apart;
}

/** No printer is so far off, and nobody lays a sheet so badly on the glass. */
const FAR_MM = 15;
/** Codes whose sides differ by more than this share were drawn in another size. */
const OTHER_SIZE = 0.06;
const LEAST_SIZED = 4;

function isResized(found: Found): boolean {
  if (found.codes.size < LEAST_SIZED) return false;
  const sizes = [...found.codes].flatMap(([{ code }, { corners }]) => {
    const seen = corners.flatMap((corner) => toSheet(found, corner) ?? []);
    return seen.length < corners.length ? [] : Math.sqrt(areaOf(seen)) / code.width;
  });
  return Math.abs((medianOf(sizes) ?? 1) - 1) > OTHER_SIZE;
}

const isShifted = (found: Found, picture: Picture): boolean => {
  const size = { ...picture.image, dpi: picture.dpi };
  if (!isPaper(found, size)) return false;
  const { x, y } = shiftMm(found, size);
  return Math.hypot(x, y) > FAR_MM;
};

interface Look {
  readonly picture: Picture;
  readonly found: readonly Found[];
  /** Codes that belong to none of them. */
  readonly left: readonly PlacedCode[];
  /** Hashes of codes on sheets of today. */
  readonly isToday: (hash: string) => boolean;
}

/** So many codes of the job in the places of others, and this share of all, are no swapped labels. */
const LEAST_MOVED = { remade: { codes: 2, share: 0.05 }, unknown: { codes: 3, share: 0.25 } };

function areMoved({ found, left, isToday }: Look, { wereRemade }: KnownPast): boolean {
  const apart = listApart(found);
  const own = apart.reduce((sum, { codes }) => sum + codes.size, 0);
  const wrong = found.reduce((sum, { codes }) => sum + codes.size, 0) - own;
  const moved = wrong + left.filter(({ hash }) => isToday(hash)).length;
  const { codes, share } = wereRemade ? LEAST_MOVED.remade : LEAST_MOVED.unknown;
  return moved >= codes && moved >= share * (own + moved);
}

/** A picture that shows so much as on sheets of today is of them: the rest was swapped, or is left over. */
const LEAST_OWN = 0.8;

/**
 * Single labels of today that were swapped, or of before that were left over. Where rows are gone
 * or were added, others lie in the places of codes that the picture doesn't show.
 */
function areSingle(look: Look, { codes }: KnownPast): boolean {
  const { found, left, isToday } = look;
  const strays = left.filter(({ hash }) => isToday(hash) || codes.has(hash));
  const own = found.reduce((sum, one) => sum + one.codes.size, 0);
  if (own < LEAST_OWN * (own + strays.length) || listApart(found).length < found.length)
    return false;
  const moved = new Set(strays.filter(({ hash }) => isToday(hash)).map(({ hash }) => hash));
  return strays.every((code) => {
    const cell = cellUnder(found, code);
    return cell !== undefined && (!moved.has(code.hash) || moved.has(cell.payloadHash));
  });
}

/** The label in whose place a code lies. */
function cellUnder(found: readonly Found[], code: PlacedCode): ScanCell | undefined {
  for (const one of found) {
    const at = toSheet(one, middleOf(code.corners));
    const cell = at && one.sheet.cells.find(({ label }) => isIn(at, label));
    if (cell !== undefined) return cell;
  }
  return undefined;
}

/** What shows that a picture is of older sheets; undefined where nothing does. */
export function findOlder(look: Look, past: KnownPast): OlderSign | undefined {
  const { found, left, picture } = look;
  const isToday = areSingle(look, past);
  if (!isToday && left.some(({ hash }) => past.codes.has(hash))) return "past";
  if (found.some(isResized)) return "resized";
  if (!isToday && areMoved(look, past)) return "moved";
  if (past.wereRemade && found.some((one) => isShifted(one, picture))) return "shifted";
  return undefined;
}

/** A label as one picture of its sheet shows it. */
interface Shown {
  readonly cell: ScanCell;
  readonly state: string;
}

/**
 * Rows that a sheet lacks because it was printed before they were added: it ends exactly where its
 * PDFs ended then. Empty where it doesn't.
 */
export function listAdded(ends: readonly number[] = [], labels: readonly Shown[]): string[] {
  for (const end of ends) {
    const last = labels.filter(({ cell }) => cell.nth === end - 1);
    const added = labels.filter(
      ({ cell: { nth = 0 }, state }) => nth >= end && state !== "outside",
    );
    const isEnd = last.some(({ state }) => state === "good" || state === "damaged");
    if (isEnd && added.length > 0 && added.every(({ state }) => state === "missing"))
      return [...new Set(added.map(({ cell }) => cell.key))];
  }
  return [];
}
