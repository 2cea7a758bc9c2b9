/** `undo`: puts back what the last run of a job replaced. */
import { AppError, type Problem } from "../../../base/errors.ts";
import type { RedesignJob, RetargetJob } from "../../../job/select-jobs.ts";
import { undoRun, type UndoEvents } from "../../../run/undo.ts";
import {
  hasChangeLog,
  openChangeLog,
  type ChangeLog,
  type ChangeRun,
  type KeptChange,
} from "../../../state/change-log.ts";
import type { CliContext } from "../../context.ts";
import { EXIT_INTERRUPTED, EXIT_ROWS_FAILED } from "../../exit-codes.ts";
import { toShortPath } from "../../format-problem.ts";
import type { View } from "../../view.ts";
import { formatMany } from "../../words.ts";
import { confirmChanges } from "../confirm.ts";
import { NO_CALLS, type Calls } from "../job-client.ts";
import type { RunOptions } from "../steps.ts";
import { withClient, withSelectState, type SelectParts } from "./open-select.ts";

type UndoJob = RedesignJob | RetargetJob;

interface UndoCounts {
  undone: number;
  wasBack: number;
  readonly failures: Problem[];
  readonly warnings: Problem[];
}

const nameOf = ({ name, remoteId }: KeptChange): string =>
  name === "" ? remoteId : `${name} (${remoteId})`;

function makeEvents({ view, log }: SelectParts, counts: UndoCounts, total: number): UndoEvents {
  const show = (): void =>
    view.progress({
      stage: "undo",
      done: counts.undone + counts.wasBack + counts.failures.length,
      total,
      failed: counts.failures.length,
      lastFailure: counts.failures.at(-1)?.message,
      writesPerMinute: undefined,
      writeLimit: undefined,
    });
  return {
    undone: (change, lost) => {
      counts.undone += 1;
      log.info({ row: change.key }, "code put back");
      if (lost.length > 0) {
        const problem = { message: `${nameOf(change)}: can't be put back: ${lost.join(", ")}` };
        counts.warnings.push(problem);
        view.warning(problem);
      }
      show();
    },
    wasBack: () => {
      counts.wasBack += 1;
      show();
    },
    failed: (change, message) => {
      const problem = { message: `${nameOf(change)}: ${message}` };
      counts.failures.push(problem);
      log.error({ row: change.key, message }, "not put back");
      view.row(problem);
      show();
    },
  };
}

function refuseUnkept(job: UndoJob): AppError {
  const why = job.safety.keepPrevious
    ? `${job.stateDir} holds no changes of this job`
    : "safety.keep_previous is false: what was replaced is not kept";
  return new AppError("bad-usage", `undo must have a run to undo, but ${why}`, {
    where: { file: job.file },
    hint: "run the job first; with another output folder, name it with --out",
  });
}

async function undoChanges(
  parts: SelectParts,
  options: RunOptions<UndoJob>,
  { changes, last }: { changes: ChangeLog; last: ChangeRun },
): Promise<{ counts: UndoCounts; calls: Calls }> {
  const { context, view, log, state, server: choice } = parts;
  const counts: UndoCounts = { undone: 0, wasBack: 0, failures: [], warnings: [] };
  const left = last.changes - last.undone;
  if (left === 0) return { counts, calls: NO_CALLS };
  await confirmChanges(context, {
    what: `put ${formatMany(left, "code")} back to before ${last.startedAt}`,
    count: left,
    over: options.job.safety.confirmOver,
    isConfirmed: options.isConfirmed,
  });
  const needs = { context, view, log, choice, patienceMs: options.patienceMs };
  const { calls } = await withClient(options.job, needs, async ({ client, server }) => {
    state.pin({ baseUrl: server.pinUrl, workspace: server.workspace });
    await undoRun({
      changes,
      run: last.id,
      client,
      force: options.force === true,
      events: makeEvents(parts, counts, left),
      forget: (key) => state.selected.forgetDesign(key),
      signal: context.signal,
    });
  });
  view.stageEnd();
  return { counts, calls };
}

function tell(
  parts: SelectParts,
  job: UndoJob,
  { counts, calls, last }: { counts: UndoCounts; calls: Calls; last: ChangeRun },
): number {
  const { view, context, stopwatch } = parts;
  const { failures } = counts;
  const interrupted = context.signal.aborted;
  const exitCode = interrupted ? EXIT_INTERRUPTED : failures.length > 0 ? EXIT_ROWS_FAILED : 0;
  const again = `makeready undo ${toShortPath(job.file, context.cwd)}`;
  view.summary({
    job: job.name,
    rows: last.changes,
    created: 0,
    adopted: 0,
    changed: counts.undone,
    unchanged: last.undone + counts.wasBack,
    left: last.changes - last.undone - counts.undone - counts.wasBack - failures.length,
    failed: failures.length,
    bad: 0,
    writes: calls.writes,
    reads: calls.reads,
    seconds: stopwatch.seconds,
    stages: stopwatch.stages,
    files: [],
    proof: undefined,
    isRehearsal: false,
    problems: failures,
    next: interrupted ? [`go on with: ${again}`] : [],
    exitCode,
    interrupted,
  });
  return exitCode;
}

/** Undoes the last run of a job; answers the exit code. Throws `bad-usage` when there is none. */
export async function undoJob(
  context: CliContext,
  view: View,
  options: RunOptions<UndoJob>,
): Promise<number> {
  const { job } = options;
  if (!hasChangeLog(job.stateDir)) throw refuseUnkept(job);
  const folders = { state: job.stateDir, output: job.stateDir };
  return withSelectState(
    { context, view, folders },
    { ...options, fresh: false },
    async (parts) => {
      const changes = openChangeLog(job.stateDir);
      try {
        const last = changes.lastRun();
        if (last === undefined) throw refuseUnkept(job);
        // A run that was not finished is over when it is undone.
        changes.finish();
        const done = await undoChanges(parts, options, { changes, last });
        return tell(parts, job, { ...done, last });
      } finally {
        changes.close();
      }
    },
  );
}
