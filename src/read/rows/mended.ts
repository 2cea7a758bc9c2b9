/**
 * Mended rows beside their spreadsheet, which stays unchanged: each replaces the row that it was made
 * from, as long as that row is still the same, in whatever line.
 */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

import { closing } from "../../base/flow/closing.ts";
import { quoteWord } from "../../base/text/shell-words.ts";

import type { Problem } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { JobSource } from "../../job/job.ts";
import { withoutMark } from "../cells/clean-cell.ts";
import { placeRows } from "./place-rows.ts";
import { isBlankRow, textOf, type RawRow } from "../raw.ts";
import type { SourceRow } from "./rows.ts";
import { listCells } from "../cells/shown.ts";
import { openTable } from "../table.ts";
import { unreadable } from "../files/unreadable.ts";

/** The headers before those of the spreadsheet. */
export const MENDED_HEADERS = ["line", "was"] as const;

const SHOWN = 5;

/** A file with only its name: everything else is detected. */
export const toPlainSource = (file: string): JobSource => ({
  file,
  sheet: null,
  headerRow: null,
  encoding: null,
  delimiter: null,
  key: [],
  columns: {},
  skipHiddenRows: false,
  merged: "warn",
});

const HEAD_BYTES = 64;

/**
 * A list of ours, of any length: what stands between its first two headers separates its cells,
 * whatever it is.
 */
