/** CSV as people save it -> raw rows. The only file that imports the CSV parser. */
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { CsvError, parse, type Options, type Parser } from "csv-parse";

import type { Problem } from "../../base/errors.ts";
import type { JobSource } from "../../job/job.ts";

import { Blocks } from "./blocks.ts";
import { cutBlankLines, makeBlanks } from "./blank-lines.ts";
import { readAsUtf8, readTextFacts, type TextFacts } from "./encoding.ts";
import { findDelimiter, type FoundDelimiter } from "./delimiter.ts";
import { warnOfContradiction, warnOfEncoding } from "./encoding-words.ts";
import { CLOSE_QUOTE, findOpenQuote, QuoteWatch, type QuoteFault } from "./open-quote.ts";
import { textOf, type RawRow, type RawTable } from "../raw.ts";
import { unreadable } from "../files/unreadable.ts";

const SAMPLE_BYTES = 256 * 1024;
/** Longer records come from quotes that were never closed. */
const MAX_RECORD_CHARACTERS = 1_000_000;
/** As in spreadsheets; a row of only commas takes ten times its size in memory. */
const MAX_COLUMNS = 16_384;
const BATCH_ROWS = 512;
/** Bytes of the file per batch; with longer rows, it has fewer rows. */
const BATCH_BYTES = 1024 * 1024;
/** Rows that the parser may have ready in addition to those of its last chunk. */
const READY_ROWS = 16;

const toOptions = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: MAX_RECORD_CHARACTERS,
});

/** `\r\n` is one line break, and so is `\n` or `\r` alone. */
function countBreaks(cell: string): number {
  let breaks = 0;
  for (let i = 0; i < cell.length; i += 1) {
    const code = cell.charCodeAt(i);
    if (code === 10 || (code === 13 && cell.charCodeAt(i + 1) !== 10)) breaks += 1;
  }
  return breaks;
}

/** Lines of a record in the file: one, and one more per line break in its cells. */
function countLines(record: readonly string[]): number {
  let lines = 1;
  for (const cell of record) {
    if (cell.includes("\n") || cell.includes("\r")) lines += countBreaks(cell);
  }
  return lines;
}

async function readSample(file: string, facts: TextFacts): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readAsUtf8(file, facts)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Two readings are possible: the likelier one is taken, and it is said. */
const warnOfRival = (
  { delimiter, isUnused }: FoundDelimiter,
  rival: string,
  file: string,
): Problem => ({
  message: `lines are read as ${isUnused === true ? "one column of addresses" : `parted by ${JSON.stringify(delimiter)}`}, but ${JSON.stringify(rival)} parts them as well`,
  hint: `look at the columns; say which one is meant: source.delimiter: ${JSON.stringify(delimiter)} or ${JSON.stringify(rival)}`,
  where: { file },
});

/**
 * The same chunks, each seen by the watch first. The watch counts blank lines; few of them are passed
 * on.
 */
async function* watched(
  chunks: AsyncIterable<Buffer>,
  watch: QuoteWatch,
  blanks: Uint8Array,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const cut = watch.isOutside ? cutBlankLines(chunk, blanks) : undefined;
    watch.add(cut?.counted ?? chunk);
    yield cut?.short ?? chunk;
  }
  watch.end();
}

/** The internals of the parser that are used here. */
interface Inside {
  readonly state: { readonly record: readonly string[]; expectedRecordLength: number };
  __onRecord: (push: (record: unknown) => void) => Error | undefined;
}

/** Allows rows of any width: otherwise each row of another width would make an error for nothing. */
function takeAnyWidth(parser: Parser): void {
  const inside = Reflect.get(parser, "api") as Inside;
  const onRecord = inside.__onRecord;
  inside.__onRecord = function takeRecord(push) {
    this.state.expectedRecordLength = this.state.record.length;
    return onRecord.call(this, push);
  };
}

/** Adds the blank lines before this line, as one row; answers how many. */
function addBlanks(batch: RawRow[], watch: QuoteWatch, line: number): number {
  const times = watch.takeBlanks(line);
  if (times > 0) batch.push({ line, cells: [""], times });
  return times;
}

/** What DOS puts behind the last line, and what disks do. */
const END_OF_FILE = /^[\u0000\u001a]+$/u;
/** FileMaker's line break within a cell. */
const INNER_BREAK = /\u000b/gu;

function toRow(row: RawRow, quote?: QuoteFault): RawRow {
  if (row.isPlain === true) return quote === undefined ? row : { ...row, quote };
  const isEnd = row.cells.length === 1 && END_OF_FILE.test(textOf(row.cells[0]));
  const cells = isEnd ? [""] : row.cells.map((cell) => textOf(cell).replaceAll(INNER_BREAK, "\n"));
  return quote === undefined ? { ...row, cells } : { ...row, cells, quote };
}

class CsvTable implements RawTable {
  readonly format = "csv";
  readonly sha256: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly isUnparted: boolean;
  readonly warnings: Problem[] = [];
  readonly #file: string;
  readonly #facts: TextFacts;
  readonly #hasSeparatorLine: boolean;
  readonly #signal: AbortSignal | undefined;

