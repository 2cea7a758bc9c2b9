/** Rows that are longer or shorter than their header. */
import type { Problem } from "../../base/errors.ts";

import { textOf, type RawRow } from "../raw.ts";
import { listCells } from "../cells/shown.ts";
import { toLetters } from "../xlsx/xlsx-address.ts";

/** Cells of a workbook with their columns; empty ones between them say nothing. */
function listPlaced(cells: readonly string[], width: number): string {
  const filled = cells.flatMap((text, at) =>
    text.trim() === "" ? [] : [[text, `column ${toLetters(width + at + 1)}`] as const],
  );
  return listCells(
    filled.map(([text]) => text),
    filled.map(([, place]) => place),
  );
}

/**
 * How many cells a row must have. Some programs end the line with the names of columns with a delimiter, and
 * no other line.
 */
export function findWidth(names: readonly string[], below: readonly RawRow[]): number {
  const width = names.findLastIndex((name) => name.trim() !== "") + 1;
  const isOver = width > 0 && below.every(({ cells }) => cells.length <= width);
  return isOver ? width : names.length;
}

/** Where the line that was taken for the names of the columns may be a title. */
export const NAME_HEADER_ROW =
  "where another line holds the names of the columns, say which: header_row in source, --header-row of init";

/**
 * What is wrong with the length of a row, if anything.
 * @param width cells of the header
 * @param how `isText`: CSV, where cells have no places of their own; `isNarrow`: most rows have more cells than the header
 */
export function checkLength(
  raw: RawRow,
  width: number,
  { isText, isNarrow }: { readonly isText: boolean; readonly isNarrow: boolean },
): Problem | undefined {
  const extra = raw.cells.slice(width).map(textOf);
  while (extra.at(-1)?.trim() === "") extra.pop();
  // Workbooks leave out empty cells at the end of a row, and so does Excel in blocks of rows.
  const isShort = raw.cells.length < width && isText && raw.isCut !== true;
  if (!isShort && extra.length === 0) return undefined;
  const got = isShort ? raw.cells.length : width + extra.length;
  const listed = isText ? listCells(extra) : listPlaced(extra, width);
  const more = extra.length === 0 ? "" : `; too many: ${listed}`;
  const isLong = raw.cells.some((cell) => /[\r\n]/u.test(textOf(cell)));
  const toHint = (): string => {
    if (isNarrow && extra.length > 0) return NAME_HEADER_ROW;
    if (!isText) return "empty the cell, or give its column a header";
    return isLong
      ? "a cell of this row has several lines: is a closing quote missing?"
      : "is a delimiter missing, or a cell with one not in quotes?";
  };
  return {
    message: `row must have ${width} cells, as the header has, got ${got}${more}`,
    hint: toHint(),
  };
}
