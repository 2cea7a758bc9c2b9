import { stat } from "node:fs/promises";

import type { Problem } from "../base/errors.ts";
import type { JobSource } from "../job/job.ts";

import { sha256 } from "../base/ids/ids.ts";
import { quoteText } from "../base/text/words.ts";
import { NAME_HEADER_ROW } from "./csv/check-length.ts";
import { hintForAbsent, type Header } from "./header/header.ts";
import {
  cellOf,
  fromKept,
  Mending,
  readMended,
  type MendedFile,
  type MendedRow,
} from "./rows/mended.ts";
import { MarkSurvey } from "./cells/number-text.ts";
import { isBlankRow, type RawRow, type RawTable } from "./raw.ts";
import { RowReader, type SourceRow } from "./rows/rows.ts";
import { checkHeader, readStart, type Start } from "./header/start.ts";
import { openTable, type OpenBook } from "./table.ts";
import { unreadable } from "./files/unreadable.ts";
import { joinMerged } from "./xlsx/merged-cells.ts";

/** What is known about a file before its first row. */
export interface Detected {
  readonly format: "csv" | "xlsx" | "folder" | "manifest" | "range" | "serials";
  /** CSV only; `-` for XLSX. */
  readonly encoding: string;
  /** CSV only; empty for XLSX, and for addresses that nothing parts. */
  readonly delimiter: string;
  /** Line (CSV) or row (XLSX) of the header, from 1. */
  readonly headerLine: number;
  /** XLSX only. */
  readonly sheet?: string;
  /** Other visible sheets, where there are any. */
  readonly otherSheets?: readonly string[];
}

/** A copy of what was read or fetched, in the data folder. */
export interface SourceCopy {
  /** Absolute. */
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** ISO. */
  readonly at: string;
  /** From an earlier time: nothing came through standard input now. */
  readonly isOld: boolean;
}

/** An opened spreadsheet. `rows` may be called again and starts anew; nothing works after `close`. */
export interface Source {
  /** Absolute. */
  readonly file: string;
  /** Hash of the file's bytes, lower-case hex; with mended rows, of both files' hashes. */
  readonly sha256: string;
  readonly detected: Detected;
  /** Headers as given, in order; a repeated one gets ` (2)`. Keys of `cells`. */
  readonly columns: readonly string[];
  /** Those of them that a job can't use, since another column has the same name. */
  readonly repeated?: readonly string[];
  /** Manifest column -> header. Null prototype. */
  readonly mapped: Readonly<Record<string, string>>;
  /** Every key of `values`: the manifest's columns, then unmapped headers. */
  readonly names: readonly string[];
  /** Blank rows and rows of delimiters that the last pass skipped. */
  readonly blankRows: number;
  /** Odd but harmless findings. Grows while rows are read. */
  readonly warnings: readonly Problem[];
  /** Set where the header looks like a row: what is wrong then; also among the warnings. */
  readonly rowAsHeader?: Problem | undefined;
  /** For serials: where they come from. Another origin gives the same rows other serials. */
  readonly origin?: string;
  /** For a source that is no file on this computer: the copy with the rows. */
  readonly copy?: SourceCopy;
  rows(): AsyncIterable<SourceRow>;
  close(): Promise<void>;
}

/** A value that changes when the file is saved. */
export async function stampOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? "gone" : `${found.size} ${found.mtimeMs}`;
}

class OpenedSource implements Source {
  readonly file: string;
  readonly sha256: string;
  readonly detected: Detected;
  readonly columns: readonly string[];
  readonly repeated: readonly string[];
  readonly mapped: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly #table: RawTable;
  readonly #reader: RowReader;
  readonly #header: Header;
  readonly #source: JobSource;
  readonly #stamp: string;
  readonly #mending: Mending | undefined;
  readonly #warnings: Problem[] = [];
  readonly rowAsHeader: Problem | undefined;
  #blankRows = 0;

