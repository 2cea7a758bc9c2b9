import type { JobSource } from "../../job/job.ts";

import { didYouMean, suggest } from "../../base/text/suggest.ts";
import { cutText, formatCount } from "../../base/text/words.ts";

import { readTextFormula, textOf, type RawRow } from "../raw.ts";
import { holdsData, skipTitles } from "./titles.ts";

/** Format characters (zero-width and bidi marks, byte order mark) and soft hyphens. */
const INVISIBLE = /[\p{Cf}\u0000-\u0008\u000e-\u001f]/gu;

/** A header as people mean it: compatibility forms folded, invisible characters gone, one space. */
export function cleanHeader(text: string): string {
  const meant = readTextFormula(text.trim()) ?? text;
  return meant.normalize("NFKC").replace(INVISIBLE, "").replace(/\s+/gu, " ").trim();
}

/** Headers with the same key are the same. */
export function toHeaderKey(text: string): string {
  return cleanHeader(text).toLowerCase();
}

export interface HeaderCell {
  /** As it stands in the file. */
  readonly text: string;
  /** Text as given, made unique by ` (2)`; `column 5` when empty; never the text of another header. */
  readonly header: string;
  /** The manifest's column, if it is one. */
  readonly column: string | undefined;
  /** Key in the values of a row; undefined for a repeated header. */
  readonly name: string | undefined;
  /**
   * A column without header, of so many that they can't be meant: a warning, but its cells aren't
   * read.
   */
  readonly isLeftOut?: true;
}

export interface Header {
  readonly line: number;
  readonly cells: readonly HeaderCell[];
  /** Manifest columns that the file doesn't have. */
  readonly absent: readonly string[];
  /** Headers that a column needs but that occur twice. */
  readonly duplicates: readonly string[];
  /** Headers that no column may need, since they occur twice. */
  readonly repeated: readonly string[];
  /**
   * Headers that match a column but aren't used, since an earlier word of the column matched too:
   * manifest column, header.
   */
  readonly passedOver: readonly (readonly [column: string, header: string])[];
}

type Columns = JobSource["columns"];

const wordsFor = (columns: Columns, name: string): string[] => [
  name,
  ...(columns[name]?.aliases ?? []),
];

/** The file's header for a column of the manifest; the column's name if there is none. */
export function headerOf(columns: Columns, name: string, headers: readonly string[]): string {
  const keys = headers.map(toHeaderKey);
  const at = wordsFor(columns, name)
    .map((word) => keys.indexOf(toHeaderKey(word)))
    .find((found) => found >= 0);
  return at === undefined ? name : (headers[at] ?? name).trim();
}

/** More columns without header come from a stray cell far to the right. */
const MAX_UNNAMED = 256;

/** Positions of columns that count: those with a header, and the first ones without. */
function findMeant(headers: readonly string[]): Set<number> {
  const unnamed = [...headers.keys()].filter((at) => headers[at]?.trim() === "");
  const stray = new Set(unnamed.slice(MAX_UNNAMED));
  return new Set([...headers.keys()].filter((at) => !stray.has(at)));
}

/** A name that is made up is never the text of another header. */
function makeUnique(headers: readonly string[]): string[] {
  const texts = new Set<string>();
  const taken = new Set(headers.map(toHeaderKey));
  /** For a repeated text: the next number that may be free. */
  const next = new Map<string, number>();
  return headers.map((header, at) => {
    const isEmpty = header.trim() === "";
    if (!isEmpty && !texts.has(header)) {
      texts.add(header);
      return header;
    }
    const base = isEmpty ? `column ${at + 1}` : header;
    let n = next.get(base) ?? 2;
    let unique = isEmpty ? base : `${base} (${n})`;
    for (; taken.has(toHeaderKey(unique)); n += 1) unique = `${base} (${n})`;
    next.set(base, n);
    taken.add(toHeaderKey(unique));
    return unique;
  });
}

interface Match {
  /** Position in the row -> manifest column. */
  readonly byPosition: Map<number, string>;
  readonly absent: string[];
  readonly duplicates: string[];
  readonly passedOver: [string, string][];
}

interface Place {
  /** Position in the row. */
  readonly at: number;
  /** As it stands in the file; `column 5` when empty. */
  readonly header: string;
  /** Another header has this text, too. */
  isTwice: boolean;
}

/** What words of a manifest may name, by their keys. */
interface Places {
  readonly byText: ReadonlyMap<string, Place>;
  /** Names that are shown where a text is empty or repeated, such as `column 1` and `link (2)`; they name a column only where no text does. */
  readonly byShown: ReadonlyMap<string, Place>;
}

