/** `undo`: puts back what the last run of a job replaced. */
import { AppError, type Problem } from "../base/errors.ts";
import type { RedesignJob } from "../kinds/redesign/job.ts";
import type { RetargetJob } from "../kinds/retarget/job.ts";
import { undoRun, type UndoEvents } from "../run/undo.ts";
import {
  hasChangeLog,
  openChangeLog,
  type ChangeLog,
  type ChangeRun,
  type KeptChange,
} from "../state/change-log.ts";
import { confirmChanges } from "./confirm.ts";
import { NOTHING_DONE } from "./counts.ts";
import { withClient } from "./job-client.ts";
import type { Ports } from "./ports.ts";
import { NO_CALLS, type Calls, type RunResult } from "./results.ts";
import { withSelectState, type SelectParts } from "./select/open-select.ts";
import type { UndoOrder } from "./strategy.ts";

type UndoJob = RedesignJob | RetargetJob;

interface UndoCounts {
  undone: number;
  wasBack: number;
  readonly failures: Problem[];
  readonly warnings: Problem[];
}

const nameOf = ({ name, remoteId }: KeptChange): string =>
  name === "" ? remoteId : `${name} (${remoteId})`;

function makeEvents({ ports, log }: SelectParts, counts: UndoCounts, total: number): UndoEvents {
  const { on } = ports;
  const show = (): void => {
    const { undone, wasBack, failures } = counts;
    const done = undone + wasBack + failures.length;
    const failed = { failed: failures.length, lastFailure: failures.at(-1)?.message };
    const pace = { writesPerMinute: undefined, writeLimit: undefined };
    on({ type: "progress", progress: { stage: "undo", done, total, ...failed, ...pace } });
  };
  return {
    undone: (change, lost) => {
      counts.undone += 1;
      log.info({ row: change.key }, "code put back");
      if (lost.length > 0) {
        const problem = { message: `${nameOf(change)}: can't be put back: ${lost.join(", ")}` };
        counts.warnings.push(problem);
        on({ type: "warning", problem });
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
      on({ type: "row-failed", problem });
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
  { job, isConfirmed, patienceMs, force }: UndoOrder<UndoJob>,
  { changes, last }: { changes: ChangeLog; last: ChangeRun },
): Promise<{ counts: UndoCounts; calls: Calls }> {
  const { ports, log, state, server: choice } = parts;
  const counts: UndoCounts = { undone: 0, wasBack: 0, failures: [], warnings: [] };
  const count = last.changes - last.undone;
  if (count === 0) return { counts, calls: NO_CALLS };
  const question = { does: "put-back", thing: "code", count, before: last.startedAt } as const;
  await confirmChanges(ports, question, { over: job.safety.confirmOver, isConfirmed });
  const needs = { ports, choice, log, patienceMs };
  const { calls } = await withClient(job, needs, async ({ client, server }) => {
    state.pin({ baseUrl: server.pinUrl, workspace: server.workspace });
    await undoRun({
      changes,
      run: last.id,
      client,
      force: force === true,
      events: makeEvents(parts, counts, count),
      forget: (key) => state.selected.forgetDesign(key),
      signal: ports.signal,
    });
  });
  ports.on({ type: "stage-end" });
  return { counts, calls };
}

function toResult(
  { ports, stopwatch }: SelectParts,
  job: UndoJob,
  { counts, calls, last }: { counts: UndoCounts; calls: Calls; last: ChangeRun },
): RunResult {
  const { undone, wasBack, failures } = counts;
  const isStopped = ports.signal.aborted;
  return {
    job: job.name,
    kind: job.kind,
    manifest: job.file,
    did: "undo",
    outcome: isStopped ? "interrupted" : failures.length > 0 ? "rows-failed" : "done",
    ...NOTHING_DONE,
    rows: last.changes,
    changed: undone,
    unchanged: last.undone + wasBack,
    left: last.changes - last.undone - undone - wasBack - failures.length,
    failed: failures.length,
    calls,
    seconds: stopwatch.seconds,
    stages: stopwatch.stages,
    problems: failures,
    next: isStopped ? [{ code: "undo-again" }] : [],
  };
}

/** Undoes the last run of a job. Throws `bad-usage` when there is none. */
export async function undoJob(order: UndoOrder<UndoJob>, ports: Ports): Promise<RunResult> {
  const { job } = order;
  if (!hasChangeLog(job.stateDir)) throw refuseUnkept(job);
  const folders = { state: job.stateDir, output: job.stateDir };
  return withSelectState(order, folders, ports, async (parts) => {
    const changes = openChangeLog(job.stateDir);
    try {
      const last = changes.lastRun();
      if (last === undefined) throw refuseUnkept(job);
      // A run that was not finished is over when it is undone.
      changes.finish();
      const done = await undoChanges(parts, order, { changes, last });
      return toResult(parts, job, { ...done, last });
    } finally {
      changes.close();
    }
  });
}
