import { open, stat } from "node:fs/promises";
import path from "node:path";

import type { AppError, Problem } from "../base/errors.ts";
import type { JobSource } from "../job/job.ts";

import { openCsv } from "./csv.ts";
import { cleanHeader, hintForAbsent, pickHeader, readHeader, type Header } from "./header.ts";
import { isBlankRow, type RawRow, type RawTable } from "./raw.ts";
import { RowReader } from "./rows.ts";
import { sniff } from "./sniff.ts";
import { unreadable } from "./unreadable.ts";
import { openXlsx } from "./xlsx.ts";

/** What was found out about a file before its first row. */
export interface Detected {
  readonly format: "csv" | "xlsx";
  /** CSV only; `-` for XLSX. */
  readonly encoding: string;
  /** CSV only; empty for XLSX. */
  readonly delimiter: string;
  /** Line (CSV) or row (XLSX) of the header, from 1. */
  readonly headerLine: number;
  /** XLSX only. */
  readonly sheet?: string;
}

/** One data row. Bad cells become `problems`; they never stop other rows. */
export interface SourceRow {
  /** Physical line (CSV, where the row begins) or row number (XLSX), from 1. */
  readonly line: number;
  /** Header as given -> text as given, for failed-rows.csv. Null prototype. */
  readonly cells: Readonly<Record<string, string>>;
  /** Manifest column, or header of an unmapped one -> normalised text. Null prototype. */
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** An opened spreadsheet. `rows` may be called again and starts anew; nothing works after `close`. */
export interface Source {
  /** Absolute. */
  readonly file: string;
  /** Of the bytes of the file, lower-case hex. */
  readonly sha256: string;
  readonly detected: Detected;
  /** Headers as given, in order; a second one of the same text gets ` (2)`. Keys of `cells`. */
  readonly columns: readonly string[];
  /** Manifest column -> header. Null prototype. */
  readonly mapped: Readonly<Record<string, string>>;
  /** Every key of `values`: the manifest's columns, then the headers of unmapped ones. */
  readonly names: readonly string[];
  /** What is odd but does no harm. Grows while rows are read. */
  readonly warnings: readonly Problem[];
  rows(): AsyncIterable<SourceRow>;
  close(): Promise<void>;
}

const HEAD_BYTES = 64 * 1024;
/** How far down a header is looked for. */
const HEADER_ROWS = 50;

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const TEXT_NAMES = new Set([".csv", ".tsv", ".tab", ".txt"]);
const WORKBOOK_NAMES = new Set([".xlsx", ".xlsm"]);

/** Opens what the file is; a name that promises something else is an error that says so. */
async function openTable(source: JobSource): Promise<RawTable> {
  const { file } = source;
  const where = { file };
  const found = await stat(file).catch(() => undefined);
  const extension = path.extname(file).toLowerCase();
  const name = path.basename(file);
  if (found === undefined) {
    const hint = "check source.file; it is relative to the manifest";
    throw unreadable(`source file must exist, got ${file}`, { where, hint });
  }
  if (found.isDirectory())
    throw unreadable(`source must be a file, got a folder: ${file}`, { where });
  const content = sniff(await readHead(file));
  switch (content.kind) {
    case "empty":
      throw unreadable(`source must have rows, got an empty file: ${name}`, { where });
    case "foreign": {
      const { what, hint } = content;
      throw unreadable(`source must be CSV or XLSX, got ${what}: ${name}`, { where, hint });
    }
    case "zip":
      if (!TEXT_NAMES.has(extension)) return openXlsx(source);
      throw unreadable(`source named ${extension} must be text, got a workbook or ZIP: ${name}`, {
        where,
        hint: "if it is a workbook, rename it to .xlsx",
      });
    case "text":
      if (!WORKBOOK_NAMES.has(extension)) return openCsv(source);
      throw unreadable(`source named ${extension} must be a workbook, got a text file: ${name}`, {
        where,
        hint: "if it is CSV, rename it to .csv",
      });
  }
}

interface Start {
  readonly header: Header;
  /** True when at least one row with something in it follows. */
  readonly hasRows: boolean;
}

/** Reads on until the header and one row behind it are known. */
async function readStart(table: RawTable, source: JobSource): Promise<Start> {
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
    hasRows: rows.some(({ line }) => line > picked.line),
  };
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

/** Faults of the header that leave nothing to read. */
function checkHeader({ header, hasRows }: Start, source: JobSource): void {
  const { file, columns } = source;
  const where = { file, line: header.line };
  const absent = header.absent.filter(
    (name) => columns[name]?.required === true && columns[name]?.default === null,
  );
  const list = header.cells.map((cell) => cleanHeader(cell.header)).join(", ");
  const [first] = absent;
  if (first !== undefined) {
    const quoted = absent.map((name) => `"${name}"`).join(", ");
    const hint = absent.map((name) => hintForAbsent(name, header, columns)).join("; ");
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
    throw unreadable(message, { where });
  }
}

class OpenedSource implements Source {
  readonly file: string;
  readonly sha256: string;
  readonly detected: Detected;
  readonly columns: readonly string[];
  readonly mapped: Readonly<Record<string, string>>;
  readonly names: readonly string[];
  readonly #table: RawTable;
  readonly #reader: RowReader;
  readonly #header: Header;
  readonly #source: JobSource;
  readonly #warnings: Problem[] = [];

