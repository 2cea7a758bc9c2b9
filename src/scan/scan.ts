/**
 * Scans and photos of printed sheets -> the state of each label (docs/scan-back.md). All codes of a
 * picture are read, and show which sheet it is and how it lies; each cell whose own code was not
 * read well is then cut out and tried again.
 */
import { showKey } from "../base/shapes/row-key.ts";
import { sha256 } from "../base/ids/ids.ts";
import type { QrDecoder, SeenCode } from "../qr/read/decode.ts";
import { loadDecoder } from "../qr/read/load-decoder.ts";
import { cutOut } from "./cut-out.ts";
import { findSheet, type FoundSheet, middleOf } from "./find-sheet.ts";
import type { Fit, Point } from "./fit.ts";
import { type InkMeasure, type Lie, measureInk, measureLie, spanPaper } from "./measure.ts";
import { medianOf } from "./median.ts";
import {
  findOlder,
  isIn,
  isOnPage,
  type KnownPast,
  listAdded,
  type OlderSign,
  type PastCode,
  toSheet as toMm,
} from "./older.ts";
import { type CellLook, findThreshold, isInPicture, lookCloser, unusedOf } from "./read-cell.ts";
import type { Picture } from "./read-pictures.ts";
import type { ScanCell, ScanSheet } from "./sheet.ts";

export type { Lie } from "./measure.ts";
export { medianOf } from "./median.ts";
export type { KnownPast, OlderSign, PastCode, PastReason } from "./older.ts";
export { type Picture, readPictures } from "./read-pictures.ts";
export type { ScanCell, ScanSheet } from "./sheet.ts";

/** `outside`: the picture does not show it. */
export type LabelState = "good" | "damaged" | "missing" | "outside";

export interface ScannedLabel {
  readonly cell: ScanCell;
  readonly state: LabelState;
  /** Why it is not good; "" for good ones. */
  readonly reason: string;
}

/** Growth where a code of whole modules shows it. */
type SheetInk = Pick<InkMeasure, "contrast"> & Partial<Pick<InkMeasure, "growth">>;

export interface ScannedSheet {
  readonly sheet: ScanSheet;
  /** Millimetres of the trimmed sheet -> pixels. */
  readonly fit: Fit;
  readonly lie: Lie;
  readonly labels: readonly ScannedLabel[];
  /** Median of some of its codes; undefined where none could be measured. */
  readonly ink: SheetInk | undefined;
}

/** White round a code that is shown, share of its side; and pixels of the picture's side. */
const SHOWN = { room: 0.2, px: 160 };

/** A code as the picture has it, set upright, with some of what is around it. */
export function showCell(image: Picture["image"], fit: Fit, { code }: ScanCell): Picture["image"] {
  const room = code.width * SHOWN.room;
  const square = { x: code.x - room, y: code.y - room, side: code.width + 2 * room };
  return cutOut(image, fit, { square, px: SHOWN.px, samples: 2 });
}

/** A code that does not belong where it was read. */
export interface StrayCode {
  readonly text: string;
  /** Row of this job; undefined for foreign codes. */
  readonly key: string | undefined;
  /** The label that it lies in, where it lies in one. */
  readonly on: { readonly sheet: ScanSheet; readonly cell: ScanCell } | undefined;
}

export interface ScannedPicture {
  readonly file: string;
  readonly page: number | undefined;
  readonly codes: number;
  /** Mostly one; none when no code of this job was read, or those of older sheets. */
  readonly sheets: readonly ScannedSheet[];
  readonly strays: readonly StrayCode[];
  readonly older: OlderLook | undefined;
}

/** The codes of a picture of sheets that were printed before those of today were made. */
export interface OlderLook {
  readonly why: OlderSign;
  /** Row of each code that sheets of today hold as well. */
  readonly keys: readonly string[];
  readonly past: readonly PastCode[];
  /** Rows of today that it lacks since they were added later. */
  readonly lacks: readonly string[];
  /** What others say. */
  readonly foreign: readonly string[];
}

/** Grade C of ISO/IEC 15415 for unused error correction; below it a label is spoiled. */
const WEAK = 0.37;
/** Grade A: good enough to stop reading. */
const ENOUGH = 0.62;
/**
 * Codes with logos have less by design: a weak one must be clearly worse than the rest of its
 * sheet.
 */
const WEAKER_BY = 0.15;
/** Less ink than this in the place of a code, share of its square, is dirt. */
const BLANK = 0.06;
const MEASURED_CODES = 9;
const MOST_SHEETS_OF_PICTURE = 12;

/** A code with the hash of what it says. */
interface HashedCode extends SeenCode {
  readonly hash: string;
}