  constructor(
    opened: {
      table: RawTable;
      stamp: string;
      uses: readonly string[];
      mended: MendedFile | undefined;
    },
    source: JobSource,
    { header, likeRow, above, below, isNarrow, isMoved }: Start,
  ) {
    const { table, stamp, uses, mended } = opened;
    this.#stamp = stamp;
    const { format, encoding, delimiter, sheet, otherSheets = [] } = table;
    this.#table = table;
    this.#source = source;
    this.#header = header;
    this.#reader = new RowReader(source, header, { delimiter, uses, above, below, isNarrow });
    this.file = source.shownAs ?? source.file;
    this.sha256 = mended ? sha256(`${table.sha256} ${mended.sha256}`) : table.sha256;
    const parts = table.isUnparted === true ? "" : delimiter;
    const facts = { format, encoding, delimiter: parts, headerLine: header.line };
    const sheets = otherSheets.length === 0 ? { sheet } : { sheet, otherSheets };
    this.detected = sheet === undefined ? facts : { ...facts, ...sheets };
    const meant = header.cells.filter(({ isLeftOut }) => isLeftOut !== true);
    this.columns = meant.map((cell) => cell.header);
    this.repeated = header.repeated;
    this.#mending = mended && new Mending(source.mended ?? "", mended, this.columns);
    this.mapped = Object.assign(
      Object.create(null) as Record<string, string>,
      Object.fromEntries(
        header.cells.flatMap((cell) =>
          cell.column === undefined ? [] : [[cell.column, cell.header]],
        ),
      ),
    );
    this.names = this.#reader.names;
    this.#warnings.push(...header.passedOver.map((pair) => this.#passedOver(pair)));
    const missing = header.absent.filter((name) => uses.includes(name));
    this.#warnings.push(...missing.map((name) => this.#missing(name)));
    this.#warnings.push(...this.#ofPlace(isNarrow, isMoved));
    this.rowAsHeader = likeRow === undefined ? undefined : this.#likeRow(likeRow);
    if (this.rowAsHeader !== undefined) this.#warnings.push(this.rowAsHeader);
  }

  get warnings(): readonly Problem[] {
    // Merged titles above the header are harmless.
    const isAbove = ({ where }: Problem): boolean =>
      this.#table.format === "xlsx" && (where?.line ?? this.#header.line) < this.#header.line;
    const mended = this.#mending?.warnings ?? [];
    const own = [...this.#warnings, ...mended, ...this.#reader.warnings];
    const found = this.#table.warnings.filter((warning) => !isAbove(warning));
    return [...joinMerged(found), ...own];
  }

  #passedOver([column, header]: readonly [string, string]): Problem {
    return {
      message: `column "${column}" is read from "${this.mapped[column]}", not from "${header}"`,
      hint: "remove one of the two from the aliases",
      where: { file: this.file, line: this.#header.line, column: header },
    };
  }

  /** A column that templates use and that the manifest allows to be empty. */
  #missing(name: string): Problem {
    const { columns } = this.#source;
    const byDefault = columns[name]?.default ?? "";
    const taken = byDefault === "" ? "empty" : `${quoteText(byDefault)}, its default,`;
    return {
      message: `column "${name}" is used, but the file has none of that name: it is ${taken} in every row`,
      hint: hintForAbsent(name, this.#header, columns),
      where: { file: this.file, line: this.#header.line },
    };
  }

  /** A list without a header would lose its first row. */
  #likeRow(found: string): Problem {
    const { line } = this.#header;
    return {
      message: `line ${line} looks like a row, not like names of columns: ${quoteText(found)}; it is taken as the header, so nothing is made of it`,
      hint: "put a line with names of columns above it; where a line does hold them, say which: header_row in source, --header-row of init",
      where: { file: this.file, line, column: found },
    };
  }

  /** A title above the names of the columns is shorter than the rows. */
  #narrow(): Problem {
    const { line, cells } = this.#header;
    const names = cells.length === 1 ? "1 cell" : `${cells.length} cells`;
    return {
      message: `line ${line} is taken as the header and has ${names}, but most rows below it have more: it may be a title`,
      hint: NAME_HEADER_ROW,
      where: { file: this.file, line },
    };
  }

