/** Whether the line above the rows is built as they are: `R101` above `R102`, 7 above 8 and 9. Pure. */
import { areMost, formOf } from "./like-row.ts";

/** Each number is one sign: `R101` and `R7` are alike. */
const toShape = (text: string): string => text.replaceAll(/\d+/gu, "#");

const WHOLE = /^\d{1,15}$/u;
const SHORT = 3;
const YEAR = /^(?:19|20)\d\d$/u;
/** 0.5, 12,50: a price list may have amounts above its columns. */
const AMOUNT = /^#(?:[.,]#)?$/u;

/** As many cells as tell steps from chance. */
const STEPS = 3;

/** Numbers that go on from the line above in even steps; two of them in steps of 1. */
function countOn(above: string, cells: readonly string[]): boolean {
  const texts = [above, ...cells.slice(0, STEPS)];
  if (!texts.every((text) => WHOLE.test(text))) return false;
  const [first = 0, ...others] = texts.map(Number);
  const step = (others[0] ?? 0) - first;
  return (
    others.every((number, at) => number === first + step * (at + 1)) &&
    (others.length > 1 ? step !== 0 : Math.abs(step) === 1)
  );
}

const SERIAL_FORMS = [/^[\p{Lu}\d/.:_-]{6,}$/u, /^[\p{Ll}\d/.:_-]{6,}$/u] as const;
const SIGNS_OF_A_SERIAL = 2;

const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

/** Letters of one case and digits, as in `K7QX2M4P`. */
const isSerial = (text: string): boolean =>
  SERIAL_FORMS.some((form) => form.test(text)) &&
  countOf(text, /\d/gu) >= SIGNS_OF_A_SERIAL &&
  countOf(text, /\p{L}/gu) >= SIGNS_OF_A_SERIAL;

const hasLengthOf = (a: string, b: string): boolean => a.length === b.length;

const areAlikeSerials = (a: string, b: string): boolean =>
  hasLengthOf(a, b) && SERIAL_FORMS.some((form) => form.test(a) && form.test(b));

/** Years and amounts are names of columns, but seldom of the first one. */
const mayNumber = (at: number, text: string): boolean =>
  at === 0 && text.length > SHORT && !YEAR.test(text);

/** A column of a table, by the first of its cells. */
interface Column {
  readonly at: number;
  readonly above: string;
  /** Those that are filled. */
  readonly cells: readonly string[];
}

/** Whether the first cell is one of the column's. */
function goesOn({ at, above, cells }: Column): boolean {
  if (!/\d/u.test(above) || cells.length === 0) return false;
  if (countOn(above, cells)) return true;
  if (isSerial(above) && areMost(cells, (text) => areAlikeSerials(above, text))) return true;
  const shape = toShape(above);
  const isLike = (text: string): boolean => toShape(text) === shape;
  if (!AMOUNT.test(shape)) return areMost(cells, isLike);
  return mayNumber(at, above) && areMost(cells, (text) => isLike(text) && hasLengthOf(above, text));
}

/** An address and the like, or one word with a digit: a number, a date, a code. */
export const isData = (text: string): boolean =>
  formOf(text) !== undefined || (/\d/u.test(text) && !/\s/u.test(text.trim()));

/** A word above numbers, codes or addresses names them. */
export const namesThem = (above: string, cells: readonly string[]): boolean =>
  above.trim() !== "" &&
  formOf(above) === undefined &&
  !/\d/u.test(above) &&
  areMost(cells, isData);

/** Words that name columns, and hardly ever what a cell holds: neither places nor things. */
const COLUMN_WORDS = new Set(
  "name title room location description category type status number date price quantity amount comment remarks titel beschreibung bezeichnung bemerkung kategorie typ nummer nr datum preis anzahl menge vorname nachname nom prénom prix quantité nombre descripción precio fecha cantidad nome descrizione prezzo quantità raum ort standort".split(
    " ",
  ),
);

const isColumnWord = (text: string): boolean =>
  COLUMN_WORDS.has(text.normalize("NFKC").trim().toLowerCase().replace(/\.$/u, ""));

/** A word above cells that aren't called so. */
const isColumnName = (above: string, cells: readonly string[]): boolean =>
  isColumnWord(above) && !cells.some(isColumnWord);

/** A word that names what is below it, or is one for columns. */
export const namesColumn = (above: string, cells: readonly string[]): boolean =>
  namesThem(above, cells) || isColumnName(above, cells);

/**
 * Position of a cell that goes on in the rows below it; undefined where there is none, or another cell
 * names what is below it or is a word for a column.
 * @param rows the first ones below
 */
export function findGoingOn(
  line: readonly string[],
  rows: readonly (readonly string[])[],
): number | undefined {
  const columns = line.map((text, at): Column => ({
    at,
    above: text.trim(),
    cells: rows.map((row) => (row[at] ?? "").trim()).filter((cell) => cell !== ""),
  }));
  if (columns.some(({ above, cells }) => namesColumn(above, cells))) return undefined;
  return columns.find(goesOn)?.at;
}
