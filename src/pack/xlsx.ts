/**
 * Workbooks by exceljs, row by row in bounded memory: text, numbers and links, a frozen bold
 * header, a filter. Those with pictures are held in memory. The same input gives the same bytes.
 * Text is never taken for a formula.
 */
import { once } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { finished } from "node:stream/promises";

import type { Image, ImageRange, Row, stream, Workbook, Worksheet } from "exceljs";

import { makeColumnName } from "./column-name.ts";
import { toSink, writeHashedFile, type WriteChunk, type WrittenFile } from "./hashed-file.ts";

/** A PNG file. */
export interface XlsxPicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type XlsxCell = string | number | XlsxPicture | undefined;

interface XlsxColumn {
  readonly header: string;
  /** In characters of the default font. */
  readonly width: number;
  /** Web addresses in this column can be clicked. */
  readonly links?: boolean | undefined;
  /** Text typed into its cells stays text: `0012` is no number. */
  readonly isText?: boolean | undefined;
}

export interface XlsxTable {
  readonly name: string;
  /** Cells may be pictures: rows are high enough for them. Default false. */
  readonly hasPictures?: boolean;
  readonly columns: readonly XlsxColumn[];
  readonly rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>;
}

export interface XlsxOptions {
  readonly createdAt: Date;
  /** Data rows on one worksheet; more go on the next. */
  readonly maxRows?: number | undefined;
}

/** A workbook that is being written. */
interface BookFile {
  readonly book: Pick<Workbook, "addImage" | "addWorksheet">;
  /** Resolves when what was written so far has left memory, as far as it can. */
  settle(): Promise<void>;
  endSheet(sheet: Worksheet): void;
  end(): Promise<void>;
}

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
/** Side of the square in which a picture stands, and the space round it. */
const PICTURE_PX = 96;
const PICTURE_SPACE_PX = 5;
const PICTURE_ROW_POINTS = ((PICTURE_PX + 2 * PICTURE_SPACE_PX) * 72) / 96;
/** English metric units, in which drawings are measured, at 96 pixels an inch. */
const EMU_PER_PX = 9525;

/** Number format of cells that always hold text. */
const AS_TEXT = "@";

// Characters that XML 1.0 can't hold.
// oxlint-disable-next-line no-control-regex
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

/**
 * False for text that a cell can't hold in full: too long for Excel, or with characters that XML
 * can't hold.
 */
export const fitsCell = (text: string): boolean =>
  text.length <= MAX_CELL_CHARACTERS && text.isWellFormed() && text.search(NOT_XML) < 0;

/** Excel's rules for the name of a worksheet: 31 characters, none of : \ / ? * [ ]. */
function toSheetName(name: string, number: number): string {
  const suffix = number === 1 ? "" : ` ${number}`;
  const clean = name.replace(/[:\\/?*[\]]/gu, "_").slice(0, MAX_SHEET_NAME - suffix.length);
  return `${clean.toWellFormed().replace(NOT_XML, "")}${suffix}`;
}

const isPicture = (cell: XlsxCell): cell is XlsxPicture => typeof cell === "object";

/** One worksheet under way. */
class SheetFile {
  readonly #file: BookFile;
  readonly #sheet: Worksheet;
  readonly #columns: readonly XlsxColumn[];
  readonly #hasPictures: boolean;
  #rows = 0;
  #links = 0;

