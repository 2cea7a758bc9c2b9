/** Cron expressions in time zones: five fields (minute hour day month weekday), as crontab(5) has them. */
import { Cron } from "croner";

/** When a job is to run. */
export interface Schedule {
  /** Five fields; day and weekday both given means either of them. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

const FIELDS = "minute hour day month weekday";

/**
 * croner counts in seconds: a reference this much later includes what is due in the current second.
 */
const SECOND_MS = 1000;

const openCron = ({ cron, timezone }: Schedule): Cron =>
  new Cron(cron, { timezone, paused: true, mode: "5-part" });

/** The fault of an expression, as "must …", or undefined. */
export function checkCron(cron: string): string | undefined {
  try {
    const isEver = openCron({ cron, timezone: "UTC" }).nextRun() !== null;
    return isEver ? undefined : "must name a moment that comes";
  } catch {
    return `must be five fields (${FIELDS}) like "0 3 1 * *"`;
  }
}

/**
 * The first time after `afterMs`, epoch milliseconds. A time skipped in spring moves to right after
 * the gap; of a time that occurs twice in autumn, the first counts.
 */
export function nextRunMs(schedule: Schedule, afterMs: number): number | undefined {
  return openCron(schedule).nextRun(new Date(afterMs))?.getTime();
}

/** The times after `fromMs` up to and including `toMs`, latest first, at most `most`. */
export function runsBetween(
  schedule: Schedule,
  { fromMs, toMs, most }: { fromMs: number; toMs: number; most: number },
): number[] {
  const cron = openCron(schedule);
  const runs: number[] = [];
  let before = toMs + SECOND_MS;
  while (runs.length < most) {
    const run = cron.previousRuns(1, new Date(before))[0]?.getTime();
    if (run === undefined || run <= fromMs) break;
    if (run <= toMs) runs.push(run);
    before = run;
  }
  return runs;
}
