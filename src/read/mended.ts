/**
 * Mended rows beside their spreadsheet, which stays unchanged: each replaces the row that it was made
 * from, as long as that row is still the same.
 */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

import type { Problem } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import type { JobSource } from "../job/job.ts";
import { isBlankRow, textOf, type RawRow } from "./raw.ts";
import type { SourceRow } from "./rows.ts";
import { openTable } from "./table.ts";
import { unreadable } from "./unreadable.ts";

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
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const [head, delimiter = "", rest] =
      /^\ufeff?(\w+)([^\w\r\n"])(\w+)/u.exec(buffer.toString("utf8", 0, bytesRead))?.slice(1) ?? [];
    const isOurs = head === first && rest === second;
    return { ...toPlainSource(file), delimiter: isOurs ? delimiter : null, mayBeEmpty: true };
  } finally {
    await handle.close();
  }
}

export interface MendedRow {
  /** Line in the spreadsheet, from 1. */
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

const HINT_AGAIN = "mend the rows once more in the desk, or take source.mended out of the manifest";

/** For somebody who names a list of failed rows, mended by hand. */
const sayExpected = (file: string): string =>
  `source.mended is for the file that the desk writes when rows are mended there; a list like failed-rows.csv is run by itself, without source.mended: --set source.file=${path.basename(file)} --out another-folder`;

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
  /** Line of the spreadsheet -> row. */
  readonly rows: ReadonlyMap<number, MendedRow>;
}

/** Reads mended rows whole: CSV or XLSX. Throws `source-unreadable`. */
export async function readMended(file: string, signal?: AbortSignal): Promise<MendedFile> {
  if (!existsSync(file)) throw refuse(file, "must be there: it holds the mended rows");
  const table = await openTable(await toOwnSource(file, MENDED_HEADERS), signal);
  try {
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
    return { sha256: table.sha256, rows };
  } finally {
    await table.close();
  }
}

const sayLines = (lines: readonly number[]): string => {
  const shown = lines.slice(0, SHOWN).join(", ");
  const more = lines.length > SHOWN ? ` and ${lines.length - SHOWN} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${more}`;
};

/** Replaces rows by mended ones, and notes which could be used. */
export class Mending {
  readonly #file: string;
  readonly #rows: MendedFile["rows"];
  readonly #used = new Set<number>();
  #isRead = false;

  constructor(file: string, { rows }: MendedFile) {
    this.#file = file;
    this.#rows = rows;
  }

  /** Begins a pass over the spreadsheet. */
  start(): void {
    this.#used.clear();
    this.#isRead = false;
  }

  /** The replacement of a row; undefined when it has none. */
  find(row: SourceRow): MendedRow | undefined {
    const mended = this.#rows.get(row.line);
    if (mended === undefined || mended.was !== toRowMark(row)) return undefined;
    this.#used.add(row.line);
    return mended;
  }

  /** The spreadsheet was read to its end. */
  end(): void {
    this.#isRead = true;
  }

  /** Warnings about mended rows: which the last pass used, and which not. */
  get warnings(): Problem[] {
    const name = path.basename(this.#file);
    const where = { file: this.#file };
    const used = [...this.#used];
    const unused = this.#isRead
      ? [...this.#rows.keys()].filter((line) => !this.#used.has(line))
      : [];
    const [is, it] = used.length === 1 ? ["row is", "it was"] : ["rows are", "they were"];
    const problems: Problem[] = [];
    if (used.length > 0) {
      const message = `${used.length} ${is} read from ${name}, where ${it} mended: ${sayLines(used)}`;
      problems.push({ message, where });
    }
    if (unused.length > 0) {
      const many = unused.length === 1 ? "row is" : "rows are";
      const message = `${unused.length} mended ${many} not used, since the spreadsheet has changed there: ${sayLines(unused)}`;
      problems.push({ message, where, hint: `the spreadsheet counts; ${name} is left as it is` });
    }
    return problems;
  }
}
