/** CSV as Excel and every other program reads it: UTF-8 with BOM, CRLF, no live formulas. */
import { stringify } from "csv-stringify/sync";

export type CsvCell = string | number | undefined;

const BOM = "\ufeff";
export const DEFAULT_DELIMITER = ",";
const ROWS_PER_CHUNK = 500;
// The reader takes one ' off before these, so a cell that brings its own gets a second one.
const QUOTED_FORMULA = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u;

const protect = (cell: CsvCell): CsvCell =>
  typeof cell === "string" && QUOTED_FORMULA.test(cell) ? `'${cell}` : cell;

export interface CsvOptions {
  /** `raw`: cells of another file as they are: a `'` in front is taken off when the list is read. */
  readonly cells?: "values" | "raw" | undefined;
  /** Default: comma. */
  readonly delimiter?: string | undefined;
}

function stringifyRows(
  rows: readonly (readonly CsvCell[])[],
  { cells, delimiter = DEFAULT_DELIMITER }: CsvOptions,
): string {
  return stringify(
    rows.map((row) => (cells === "raw" ? [...row] : row.map(protect))),
    // Readers end a record at any of CR, LF, CRLF; the writer would quote its own delimiter only.
    { delimiter, record_delimiter: "\r\n", quoted_match: /[\r\n]/u, escape_formulas: true },
  );
}

/**
 * `header` and `rows` as text in pieces, in constant memory. Cells that a spreadsheet program
 * would take for a formula get a leading `'`; numbers stay numbers.
 */
export async function* makeCsv(
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]> | Iterable<readonly CsvCell[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  yield BOM + stringifyRows([header], options);
  let waiting: (readonly CsvCell[])[] = [];
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length < ROWS_PER_CHUNK) continue;
    yield stringifyRows(waiting, options);
    waiting = [];
  }
  if (waiting.length > 0) yield stringifyRows(waiting, options);
}
