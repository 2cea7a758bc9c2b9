/** `failed-rows.csv`: what did not work out, with the reason. */
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { formatProblem } from "../../base/format-problem.ts";
import { writeFailedRows, type FailedRow } from "../../pack/failed-rows.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { Work, WorkJob } from "../work.ts";
import type { FailedEntry, Stage } from "./stage.ts";
import { FAILED } from "../../state/which-rows.ts";

/** Relative to the output folder. */
export const FAILED_ROWS = "failed-rows.csv";

/** A failed row with its place in the spreadsheet, or a code that exists with its name. */
function toProblem(row: StateRow, source: WorkJob["source"]): Problem {
  const message = row.error?.message ?? `is ${row.state}`;
  return source === null
    ? { message: `${row.wanted.displayName} (${row.key}): ${message}` }
    : { message, where: { file: source.file, line: row.line } };
}

/** All rows that did not work out, by line. */
function listFailed(state: State, source: WorkJob["source"]): FailedEntry[] {
  const entries: FailedEntry[] = [...state.badRows()];
  for (const row of state.rows(FAILED)) {
    entries.push({ line: row.line, cells: row.cells, problems: [toProblem(row, source)] });
  }
  return entries.toSorted((a, b) => a.line - b.line);
}

function toReason({ message, where, hint }: Problem): string {
  const column = where?.column;
  return formatProblem({ message, hint, where: column === undefined ? undefined : { column } }, "");
}

/** Writes `failed-rows.csv`, or takes an old one away when no row failed. */
async function writeFailed(work: Work, entries: readonly FailedEntry[]): Promise<string | null> {
  const { columns } = work.input;
  const rows = entries.map(({ line, cells, problems }): FailedRow => ({
    line,
    cells: columns.map((column) => cells[column] ?? ""),
    reasons: problems.map(toReason),
  }));
  const written = await writeFailedRows(path.join(work.folder, FAILED_ROWS), columns, rows);
  return written?.file ?? null;
}

export const failedStage: Stage = {
  name: "failed-rows",
  isTimed: false,
  async make(work) {
    const failed = listFailed(work.state, work.job.source);
    return { failed, failedFile: await writeFailed(work, failed) };
  },
  recall({ state, folder }) {
    const failed = [...state.badRows()];
    return { failed, failedFile: failed.length === 0 ? null : path.join(folder, FAILED_ROWS) };
  },
  describe: (_work, { failed, failedFile: file }) =>
    file === null ? [] : [{ role: "failed-rows", file, rows: failed.length }],
  watched: () => [FAILED_ROWS],
};

/** Of a run that had to stop: the rows that failed until then are still listed. */
export async function listUntilStop(work: Work): Promise<void> {
  await writeFailed(work, listFailed(work.state, work.job.source));
}
