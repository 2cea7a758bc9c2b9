/** Which sheet a picture shows, and how it lies there: found from the codes that were read. */
import type { BoxMm } from "../print/layout/box.ts";
import type { Corners } from "../qr/read/decode.ts";
import { applyFit, type Fit, findFit, fitError, type Pair, type Point } from "./fit.ts";
import type { ScanCell, ScanSheet } from "./sheet.ts";

/** A code that was read in a picture. */
export interface PlacedCode {
  readonly hash: string;
  readonly corners: Corners;
}

/** A sheet as it lies in a picture. */
export interface FoundSheet<Code extends PlacedCode> {
  readonly sheet: ScanSheet;
  /** Millimetres of the trimmed sheet -> pixels. */
  readonly fit: Fit;
  readonly codes: ReadonlyMap<ScanCell, Code>;
  /** Pixels from the middle of the sheet to that of the picture. */
  readonly off: number;
}

/** Corners of a box, clockwise from its upper left one. */
export function cornersOf({ x, y, width, height }: BoxMm): Corners {
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
}

export function middleOf(points: readonly Point[]): Point {
  const sum = (name: "x" | "y"): number => points.reduce((total, point) => total + point[name], 0);
  return { x: sum("x") / points.length, y: sum("y") / points.length };
}

/** How a code's corners may lie on its label: upright, turned by quarters, and mirrored. */
const STANCES = [
  [0, 1, 2, 3],
  [1, 2, 3, 0],
  [2, 3, 0, 1],
  [3, 0, 1, 2],
  [0, 3, 2, 1],
  [1, 0, 3, 2],
  [2, 1, 0, 3],
  [3, 2, 1, 0],
] as const;

type Stance = (typeof STANCES)[number];

const inStance = (corners: Corners, stance: Stance): Point[] => stance.map((at) => corners[at]);

const pairsOf = (cell: ScanCell, corners: readonly Point[]): Pair[] =>
  cornersOf(cell.code).map((from, at) => ({ from, to: corners[at] as Point }));

/** A code belongs to a cell when it is seen no farther than this from it, in widths of the code. */
const REACH = 0.6;
/** Codes that a first fit is tried from, and sheets that are tried. */
const MOST_TRIES = 60;
const MOST_SHEETS = 8;
/** A projective fit is taken from so many codes on, if it is this much better. */
const LEAST_BENT = 6;
const BENT_GAIN = 0.8;

type Cells = ReadonlyMap<string, readonly ScanCell[]>;

function cellsByHash({ cells }: ScanSheet): Cells {
  const found = new Map<string, ScanCell[]>();
  for (const cell of cells) {
    const same = found.get(cell.payloadHash);
    if (same === undefined) found.set(cell.payloadHash, [cell]);
    else same.push(cell);
  }
  return found;
}

/** Each code to the nearest of the cells that hold it, one to a cell. */
function assign<Code extends PlacedCode>(
  fit: Fit,
  cells: Cells,
  codes: readonly Code[],
): Map<ScanCell, Code> {
  const taken = new Map<ScanCell, { code: Code; distance: number }>();
  for (const code of codes) {
    const at = middleOf(code.corners);
    const size = Math.sqrt(areaOf(code.corners));
    for (const cell of cells.get(code.hash) ?? []) {
      const seen = applyFit(fit, middleOf(cornersOf(cell.code)));
      const distance = Math.hypot(seen.x - at.x, seen.y - at.y) / size;
      const known = taken.get(cell);
      if (distance < REACH && (known === undefined || distance < known.distance))
        taken.set(cell, { code, distance });
    }
  }
  return new Map([...taken].map(([cell, { code }]) => [cell, code]));
}

/** Of a polygon, square pixels. */
export function areaOf(points: readonly Point[]): number {
  const twice = points.reduce((sum, point, at) => {
    const next = points[(at + 1) % points.length] as Point;
    return sum + point.x * next.y - next.x * point.y;
  }, 0);
  return Math.abs(twice) / 2;
}

function refine(pairs: readonly Pair[], codes: number): Fit | undefined {
  const flat = findFit(pairs, "affine");
  if (flat === undefined || codes < LEAST_BENT) return flat;
  const bent = findFit(pairs, "projective");
  if (bent === undefined) return flat;
  return fitError(bent, pairs) < BENT_GAIN * fitError(flat, pairs) ? bent : flat;
}

/** Fits again and again to the codes of the sheet, until no more join. */
function settle<Code extends PlacedCode>(
  start: Fit,
  cells: Cells,
  { codes, stance }: { readonly codes: readonly Code[]; readonly stance: Stance },
): { fit: Fit; codes: Map<ScanCell, Code> } {
  let fit = start;
  let found = assign(fit, cells, codes);
  for (let round = 0; round < 6; round += 1) {
    const pairs = [...found].flatMap(([cell, { corners }]) =>
      pairsOf(cell, inStance(corners, stance)),
    );
    const better = refine(pairs, found.size);
    if (better === undefined) break;
    const now = assign(better, cells, codes);
    if (now.size < found.size) break;
    const isSettled = now.size === found.size && round > 1;
    [fit, found] = [better, now];
    if (isSettled) break;
  }
  return { fit, codes: found };
}