  constructor(
    { file, signal }: { readonly file: string; readonly signal: AbortSignal | undefined },
    facts: TextFacts,
    found: FoundDelimiter,
  ) {
    this.#file = file;
    this.#signal = signal;
    this.#facts = facts;
    this.sha256 = facts.sha256;
    this.encoding = facts.encoding;
    this.delimiter = found.delimiter;
    this.isUnparted = found.isUnused === true;
    this.#hasSeparatorLine = found.hasSeparatorLine;
    if (facts.firstForeignLine !== undefined) this.warnings.push(warnOfEncoding(facts, file));
    if (facts.contradicted !== undefined) this.warnings.push(warnOfContradiction(facts, file));
    const { rival } = found;
    if (rival !== undefined) this.warnings.push(warnOfRival(found, rival, file));
  }

  async *batches(): AsyncGenerator<readonly RawRow[]> {
    const watch = this.#makeWatch();
    const chunks = watched(this.#read(), watch, makeBlanks(this.delimiter));
    const bytes = Readable.from(chunks, { objectMode: false });
    const options = { ...toOptions(this.delimiter), readableHighWaterMark: READY_ROWS };
    const parser = parse(options);
    takeAnyWidth(parser);
    bytes.on("error", (error) => parser.destroy(error));
    bytes.pipe(parser);
    const blocks = new Blocks();
    let line = 1;
    let batch: RawRow[] = [];
    let batchFrom = 0;
    try {
      for await (const record of parser) {
        const cells = record as string[];
        const blank = addBlanks(batch, watch, line);
        blocks.skip(blank);
        line += blank;
        if (cells.length > MAX_COLUMNS) throw this.#tooWide(line, cells.length);
        const quote = watch.takeFault(line);
        const lines = watch.hasLongCells ? countLines(cells) : 1;
        if (line > 1 || !this.#hasSeparatorLine) {
          const row = toRow({ line, cells, isPlain: watch.isPlain, isOneLine: lines === 1 }, quote);
          blocks.add(row);
          batch.push(row);
        }
        line += lines;
        const readTo = parser.info.bytes;
        const isFull = batch.length >= BATCH_ROWS || readTo - batchFrom >= BATCH_BYTES;
        if (isFull && blocks.isAtBorder) {
          yield batch;
          batch = [];
          batchFrom = readTo;
          // Records that are ready come without a pause: this gives signals a chance.
          await nextTurn();
          this.#signal?.throwIfAborted();
        }
      }
    } catch (error) {
      throw await this.#explain(error);
    } finally {
      bytes.destroy();
      parser.destroy();
    }
    blocks.end();
    addBlanks(batch, watch, line);
    if (batch.length > 0) yield batch;
  }

  #makeWatch(): QuoteWatch {
    const watch = new QuoteWatch(this.delimiter);
    const { encoding, firstForeignLine } = this.#facts;
    // The watch sees bytes; the parser turns invalid ones into U+FFFD.
    if (encoding === "utf-8" && firstForeignLine !== undefined) watch.isPlain = false;
    return watch;
  }

  #read(): AsyncGenerator<Buffer> {
    return readAsUtf8(this.#file, this.#facts, this.#signal);
  }

  #tooWide(line: number, columns: number): Error {
    const got = columns.toLocaleString("en");
    const most = MAX_COLUMNS.toLocaleString("en");
    return unreadable(`row must have at most ${most} cells, got ${got}`, {
      hint: "export the columns that the job needs, or name the delimiter that the file has",
      where: { file: this.#file, line },
    });
  }

  async #explain(error: unknown): Promise<unknown> {
    if (!(error instanceof CsvError)) return error;
    const isOpen = error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE";
    const line = isOpen
      ? await findOpenQuote(this.#read(), this.delimiter, MAX_RECORD_CHARACTERS)
      : undefined;
    const where = { file: this.#file, line };
    const cause = error;
    if (!isOpen) return unreadable(`file must be CSV, got ${error.message}`, { where, cause });
    if (line === undefined) {
      const most = MAX_RECORD_CHARACTERS.toLocaleString("en");
      const hint = "check that it is a text file whose rows end with line breaks";
      return unreadable(`row must have at most ${most} characters, got a longer one`, {
        hint,
        where,
        cause,
      });
    }
    return unreadable(`quote must be closed, got one that opens on line ${line} and never ends`, {
      hint: CLOSE_QUOTE,
      where,
      cause,
    });
  }

  async close(): Promise<void> {
    // Every pass over the file closes its own handle.
  }
}

/**
 * Opens a text file as CSV. Detects encoding and delimiter; the caller knows that `file` is text.
 * @param uses columns that templates and the key use
 */
export async function openCsv(
  source: JobSource,
  uses: readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<RawTable> {
  const { file } = source;
  const facts = await readTextFacts(file, source.encoding, signal);
  const sample = await readSample(file, facts);
  const found = await findDelimiter(sample, source, { uses: uses ?? [], toOptions });
  return new CsvTable({ file, signal }, facts, found);
}
