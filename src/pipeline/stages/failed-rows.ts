/** `failed-rows.csv` and `failed-rows.xlsx`: what did not work out, with the reason. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { formatProblem } from "../../base/format-problem.ts";
import { writeFailedCsv, writeFailedXlsx, type FailedRow } from "../../pack/failed-rows.ts";
import { toRowPlace } from "../../plan/row-place.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { Work, WorkJob } from "../work.ts";
import { toDelimiter } from "./lookups.ts";
import type { FailedEntry, Made, Stage } from "./stage.ts";
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

/** All rows that did not work out, by line. */
function listFailed(state: State, source: WorkJob["source"]): FailedEntry[] {
  const entries: FailedEntry[] = [...state.bad.list()];
  for (const row of state.rows(FAILED)) {
    entries.push({ line: row.line, cells: row.cells, problems: [toProblem(row, source)] });
  }
  return entries.toSorted((a, b) => a.line - b.line);
}

function toReason({ message, where, hint }: Problem): string {
  const column = where?.column;
  return formatProblem({ message, hint, where: column === undefined ? undefined : { column } }, "");
}

/** The worksheet is named as that of the job, so that the file can be fed back as it is. */
const toSheetName = ({ source }: WorkJob): string | undefined =>
  typeof source?.sheet === "string" ? source.sheet : undefined;

/** Writes the lists, or takes old ones away when no row failed; answers the files. */
async function writeFailed(work: Work, entries: readonly FailedEntry[]): Promise<string[]> {
  const { folder, job, createdAt } = work;
  const { columns: header } = work.input;
  if (entries.length === 0) {
    for (const file of toFiles(folder)) await rm(file, { force: true });
    return [];
  }
  const rows = entries.map(({ line, cells, problems }): FailedRow => ({
    line,
    cells: header.map((column) => cells[column] ?? ""),
    reasons: problems.map(toReason),
  }));
  const table = { header, rows, delimiter: toDelimiter(work) };
  const options = { createdAt: new Date(createdAt), sheetName: toSheetName(job) };
  const csv = await writeFailedCsv(path.join(folder, CSV), table);
  const xlsx = await writeFailedXlsx(path.join(folder, XLSX), table, options);
  return [csv.file, xlsx.file];
}

export const failedStage: Stage = {
  name: "failed-rows",
  isTimed: false,
  async make(work) {
    const failed = listFailed(work.state, work.job.source);
    return { failed, failedFiles: await writeFailed(work, failed) };
  },
  recall({ state, folder }) {
    const failed = [...state.bad.list()];
    return { failed, failedFiles: failed.length === 0 ? [] : toFiles(folder) };
  },
  describe: (_work, { failed, failedFiles }) =>
    failedFiles.map((file) => {
      const format = file.endsWith(".xlsx") ? "xlsx" : "csv";
      return { role: "failed-rows", file, format, rows: failed.length };
    }),
  watched: () => FAILED_FILES,
};

/** The rows that did not work out, as the last run has listed them. */
export function readFailed({ state, job, folder }: Work): Pick<Made, "failed" | "failedFiles"> {
  const failed = listFailed(state, job.source);
  return { failed, failedFiles: toFiles(folder).filter((file) => existsSync(file)) };
}

/** Of a run that had to stop: the rows that failed until then are still listed. */
export async function listUntilStop(work: Work): Promise<void> {
  await writeFailed(work, listFailed(work.state, work.job.source));
}
