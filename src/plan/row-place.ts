import type { Where } from "../base/errors.ts";
import type { JobRows } from "../job/job.ts";
import { headerOf } from "../read/header/header.ts";

type Rows = Pick<JobRows, "file" | "from">;

interface Row {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** The name of rows without a line; undefined where rows have lines. */
function toName(from: JobRows["from"], { line, cells }: Row): string | undefined {
  switch (from) {
    case "range":
      return `number ${cells["number"] ?? line}`;
    case "serials":
      return cells["serial"] === undefined
        ? `number ${cells["number"] ?? line}`
        : `serial ${cells["serial"]}`;
    case "folder":
      return cells["file"] === undefined ? `row ${line}` : `file ${cells["file"]}`;
    case "manifest":
      return "";
    case "spreadsheet":
    case "stream":
      return undefined;
  }
}

/** Where a row stands: the line of its file; for rows without one, their name. */
export function toRowPlace({ file, from }: Rows, row: Row): Where {
  const name = toName(from, row);
  if (name === undefined) return { file, line: row.line };
  return name === "" ? { file } : { file, row: name };
}

/** The headers of its key as they stand in the file. */
export function toKeyHeaders(
  { key, columns }: Pick<JobRows, "key" | "columns">,
  row: Pick<Row, "cells">,
): string[] {
  const headers = Object.keys(row.cells);
  return key.map((name) => headerOf(columns, name, headers));
}

/** The place of a row with the headers of its key: `Site + Table`. */
export const toKeyPlace = (source: Rows & Pick<JobRows, "key" | "columns">, row: Row): Where => ({
  ...toRowPlace(source, row),
  column: toKeyHeaders(source, row).join(" + "),
});

/** `line 4`, `number 0004`, `serial 7K2M9`, `file x.pdf`. */
export const sayRow = ({ from }: Pick<JobRows, "from">, row: Row): string =>
  toName(from, row) ?? `line ${row.line}`;

/** What rows are counted by in messages. */
export const toRowWord = ({ from }: Pick<JobRows, "from">): "line" | "row" =>
  from === "spreadsheet" || from === "stream" ? "line" : "row";