  constructor(table: RawTable, source: JobSource, header: Header) {
    const { format, encoding, delimiter, sheet } = table;
    this.#table = table;
    this.#source = source;
    this.#header = header;
    this.#reader = new RowReader(source, header, delimiter);
    this.file = source.file;
    this.sha256 = table.sha256;
    const facts = { format, encoding, delimiter, headerLine: header.line };
    this.detected = sheet === undefined ? facts : { ...facts, sheet };
    this.columns = header.cells.map((cell) => cell.header);
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
  }

  get warnings(): readonly Problem[] {
    // Merged titles above the header do no harm.
    const isAbove = ({ where }: Problem): boolean =>
      this.#table.format === "xlsx" && (where?.line ?? this.#header.line) < this.#header.line;
    return [...this.#table.warnings.filter((warning) => !isAbove(warning)), ...this.#warnings];
  }

  #passedOver([column, header]: readonly [string, string]): Problem {
    return {
      message: `column "${column}" is read from "${this.mapped[column]}", not from "${header}"`,
      hint: "remove one of the two from the aliases",
      where: { file: this.file, line: this.#header.line, column: header },
    };
  }

  async *rows(): AsyncGenerator<SourceRow> {
    const { line: headerLine, cells } = this.#header;
    const isWorkbook = this.#table.format === "xlsx";
    for await (const batch of this.#table.batches()) {
      for (const raw of batch) {
        if (raw.line <= headerLine || isBlankRow(raw)) continue;
        if (raw.isHidden === true && this.#source.skipHiddenRows) continue;
        yield this.#reader.read(isWorkbook ? fill(raw, cells.length) : raw);
      }
    }
  }

  async close(): Promise<void> {
    await this.#table.close();
  }
}

/** Workbooks leave empty cells at the end of a row out. */
function fill(raw: RawRow, width: number): RawRow {
  if (raw.cells.length >= width) return raw;
  return { ...raw, cells: Array.from({ length: width }, (_, at) => raw.cells[at] ?? "") };
}

/**
 * Opens a spreadsheet. Faults of the whole file are thrown here (an unclosed quote further down by
 * `rows`); faults of a row are its `problems`.
 * @throws AppError `source-unreadable`
 */
export async function openSource(source: JobSource): Promise<Source> {
  const table = await openTable(source);
  try {
    const start = await readStart(table, source);
    checkHeader(start, source);
    return new OpenedSource(table, source, start.header);
  } catch (error) {
    await table.close();
    throw error;
  }
}