/**
 * How far the middle of the sheet lies from that of the picture: decides between shifted fits of
 * equal codes.
 */
function offMiddle(fit: Fit, { pageMm, offsetMm }: ScanSheet, picture: Point): number {
  const middle = { x: pageMm.width / 2 - offsetMm.x, y: pageMm.height / 2 - offsetMm.y };
  const seen = applyFit(fit, middle);
  return Math.hypot(seen.x - picture.x, seen.y - picture.y);
}

function* startsOf<Code extends PlacedCode>(
  cells: Cells,
  codes: readonly Code[],
): Iterable<{ readonly cell: ScanCell; readonly code: Code }> {
  const known = codes
    .map((code) => ({ code, places: cells.get(code.hash) ?? [] }))
    .filter(({ places }) => places.length > 0)
    .toSorted((a, b) => a.places.length - b.places.length);
  for (const { code, places } of known) for (const cell of places) yield { cell, code };
}

interface Attempt<Code extends PlacedCode> {
  readonly fit: Fit;
  readonly codes: Map<ScanCell, Code>;
  readonly off: number;
}

/** Better: more codes, or as many but nearer to the middle. */
const isBetter = (a: Attempt<PlacedCode>, b: Attempt<PlacedCode> | undefined): boolean =>
  b === undefined ||
  a.codes.size > b.codes.size ||
  (a.codes.size === b.codes.size && a.off < b.off - 1);

/** The best of fits that begin with one code each. */
function fitInStance<Code extends PlacedCode>(
  { sheet, cells, picture }: { sheet: ScanSheet; cells: Cells; picture: Point },
  codes: readonly Code[],
  stance: Stance,
): Attempt<Code> | undefined {
  const wanted = codes.filter(({ hash }) => cells.has(hash)).length;
  let best: Attempt<Code> | undefined;
  let tries = 0;
  for (const { cell, code } of startsOf(cells, codes)) {
    tries += 1;
    if (tries > MOST_TRIES) break;
    const start = findFit(pairsOf(cell, inStance(code.corners, stance)), "affine");
    if (start === undefined) continue;
    const found = settle(start, cells, { codes, stance });
    const attempt = { ...found, off: offMiddle(found.fit, sheet, picture) };
    if (isBetter(attempt, best)) best = attempt;
    const isUnique = cells.get(code.hash)?.length === 1;
    if (isUnique && attempt.codes.size >= ENOUGH * wanted) break;
  }
  return best;
}

/** Share of the sheet's codes at which the search ends. */
const ENOUGH = 0.9;

function fitSheet<Code extends PlacedCode>(
  sheet: ScanSheet,
  codes: readonly Code[],
  picture: Point,
): FoundSheet<Code> | undefined {
  const cells = cellsByHash(sheet);
  const wanted = codes.filter(({ hash }) => cells.has(hash)).length;
  let best: Attempt<Code> | undefined;
  for (const stance of STANCES) {
    const attempt = fitInStance({ sheet, cells, picture }, codes, stance);
    if (attempt !== undefined && isBetter(attempt, best)) best = attempt;
    // Other positions are tried only where this one explains too little.
    if (best !== undefined && best.codes.size > 1 && best.codes.size >= wanted / 2) break;
  }
  if (best === undefined || best.codes.size === 0) return undefined;
  return { sheet, ...best };
}

/**
 * Better: more codes. With as many, a reprint of which all labels are seen wins over a sheet that
 * has lost all others, and of two reprints of so many labels the one that lies nearer to the middle.
 */
function isLikelier(found: FoundSheet<PlacedCode>, best: FoundSheet<PlacedCode>): boolean {
  if (found.codes.size !== best.codes.size) return found.codes.size > best.codes.size;
  const { sheet, off } = found;
  if (sheet.isReprint !== true) return false;
  const more = best.sheet.cells.length - sheet.cells.length;
  return more > 0 || (more === 0 && best.sheet.isReprint === true && off < best.off - 1);
}

/**
 * The sheet that most codes of a picture belong to. Where several fit, as with equal sheets, it is
 * the first of `sheets`: callers put unseen ones first. Undefined when no code belongs to any of
 * them.
 */
export function findSheet<Code extends PlacedCode>(
  sheets: readonly ScanSheet[],
  codes: readonly Code[],
  picture: { readonly width: number; readonly height: number },
): FoundSheet<Code> | undefined {
  const hashes = new Set(codes.map(({ hash }) => hash));
  const votes = sheets
    .map((sheet) => ({
      sheet,
      votes: new Set(sheet.cells.map(({ payloadHash }) => payloadHash).filter((h) => hashes.has(h)))
        .size,
    }))
    .filter((one) => one.votes > 0)
    .toSorted((a, b) => b.votes - a.votes)
    .slice(0, MOST_SHEETS);
  const middle = { x: picture.width / 2, y: picture.height / 2 };
  let best: FoundSheet<Code> | undefined;
  for (const one of votes) {
    if (best !== undefined && one.votes < best.codes.size && one.votes < hashes.size / 2) break;
    const found = fitSheet(one.sheet, codes, middle);
    if (found !== undefined && (best === undefined || isLikelier(found, best))) best = found;
  }
  return best;
}
