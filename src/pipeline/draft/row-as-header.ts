/** Whether a line that looks like a row is one, or holds the names of columns all the same. Pure. */
import { areMost, formOf } from "../../read/header/like-row.ts";
import { isData, namesThem } from "../../read/header/row-shape.ts";
import { isCommon } from "./header-words.ts";
import { namesRoles } from "./roles.ts";

/** A header, and the first cells below it. */
interface Tried {
  readonly header: string;
  readonly below: readonly string[];
}

/** A known name, unless the cells below are called so, too, as `Product 2` below `Product 1`. */
const isKnown = ({ header, below }: Tried): boolean =>
  namesRoles(header).some((role) => !areMost(below, (text) => namesRoles(text).includes(role)));

const isName = (one: Tried): boolean =>
  namesThem(one.header, one.below) ||
  (one.header.trim() !== "" && formOf(one.header) === undefined && isKnown(one));

const toTried = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Tried[] =>
  headers.map((header, at) => ({ header, below: rows.map((row) => row[at] ?? "") }));

/**
 * Whether anything in a line sounds like the name of a column. Words above other words may be either:
 * `Anna` above `Berta`.
 */
export const hasNames = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): boolean => toTried(headers, rows).some(isName) || headers.some(isCommon);

/** Whether most cells below are of its form. */
function isAsBelow({ header, below }: Tried): boolean {
  const form = formOf(header);
  return form !== undefined && areMost(below, (text) => formOf(text) === form);
}

/** A row of names: the line above it was a title. */
function isHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const filled = [...row.entries()].filter(([, text]) => text.trim() !== "");
  const known = filled.filter(([at, header]) =>
    isKnown({ header, below: below.map((cells) => cells[at] ?? "") }),
  );
  return known.length * 2 >= filled.length && known.length > 0 && !row.some(isData);
}

/**
 * Whether a line that looks like a row is one: cells below are like its own, nothing in it names a
 * column, and no row of names follows.
 * @param rows the first ones below, in the order of the headers
 */
export function isRow(headers: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const tried = toTried(headers, rows);
  return (
    tried.some(isAsBelow) &&
    !tried.some(isName) &&
    !rows.some((row, at) => isHeader(row, rows.slice(at + 1)))
  );
}