  constructor(file: BookFile, name: string, { columns, hasPictures = false }: XlsxTable) {
    this.#file = file;
    this.#columns = columns;
    this.#hasPictures = hasPictures;
    this.#sheet = file.book.addWorksheet(name, { views: [{ state: "frozen", ySplit: 1 }] });
    this.#sheet.columns = columns.map(({ width, isText }) => {
      const style = {
        ...(isText === true && { numFmt: AS_TEXT }),
        ...(hasPictures && { alignment: { vertical: "middle" as const } }),
      };
      return { width, style };
    });
    const header = this.#sheet.addRow(columns.map(({ header: text }) => toCellText(text)));
    for (let at = 1; at <= columns.length; at += 1) header.getCell(at).font = { bold: true };
    header.commit();
  }

  get rows(): number {
    return this.#rows;
  }

  add(cells: readonly XlsxCell[]): void {
    const row = this.#sheet.addRow(cells.map((cell, at) => this.#toValue(cell, at)));
    if (this.#hasPictures) this.#addPictures(row, cells);
    row.commit();
    this.#rows += 1;
  }

  end(): void {
    const last = makeColumnName(this.#columns.length - 1) + String(this.#rows + 1);
    this.#sheet.autoFilter = `A1:${last}`;
    this.#file.endSheet(this.#sheet);
  }

  /** They lie within their cells, so that they are sorted and filtered with their rows. */
  #addPictures(row: Row, cells: readonly XlsxCell[]): void {
    row.height = PICTURE_ROW_POINTS;
    for (const [at, cell] of cells.entries()) {
      if (!isPicture(cell)) continue;
      const { png, width, height } = cell;
      const image = { extension: "png", buffer: png } as unknown as Image;
      const scale = PICTURE_PX / Math.max(width, height);
      const corner = (x: number, y: number) => ({
        nativeCol: at,
        nativeColOff: Math.round((PICTURE_SPACE_PX + x) * EMU_PER_PX),
        nativeRow: row.number - 1,
        nativeRowOff: Math.round((PICTURE_SPACE_PX + y) * EMU_PER_PX),
      });
      const ends = { tl: corner(0, 0), br: corner(width * scale, height * scale) };
      const range = { ...ends, editAs: "twoCell" } as unknown as ImageRange;
      this.#sheet.addImage(this.#file.book.addImage(image), range);
    }
  }

  #toValue(cell: XlsxCell, at: number) {
    if (isPicture(cell) || cell === "") return undefined;
    if (typeof cell !== "string") return cell;
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

/** Options of both writers of exceljs. */
const toProperties = (createdAt: Date) => ({
  created: createdAt,
  modified: createdAt,
  creator: "makeready",
  lastModifiedBy: "makeready",
});

/** exceljs's writer, with a date for its parts and a way to wait until the disk has kept up. */
class StreamedBook implements BookFile {
  readonly book: stream.xlsx.WorkbookWriter;
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
      ...toProperties(createdAt),
    });
  }

  async settle(): Promise<void> {
    if (this.#sink.errored !== null) throw this.#sink.errored;
    if (this.#part.writableNeedDrain) {
      await Promise.race([once(this.#part, "drain"), this.#written]);
    } else await new Promise(setImmediate);
  }

  endSheet(sheet: Worksheet): void {
    (sheet as unknown as { commit(): void }).commit();
  }

  async end(): Promise<void> {
    await Promise.all([this.book.commit(), this.#written]);
  }

  /** Worksheets go through a stream of ours, which signals when it is full. Links wait behind them. */
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

/** The archive of a whole workbook: it dates entries with the moment, too. */
interface WholeArchive {
  readonly zip: { file(name: string, data: unknown, options?: object): void };
}

interface WholeWriter {
  addContentTypes(archive: WholeArchive, model: unknown): unknown;
}

/** A workbook in memory: exceljs's writer that needs none takes no pictures. */
class WholeBook implements BookFile {
  readonly book: Workbook;
  readonly #write: WriteChunk;

  constructor(Book: typeof Workbook, write: WriteChunk, createdAt: Date) {
    this.#write = write;
    this.book = Object.assign(new Book(), toProperties(createdAt));
    const xlsx = this.book.xlsx as unknown as WholeWriter;
    const begin = xlsx.addContentTypes.bind(xlsx);
    /** The first part that is written. */
    xlsx.addContentTypes = (archive, model) => {
      const add = archive.zip.file.bind(archive.zip);
      archive.zip.file = (name, data, options) =>
        add(name, data, {
          ...options,
          date: createdAt,
          // Entries for folders would be dated with the moment.
          createFolders: false,
          // Pictures are packed already.
          ...(name.endsWith(".png") && { compression: "STORE" }),
        });
      return begin(archive, model);
    };
  }

  async settle(): Promise<void> {
    await new Promise(setImmediate);
  }

  endSheet(): void {
    // Its rows are kept until the end.
  }

  async end(): Promise<void> {
    const sink = toSink(this.#write);
    await Promise.all([this.book.xlsx.write(sink), finished(sink)]);
  }
}

async function writeTable(file: BookFile, table: XlsxTable, maxRows: number): Promise<void> {
  const { name, rows } = table;
  let part = 1;
  let sheet = new SheetFile(file, toSheetName(name, part), table);
  for await (const row of rows) {
    if (sheet.rows === maxRows) {
      sheet.end();
      part += 1;
      sheet = new SheetFile(file, toSheetName(name, part), table);
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
  const isWhole = tables.some(({ hasPictures }) => hasPictures === true);
  return writeHashedFile(file, async (write) => {
    const book = isWhole
      ? new WholeBook(exceljs.Workbook, write, createdAt)
      : new StreamedBook(exceljs.stream.xlsx.WorkbookWriter, write, createdAt);
    for (const table of tables) await writeTable(book, table, maxRows);
    await book.end();
  });
}
