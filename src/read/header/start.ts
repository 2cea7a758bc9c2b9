import path from "node:path";

import type { AppError } from "../../base/errors.ts";
import type { JobSource } from "../../job/job.ts";

import {
  countMatches,
  hintsForAbsent,
  listHeaders,
  pickHeader,
  readHeader,
  type Header,
  type HeaderCell,
} from "./header.ts";
import { findLikeRow } from "./like-row.ts";
import { CLOSE_QUOTE, hasSwallowed, type QuoteFault } from "../csv/open-quote.ts";
import { areOfFailedRows } from "./own-list.ts";
import { isBlankRow, textOf, type RawRow, type RawTable } from "../raw.ts";
import { findGoingOn, namesColumn } from "./row-shape.ts";
import { countFilled, holdsData } from "./titles.ts";
import { unreadable } from "../files/unreadable.ts";

/** How many rows are searched for a header. */
const HEADER_ROWS = 50;

/** What is known before the first row. */
export interface Start {
  readonly header: Header;
  /** A wrongly closed quote in or above the header: its cell contains rows. */
  readonly swallowing: QuoteFault | undefined;
  /** Names the sheet that was read, if there are others. */
  readonly sheetHint: string | undefined;
  /** The rows with content above it. */
  readonly above: readonly RawRow[];
  /** The first rows with content that follow. */
  readonly below: readonly RawRow[];
  /** Most of them have cells behind the last one of the header, which nobody has said to be one. */
  readonly isNarrow: boolean;
  /** A header that looks like a cell of a row. */
  readonly likeRow: string | undefined;
  /** It lies on another line than `header_row` says. */
  readonly isMoved: boolean;
}

/** Rows that failed, fed back: their headers lie in line 1, wherever those of the spreadsheet lay. */
const isFailedRows = ({ line, cells }: RawRow): boolean =>
  line === 1 && areOfFailedRows(cells.map(textOf));

/** The row that holds the headers; undefined where `header_row` names a blank line. */
function findHeader(
  rows: readonly RawRow[],
  { headerRow, columns }: JobSource,
  uses: readonly string[],
): RawRow | undefined {
  const [first] = rows;
  if (headerRow === null) return pickHeader(rows.slice(0, HEADER_ROWS), columns, uses);
  if (first !== undefined && isFailedRows(first)) return first;
  const named = rows.find(({ line }) => line === headerRow);
  const isHeader = named !== undefined && namesAny(readHeader(named, columns, uses), uses);
  return isHeader ? named : (findMoved(rows, columns, headerRow) ?? named);
}

/** Whether a header has a column of the manifest, or one that its templates use. */
const namesAny = ({ cells }: Header, uses: readonly string[]): boolean =>
  cells.some(({ column, name = "" }) => column !== undefined || uses.includes(name));

const BREAK = /\r?\n|\r/u;

/** The line below a row, whose cells may hold line breaks. */
const lineBelow = ({ line, cells, isOneLine }: RawRow): number =>
  isOneLine === false ? line + cells.map(textOf).join("").split(BREAK).length : line + 1;

/** Whether all lines from a row to another line are filled: below a blank one, another table may begin. */
function areOfOneTable(rows: readonly RawRow[], from: RawRow, to: number): boolean {
  let next = from.line;
  for (const row of rows.slice(rows.indexOf(from))) {
    if (row.line > next || next > to) break;
    next = lineBelow(row);
  }
  return next > Math.min(to, rows.at(-1)?.line ?? to);
}

/**
 * The next list of a series may have more or fewer lines of titles: the only row that names all required
 * columns, below shorter ones.
 */
function findMoved(
  rows: readonly RawRow[],
  columns: JobSource["columns"],
  headerRow: number,
): RawRow | undefined {
  const required = Object.values(columns).filter((column) => column.required);
  // Without one that has no default, any line may be the header.
  if (required.every((column) => column.default !== null)) return undefined;
  const [header, another] = rows.filter(
    (row) => countMatches(row, columns).required === required.length,
  );
  if (header === undefined || another !== undefined || holdsData(header)) return undefined;
  if (!areOfOneTable(rows, header, headerRow)) return undefined;
  const above = rows.slice(0, rows.indexOf(header));
  const isBelowTitles = above.every((title) => countFilled(title) < countFilled(header));
  return above.length < HEADER_ROWS && isBelowTitles ? header : undefined;
}

/**
 * A header that looks like a cell of a row. What is only built like one is a header where `header_row` says
 * so; columns of the manifest don't, since `init` and the desk write them from the line itself: only those
 * that name what is below them say that the line is one.
 */
