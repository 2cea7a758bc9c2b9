/**
 * Workbooks by exceljs, row by row in bounded memory: text, numbers and links, a frozen bold
 * header, a filter. The same input gives the same bytes. Text is never taken for a formula.
 */
import { once } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { finished } from "node:stream/promises";

import type { stream, Worksheet } from "exceljs";

import { makeColumnName } from "./column-name.ts";
import { toSink, writeHashedFile, type WriteChunk, type WrittenFile } from "./hashed-file.ts";

export type XlsxCell = string | number | undefined;

interface XlsxColumn {
  readonly header: string;
  /** In characters of the default font. */
  readonly width: number;
  /** Web addresses in this column can be clicked. */
  readonly links?: boolean | undefined;
  /** What people type into its cells stays text: `0012` is no number. */
  readonly isText?: boolean | undefined;
}

export interface XlsxTable {
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  readonly rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>;
}

export interface XlsxOptions {
  readonly createdAt: Date;
  /** Data rows on one worksheet; what is more goes on to the next. */
  readonly maxRows?: number | undefined;
}

type Book = stream.xlsx.WorkbookWriter;

/** The archive below exceljs's writer: it dates entries with the moment, and never waits for the disk. */
interface BookArchive {
  append(source: Readable | string, entry: { readonly name: string; readonly date?: Date }): void;
}

const MAX_ROWS = 1_048_575;
const MAX_CELL_CHARACTERS = 32_767;
const MAX_SHEET_NAME = 31;
/** Excel opens no worksheet with more links than this. */
const MAX_LINKS = 65_530;
/** Excel takes no longer address. */
const MAX_LINK_CHARACTERS = 2_079;
const ROWS_BETWEEN_WAITS = 200;
/** Number format of cells that hold text whatever is typed. */
const AS_TEXT = "@";

// What XML 1.0 can't hold at all.
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu;
// Excel reads _x0041_ as "A"; the underscore itself is written as _x005F_.
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/giu;

/** Text as a cell holds it, before exceljs escapes it for XML. */
function toCellText(text: string): string {
  return text
    .slice(0, MAX_CELL_CHARACTERS)
    .toWellFormed()
    .replace(NOT_XML, "")
    .replace(LOOKS_ESCAPED, "_x005F_")
    .replace(/\r/gu, "_x000D_");
}

/** False for text of which a cell holds less: more than Excel takes, or what XML can't hold. */
export const fitsCell = (text: string): boolean =>
  text.length <= MAX_CELL_CHARACTERS && text.isWellFormed() && text.search(NOT_XML) < 0;

/** Excel's rules for the name of a worksheet: 31 characters, none of : \ / ? * [ ]. */
function toSheetName(name: string, number: number): string {
  const suffix = number === 1 ? "" : ` ${number}`;
  const clean = name.replace(/[:\\/?*[\]]/gu, "_").slice(0, MAX_SHEET_NAME - suffix.length);
  return `${clean.toWellFormed().replace(NOT_XML, "")}${suffix}`;
}

/** One worksheet under way. */
class SheetFile {
  readonly #sheet: Worksheet;
  readonly #columns: readonly XlsxColumn[];
  #rows = 0;
  #links = 0;

  constructor(book: Book, name: string, columns: readonly XlsxColumn[]) {
    this.#columns = columns;
    this.#sheet = book.addWorksheet(name, { views: [{ state: "frozen", ySplit: 1 }] });
    this.#sheet.columns = columns.map(({ width, isText }) =>
      isText === true ? { width, style: { numFmt: AS_TEXT } } : { width },
    );
    const header = this.#sheet.addRow(columns.map(({ header: text }) => toCellText(text)));
    for (let at = 1; at <= columns.length; at += 1) header.getCell(at).font = { bold: true };
    header.commit();
  }

  get rows(): number {
    return this.#rows;
  }

  add(cells: readonly XlsxCell[]): void {
    this.#sheet.addRow(cells.map((cell, at) => this.#toValue(cell, at))).commit();
    this.#rows += 1;
  }

  end(): void {
    const last = makeColumnName(this.#columns.length - 1) + String(this.#rows + 1);
    this.#sheet.autoFilter = `A1:${last}`;
    (this.#sheet as unknown as { commit(): void }).commit();
  }

  #toValue(cell: XlsxCell, at: number) {
    if (typeof cell !== "string") return cell;
    if (cell === "") return undefined;
    const text = toCellText(cell);
    return this.#isLink(cell, at) ? { text, hyperlink: cell } : text;
  }

  #isLink(cell: string, at: number): boolean {
    const isLink =
      this.#columns[at]?.links === true &&
      this.#links < MAX_LINKS &&
      cell.length <= MAX_LINK_CHARACTERS &&
      /^https?:\/\/[\u0021-\u007e]+$/iu.test(cell);
    if (isLink) this.#links += 1;
    return isLink;
  }
}

