/** Runs the jobs that are due, each under its lock and one after the other: they share a token. */
import { errorKinds } from "../../base/errors.ts";
import { EXIT_INTERRUPTED } from "../../base/exit-codes.ts";
import type { ScheduledJob } from "../../job/schedule.ts";
import type { Ports } from "../ports.ts";
import { findDue, findNext, isSeen, type Due } from "./due.ts";
import { lockJob, readEntry, writeEntry, type LedgerEntry } from "./ledger.ts";

/** Called for what happens to scheduled jobs. */
export interface ScheduleEvents {
  due(job: ScheduledJob, due: Due): void;
  busy(job: ScheduledJob): void;
  ended(job: ScheduledJob, exitCode: number): void;
  next(job: ScheduledJob, nextMs: number | undefined): void;
}

export interface Scheduler extends Pick<Ports, "clock" | "signal"> {
  readonly tell: ScheduleEvents;
  readonly dataDirOf: (job: ScheduledJob) => string;
  /** Runs a job as `makeready run` does; answers its exit code. */
  readonly runJob: (job: ScheduledJob) => Promise<number>;
}

/** Exit codes after which the job is still due: its folder is locked, or it was stopped. */
const UNFINISHED: ReadonlySet<number> = new Set([errorKinds.locked.exit, EXIT_INTERRUPTED]);

async function runLocked(scheduler: Scheduler, job: ScheduledJob): Promise<number> {
  const { clock, tell } = scheduler;
  const dataDir = scheduler.dataDirOf(job);
  // Read under the lock: another scheduler may have run it a moment ago.
  const known = await readEntry(dataDir, job);
  const now = (): string => new Date(clock.nowMs()).toISOString();
  const nothing = { job: job.file, due: null, startedAt: null, endedAt: null, exitCode: null };
  const { cron, timezone } = job.schedule;
  const isKnown = isSeen(known, job.schedule);
  const since = isKnown ? known.since : now();
  const entry: LedgerEntry = { ...nothing, ...known, since, schedule: { cron, timezone } };
  const due = findDue(job.schedule, known, clock.nowMs());
  if (!isKnown) await writeEntry(dataDir, job, entry);
  if (due === undefined) return 0;
  tell.due(job, due);
  const started = { ...entry, startedAt: now(), endedAt: null, exitCode: null };
  await writeEntry(dataDir, job, started);
  const exitCode = await scheduler.runJob(job);
  await writeEntry(dataDir, job, {
    ...started,
    ...(!UNFINISHED.has(exitCode) && { due: new Date(due.dueMs).toISOString() }),
    endedAt: now(),
    exitCode,
  });
  tell.ended(job, exitCode);
  return exitCode;
}

async function runIfDue(scheduler: Scheduler, job: ScheduledJob): Promise<number> {
  const { clock } = scheduler;
  const dataDir = scheduler.dataDirOf(job);
  const known = await readEntry(dataDir, job);
  // Looking at the clock every minute needs no lock every minute.
  if (isSeen(known, job.schedule)) {
    if (findDue(job.schedule, known, clock.nowMs()) === undefined) return 0;
  }
  const lock = await lockJob(dataDir, job);
  if (lock === undefined) {
    scheduler.tell.busy(job);
    return 0;
  }
  try {
    return await runLocked(scheduler, job);
  } finally {
    lock.release();
  }
}

/** Runs what is due now; answers the highest exit code. */
export async function runDue(scheduler: Scheduler, jobs: readonly ScheduledJob[]): Promise<number> {
  let worst = 0;
  for (const job of jobs) {
    if (scheduler.signal.aborted) return EXIT_INTERRUPTED;
    worst = Math.max(worst, await runIfDue(scheduler, job));
  }
  return worst;
}

export interface NextRun {
  readonly job: ScheduledJob;
  readonly known: LedgerEntry | undefined;
  /** Undefined when never. */
  readonly nextMs: number | undefined;
}

/** job -> when it is due next; undefined when never. */
export async function findNextRuns(
  scheduler: Pick<Scheduler, "clock" | "dataDirOf">,
  jobs: readonly ScheduledJob[],
): Promise<NextRun[]> {
  const nowMs = scheduler.clock.nowMs();
  return Promise.all(
    jobs.map(async (job) => {
      const known = await readEntry(scheduler.dataDirOf(job), job);
      return { job, known, nextMs: findNext(job.schedule, known, nowMs) };
    }),
  );
}