function findPlaces(headers: readonly string[], shown: readonly string[]): Places {
  const byText = new Map<string, Place>();
  for (const [at, text] of headers.entries()) {
    const key = toHeaderKey(text);
    const known = byText.get(key);
    if (known !== undefined) known.isTwice = true;
    else if (key !== "") byText.set(key, { at, header: text, isTwice: false });
  }
  const byShown = new Map<string, Place>();
  for (const at of findMeant(headers)) {
    const header = shown[at] ?? "";
    const key = toHeaderKey(header);
    if (key !== "" && !byText.has(key) && !byShown.has(key))
      byShown.set(key, { at, header, isTwice: false });
  }
  return { byText, byShown };
}

/** The places that the words of a manifest's column name, the first one being meant. */
function placesOf(name: string, columns: Columns, { byText, byShown }: Places): Place[] {
  const keys = [...new Set(wordsFor(columns, name).map(toHeaderKey))];
  const found = keys.flatMap((key) => byText.get(key) ?? []);
  return found.length > 0 ? found : keys.flatMap((key) => byShown.get(key) ?? []);
}

/** The manifest's own name wins over its aliases, an earlier alias over a later one. */
function matchColumns(places: Places, columns: Columns): Match {
  const match: Match = { byPosition: new Map(), absent: [], duplicates: [], passedOver: [] };
  for (const name of Object.keys(columns)) {
    const [place, ...others] = placesOf(name, columns, places);
    if (place === undefined) {
      match.absent.push(name);
      continue;
    }
    match.byPosition.set(place.at, name);
    if (place.isTwice) match.duplicates.push(place.header);
    for (const { header } of others) match.passedOver.push([name, header]);
  }
  return match;
}

/** Repeated headers of columns that templates use and the manifest doesn't describe. */
function findDoubled(headers: readonly string[], columns: Columns, uses: readonly string[]) {
  const names = headers.map(cleanHeader);
  const wanted = new Set(uses.filter((name) => columns[name] === undefined));
  return [...wanted].filter((name) => {
    const clean = cleanHeader(name);
    return names.indexOf(clean) !== names.lastIndexOf(clean);
  });
}

/** Names as the file shows them, such as `Fl\u00e4che m\u00b2`, where templates use them so. */
function findSpelled(uses: readonly string[], columns: Columns): ReadonlyMap<string, string> {
  const undescribed = uses.filter((name) => columns[name] === undefined);
  const plain = new Set(undescribed.filter((name) => cleanHeader(name) === name));
  const others = undescribed.map((name) => [cleanHeader(name), name] as const);
  return new Map(others.filter(([clean]) => !plain.has(clean)));
}

/**
 * Reads a row as header.
 * @param uses columns that templates use, described or not
 */
export function readHeader(row: RawRow, columns: Columns, uses: readonly string[] = []): Header {
  const texts = row.cells.map(textOf);
  const unique = makeUnique(texts);
  const places = findPlaces(texts, unique);
  const { byPosition, ...found } = matchColumns(places, columns);
  const doubled = findDoubled(texts, columns, uses);
  const match = { ...found, duplicates: [...found.duplicates, ...doubled] };
  const taken = new Set(Object.keys(columns));
  const meant = findMeant(texts);
  const spelled = findSpelled(uses, columns);
  const cells = unique.map((header, at): HeaderCell => {
    const text = texts[at] ?? "";
    const nameless = { text, header, column: undefined, name: undefined };
    if (!meant.has(at)) return { ...nameless, isLeftOut: true };
    const column = byPosition.get(at);
    if (column !== undefined) return { text, header, column, name: column };
    const clean = cleanHeader(header);
    const isFree = !taken.has(clean);
    taken.add(clean);
    const name = spelled.get(clean) ?? clean;
    return isFree ? { ...nameless, name } : nameless;
  });
  const repeated = unique.filter(
    (header) => places.byText.get(toHeaderKey(header))?.isTwice === true,
  );
  return { line: row.line, cells, ...match, repeated };
}

/** How many of the manifest's columns the texts of a row name: required ones, then all. */
export function countMatches(row: RawRow, columns: Columns): { required: number; all: number } {
  const keys = new Set(row.cells.map((cell) => toHeaderKey(textOf(cell))));
  const found = Object.keys(columns).filter((name) =>
    wordsFor(columns, name).some((word) => keys.has(toHeaderKey(word))),
  );
  const required = found.filter((name) => columns[name]?.required === true);
  return { required: required.length, all: found.length };
}

