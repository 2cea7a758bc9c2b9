/** Rows that did not work out, and the file of their own that they are mended in. */
import { existsSync } from "node:fs";
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { closing } from "../../base/flow/closing.ts";
import { toDiskError } from "../../base/files/disk-error.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { Job } from "../../kinds/any-job.ts";
import { makeCsv } from "../../pack/csv.ts";
import {
  cellOf,
  fromKept,
  MENDED_HEADERS,
  placeMended,
  readMended,
  toKept,
  toRowMark,
  type MendedRow,
} from "../../read/rows/mended.ts";
import { placeRows, type RowMarks } from "../../read/rows/place-rows.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import { FAILED } from "../../state/which-rows.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { Ports } from "../ports.ts";
import { openRows, type RowsPlace, type SourceJob } from "../source/source.ts";
import type { FailedEntry } from "../stages/stage.ts";

/** A row that failed; once it was mended, with the cells of now. */
export interface RowToMend extends FailedEntry {
  /** As the spreadsheet has it, where that is another text. */
  readonly given?: FailedEntry["cells"];
  /** Line in the list of the last run, where the row stands in another one now. */
  readonly listed?: number;
}

export interface FailedRows {
  /** Headers as given, in order. */
  readonly columns: readonly string[];
  /** By line. */
  readonly rows: readonly RowToMend[];
  /** Others are left out, since the spreadsheet has changed there. */
  readonly isOlder: boolean;
}

const NOTHING: FailedRows = { columns: [], rows: [], isOlder: false };

/** Jobs whose rows stand in a spreadsheet of this computer. */
export const canMend = (job: Job): job is Job & SourceJob =>
  "source" in job && job.source.from === "spreadsheet";

/** What the last run could not use, or could not send. */
const readFailed = (
  job: Job & SourceJob,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<FailedEntry[]> =>
  lookAtState(job, ports, (state) => {
    const rows: FailedEntry[] = [...(state?.bad.list() ?? [])];
    for (const { line, cells, error } of state?.rows(FAILED) ?? []) {
      rows.push({ line, cells, problems: [{ message: error?.message ?? "was refused" }] });
    }
    return rows;
  });

type Row = Pick<SourceRow, "line" | "cells">;

async function* inTurn<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}

/** By these columns, whatever others there are. */
function toMarks(columns: readonly string[]): RowMarks<FailedEntry, Pick<SourceRow, "cells">> {
  const of = ({ cells }: Pick<SourceRow, "cells">): string =>
    JSON.stringify(columns.map((column) => cells[column] ?? ""));
  return { of, ofNow: (row) => [of(row)] };
}

/** A failed row where it stands now, with the cells of now. */
const toPlace = (failed: FailedEntry, { line, cells }: Row): RowToMend => ({
  ...failed,
  line,
  cells,
  ...(failed.line !== line && { listed: failed.line }),
});

/** Failed rows of the last run, as far as the spreadsheet still has them, wherever it has them. */
export async function listFailedRows(
  job: Job,
  access: MendRequest["access"] & Pick<Ports, "writer">,
): Promise<FailedRows> {
  if (!canMend(job)) return NOTHING;
  const failed = new Map((await readFailed(job, access)).map((row) => [row.line, row]));
  if (failed.size === 0) return NOTHING;
  return closing(await openRows(job, access, access), async (source) => {
    const { columns } = source;
    const placed = await placeRows(failed, () => source.rows(), toMarks(columns));
    const rows: RowToMend[] = [];
    for await (const row of source.rows()) {
      const was = placed.get(row.line);
      if (was !== undefined) rows.push(toPlace(was, row));
    }
    return { columns, rows, isOlder: rows.length < failed.size };
  });
}

/** `people.csv` -> `people.mended.csv` beside it, or a free name where another file has that. */
function toMendedFile({ file, mended }: SourceJob["source"]): string {
  if (mended !== undefined) return mended;
  const { dir, name } = path.parse(file);
  for (let n = 1; ; n += 1) {
    const found = path.join(dir, `${name}.mended${n === 1 ? "" : `-${n}`}.csv`);
    if (!existsSync(found)) return found;
  }
}

export interface Mended {
  /** Absolute. */
  readonly file: string;
  /** Rows that it holds now. */
  readonly rows: number;
}

/** A row as it was when it was mended, and as it is now. */
export interface MendedEntry {
  readonly line: number;
  readonly was: MendedRow["cells"];
  readonly cells: MendedRow["cells"];
}

interface MendRequest {
  readonly rows: readonly MendedEntry[];
  readonly access: Pick<Ports, "signal" | "clock" | "readStream"> & RowsPlace;
}

export interface MendedRows {
  readonly columns: readonly string[];
  /** By line. */
  readonly rows: readonly MendedEntry[];
}

/** A mended row with all columns that the spreadsheet has now. */
function toNow(row: SourceRow, mended: MendedRow): MendedRow {
  const cells = Object.entries(row.cells).map(([column, text]): [string, string] => {
    const kept = cellOf(mended, column);
    return [column, kept === undefined ? text : fromKept(kept, text)];
  });
  return { line: row.line, was: toRowMark(row), cells: Object.fromEntries(cells) };
}

