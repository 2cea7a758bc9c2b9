/** A list of failed rows that a person has mended: what it changes of the rows that failed. */
import path from "node:path";

import { closing } from "../../base/flow/closing.ts";
import { toPlainText } from "../../base/text/format-problem.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import type { Environment } from "../../base/settings.ts";
import { stateDirOf, type Job } from "../../kinds/any-job.ts";
import { toFreeHeader } from "../../pack/failed-rows.ts";
import { toKeyHeaders } from "../../plan/row-place.ts";
import { withoutMark } from "../../read/cells/clean-cell.ts";
import { listMerged } from "../../read/xlsx/merged-cells.ts";
import { listCells } from "../../read/cells/shown.ts";
import type { Source } from "../../read/source.ts";
import { unreadable } from "../../read/files/unreadable.ts";
import { findHolder, isReadingRows } from "../../state/lock.ts";
import { editManifest } from "../source/edit-manifest.ts";
import {
  canMend,
  listRowsToMend,
  type FailedRows,
  type MendedEntry,
  type RowToMend,
} from "./mend.ts";
import { keepMended } from "./name-mended.ts";
import { openJob } from "../open.ts";
import type { Ports } from "../ports.ts";
import { openRows, type RowsPlace, type SourceJob } from "../source/source.ts";

/** One cell that a person has changed. */
export interface MendedCell {
  /** In the column `line` of the list. */
  readonly line: number;
  /** Header as given. */
  readonly column: string;
  readonly was: string;
  readonly now: string;
}

export interface MendedList {
  /** Of the mended rows, absolute; undefined where the list changes none. */
  readonly file: string | undefined;
  /** The manifest did not name that file before. */
  readonly isNamed: boolean;
  readonly rows: number;
  readonly changes: readonly MendedCell[];
  /** Cells that stay as they were: the program that saved the list changed only how they are written. */
  readonly lost: readonly MendedCell[];
  /** Mended rows that stand in another line of the spreadsheet than the list says. */
  readonly moved: readonly { readonly line: number; readonly now: number }[];
  /** Lines of rows that still are as they failed. */
  readonly same: readonly number[];
  /** Rows of the list itself, from 1: their cell in the column `line` is empty. */
  readonly withoutLine: readonly number[];
  /** Lines whose row of now is not the one that failed, or did not fail. */
  readonly other: readonly number[];
}

type Access = Pick<Ports, "signal" | "clock" | "readStream" | "writer" | "server"> &
  RowsPlace & { readonly env: Environment };

type Sorted = Pick<MendedList, "changes" | "lost" | "moved" | "same" | "other"> & {
  readonly rows: readonly MendedEntry[];
};

interface ListedRow {
  readonly cells: Readonly<Record<string, string>>;
}

interface List {
  /** By line of the spreadsheet. */
  readonly rows: ReadonlyMap<number, ListedRow>;
  readonly withoutLine: readonly number[];
}

interface ListColumns {
  /** Headers that tell rows apart. */
  readonly key: readonly string[];
  /** Of the spreadsheet. */
  readonly columns: readonly string[];
  readonly line: string;
  readonly reason: string;
}

/** What the manifest says of the form of its spreadsheet doesn't hold for a list, which anything may have saved. */
const AS_FOUND = {
  sheet: null,
  headerRow: null,
  encoding: null,
  delimiter: null,
  skipHiddenRows: false,
  merged: "warn",
} as const;

/** A renamed column would count as unchanged. */
function refuseOtherColumns(
  listed: readonly string[],
  { columns, line, reason }: ListColumns,
  file: string,
): void {
  const missing = columns.find((name) => !listed.includes(name));
  const known = [...columns, line, reason];
  const other = listed.find((name) => !known.includes(name));
  if (missing === undefined || other === undefined) return;
  throw unreadable(
    `a list of failed rows must have the columns of the spreadsheet, but has "${other}" and no "${missing}"`,
    { where: { file }, hint: `name the column "${missing}" again` },
  );
}

/** The manifest names columns that the list lacks. */
function toListError(error: unknown, file: string): unknown {
  if (!(error instanceof AppError) || error.code !== "manifest-invalid") return error;
  const named = /got "([^"]*)"$/mu.exec([error, ...error.problems].map(toMessage).join("\n"))?.[1];
  const lacks = named === undefined ? "" : `, but lacks "${named}"`;
  return unreadable(`a list of failed rows must have the columns of the spreadsheet${lacks}`, {
    where: { file },
    hint: "put the column back, or mend a fresh failed-rows.csv",
  });
}

/** Cells below merged ones would count as emptied by hand. */
function refuseMerged({ warnings }: Source, file: string): void {
  const merged = listMerged(warnings);
  if (merged.length === 0) return;
  throw unreadable(
    `a list of failed rows must have no merged cells, since only the first of them keeps its text, got ${listCells(merged)}`,
    { where: { file }, hint: "unmerge them, fill the cells that are empty now, and mend again" },
  );
}