/** How many columns these texts name: those of the manifest, and others that its templates use. */
export function countFound(
  cells: readonly string[],
  columns: Columns,
  uses: readonly string[],
): number {
  const texts = new Set(cells.map(cleanHeader));
  const wanted = new Set(uses.filter((name) => columns[name] === undefined));
  const used = [...wanted].filter((name) => texts.has(name)).length;
  return countMatches({ line: 1, cells }, columns).all + used;
}

/** Whether a row has every required column, also under names that are shown for its headers. */
function showsRequired(row: RawRow, columns: Columns): boolean {
  const texts = row.cells.map(textOf);
  const places = findPlaces(texts, makeUnique(texts));
  return Object.keys(columns).every(
    (name) => columns[name]?.required !== true || placesOf(name, columns, places).length > 0,
  );
}

function holdsAll({ cells }: RawRow, names: readonly string[]): boolean {
  const texts = new Set(cells.map((cell) => cleanHeader(textOf(cell))));
  return names.every((name) => texts.has(name));
}

/** Where no row has the texts of all required columns: one that has them under shown names, and no fewer texts. */
function findShown(rows: readonly RawRow[], columns: Columns, most: number): RawRow | undefined {
  return rows.find(
    (row) =>
      !holdsData(row) && showsRequired(row, columns) && countMatches(row, columns).all >= most,
  );
}

/**
 * The row that is most likely the header: the first with every required column; without required
 * columns the one with the most columns; without any columns the first that is no title. If it lacks
 * a column that templates use, the first row that has all of them is preferred.
 */
function findBest(
  rows: readonly RawRow[],
  columns: Columns,
  uses: readonly string[] = [],
): RawRow | undefined {
  const names = Object.keys(columns);
  const required = names.filter((name) => columns[name]?.required === true).length;
  let best = skipTitles(rows);
  let most = 0;
  for (const row of names.length === 0 ? [] : rows) {
    const matches = countMatches(row, columns);
    if (required > 0 && matches.required === required) return row;
    if (matches.all > most) {
      best = row;
      most = matches.all;
    }
  }
  const shown = required > 0 ? findShown(rows, columns, most) : undefined;
  if (shown !== undefined) return shown;
  const wanted = uses.filter((name) => columns[name] === undefined).map(cleanHeader);
  if (best === undefined || holdsAll(best, wanted)) return best;
  const fits = (row: RawRow): boolean => countMatches(row, columns).all >= most;
  return rows.find((row) => holdsAll(row, wanted) && fits(row)) ?? best;
}

/** The row that is most likely the header, with the names of columns, not those of groups above them. */
export function pickHeader(
  rows: readonly RawRow[],
  columns: Columns,
  uses: readonly string[] = [],
): RawRow | undefined {
  const found = findBest(rows, columns, uses);
  const below = found && rows[rows.indexOf(found) + 1];
  if (found === undefined || below?.isNames !== true) return found;
  const count = ({ cells }: RawRow): number => countFound(cells.map(textOf), columns, uses);
  return count(below) >= count(found) ? below : found;
}

const LISTED = 50;

/** The first headers, shortened; the last entry says how many more there are. */
export function listHeaders({ cells }: Header): string[] {
  const shown = cells.slice(0, LISTED).map((cell) => cutText(cleanHeader(cell.header)));
  const more = cells.length - shown.length;
  return more > 0 ? [...shown, `… and ${formatCount(more)} more`] : shown;
}

/** "did you mean": for a column without a header, from the headers that no column uses. */
function findNear(name: string, header: Header, columns: Columns): string | undefined {
  const free = header.cells
    .filter(({ column }) => column === undefined)
    .map((cell) => cleanHeader(cell.header));
  for (const word of wordsFor(columns, name)) {
    const near = suggest(word, free);
    if (near !== undefined) return `did you mean "${near}"? add it to the aliases of ${name}`;
  }
  return undefined;
}

/** What helps beside a message that names no headers. */
export const hintForAbsent = (name: string, header: Header, columns: Columns): string =>
  findNear(name, header, columns) ??
  didYouMean("", listHeaders(header)).replace("known", "headers found");

const RENAME =
  "rename the columns in the file, or add their headers to the aliases in source.columns";

/** What helps beside a message that names the headers. */
export const hintsForAbsent = (
  names: readonly string[],
  header: Header,
  columns: Columns,
): string[] => [...new Set(names.map((name) => findNear(name, header, columns) ?? RENAME))];