/** The rows that are read as they were mended. */
export async function listMendedRows(
  job: SourceJob,
  access: MendRequest["access"],
): Promise<MendedRows> {
  const { mended, ...plain } = job.source;
  if (mended === undefined) return { columns: [], rows: [] };
  const known = await readMended(mended);
  return closing(await openRows({ ...job, source: plain }, access, access), async (source) => {
    const rows: MendedEntry[] = [];
    const placed = await placeMended(known, () => source.rows());
    for await (const row of source.rows()) {
      const found = placed.get(row.line);
      if (found === undefined) continue;
      rows.push({ line: row.line, cells: toNow(row, found).cells, was: row.cells });
    }
    return { columns: source.columns, rows };
  });
}

/** Failed rows of the last run, also those that were mended since. */
export async function listRowsToMend(
  job: SourceJob & Job,
  access: Parameters<typeof listFailedRows>[1],
): Promise<FailedRows> {
  const failed = await listFailedRows(job, access);
  const known = new Map((await readFailed(job, access)).map((row) => [row.line, row]));
  for (const { line, listed = line } of failed.rows) known.delete(listed);
  const { columns, rows } = await listMendedRows(job, access);
  const given = rows.map(({ line, was }) => ({ line, cells: was }));
  const placed = await placeRows(known, () => inTurn(given), toMarks(columns));
  const again = rows.flatMap(({ line, cells }) => {
    const row = placed.get(line);
    return row === undefined ? [] : [{ ...toPlace(row, { line, cells }), given: row.cells }];
  });
  return { ...failed, rows: [...failed.rows, ...again] };
}

/** True where two rows have the same texts in these columns. */
const isEqual = (
  columns: readonly string[],
  a: MendedRow["cells"],
  b: MendedRow["cells"],
): boolean => columns.every((column) => (a[column] ?? "") === (b[column] ?? ""));

const isSame = (a: MendedRow["cells"], b: MendedRow["cells"]): boolean =>
  JSON.stringify(Object.entries(a)) === JSON.stringify(Object.entries(b));

/** As the file has it; a row as the spreadsheet has it needs no other. */
function keepOther(
  columns: readonly string[],
  row: MendedRow,
  given: MendedRow["cells"],
): MendedRow[] {
  if (isEqual(columns, row.cells, given)) return [];
  const kept = columns.map((column): [string, string] => {
    const text = row.cells[column] ?? "";
    return [column, toKept(text, given[column] ?? text)];
  });
  return [{ ...row, cells: Object.fromEntries(kept) }];
}

interface Merged {
  readonly columns: readonly string[];
  readonly kept: readonly MendedRow[];
  /** Of the spreadsheet; empty where it is a workbook. */
  readonly delimiter: string;
}

/** The rows of the spreadsheet that are mended now, or were before and are still the same. */
async function mergeMended(
  job: SourceJob,
  { rows, access }: MendRequest,
): Promise<Merged | undefined> {
  const { mended: before, ...plain } = job.source;
  const known = before === undefined ? undefined : await readMended(before);
  const fresh = new Map(rows.map((row) => [row.line, row]));
  const kept: MendedRow[] = [];
  const source = await openRows({ ...job, source: plain }, access, access);
  try {
    const placed = known && (await placeMended(known, () => source.rows()));
    for await (const row of source.rows()) {
      const { line } = row;
      const old = placed?.get(line);
      const current = old && toNow(row, old);
      const wanted = fresh.get(line);
      if (wanted === undefined) {
        if (current !== undefined) kept.push(...keepOther(source.columns, current, row.cells));
        continue;
      }
      if (!isSame(wanted.was, current?.cells ?? row.cells)) return undefined;
      fresh.delete(line);
      kept.push(
        ...keepOther(source.columns, { line, was: toRowMark(row), cells: wanted.cells }, row.cells),
      );
    }
  } finally {
    await source.close();
  }
  const { columns, detected } = source;
  return fresh.size > 0 ? undefined : { columns, kept, delimiter: detected.delimiter };
}

/**
 * Writes mended rows beside the spreadsheet, with those that were mended before and still take the place
 * of their row; undefined where a row has changed since it was mended: then nothing is written. Throws
 * `output-unwritable` where the folder takes no file.
 *
 * @param note gets the file and the hash of its bytes before it is written
 */
export async function writeMended(
  job: SourceJob,
  request: MendRequest,
  note?: (file: { readonly file: string; readonly sha256: string }) => Promise<void>,
): Promise<Mended | undefined> {
  const merged = await mergeMended(job, request);
  if (merged === undefined) return undefined;
  const { columns, kept, delimiter } = merged;
  const lines = kept.map(({ line, was, cells }) => [
    line,
    was,
    ...columns.map((column) => cells[column] ?? ""),
  ]);
  const file = toMendedFile(job.source);
  let text = "";
  const csv = makeCsv([...MENDED_HEADERS, ...columns], lines, {
    cells: "raw",
    delimiter: delimiter || undefined,
  });
  for await (const piece of csv) text += piece;
  try {
    await note?.({ file, sha256: sha256(text) });
    await writeFileAtomic(file, text);
  } catch (cause) {
    throw toDiskError(cause) ?? cause;
  }
  return { file, rows: kept.length };
}
