/** Which run of a job is due, and which were missed. Pure. */
import { nextRunMs, runsBetween, type Schedule } from "../../base/time/cron.ts";
import type { LedgerEntry } from "./ledger.ts";

/** A new schedule is due when its moment came at most this long ago: a timer may be late. */
const GRACE_MS = 10 * 60_000;
/** A run that begins later than this after its moment is reported as late. */
export const LATE_MS = 10 * 60_000;
/** How many missed moments are listed. */
const MOST_RUNS = 1000;

export interface Due {
  /** The latest moment that came; one run now stands for it and all that were missed. */
  readonly dueMs: number;
  /** Moments before it for which nothing ran, latest first; at most 999. */
  readonly missedMs: readonly number[];
}

type Known = Pick<LedgerEntry, "since" | "due" | "schedule">;

/** False for a new job, and once its cron expression or time zone has changed. */
export function isSeen<K extends Known>(known: K | undefined, schedule: Schedule): known is K {
  if (known?.schedule === undefined) return known !== undefined;
  const { cron, timezone } = known.schedule;
  return cron === schedule.cron && timezone === schedule.timezone;
}

/** What is due now; undefined when nothing is. */
export function findDue(
  schedule: Schedule,
  known: Known | undefined,
  nowMs: number,
): Due | undefined {
  // Before it was seen, nothing was missed.
  const sinceMs = isSeen(known, schedule) ? Date.parse(known.since) : nowMs;
  const doneMs = Date.parse(known?.due ?? "");
  const fromMs = Math.max(sinceMs - GRACE_MS, Number.isNaN(doneMs) ? 0 : doneMs);
  const [dueMs, ...others] = runsBetween(schedule, { fromMs, toMs: nowMs, most: MOST_RUNS });
  if (dueMs === undefined) return undefined;
  return { dueMs, missedMs: others.filter((ms) => ms > sinceMs) };
}

/** When the job is due next: at once when it is due, undefined when never. */
export function findNext(
  schedule: Schedule,
  known: Known | undefined,
  nowMs: number,
): number | undefined {
  return findDue(schedule, known, nowMs)?.dueMs ?? nextRunMs(schedule, nowMs);
}
