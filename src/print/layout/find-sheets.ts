import type { LabelSheet } from "./label-sheet.ts";

/** A sheet that a search found; `as` = the other name that matched, where its own didn't. */
export interface FoundSheet {
  readonly sheet: LabelSheet;
  readonly as?: string | undefined;
}

const MM_PER_INCH = 25.4;
/** Makers round sizes: 63.5 is sold as 64. */
const SIZE_WITHIN_MM = 0.51;

const sizePattern = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)?$/u;
const countPattern = /^(\d{1,3})-?up$/u;
const smallNumber = /^\d{1,3}$/u;
const sidePattern = /^(\d+(?:\.\d+)?)(mm|in)$/u;
/** Sizes without a unit that people may mean in inches: `4x6`. */
const MOST_INCHES = 14;
/** Words before a maker's number that add nothing. */
const FILLERS = new Set(["nr", "nr.", "no", "no.", "number", "nummer", "#"]);

/** `64 × 38,1 mm` -> `64x38.1mm`; words in lower case. */
function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll("×", "x")
    .replaceAll(/(\d),(\d)/gu, "$1.$2")
    .replaceAll(/(\d)\s*x\s*(\d)/gu, "$1x$2")
    .replaceAll(/(\d)\s+(mm|in)\b/gu, "$1$2")
    .split(/[\s_]+/u)
    .filter((word) => word !== "" && !FILLERS.has(word))
    .map((word) => word.replace(/^#(?=\d)/u, ""));
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SIZE_WITHIN_MM;

type Matches = (sheet: LabelSheet) => boolean;

const hasSize =
  (w: number, h: number): Matches =>
  ({ label: { widthMm, heightMm } }) =>
    (isNear(widthMm, w) && isNear(heightMm, h)) || (isNear(widthMm, h) && isNear(heightMm, w));

const hasSide =
  (mm: number): Matches =>
  ({ label: { widthMm, heightMm } }) =>
    isNear(widthMm, mm) || isNear(heightMm, mm);

const toMm = (text: string, unit: string | undefined): number =>
  Number(text) * (unit === "in" ? MM_PER_INCH : 1);

/** `63.5x38.1`, and where nothing else fits `4x6`, which may be in inches. */
function toSize(word: string, isLenient: boolean): Matches | undefined {
  const [, width, height, unit] = sizePattern.exec(word) ?? [];
  if (width === undefined || height === undefined) return undefined;
  const isSmall = Math.max(Number(width), Number(height)) <= MOST_INCHES;
  const told = isLenient && isSmall ? (unit ?? "in") : unit;
  return hasSize(toMm(width, told), toMm(height, told));
}

/** `62mm`, and where nothing else fits `62`. */
function toSide(word: string, isLenient: boolean): Matches | undefined {
  const [, side, unit] = sidePattern.exec(word) ?? [];
  if (side !== undefined) return hasSide(toMm(side, unit));
  return isLenient && smallNumber.test(word) ? hasSide(Number(word)) : undefined;
}

/** The condition that a word sets for the sheet; undefined where it is part of a name. */
function toMatch(word: string, isLenient: boolean): Matches | undefined {
  const [, count] = countPattern.exec(word) ?? [];
  if (count !== undefined) return ({ perSheet }) => perSheet === Number(count);
  return toSize(word, isLenient) ?? toSide(word, isLenient);
}

const tidy = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/gu, "");

/** `a3`, `sra3`: they don't match the start of a longer part, as in `zebra-3001`. */
const isPage = (word: string): boolean => /^(?:s?ra|a|b|c)\d$/u.test(word);

/** How words match a name: all of it, a part of it, or not. */
function nameFits(name: string, words: readonly string[]): boolean {
  const plain = tidy(name);
  const parts = name.split("-");
  return words.every((word) =>
    smallNumber.test(word) || isPage(word) ? parts.includes(word) : plain.includes(tidy(word)),
  );
}

/** Boxes say `avery-zweckform`, the sheets are named `zweckform`. */
const toMaker = (words: readonly string[]): string[] =>
  words.includes("zweckform") ? words.filter((word) => word !== "avery") : [...words];

/**
 * The sheets that fit every word: maker, maker's number, page, `63.5x38.1` (mm, either way round, to
 * half a millimetre), `2.625x1in`, `62mm` (one side), `24up`, a status. Exact names come first; all
 * sheets for no words. Where nothing fits, `62` may be a side in mm, and `4x6` a size in inches.
 */
export function findSheets(sheets: readonly LabelSheet[], text: string): FoundSheet[] {
  const words = toMaker(toWords(text));
  const found = searchSheets(sheets, words, false);
  return found.length > 0 ? found : searchSheets(sheets, words, true);
}

function searchSheets(
  sheets: readonly LabelSheet[],
  words: readonly string[],
  isLenient: boolean,
): FoundSheet[] {
  const asked = words.map((word) => toMatch(word, isLenient));
  const named = words.filter((_, index) => asked[index] === undefined);
  const exact = tidy(words.join(""));
  const found: (FoundSheet & { readonly isExact: boolean })[] = [];
  for (const sheet of sheets) {
    if (!asked.every((matches) => matches === undefined || matches(sheet))) continue;
    const facts = [
      (sheet.paper ?? sheet.page).name,
      sheet.status,
      sheet.stock,
      sheet.label.shape,
    ].map((fact) => fact.toLowerCase());
    // A word that states a fact of the sheet need not be in its name; small numbers may count
    // labels.
    const rest = named.filter(
      (word) =>
        !facts.includes(word) && !(smallNumber.test(word) && sheet.perSheet === Number(word)),
    );
    const names = [sheet.name, ...sheet.sameAs];
    const isExact = names.some((name) => tidy(name) === exact);
    const as = isExact
      ? names.find((name) => tidy(name) === exact)
      : (names.find((name) => nameFits(name, rest)) ??
        (nameFits(sheet.title, rest) ? sheet.name : undefined));
    if (as === undefined) continue;
    found.push({ sheet, isExact, ...(as !== sheet.name && { as }) });
  }
  return found
    .toSorted((a, b) => Number(b.isExact) - Number(a.isExact))
    .map(({ sheet, as }) => ({ sheet, as }));
}