type Found = FoundSheet<HashedCode>;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Where a code lies on the trimmed sheet, mm. */
const toSheet = (found: Found, code: HashedCode): Point | undefined =>
  toMm(found, middleOf(code.corners));

/** Some that lie all over the sheet. */
function sampleOf<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from(
    { length: Math.min(most, all.length) },
    (_, at) => all[Math.floor(at * step)] as T,
  );
}

/** Growth is told by codes of whole modules alone: others are drawn wider or narrower than these. */
function measureSheet(
  image: Picture["image"],
  codes: ReadonlyMap<ScanCell, HashedCode>,
): SheetInk | undefined {
  const square = [...codes].flatMap(([cell, code]) => (cell.isShaped === true ? [] : code));
  const some = sampleOf(square.length > 0 ? square : [...codes.values()], MEASURED_CODES);
  const measured = some.flatMap((code) => measureInk(image, code) ?? []);
  const growth = medianOf(measured.map((one) => one.growth));
  const contrast = medianOf(measured.map((one) => one.contrast));
  if (growth === undefined || contrast === undefined) return undefined;
  return square.length > 0 ? { growth, contrast } : { contrast };
}

const good = (cell: ScanCell): ScannedLabel => ({ cell, state: "good", reason: "" });

/** The row of a code, also of one that no sheet of today holds. */
const rowOf = (hash: string, { keys, past }: Known): string | undefined =>
  keys.get(hash) ?? past.codes.get(hash)?.key;

function sayWhose(hash: string, known: Known): string {
  const key = rowOf(hash, known);
  if (key === undefined) return "a code that is not of this job";
  const isPast = !known.keys.has(hash);
  return `the code of row ${showKey(key)}${isPast ? ", which no sheet of today holds" : ""}`;
}

function judgeLook(cell: ScanCell, look: CellLook, known: Known): ScannedLabel {
  if (look.other !== undefined)
    return { cell, state: "damaged", reason: `holds ${sayWhose(sha256(look.other), known)}` };
  if (look.darkShare < BLANK) return { cell, state: "missing", reason: "nothing is printed there" };
  return { cell, state: "damaged", reason: "its code can't be read" };
}

/** Reads pictures of one job's sheets, one after the other. */
export interface SheetScanner {
  read(picture: Picture): ScannedPicture;
}

/** A scanner for these sheets. Equal sheets are taken one after the other, as pictures come. */
export async function openScanner(
  sheets: readonly ScanSheet[],
  past: KnownPast,
): Promise<SheetScanner> {
  const decoder = await loadDecoder();
  const keys = new Map(
    sheets.flatMap(({ cells }) => cells.map(({ payloadHash, key }) => [payloadHash, key] as const)),
  );
  const seen = new Set<ScanSheet>();
  return {
    read(picture) {
      const result = readPicture(picture, { decoder, sheets, seen, keys, past });
      for (const { sheet } of result.sheets) seen.add(sheet);
      return result;
    },
  };
}

interface Known {
  readonly decoder: QrDecoder;
  readonly sheets: readonly ScanSheet[];
  /** Those of former pictures. */
  readonly seen: ReadonlySet<ScanSheet>;
  /** Hash -> row. */
  readonly keys: ReadonlyMap<string, string>;
  readonly past: KnownPast;
}

function findSheets(
  { image }: Picture,
  codes: readonly HashedCode[],
  { sheets, seen }: Known,
): { readonly found: Found[]; readonly left: HashedCode[] } {
  const found: Found[] = [];
  let left = [...codes];
  const known = new Set(seen);
  // Foreign codes on this sheet must not count for another one.
  let free = left;
  while (free.length > 0 && found.length < MOST_SHEETS_OF_PICTURE) {
    const fresh = sheets.filter((sheet) => !known.has(sheet));
    const again = sheets.filter((sheet) => known.has(sheet));
    const next = findSheet([...fresh, ...again], free, image);
    if (next === undefined) break;
    found.push(next);
    known.add(next.sheet);
    const own = new Set(next.codes.values());
    left = left.filter((code) => !own.has(code));
    free = free.filter((code) => {
      const at = toSheet(next, code);
      return !own.has(code) && !(at !== undefined && isOnPage(at, next.sheet));
    });
  }
  return { found, left };
}

