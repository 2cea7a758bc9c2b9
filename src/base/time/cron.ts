/** Cron expressions in time zones: five fields (minute hour day month weekday), as crontab(5) has them. */
import { Cron } from "croner";

/** When a job is to run. */
export interface Schedule {
  /** Five fields; day and weekday both given means either of them. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/** Names of the fields, and what their numbers may be. */
const FIELDS = [
  ["minute", "0 to 59"],
  ["hour", "0 to 23"],
  ["day", "1 to 31"],
  ["month", "1 to 12"],
  ["weekday", "0 to 7"],
] as const;
const NAMES = FIELDS.map(([name]) => name).join(" ");

/**
 * croner counts in seconds: a reference this much later includes what is due in the current second.
 */
const SECOND_MS = 1000;

const openCron = ({ cron, timezone }: Schedule): Cron =>
  new Cron(cron, { timezone, paused: true, mode: "5-part" });

function isCron(cron: string): boolean {
  try {
    openCron({ cron, timezone: "UTC" });
    return true;
  } catch {
    return false;
  }
}

/** What the first of five fields that is wrong by itself must be. */
function findFieldRule(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/u);
  if (fields.length !== FIELDS.length) return undefined;
  const isGood = (field: string, at: number): boolean =>
    isCron(fields.map((_, n) => (n === at ? field : "*")).join(" "));
  const at = fields.findIndex((field, n) => !isGood(field, n));
  const [name, numbers] = FIELDS[at] ?? [];
  const wrong = fields[at];
  if (name === undefined || wrong === undefined) return undefined;
  if (isGood(wrong.replaceAll(/\/[^,]*/gu, ""), at)) return `steps of its ${name} like */2`;
  return name === "weekday" && isGood(wrong.replaceAll(/#[^,]*/gu, ""), at)
    ? "1 to 5 behind the # of its weekday"
    : `its ${name} of ${numbers}`;
}

/** The fault of an expression, as "must …", or undefined. */
export function checkCron(cron: string): string | undefined {
  try {
    const isEver = openCron({ cron, timezone: "UTC" }).nextRun() !== null;
    return isEver ? undefined : "must name a moment that comes";
  } catch {
    const rule = findFieldRule(cron);
    const part = rule === undefined ? "" : `, with ${rule}`;
    return `must be five fields (${NAMES}) like "0 3 1 * *"${part}`;
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