/** Rows of a list by the line of the spreadsheet that each was made from. */
async function readList(
  job: SourceJob,
  { file, columns, access }: { file: string; columns: ListColumns; access: Access },
): Promise<List> {
  const { mended: _mended, ...plain } = job.source;
  const source = { ...plain, ...AS_FOUND, file };
  const opened = await openRows({ ...job, source }, access, access).catch((error: unknown) => {
    throw toListError(error, file);
  });
  return closing(opened, async (list) => {
    if (!list.columns.includes(columns.line)) {
      throw unreadable(`a list of failed rows must have the column "${columns.line}"`, {
        where: { file },
        hint: "take failed-rows.csv or failed-rows.xlsx of this job, and change only the cells that are wrong",
      });
    }
    refuseOtherColumns(list.columns, columns, file);
    refuseMerged(list, file);
    const rows = new Map<number, ListedRow>();
    const withoutLine: number[] = [];
    for await (const { line: at, cells } of list.rows()) {
      const text = (cells[columns.line] ?? "").trim();
      if (text === "") {
        withoutLine.push(at);
        continue;
      }
      const line = Number(text);
      if (!Number.isSafeInteger(line) || line < 1 || rows.has(line)) {
        const must = rows.has(line) ? "name each line once" : "name a line of the spreadsheet";
        throw unreadable(`column "${columns.line}" must ${must}, got "${text}"`, {
          where: { file, line: at },
          hint: "leave this column as the run wrote it",
        });
      }
      rows.set(line, { cells });
    }
    return { rows, withoutLine };
  });
}

const toMessage = ({ message }: { readonly message: string }): string => message;

const toLines = (text: string): string => text.replaceAll(/\r\n?/gu, "\n");

/** Letters that programs lose, as they are lost. */
const withoutLetters = (text: string): string =>
  toLines(toPlainText(text)).replaceAll(/[^\n -~]/gu, "?");

/** What programs take for a number or a day unless a `'` in front marks it as a text. */
const MARKED_NUMBER = /^'(?='*\d[\d.,:/%\sEe+-]*$)/u;

/** The text without the one `'` that marks it, as people write it for spreadsheet programs. */
const asMeant = (text: string): string => withoutMark(text).replace(MARKED_NUMBER, "");

/** The cell as the list has it: one more ' is in front of what programs take for a formula. */
const isSameText = (before: string, now: string): boolean =>
  [now, asMeant(now)].some((text) => toLines(before) === toLines(text));

/**
 * True where the list gives the reasons that the row has, or its key, or all cells but one: another row
 * may stand at its line now.
 */
function isOfRow(
  listed: ListedRow,
  row: RowToMend,
  { columns, key, reason }: ListColumns,
): boolean {
  const given = listed.cells[reason];
  if (given === undefined) return true;
  const plain = withoutLetters(given);
  if (row.problems.every(({ message }) => plain.includes(withoutLetters(message)))) return true;
  const cells = row.given ?? row.cells;
  const isSame = (name: string): boolean =>
    isSameText(cells[name] ?? "", listed.cells[name] ?? cells[name] ?? "");
  const changed = columns.filter((name) => !isSame(name));
  return key.length > 0 ? key.every(isSame) : changed.length < 2;
}

const ZEROS = /^0+(?=\d)/u;

/** Letters that an encoding lacks become question marks. */
function isWithoutLetters(was: string, now: string): boolean {
  const [before, after] = [Array.from(toLines(was)), Array.from(toLines(now))];
  return (
    before.length === after.length &&
    before.every((letter, at) => after[at] === letter || (after[at] === "?" && letter > "\u007f"))
  );
}

const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)$/u;
const SHOWN_DATE = /^(\d\d?)[./-](\d\d?)[./-](\d{2}|\d{4})$/u;

/** A day as a program shows it: the same numbers, the year last. */
function isSameDay(was: string, now: string): boolean {
  const [, year, month, day] = (ISO_DATE.exec(was) ?? []).map(Number);
  const [, first, second, last] = (SHOWN_DATE.exec(now) ?? []).map(Number);
  if (year === undefined || last === undefined || year % 100 !== last % 100) return false;
  return (first === day && second === month) || (first === month && second === day);
}

/** `4.00638E+12` in place of a long number. */
const isRounded = (was: string, now: string): boolean =>
  /^\d{6,}$/u.test(was) && /^\d(?:[.,]\d{1,15})?e\+\d\d$/iu.test(now);

const hasLostZeros = (was: string, now: string): boolean =>
  /^0\d+$/u.test(was) && was.replace(ZEROS, "") === now;

/** What a program takes from a cell that nobody touched. */
const isLostInSaving = (was: string, now: string): boolean =>
  [hasLostZeros, isWithoutLetters, isRounded, isSameDay].some((test) => test(was, now));

