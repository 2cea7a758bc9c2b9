/** Which run of a job is due, and which were missed. Pure. */
import { nextRunMs, runsBetween, type Schedule } from "../../base/cron.ts";
import type { LedgerEntry } from "./ledger.ts";

/** A new job is due when its moment came at most this long ago: a timer may be late. */
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

type Known = Pick<LedgerEntry, "since" | "due">;

function fromOf(known: Known | undefined, nowMs: number): number {
  if (known === undefined) return nowMs - GRACE_MS;
  const dueMs = known.due === null ? Number.NaN : Date.parse(known.due);
  return Number.isNaN(dueMs) ? Date.parse(known.since) - GRACE_MS : dueMs;
}

/** What is due now; undefined when nothing is. */
export function findDue(
  schedule: Schedule,
  known: Known | undefined,
  nowMs: number,
): Due | undefined {
  const fromMs = fromOf(known, nowMs);
  const [dueMs, ...missedMs] = runsBetween(schedule, { fromMs, toMs: nowMs, most: MOST_RUNS });
  return dueMs === undefined ? undefined : { dueMs, missedMs };
}

/** When the job is due next: at once when it is due, undefined when never. */
export function findNext(
  schedule: Schedule,
  known: Known | undefined,
  nowMs: number,
): number | undefined {
  return findDue(schedule, known, nowMs)?.dueMs ?? nextRunMs(schedule, nowMs);
}
