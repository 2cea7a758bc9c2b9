/** Applies `run.on_row_error` and `run.max_failures` to bad rows of the spreadsheet. */
import { AppError } from "../../base/errors.ts";
import type { JobRun, RowsJob } from "../../job/job.ts";
import { sayIn } from "../../base/shapes/rows-from.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import { formatMany } from "../../base/text/words.ts";

type JobWithRows = Pick<RowsJob, "run" | "source">;
type Rows = Pick<PlanSummary, "rows" | "bad" | "isBadByManifest" | "isBadByLabel">;

/** How many rows may fail, bad ones included. */
function toAllowed({ maxFailures }: JobRun, { rows }: Rows): number {
  return "count" in maxFailures ? maxFailures.count : Math.ceil(maxFailures.share * rows);
}

function sayMend({ isBadByManifest, isBadByLabel }: Rows): string {
  if (isBadByManifest === true) return "mend the manifest as failed-rows.csv says";
  return isBadByLabel === true
    ? "make the labels or their boxes larger, or the texts of the rows in failed-rows.csv shorter"
    : "mend the rows in failed-rows.csv where they stand";
}

/** Why a run sends nothing; undefined when it does. */
export function findStop({ run, source }: JobWithRows, rows: Rows): string | undefined {
  if (rows.bad === 0) return undefined;
  const got = `got ${formatMany(rows.bad, "bad row")} ${sayIn(source.from)}`;
  if (run.onRowError === "stop") return `run.on_row_error: stop allows no bad row, ${got}`;
  const allowed = toAllowed(run, rows);
  return rows.bad > allowed
    ? `run.max_failures allows ${formatMany(allowed, "failed row")}, ${got}`
    : undefined;
}

/** So many rows may yet be refused by the server. Throws `too-many-failures` when none may be sent. */
export function toFailuresLeft(job: JobWithRows, rows: Rows): number {
  const stop = findStop(job, rows);
  if (stop === undefined) return toAllowed(job.run, rows) - rows.bad;
  throw new AppError("too-many-failures", `${stop}; nothing was sent`, {
    hint: `${sayMend(rows)}, or let run.on_row_error and run.max_failures in the manifest allow them`,
  });
}
