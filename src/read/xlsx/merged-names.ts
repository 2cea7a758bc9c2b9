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

/** Puts the names of such columns into the lower line, beside the others. */
export function lowerNames(rows: readonly Row[], areas: readonly Area[]): void {
  const wide = areas.filter(isWide);
  const tall = areas.filter(isTall);
  const [wideTops, tallTops] = [wide, tall].map((some) => new Set(some.map(({ top }) => top)));
  const at = rows
    .slice(0, NAME_ROWS)
    .findIndex(({ line }) => wideTops?.has(line) === true && tallTops?.has(line) === true);
  const [upper, lower] = at < 0 ? [] : rows.slice(at, at + 2);
  if (upper === undefined || lower?.line !== upper.line + 1) return;
  if (holdsData(upper) || holdsData(withoutYears(lower))) return;
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
  for (const { left } of moved) {
    while (lower.cells.length < left) lower.cells.push("");
    lower.cells[left - 1] = upper.cells[left - 1] ?? "";
    upper.cells[left - 1] = "";
  }
}