function readPicture(picture: Picture, known: Known): ScannedPicture {
  const { decoder, keys } = known;
  const codes = decoder
    .look(picture.image)
    .map((code): HashedCode => ({ ...code, hash: sha256(code.text) }));
  const { found, left } = findSheets(picture, codes, known);
  const { file, page } = picture;
  const look = { picture, found, left, isToday: (hash: string) => keys.has(hash) };
  const why = findOlder(look, known.past);
  if (why !== undefined) {
    const older = { why, lacks: [], ...sortCodes(codes, known) };
    return { file, page, codes: codes.length, sheets: [], strays: [], older };
  }
  const strays = left.map((code) => toStray(code, found, known));
  const sheets = found.map((one) => judgeSheet(picture, one, { known, strays }));
  const lacks = sheets.flatMap(({ sheet, labels }) => listAdded(sheet.ends, labels));
  if (lacks.length > 0) {
    const older = { why: "added" as const, lacks, ...sortCodes(codes, known) };
    return { file, page, codes: codes.length, sheets: [], strays: [], older };
  }
  return { file, page, codes: codes.length, sheets, strays, older: undefined };
}

function sortCodes(
  codes: readonly HashedCode[],
  { keys, past }: Known,
): Omit<OlderLook, "why" | "lacks"> {
  const gone = codes.flatMap(({ hash }) => past.codes.get(hash) ?? []);
  const others = codes.filter(({ hash }) => !past.codes.has(hash));
  return {
    keys: others.flatMap(({ hash }) => keys.get(hash) ?? []),
    past: gone,
    foreign: others.filter(({ hash }) => !keys.has(hash)).map(({ text }) => text),
  };
}

function toStray(code: HashedCode, found: readonly Found[], known: Known): StrayCode {
  const key = rowOf(code.hash, known);
  for (const one of found) {
    const { sheet } = one;
    const at = toSheet(one, code);
    const cell = at && sheet.cells.find(({ label }) => isIn(at, label));
    if (cell !== undefined) return { text: code.text, key, on: { sheet, cell } };
  }
  return { text: code.text, key, on: undefined };
}

/** A label, and the unused error correction of its code, where that was read. */
interface Judged {
  readonly label: ScannedLabel;
  readonly unused: number | undefined;
}

interface SheetLook {
  readonly picture: Picture;
  readonly found: Found;
  readonly known: Known;
  readonly strays: StrayCode[];
  /** Grey between ink and paper. */
  readonly threshold: number;
}

/** A cell whose code was not read well at first. */
function judgeCell(
  cell: ScanCell,
  { picture: { image }, found: { sheet, fit, codes }, known, strays, threshold }: SheetLook,
): Judged {
  const { decoder } = known;
  const code = codes.get(cell);
  if (code === undefined && !isInPicture(image, fit, cell)) {
    const reason = "the picture does not show it";
    return { label: { cell, state: "outside", reason }, unused: undefined };
  }
  const look = lookCloser(decoder, { image, fit, cell }, { enough: ENOUGH, threshold });
  const read = [code, look.own].flatMap((one) => (one === undefined ? [] : [unusedOf(one)]));
  if (read.length > 0) return { label: good(cell), unused: Math.max(...read) };
  const stray = strays.find(({ on }) => on?.cell === cell);
  if (stray === undefined && look.other !== undefined)
    strays.push({ text: look.other, key: rowOf(sha256(look.other), known), on: { sheet, cell } });
  const other = stray?.text ?? look.other;
  return { label: judgeLook(cell, { ...look, other }, known), unused: undefined };
}

/** Labels that were hardly read: much less of their error correction is left than of the others'. */
function judgeWeak(judged: readonly Judged[]): ScannedLabel[] {
  const usual = medianOf(judged.flatMap(({ unused }) => unused ?? [])) ?? 1;
  const least = Math.min(WEAK, usual - WEAKER_BY);
  return judged.map(({ label, unused = 1 }) => {
    if (label.state !== "good" || unused >= least) return label;
    const reason = `is read with ${percent(unused)} of its error correction left`;
    return { cell: label.cell, state: "damaged", reason };
  });
}

function judgeSheet(
  picture: Picture,
  found: Found,
  { known, strays }: { readonly known: Known; readonly strays: StrayCode[] },
): ScannedSheet {
  const { image, dpi } = picture;
  const { sheet, fit, codes } = found;
  const thresholds = sampleOf([...codes.keys()], MEASURED_CODES).map((cell) =>
    findThreshold(image, fit, cell),
  );
  const look = { picture, found, known, strays, threshold: medianOf(thresholds) ?? 128 };
  const judged = sheet.cells.map((cell): Judged => {
    const code = codes.get(cell);
    const unused = code === undefined ? 0 : unusedOf(code);
    return unused >= ENOUGH ? { label: good(cell), unused } : judgeCell(cell, look);
  });
  const ofPaper = spanPaper(codes.keys(), sheet) ? dpi : undefined;
  const lie = measureLie({ fit, sheet }, { ...image, dpi: ofPaper });
  const ink = measureSheet(image, codes);
  return { sheet, fit, lie, labels: judgeWeak(judged), ink };
}
