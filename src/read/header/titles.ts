/** Titles and notes above the names of the columns. Pure. */
import { textOf, type RawRow } from "../raw.ts";

export const countFilled = ({ cells }: RawRow): number =>
  cells.filter((cell) => textOf(cell).trim() !== "").length;

const ADDRESS = /:\/\/|@/u;

/** A cell that can't be a column's name: a number, a date, an address. */
const isData = (text: string): boolean =>
  (/^[\d.,:/\s-]+$/u.test(text) && /\d/u.test(text)) || ADDRESS.test(text);

/** `12 €`, not the year of `2026 (€)`. */
const isAmount = (text: string): boolean =>
  /^[\d.,\s$€£()-]+$/u.test(text) &&
  /[$€£]/u.test(text) &&
  /\d/u.test(text) &&
  !/^(?:19|20)\d\d\s/u.test(text);

/** Whether a row has a cell that can't be a column's name. */
export const holdsData = ({ cells, isNames }: RawRow): boolean =>
  isNames !== true && cells.some((cell) => isData(textOf(cell)));

/** After notes above a table, such as its date, the header follows within this many rows. */
const NOTE_ROWS = 10;

/** The header of a table of two columns, below a title in a single cell. */
function findPair(title: RawRow, [names, row]: readonly RawRow[]): RawRow | undefined {
  if (names === undefined || row === undefined || countFilled(title) > 1) return undefined;
  const isPair = countFilled(names) === 2 && countFilled(row) === 2;
  return isPair && !holdsData(names) ? names : undefined;
}

const textAt = ({ cells }: RawRow, at: number): string => textOf(cells[at]).trim();

/** Whether amounts go on in the row below: alone, `20 €` may name a column of vouchers. */
const holdsAmounts = (row: RawRow, below: RawRow | undefined): boolean =>
  below !== undefined &&
  row.cells.some((_, at) => isAmount(textAt(row, at)) && isAmount(textAt(below, at)));

/** Whether most cells of the rows that are filled at this place can't be names. */
function areData(rows: readonly RawRow[], at: number): boolean {
  const filled = rows.map((row) => textAt(row, at)).filter((text) => text !== "");
  return filled.filter(isData).length * 2 > filled.length;
}

/** Cells that are filled from the first of them on, as those of a title; names of groups have gaps. */
const lacksGaps = ({ cells }: RawRow): boolean =>
  !/\+-+\+/u.test(cells.map((cell) => (textOf(cell).trim() === "" ? "-" : "+")).join(""));

/** Whether a row has cells of another one, but not all of them, as those of a table do. */
function sharesCells(row: RawRow, other: RawRow): boolean {
  const same = other.cells.filter((_, at) => {
    const text = textAt(other, at);
    return text !== "" && textAt(row, at) === text;
  });
  return same.length > 0 && same.length < countFilled(other);
}

/** Whether a line goes on where `first` ends, and names numbers or addresses there. */
function namesMore(names: RawRow, first: RawRow, below: readonly RawRow[]): boolean {
  if (holdsData(names) || countFilled(names) <= countFilled(first)) return false;
  if (below.some((row) => sharesCells(row, names))) return false;
  return names.cells.some(
    (_, at) => textAt(first, at) === "" && textAt(names, at) !== "" && areData(below, at),
  );
}

/** Whether these are two tables: the names of the first come again, or addresses lie between. */
function areTables(first: RawRow, between: readonly RawRow[], names: RawRow): boolean {
  const texts = new Set(names.cells.map((cell) => textOf(cell).trim()));
  const isAgain = first.cells.some(
    (cell) => texts.has(textOf(cell).trim()) && textOf(cell).trim() !== "",
  );
  return isAgain || between.some(({ cells }) => cells.some((cell) => ADDRESS.test(textOf(cell))));
}

/** The names of the columns, below lines of a title or notes that are shorter. */
function findNames(first: RawRow, rest: readonly RawRow[]): RawRow | undefined {
  if (!lacksGaps(first)) return undefined;
  const at = rest
    .slice(0, NOTE_ROWS)
    .findIndex((row, place) => namesMore(row, first, rest.slice(place + 1)));
  const names = rest[at];
  if (names === undefined || areTables(first, rest.slice(0, at), names)) return undefined;
  return names;
}

/**
 * Titles above a table fill a cell or two; its header fills more than a third of the widest row. A
 * row with data is a note if a row of names, wider by half, follows soon.
 */
export function skipTitles(rows: readonly RawRow[]): RawRow | undefined {
  const widest = Math.max(0, ...rows.map(countFilled));
  const at = rows.findIndex((row) => countFilled(row) * 3 > widest);
  const first = rows[at];
  if (first === undefined) return undefined;
  const rest = rows.slice(at + 1);
  if (!holdsData(first)) return findNames(first, rest) ?? findPair(first, rest) ?? first;
  const below = rest
    .slice(0, NOTE_ROWS)
    .findIndex((row) => countFilled(row) * 2 >= countFilled(first) * 3 && !holdsData(row));
  const names = rest[below];
  return names === undefined || holdsAmounts(names, rest[below + 1]) ? first : names;
}
