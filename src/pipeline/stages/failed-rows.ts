/** `failed-rows.csv` and `failed-rows.xlsx`: what did not work out, with the reason. */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { formatProblem } from "../../base/text/format-problem.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import type { WrittenFile } from "../../pack/hashed-file.ts";
import { isRowKind } from "../../kinds/names.ts";
import { writeFailedCsv, writeFailedXlsx, type FailedRow } from "../../pack/failed-rows.ts";
import { toRowPlace } from "../../plan/row-place.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { Work, WorkJob } from "./work.ts";
import { toDelimiter } from "./lookups.ts";
import type { FailedEntry, Finishing, Made, Stage } from "./stage.ts";
import { FAILED } from "../../state/which-rows.ts";

const CSV = "failed-rows.csv";
const XLSX = "failed-rows.xlsx";
/** Relative to the output folder; there only when a row failed. */
export const FAILED_FILES: readonly string[] = [CSV, XLSX];

const toFiles = (folder: string): string[] => FAILED_FILES.map((name) => path.join(folder, name));

/** A failed row with its place in the spreadsheet, or a code that exists with its name. */
function toProblem(row: StateRow, source: WorkJob["source"]): Problem {
  const message = row.error?.message ?? `is ${row.state}`;
  return source === null
    ? { message: `${row.wanted.displayName} (${row.key}): ${message}` }
    : { message, where: toRowPlace(source, row) };
}

function* listRefused(state: State, source: WorkJob["source"]): Generator<FailedEntry> {
  for (const row of state.rows(FAILED))
    yield { line: row.line, cells: row.cells, problems: [toProblem(row, source)] };
}

type Listed = Pick<Work, "state" | "job"> & { readonly run?: Finishing["run"] };

/** Codes that were bad for a design which is undone are nobody's to mend. */
const isNoLongerWanted = ({ job, run }: Listed): boolean =>
  job.source === null && run?.after?.did === "undone";

/** All rows that did not work out, by line: a file of them may be longer than memory is large. */
function* listFailed(work: Listed): Generator<FailedEntry> {
  const { state, job } = work;
  const refused = listRefused(state, job.source);
  let next = refused.next();
  try {
    for (const bad of isNoLongerWanted(work) ? [] : state.bad.list()) {
      for (; next.done !== true && next.value.line < bad.line; next = refused.next())
        yield next.value;
      yield bad;
    }
    for (; next.done !== true; next = refused.next()) yield next.value;
  } finally {
    refused.return(undefined);
  }
}

/** How many a person reads: `failed-rows.csv` has all. */
const ENTRIES_KEPT = 1000;

type FailedCount = Pick<Made, "failed" | "failedRows" | "problemCount">;

/** How many there are, and the first of them. */
function countFailed(work: Listed): FailedCount {
  const failed: FailedEntry[] = [];
  let [failedRows, problems] = [0, 0];
  for (const entry of listFailed(work)) {
    failedRows += 1;
    problems += entry.problems.length;
    if (failed.length < ENTRIES_KEPT) failed.push(entry);
  }
  return { failed, failedRows, problemCount: problems };
}

function toReason({ message, where, hint }: Problem): string {
  const column = where?.column;
  return formatProblem({ message, hint, where: column === undefined ? undefined : { column } }, "");
}

/** The worksheet has the name of the job's, so that the file can be run as it is. */
const toSheetName = ({ source }: WorkJob): string | undefined =>
  typeof source?.sheet === "string" ? source.sheet : undefined;

/** Meta: JSON, the hashes of the lists as the last run wrote them, by name. */
const WRITTEN = "failed_rows";

type Hashes = Readonly<Record<string, string>>;

const readHashes = (state: State): Hashes => JSON.parse(state.meta(WRITTEN) ?? "{}") as Hashes;

/** Each by itself, as soon as it is there: the run may end before the other list is written. */
function noteHash(state: State, { file, sha256 }: WrittenFile): void {
  const hashes = { ...readHashes(state), [path.basename(file)]: sha256 };
  state.setMeta(WRITTEN, JSON.stringify(hashes));
}

/** The first of `failed-rows.edited.csv`, `failed-rows.edited-2.csv` … that is free. */
function toFreeFile(file: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let n = 1; ; n += 1) {
    const free = path.join(dir, `${name}.edited${n === 1 ? "" : `-${n}`}${ext}`);
    if (!existsSync(free)) return free;
  }
}

/** What to do with a changed list; undefined for a job without a spreadsheet. */
function toKeptHint({ job: { source, kind }, commandOf }: Work, kept: string): string | undefined {
  if (source === null || !isRowKind(kind)) return undefined;
  return source.from === "spreadsheet"
    ? `to use it: ${commandOf("mend", { more: [kept] })}`
    : "to use it, mend the same rows where they come from";
}

/** Lists that somebody has changed since: nothing takes their place. */
async function keepEdited(work: Work): Promise<void> {
  const { state, folder, on, log } = work;
  const written = readHashes(state);
  for (const file of toFiles(folder)) {
    const name = path.basename(file);
    const hash = written[name];
    if (hash === undefined || !existsSync(file) || (await hashFile(file)) === hash) continue;
    const kept = toFreeFile(file);
    await rename(file, kept);
    const message = `${name} has been changed since a run wrote it: it is kept as ${path.basename(kept)}`;
    log.warn({ kept }, message);
    on({ type: "warning", problem: { message, where: { file }, hint: toKeptHint(work, kept) } });
  }
}

/** Writes the lists, or takes old ones away when no row failed; answers the files. */
async function writeFailed(work: Work & Listed, count: number): Promise<string[]> {
  const { folder, job, createdAt, state } = work;
  const { columns: header } = work.input;
  await keepEdited(work);
  if (count === 0) {
    for (const file of toFiles(folder)) await rm(file, { force: true });
    return [];
  }
  const rows = {
    *[Symbol.iterator](): Generator<FailedRow> {
      for (const { line, cells, problems } of listFailed(work)) {
        const texts = header.map((column) => cells[column] ?? "");
        yield { line, cells: texts, reasons: problems.map(toReason) };
      }
    },
  };
  const table = { header, rows, delimiter: toDelimiter(work) };
  const options = { createdAt: new Date(createdAt), sheetName: toSheetName(job) };
  const csv = await writeFailedCsv(path.join(folder, CSV), table);
  noteHash(state, csv);
  const xlsx = await writeFailedXlsx(path.join(folder, XLSX), table, options);
  noteHash(state, xlsx);
  return [csv.file, xlsx.file];
}

export const failedStage: Stage = {
  name: "failed-rows",
  isTimed: false,
  async make(work) {
    const failed = countFailed(work);
    return { ...failed, failedFiles: await writeFailed(work, failed.failedRows) };
  },
  recall(work) {
    const failed = countFailed(work);
    return { ...failed, failedFiles: failed.failedRows === 0 ? [] : toFiles(work.folder) };
  },
  describe: (_work, { failedRows, failedFiles }) =>
    failedFiles.map((file) => {
      const format = file.endsWith(".xlsx") ? "xlsx" : "csv";
      return { role: "failed-rows", file, format, rows: failedRows };
    }),
  watched: () => FAILED_FILES,
};

/** The rows that did not work out, as the last run has listed them. */
export function readFailed(work: Work): Partial<Made> {
  const failedFiles = toFiles(work.folder).filter((file) => existsSync(file));
  return { ...countFailed(work), failedFiles };
}

/** Of a run that had to stop: the rows that failed until then are still listed. */
export async function listUntilStop(work: Work): Promise<void> {
  await writeFailed(work, countFailed(work).failedRows);
}