function findRowHeader({ cells }: Header, below: readonly RawRow[], isSaid: boolean) {
  const rows = below.map((row) => row.cells.map(textOf));
  const isName = ({ column, text }: HeaderCell, at: number): boolean =>
    column !== undefined &&
    namesColumn(
      text,
      rows.map((row) => row[at] ?? ""),
    );
  const like = findLikeRow(cells, below, isSaid || cells.some(isName));
  if (like !== undefined || isSaid) return like;
  const texts = cells.map(({ text }) => text);
  return cells[findGoingOn(texts, rows) ?? -1]?.header;
}

/** Whether most rows, and one of names, have filled cells behind the last one of the header. */
function isNarrow({ cells }: RawRow, below: readonly RawRow[]): boolean {
  const longer = below.filter((row) =>
    row.cells.slice(cells.length).some((cell) => textOf(cell).trim() !== ""),
  );
  const mayBeNames = longer.length > 1 && longer.some((row) => !holdsData(row));
  return mayBeNames && longer.length * 2 > below.length;
}

/** Reads until the header and one row after it are known. */
export async function readStart(
  table: RawTable,
  source: JobSource,
  uses: readonly string[],
): Promise<Start> {
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
  const picked = findHeader(rows, source, uses);
  if (picked === undefined) throw noHeader(source);
  const header = readHeader(picked, source.columns, uses);
  const below = rows.filter(({ line }) => line > picked.line);
  const isMoved = forced !== null && picked.line !== forced && !isFailedRows(picked);
  return {
    header,
    sheetHint: toSheetHint(table),
    swallowing: rows.find(({ line, quote }) => line <= picked.line && hasSwallowed(quote))?.quote,
    above: rows.filter(({ line }) => line < picked.line),
    below,
    isNarrow: forced === null && isNarrow(picked, below),
    likeRow: findRowHeader(header, below, forced !== null && !isMoved),
    isMoved,
  };
}

const MAX_SHEETS = 10;

function toSheetHint({ sheet, otherSheets = [] }: RawTable): string | undefined {
  if (sheet === undefined || otherSheets.length === 0) return undefined;
  const names = otherSheets.slice(0, MAX_SHEETS).map((name) => JSON.stringify(name));
  return `sheet ${JSON.stringify(sheet)} was read; name another one in source.sheet: ${names.join(", ")}`;
}

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

/** People know the header; the name in the manifest may be one that `init` made of it. */
function sayAbsent(name: string, columns: JobSource["columns"]): string {
  const [header] = columns[name]?.aliases ?? [];
  return header === undefined ? `"${name}"` : `"${header}" (${name})`;
}

/** Faults of the header that make the file useless. */
export function checkHeader(start: Start, source: JobSource): void {
  const { header, below, swallowing, sheetHint, likeRow } = start;
  const { file, columns } = source;
  const where = { file, line: header.line };
  if (swallowing !== undefined) {
    const message = `quote must be closed, got one that opens in the header or above it and swallows the next rows`;
    throw unreadable(message, { where: { file, line: swallowing.line }, hint: CLOSE_QUOTE });
  }
  const absent = header.absent.filter(
    (name) => columns[name]?.required === true && columns[name]?.default === null,
  );
  const list = listHeaders(header).join(", ");
  const [first] = absent;
  if (first !== undefined) {
    const quoted = absent.map((name) => sayAbsent(name, columns)).join(", ");
    const hints =
      likeRow === undefined
        ? hintsForAbsent(absent, header, columns)
        : [
            source.headerRow === null
              ? `line ${header.line} looks like a row: put a line with the names above it: ${absent.join(", ")}`
              : `line ${header.line} looks like a row, and header_row in source names it: let it name the line with ${absent.join(", ")}`,
          ];
    const hint = [...hints, ...(sheetHint === undefined ? [] : [sheetHint])].join("; ");
    const message = `header must have the required columns, but ${quoted} ${absent.length === 1 ? "is" : "are"} missing; it has: ${list}`;
    throw unreadable(message, { where, hint });
  }
  const [twice] = header.duplicates;
  if (twice !== undefined) {
    const message = `header must name each used column once, got "${twice.trim()}" twice`;
    throw unreadable(message, { where, hint: "rename or remove one of the two columns" });
  }
  if (below.length === 0 && source.mayBeEmpty !== true) {
    const message = `source must have rows, got only a header: ${path.basename(file)}`;
    throw unreadable(message, { where, hint: sheetHint });
  }
}
