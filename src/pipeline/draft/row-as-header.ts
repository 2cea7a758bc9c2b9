/** Whether a line that looks like a row is one, or holds the names of columns all the same. Pure. */
import { areMost, formOf } from "../../read/like-row.ts";
import { namesRoles } from "./roles.ts";

/** A header, and the first cells below it. */
interface Tried {
  readonly header: string;
  readonly below: readonly string[];
}

/** A number, a date or a code: one word with a digit. */
const isCode = (text: string): boolean => /\d/u.test(text) && !/\s/u.test(text.trim());

const isData = (text: string): boolean => formOf(text) !== undefined || isCode(text);

/** A known name, unless the cells below are called so, too, as `Product 2` below `Product 1`. */
const isKnown = ({ header, below }: Tried): boolean =>
  namesRoles(header).some((role) => !areMost(below, (text) => namesRoles(text).includes(role)));

/** A word above numbers, codes or addresses names them. */
const isAbove = ({ header, below }: Tried): boolean =>
  !/\d/u.test(header) && areMost(below, isData);

const isName = (one: Tried): boolean =>
  one.header.trim() !== "" && formOf(one.header) === undefined && (isKnown(one) || isAbove(one));

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
  const tried = headers.map((header, at) => ({ header, below: rows.map((row) => row[at] ?? "") }));
  return (
    tried.some(isAsBelow) &&
    !tried.some(isName) &&
    !rows.some((row, at) => isHeader(row, rows.slice(at + 1)))
  );
}