/** exceljs's writer, with a date for its parts and a way to wait until the disk has kept up. */
class BookFile {
  readonly book: Book;
  readonly #sink: Writable;
  readonly #written: Promise<void>;
  #part = new PassThrough();

  constructor(Writer: typeof stream.xlsx.WorkbookWriter, write: WriteChunk, createdAt: Date) {
    this.#sink = toSink(write);
    this.#written = finished(this.#sink);
    this.#written.catch(() => undefined);
    const watch = (zip: BookArchive): void => this.#watch(zip, createdAt);
    class WatchedWriter extends Writer {
      /** The first part that the constructor writes. */
      override async addThemes(): Promise<void> {
        watch((this as unknown as { readonly zip: BookArchive }).zip);
        await super.addThemes();
      }
    }
    this.book = new WatchedWriter({
      stream: this.#sink,
      useStyles: true,
      created: createdAt,
      modified: createdAt,
      creator: "makeready",
      lastModifiedBy: "makeready",
    } as object);
  }

  /** Resolves when what was written so far has left memory. */
  async settle(): Promise<void> {
    if (this.#sink.errored !== null) throw this.#sink.errored;
    if (this.#part.writableNeedDrain) {
      await Promise.race([once(this.#part, "drain"), this.#written]);
    } else await new Promise(setImmediate);
  }

  async end(): Promise<void> {
    await Promise.all([this.book.commit(), this.#written]);
  }

  /** Worksheets go through a stream of ours, which tells when it is full. Links wait behind them. */
  #watch(zip: BookArchive, date: Date): void {
    const append = zip.append.bind(zip);
    zip.append = (source, entry) => {
      const isSheet = /^\/?xl\/worksheets\/sheet\d+\.xml$/u.test(entry.name);
      if (typeof source === "string" || !isSheet) return append(source, { ...entry, date });
      this.#part = new PassThrough();
      source.pipe(this.#part);
      return append(this.#part, { ...entry, date });
    };
  }
}

async function writeTable(
  file: BookFile,
  { name, columns, rows }: XlsxTable,
  maxRows: number,
): Promise<void> {
  let part = 1;
  let sheet = new SheetFile(file.book, toSheetName(name, part), columns);
  for await (const row of rows) {
    if (sheet.rows === maxRows) {
      sheet.end();
      part += 1;
      sheet = new SheetFile(file.book, toSheetName(name, part), columns);
    }
    sheet.add(row);
    if (sheet.rows % ROWS_BETWEEN_WAITS === 0) await file.settle();
  }
  sheet.end();
}

/** Writes one table, on as many worksheets as its rows need. */
export function writeXlsx(
  file: string,
  table: XlsxTable,
  options: XlsxOptions,
): Promise<WrittenFile> {
  return writeXlsxBook(file, [table], options);
}

/** Writes tables one after another, each on worksheets of its own. */
export async function writeXlsxBook(
  file: string,
  tables: readonly XlsxTable[],
  { createdAt, maxRows = MAX_ROWS }: XlsxOptions,
): Promise<WrittenFile> {
  // Slow to load, and most runs write no workbook.
  const { default: exceljs } = await import("exceljs");
  return writeHashedFile(file, async (write) => {
    const book = new BookFile(exceljs.stream.xlsx.WorkbookWriter, write, createdAt);
    for (const table of tables) await writeTable(book, table, maxRows);
    await book.end();
  });
}