/** What the list changes of a row; a column that it lacks stays as it is. */
function compare(
  columns: readonly string[],
  { line: now, listed: line = now, cells: was, given }: RowToMend,
  { cells: listed }: ListedRow,
): MendedCell[] {
  return columns.flatMap((column) => {
    const before = was[column] ?? "";
    const text = listed[column] ?? before;
    // Another copy of the list has the row as it failed: that takes nothing back.
    const isSame = isSameText(before, text) || isSameText(given?.[column] ?? before, text);
    return isSame ? [] : [{ line, column, was: before, now: asMeant(text) }];
  });
}

function sortRows(
  { columns, rows }: FailedRows,
  list: ReadonlyMap<number, ListedRow>,
  names: ListColumns,
): Sorted {
  const failed = new Map(rows.map((row) => [row.listed ?? row.line, row]));
  const mended: MendedEntry[] = [];
  const [changes, lost]: [MendedCell[], MendedCell[]] = [[], []];
  const moved: { line: number; now: number }[] = [];
  const [same, other]: [number[], number[]] = [[], []];
  for (const [line, listed] of [...list].toSorted(([a], [b]) => a - b)) {
    const row = failed.get(line);
    if (row === undefined || !isOfRow(listed, row, names)) {
      other.push(line);
      continue;
    }
    const found = compare(columns, row, listed);
    const changed = found.filter((cell) => !isLostInSaving(cell.was, cell.now));
    lost.push(...found.filter((cell) => !changed.includes(cell)));
    if (changed.length === 0) {
      same.push(line);
      continue;
    }
    changes.push(...changed);
    const now = Object.fromEntries(changed.map((cell) => [cell.column, cell.now]));
    if (row.line !== line) moved.push({ line, now: row.line });
    mended.push({ line: row.line, was: row.cells, cells: { ...row.cells, ...now } });
  }
  return { rows: mended, changes, lost, moved, same, other };
}

/** A run that reads its rows would take some as they were and some as they are now. */
function refuseWhileRead(job: Job): void {
  const folder = stateDirOf(job);
  const holder = findHolder(folder);
  if (holder === undefined || !isReadingRows(folder)) return;
  throw new AppError("job-locked", `${folder} is in use by ${holder}, which reads its rows`, {
    hint: "wait until it makes codes, or stop it; then mend the rows",
  });
}

/** The manifest would name mended rows of a spreadsheet that it doesn't name itself. */
async function refuseOtherSource(job: Job & SourceJob, access: Access): Promise<void> {
  const { env, dataDir } = access;
  const { job: own } = await openJob(job.file, { env, dataDir }, access);
  const named = "source" in own ? own.source.file : undefined;
  if (named === job.source.file) return;
  throw badUsage(
    `rows are mended in the spreadsheet that the manifest names, got ${job.source.file} by --set source.file`,
    "write source.file into the manifest, or name a file for the mended rows as well: --set source.mended=FILE",
  );
}

/**
 * Mends rows that the last run could not use by a list of them that a person has mended: the next run
 * takes them in place of theirs, and no code is made twice. They are kept beside the spreadsheet, as
 * the desk keeps them; the manifest names that file in `source.mended`. A list that changes nothing
 * writes nothing. Throws `bad-usage` for a job without a spreadsheet, `source-unreadable` for a list
 * that can't be read or has no lines, `job-locked` while a run reads its rows.
 *
 * @param list absolute: `failed-rows.csv`, `failed-rows.xlsx` or a copy
 */
export async function mendByList(job: Job, list: string, access: Access): Promise<MendedList> {
  if (!canMend(job)) {
    throw badUsage(
      `rows are mended in jobs with a spreadsheet, got a job of kind ${job.kind} without one`,
      "change the manifest, or the files that it names",
    );
  }
  refuseWhileRead(job);
  const isNamed = job.source.mended === undefined;
  if (isNamed) await refuseOtherSource(job, access);
  const failed = await listRowsToMend(job, access);
  if (failed.columns.length === 0) {
    throw badUsage(
      "a row must have failed in the last run, got none",
      "run the job: it lists the rows that fail",
    );
  }
  const columns = {
    columns: failed.columns,
    key: failed.rows.slice(0, 1).flatMap((row) => toKeyHeaders(job.source, row)),
    line: toFreeHeader("line", failed.columns),
    reason: toFreeHeader("reason", failed.columns),
  };
  const listed = await readList(job, { file: list, columns, access });
  const { rows, ...others } = sortRows(failed, listed.rows, columns);
  const sorted = { ...others, withoutLine: listed.withoutLine };
  if (rows.length === 0) return { file: undefined, isNamed: false, rows: 0, ...sorted };
  const written = await keepMended(job, { rows, access }, (file) => {
    const value = path.relative(path.dirname(job.file), file).split(path.sep).join("/");
    return editManifest(job.file, [{ path: ["source", "mended"], value }], access);
  });
  if (written === undefined) {
    throw unreadable("rows of the spreadsheet changed while they were mended", {
      where: { file: job.source.file },
      hint: "nothing was written; do it once more",
    });
  }
  const { file } = written;
  return { file, isNamed, rows: rows.length, ...sorted };
}
