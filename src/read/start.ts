import path from "node:path";

import type { AppError } from "../base/errors.ts";
import type { JobSource } from "../job/job.ts";

import { cleanHeader, hintForAbsent, pickHeader, readHeader, type Header } from "./header.ts";
import { isBlankRow, textOf, type RawCell, type RawRow, type RawTable } from "./raw.ts";
import { unreadable } from "./unreadable.ts";

/** How far down a header is looked for. */
const HEADER_ROWS = 50;

/** What must be known before the first row. */
export interface Start {
  readonly header: Header;
  /** A quote is closed in the wrong place: a cell of the header, or above it, holds rows. */
  readonly hasSwallowed: boolean;
  /** Names the sheet that was read, where there are others. */
  readonly sheetHint: string | undefined;
  /** True when at least one row with something in it follows. */
  readonly hasRows: boolean;
}

/** Reads on until the header and one row behind it are known. */
export async function readStart(table: RawTable, source: JobSource): Promise<Start> {
  const rows: RawRow[] = [];
  const forced = source.headerRow;
  const isEnough = (): boolean =>
    forced === null
      ? rows.length > HEADER_ROWS
      : rows.filter(({ line }) => line >= forced).length > HEADER_ROWS;
  for await (const batch of table.batches()) {
    rows.push(...batch.filter((row) => !isBlankRow(row)));
    if (isEnough()) break;
  }
  const picked =
    forced === null
      ? pickHeader(rows.slice(0, HEADER_ROWS), source.columns)
      : rows.find(({ line }) => line === forced);
  if (picked === undefined) throw noHeader(source);
  return {
    header: readHeader(picked, source.columns),
    sheetHint: toSheetHint(table),
    hasSwallowed:
      table.format === "csv" &&
      rows.some(({ line, cells }) => line <= picked.line && cells.some(keepsQuote)),
    hasRows: rows.some(({ line }) => line > picked.line),
  };
}

const MAX_SHEETS = 10;

function toSheetHint({ sheet, otherSheets = [] }: RawTable): string | undefined {
  if (sheet === undefined || otherSheets.length === 0) return undefined;
  const names = otherSheets.slice(0, MAX_SHEETS).map((name) => JSON.stringify(name));
  return `sheet ${JSON.stringify(sheet)} was read; name another one in source.sheet: ${names.join(", ")}`;
}

/** Closed well, a cell loses the quotes around it. */
const keepsQuote = (cell: RawCell): boolean => /^"[^]*[\r\n]/u.test(textOf(cell));

function noHeader(source: JobSource): AppError {
  const { file, headerRow: line } = source;
  return line === null
    ? unreadable(`source must have rows, got blank lines only: ${path.basename(file)}`, {
        where: { file },
      })
    : unreadable(`header_row must be a line with headers, got line ${line}, which is blank`, {
        where: { file, line },
      });
}

/** Faults of the header that leave nothing to read. */
export function checkHeader(start: Start, source: JobSource): void {
  const { header, hasRows, hasSwallowed, sheetHint } = start;
  const { file, columns } = source;
  const where = { file, line: header.line };
  if (hasSwallowed) {
    const message = `quote must be closed, got one that opens in the header or above it and swallows the next rows`;
    const hint = 'close it, or double a quote that belongs to the text: ""';
    throw unreadable(message, { where, hint });
  }
  const absent = header.absent.filter(
    (name) => columns[name]?.required === true && columns[name]?.default === null,
  );
  const list = header.cells.map((cell) => cleanHeader(cell.header)).join(", ");
  const [first] = absent;
  if (first !== undefined) {
    const quoted = absent.map((name) => `"${name}"`).join(", ");
    const hints = absent.map((name) => hintForAbsent(name, header, columns));
    const hint = [...hints, ...(sheetHint === undefined ? [] : [sheetHint])].join("; ");
    const message = `header must have the required columns, but ${quoted} is missing; it has: ${list}`;
    throw unreadable(message, { where, hint });
  }
  const [twice] = header.duplicates;
  if (twice !== undefined) {
    const message = `header must name each used column once, got "${twice.trim()}" twice`;
    throw unreadable(message, { where, hint: "rename or remove one of the two columns" });
  }
  if (!hasRows) {
    const message = `source must have rows, got only a header: ${path.basename(file)}`;
    throw unreadable(message, { where, hint: sheetHint });
  }
}