  #ofPlace(isNarrow: boolean, isMoved: boolean): Problem[] {
    return [...(isNarrow ? [this.#narrow()] : []), ...(isMoved ? [this.#moved()] : [])];
  }

  #moved(): Problem {
    const { line } = this.#header;
    return {
      message: `line ${line} is taken as the header, since line ${this.#source.headerRow} has no names of columns`,
      hint: "look at the columns; header_row in source says which line holds their names",
      where: { file: this.file, line },
    };
  }

  get blankRows(): number {
    return this.#blankRows;
  }

  async *rows(): AsyncGenerator<SourceRow> {
    await this.#mending?.start(() => this.#plainRows());
    this.#blankRows = 0;
    this.#reader.start();
    for await (const batch of this.#table.batches()) {
      for (const raw of batch) {
        if (!this.#isData(raw)) continue;
        const read = this.#read(raw);
        const row = read instanceof Promise ? await read : read;
        const mended = this.#mending?.find(row);
        yield mended === undefined ? row : await this.#read(this.#toRaw(raw, { row, mended }));
      }
    }
    this.#mending?.end();
    await this.#checkUnchanged();
  }

  /** As they are without mended ones. */
  async *#plainRows(): AsyncGenerator<SourceRow> {
    for await (const batch of this.#table.batches()) {
      for (const raw of batch) if (this.#isData(raw)) yield this.#reader.read(raw);
    }
  }

  /** Not async: rows are many, and most of them wait for nothing. */
  #read(raw: RawRow): SourceRow | Promise<SourceRow> {
    const row = this.#reader.read(raw);
    if (!this.#reader.needsSurvey) return row;
    return this.#survey().then(() => this.#reader.read(raw));
  }

  /**
   * A mended row in the file's form, with the cells of columns that came later. A cell that nobody has
   * changed stays the file's, with what is wrong with it.
   */
  #toRaw(raw: RawRow, { row, mended }: { row: SourceRow; mended: MendedRow }): RawRow {
    const cells = this.#header.cells.map(({ header, isLeftOut }, position) => {
      const text = isLeftOut === true ? undefined : cellOf(mended, header);
      const given = row.cells[header];
      const now = text === undefined || given === undefined ? text : fromKept(text, given);
      return (now === given ? undefined : now) ?? raw.cells[position] ?? "";
    });
    return { line: raw.line, cells, isOneLine: true };
  }

  /** Another pass over the file, when a cell can only be read with the rest of its column. */
  async #survey(): Promise<void> {
    const marks = new MarkSurvey();
    for await (const batch of this.#table.batches()) {
      for (const raw of batch) {
        if (raw.line > this.#header.line) this.#reader.survey(raw, marks);
      }
    }
    this.#reader.useSurvey(marks);
  }

  #isData(raw: RawRow): boolean {
    if (raw.line <= this.#header.line) return false;
    if (isBlankRow(raw)) {
      this.#blankRows += raw.times ?? 1;
      return false;
    }
    if (this.#reader.isHeaderAgain(raw)) return false;
    return raw.isHidden !== true || !this.#source.skipHiddenRows;
  }

  /** If the file was saved during reading, the rows may come from both versions. */
  async #checkUnchanged(): Promise<void> {
    if ((await stampOf(this.#source.file)) === this.#stamp) return;
    throw unreadable("source must stay as it is while it is read, got a file that has changed", {
      where: { file: this.file },
      hint: "run the same command again",
    });
  }

  async close(): Promise<void> {
    await this.#table.close();
  }
}

/**
 * Opens a spreadsheet. Faults of the whole file are thrown here (an unclosed quote further down by
 * `rows`); faults of a row are its `problems`.
 * @param uses columns that templates use: checked like those that the manifest describes
 * @param signal ends the reading, also that of `rows`, with its reason
 * @param openBook how workbooks are read; default: in a thread of their own
 * @throws AppError `source-unreadable`
 */
export async function openSource(
  source: JobSource,
  uses: readonly string[] = [],
  signal?: AbortSignal,
  openBook?: OpenBook,
): Promise<Source> {
  const stamp = await stampOf(source.file);
  const table = await openTable(source, signal, openBook, uses);
  try {
    const start = await readStart(table, source, uses);
    checkHeader(start, source);
    const mended = source.mended && (await readMended(source.mended, signal));
    return new OpenedSource({ table, stamp, uses, mended: mended || undefined }, source, start);
  } catch (error) {
    await table.close();
    throw error;
  }
}