export async function toOwnSource(
  file: string,
  [first, second]: readonly string[],
): Promise<JobSource> {
  return closing(await open(file), async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [head, delimiter = "", rest] =
      /^\ufeff?(\w+)([^\w\r\n"])(\w+)/u.exec(buffer.toString("utf8", 0, bytesRead))?.slice(1) ?? [];
    const isOurs = head === first && rest === second;
    return { ...toPlainSource(file), delimiter: isOurs ? delimiter : null, mayBeEmpty: true };
  });
}

export interface MendedRow {
  /** Line in the spreadsheet when it was mended, from 1. */
  readonly line: number;
  /** `toRowMark` of the row that it replaces. */
  readonly was: string;
  /** Header as given -> text. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Identifies a row's content: `r` and 16 hexadecimal digits, which no program mistakes for a number.
 */
export const toRowMark = ({ cells }: Pick<SourceRow, "cells">): string =>
  `r${sha256(JSON.stringify(Object.entries(cells))).slice(0, 16)}`;

/** What the row is marked with as far as these columns go; undefined where it lacks one of them. */
function toMarkOver(
  columns: readonly string[],
  { cells }: Pick<SourceRow, "cells">,
): string | undefined {
  const known = columns.flatMap((column) => {
    const text = cells[column];
    return text === undefined ? [] : [[column, text] as const];
  });
  return known.length === columns.length
    ? toRowMark({ cells: Object.fromEntries(known) })
    : undefined;
}

const HINT_AGAIN = "mend the rows once more, or take source.mended out of the manifest";

/** For somebody who names a list of failed rows, mended by hand. */
const sayExpected = (file: string): string =>
  `source.mended is for the file that makeready writes when rows are mended; to use a list like failed-rows.csv, take source.mended out of the manifest, then: makeready mend JOB ${quoteWord(path.resolve(file))}`;

/** The place names the file. */
function refuse(file: string, message: string, at: { line?: number; hint?: string } = {}): Error {
  const { line, hint = HINT_AGAIN } = at;
  const where = { file, ...(line !== undefined && { line }) };
  return unreadable(`the file of mended rows ${message}`, { where, hint });
}

function toMendedRow(file: string, headers: readonly string[], { cells, line }: RawRow): MendedRow {
  const [number = "", was = "", ...texts] = cells.map(textOf);
  const of = Number(number.trim());
  if (!Number.isSafeInteger(of) || of < 1) {
    throw refuse(file, `must begin each row with a line of the spreadsheet, got "${number}"`, {
      line,
    });
  }
  const named = headers.map((header, at) => [header, texts[at] ?? ""] as const);
  return { line: of, was: was.trim(), cells: Object.fromEntries(named) };
}

export interface MendedFile {
  /** Hash of the file's bytes, lower-case hex. */
  readonly sha256: string;
  /** Those of the spreadsheet when its rows were mended. */
  readonly columns: readonly string[];
  /** Line of the spreadsheet -> row. */
  readonly rows: ReadonlyMap<number, MendedRow>;
}

/**
 * What takes the place of rows, by their line of now: a row counts as the one that was mended as long as
 * its cells are the same that it had then, wherever it stands. Columns that came to the spreadsheet since
 * don't matter, and the mended row lacks them.
 *
 * @param rows begins a pass over the spreadsheet
 */
export const placeMended = (
  { columns, rows: noted }: MendedFile,
  rows: () => AsyncIterable<SourceRow>,
): Promise<ReadonlyMap<number, MendedRow>> =>
  placeRows(noted, rows, {
    of: ({ was }) => was,
    ofNow: (row) => [toRowMark(row), toMarkOver(columns, row)].filter((mark) => mark !== undefined),
  });

/** The cell of a mended row; undefined in a column that came to the spreadsheet later. */
export const cellOf = ({ cells }: MendedRow, column: string): string | undefined =>
  Object.hasOwn(cells, column) ? cells[column] : undefined;

/** How many `'` stand in front of a text that programs take for a formula; undefined for other texts. */
function countMarks(text: string, given: string): number | undefined {
  if (text === given) return 0;
  const marks = text.slice(0, Math.max(0, text.length - given.length));
  const isMarked = /^'+$/u.test(marks) && marks + given === text && withoutMark(text) !== text;
  return isMarked ? marks.length : undefined;
}

/**
 * The text of a cell in the file of mended rows: the file has a `'` in front of what programs take for a
 * formula, so a cell that somebody has given one, to say that it is a text, has two.
 *
 * @param given as the spreadsheet has the cell
 */
export const toKept = (text: string, given: string): string =>
  (countMarks(text, given) ?? 0) > 0 ? `'${text}` : text;

/** The cell that `toKept` made this text of. */
export function fromKept(text: string, given: string): string {
  const marks = countMarks(text, given);
  if (marks === undefined) return text;
  return marks > 1 ? text.slice(1) : given;
}

/** Reads mended rows whole: CSV or XLSX. Throws `source-unreadable`. */
export async function readMended(file: string, signal?: AbortSignal): Promise<MendedFile> {
  if (!existsSync(file)) throw refuse(file, "must be there: it holds the mended rows");
  return closing(
    await openTable(await toOwnSource(file, MENDED_HEADERS), signal),
    async (table) => {
      const rows = new Map<number, MendedRow>();
      let headers: readonly string[] | undefined;
      for await (const batch of table.batches()) {
        for (const raw of batch) {
          if (isBlankRow(raw)) continue;
          if (headers === undefined) {
            const [first, second, ...rest] = raw.cells.map(textOf);
            if (first !== MENDED_HEADERS[0] || second !== MENDED_HEADERS[1]) {
              const names = MENDED_HEADERS.map((name) => JSON.stringify(name)).join(" and ");
              throw refuse(file, `must begin with the columns ${names}`, {
                line: raw.line,
                hint: sayExpected(file),
              });
            }
            headers = rest;
          } else {
            const row = toMendedRow(file, headers, raw);
            rows.set(row.line, row);
          }
        }
      }
      return { sha256: table.sha256, columns: headers ?? [], rows };
    },
  );
}

const sayLines = (lines: readonly (number | string)[]): string => {
  const shown = lines.slice(0, SHOWN).join(", ");
  const more = lines.length > SHOWN ? ` and ${lines.length - SHOWN} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${more}`;
};

/** Replaces rows by mended ones, and notes which could be used. */
export class Mending {
  readonly #file: string;
  readonly #mended: MendedFile;
  /** Columns that the spreadsheet no longer has. */
  readonly #gone: readonly string[];
  /** Line of the spreadsheet of now -> row. */
  #placed: ReadonlyMap<number, MendedRow> | undefined;
  readonly #used = new Map<number, MendedRow>();
  #isRead = false;

  /** @param columns of the spreadsheet */
  constructor(file: string, mended: MendedFile, columns: readonly string[]) {
    this.#file = file;
    this.#mended = mended;
    this.#gone = mended.columns.filter((column) => !columns.includes(column));
  }

  /** Begins a pass over the spreadsheet. @param rows begins one of its own, to look where mended rows belong */
  async start(rows: () => AsyncIterable<SourceRow>): Promise<void> {
    this.#placed ??= await placeMended(this.#mended, rows);
    this.#used.clear();
    this.#isRead = false;
  }

  /** The replacement of a row; undefined when it has none. */
  find({ line }: SourceRow): MendedRow | undefined {
    const mended = this.#placed?.get(line);
    if (mended !== undefined) this.#used.set(line, mended);
    return mended;
  }

  /** The spreadsheet was read to its end. */
  end(): void {
    this.#isRead = true;
  }

  /** Warnings about mended rows: which the last pass used, which of them have moved, and which it didn't use. */
  get warnings(): Problem[] {
    const name = path.basename(this.#file);
    const where = { file: this.#file };
    const used = [...this.#used.keys()];
    const is = used.length === 1 ? "row is" : "rows are";
    const problems: Problem[] = [];
    if (used.length > 0) {
      const message = `${used.length} ${is} taken from ${name} instead of the spreadsheet: ${sayLines(used)}`;
      problems.push({ message, where }, ...this.#sayMoved());
    }
    const known = new Set([...this.#used.values()].map(({ line }) => line));
    const unused = this.#isRead
      ? [...this.#mended.rows.keys()].filter((line) => !known.has(line))
      : [];
    if (unused.length > 0) problems.push({ ...this.#sayUnused(unused), where });
    return problems;
  }

  #sayMoved(): Problem[] {
    const moved = [...this.#used].flatMap(([line, { line: then }]) =>
      line === then ? [] : [`${then} → ${line}`],
    );
    if (moved.length === 0) return [];
    const has = moved.length === 1 ? "row has" : "rows have";
    const message = `${moved.length} mended ${has} moved in the spreadsheet: ${sayLines(moved)}`;
    return [{ message, where: { file: this.#file } }];
  }

  #sayUnused(unused: readonly number[]): Problem {
    const [rows, them] = unused.length === 1 ? ["row is", "the row"] : ["rows are", "the rows"];
    const say = (why: string): string =>
      `${unused.length} mended ${rows} not used, since the spreadsheet ${why}: ${sayLines(unused)}`;
    if (this.#gone.length === 0) {
      const hint = `the spreadsheet counts; ${path.basename(this.#file)} is left as it is`;
      return { message: say("has changed there"), hint };
    }
    const [columns, its] =
      this.#gone.length === 1
        ? ["column", "the column its name"]
        : ["columns", "the columns their names"];
    const names = listCells(this.#gone);
    return {
      message: say(`no longer has the ${columns} ${names}`),
      hint: `give ${its} again, or mend ${them} again; until then the spreadsheet counts`,
    };
  }
}
