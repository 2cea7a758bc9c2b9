/** Names of columns over two lines: `No.` merged over both, beside `Address` above `Town` and `Link`. */
import { textOf, type RawCell } from "../raw.ts";
import { holdsData } from "../header/titles.ts";
import type { Area } from "./xlsx-address.ts";

interface Row {
  readonly line: number;
  readonly cells: RawCell[];
  isNames?: boolean;
}

/** How many rows are searched for names. */
const NAME_ROWS = 50;
/** Areas that lie over each other, of hostile files, would take long. */
const MOST_GROUPS = 256;

const isFilled = (cell: RawCell | undefined): boolean => textOf(cell).trim() !== "";
const countFilled = ({ cells }: Row): number => cells.filter(isFilled).length;

/** Years may name columns, of sales and the like. */
const isNoYear = (cell: RawCell): boolean => !/^\d{4}$/u.test(textOf(cell).trim());
const withoutYears = (row: Row): Row => ({ ...row, cells: row.cells.filter(isNoYear) });

const isWide = ({ top, bottom, left, right }: Area): boolean => top === bottom && left < right;
const isTall = ({ top, bottom, left, right }: Area): boolean =>
  left === right && bottom === top + 1;

const topsOf = (areas: readonly Area[]): ReadonlySet<number> =>
  new Set(areas.map(({ top }) => top));

/** The first two lines that may hold names, by their merged cells. */
function findLines(rows: readonly Row[], wide: readonly Area[], tall: readonly Area[]) {
  const [wideTops, tallTops] = [topsOf(wide), topsOf(tall)];
  const at = rows
    .slice(0, NAME_ROWS)
    .findIndex(({ line }) => wideTops.has(line) && tallTops.has(line));
  const [upper, lower] = at < 0 ? [] : rows.slice(at, at + 2);
  if (upper === undefined || lower?.line !== upper.line + 1) return undefined;
  const areData = holdsData(upper) || holdsData(withoutYears(lower));
  return areData ? undefined : { at, upper, lower };
}

/**
 * Marks the lower line, and puts the names of such columns into it, beside the others.
 * @param areFilled the names are put there anyway, with all merged cells
 */
export function lowerNames(rows: readonly Row[], areas: readonly Area[], areFilled: boolean): void {
  const wide = areas.filter(isWide);
  const tall = areas.filter(isTall);
  const lines = findLines(rows, wide, tall);
  if (lines === undefined) return;
  const { at, upper, lower } = lines;
  const moved = tall.filter(({ top }) => top === upper.line);
  const names = moved.length + countFilled(lower);
  const groups = wide.filter(({ top }) => top === upper.line).slice(0, MOST_GROUPS);
  const hasParts = groups.some(({ left, right }) =>
    lower.cells.slice(left - 1, right).some(isFilled),
  );
  const most = countFilled(upper);
  const mayBeNames = (row: Row): boolean =>
    countFilled(row) >= names || (countFilled(row) >= most && !holdsData(withoutYears(row)));
  if (!hasParts || rows.slice(0, at).some(mayBeNames)) return;
  lower.isNames = true;
  for (const { left } of areFilled ? [] : moved) {
    while (lower.cells.length < left) lower.cells.push("");
    lower.cells[left - 1] = upper.cells[left - 1] ?? "";
    upper.cells[left - 1] = "";
  }
}
