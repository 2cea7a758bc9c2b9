/**
 * The rows that failed with their original columns, then `line` and `reason`, ready to be mended and
 * fed back in: as CSV, and as a workbook that a double click opens in columns everywhere.
 */
import { makeCsv, type CsvCell } from "./csv.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { fitsCell, writeXlsx, type XlsxOptions } from "./xlsx.ts";

export interface FailedRow {
  /** As read from the source, in the order of its header; may be shorter or longer. */
  readonly cells: readonly string[];
  /** Line of the source, from 1. */
  readonly line: number;
  /** The faults, each with its fix. */
  readonly reasons: readonly string[];
}

/** The layout of the source, which the file of its failed rows repeats. */
export interface FailedTable {
  /** Of the source. */
  readonly header: readonly string[];
  /** Default: comma. */
  readonly delimiter?: string | undefined;
  /** Gone through several times. */
  readonly rows: Iterable<FailedRow>;
}

/** `name`, or `name-2` … when the source has such a column. */
export function toFreeHeader(name: string, header: readonly string[]): string {
  const taken = new Set(header.map((cell) => cell.trim().normalize("NFKC").toLowerCase()));
  if (!taken.has(name)) return name;
  let n = 2;
  while (taken.has(`${name}-${n}`)) n += 1;
  return `${name}-${n}`;
}

/** All columns: those of the source, then ours. */
const toColumns = (header: readonly string[]): string[] => [
  ...header,
  toFreeHeader("line", header),
  toFreeHeader("reason", header),
];

/** Cells beyond the header would shift the added columns; they're named in the reason instead. */
function toSurplus({ cells }: FailedRow, width: number): string[] {
  if (cells.length <= width) return [];
  return [`cells beyond the header: ${JSON.stringify(cells.slice(width))}`];
}

/** Of each row as many cells as the header has, then its line, its reasons and `more`. */
function* toRows(
  { header, rows }: FailedTable,
  more: (row: FailedRow) => readonly string[] = () => [],
): Generator<CsvCell[]> {
  for (const row of rows) {
    const cells = header.map((_, at) => row.cells[at] ?? "");
    const reasons = [...row.reasons, ...toSurplus(row, header.length), ...more(row)];
    yield [...cells, row.line, reasons.join("; ")];
  }
}

/** `failed-rows.csv`. */
export function writeFailedCsv(file: string, table: FailedTable): Promise<WrittenFile> {
  const options = { cells: "raw", delimiter: table.delimiter } as const;
  return writeTextFile(file, makeCsv(toColumns(table.header), toRows(table), options));
}

const LEAST_WIDTH = 10;
const MOST_WIDTH = 48;
const REASON_WIDTH = 80;
/** So many rows decide how wide a column is. */
const ROWS_MEASURED = 200;

function takeFirst(rows: Iterable<FailedRow>): FailedRow[] {
  const first: FailedRow[] = [];
  for (const row of rows) {
    if (first.push(row) >= ROWS_MEASURED) break;
  }
  return first;
}

/** Wide enough for the header and the cells below it, within limits. */
function toWidth(name: string, at: number, rows: readonly FailedRow[]): number {
  const texts = [name, ...rows.map(({ cells }) => cells[at])];
  const longest = Math.max(...texts.map((text = "") => text.length));
  return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest + 2));
}

/** Says which cells of a row a workbook can't hold in full. */
function toLosses({ cells }: FailedRow, header: readonly string[]): string[] {
  const lost = header.filter((_, at) => !fitsCell(cells[at] ?? ""));
  const names = lost.map((name) => JSON.stringify(name)).join(", ");
  return lost.length === 0 ? [] : [`a workbook can't hold all of ${names}: see failed-rows.csv`];
}

/** `failed-rows.xlsx`: the same table. Cells of the source are text, and stay text when they are mended. */
export function writeFailedXlsx(
  file: string,
  table: FailedTable,
  options: XlsxOptions & { readonly sheetName?: string | undefined },
): Promise<WrittenFile> {
  const { header } = table;
  const measured = takeFirst(table.rows);
  const columns = toColumns(header).map((name, at) => {
    if (at < header.length)
      return { header: name, width: toWidth(name, at, measured), isText: true };
    return { header: name, width: at === header.length ? LEAST_WIDTH : REASON_WIDTH };
  });
  const rows = toRows(table, (row) => toLosses(row, header));
  return writeXlsx(file, { name: options.sheetName ?? "Failed rows", columns, rows }, options);
}
