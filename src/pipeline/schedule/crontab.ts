/** Lines for crontab(5). */
import { zoneOffsetMs } from "../../base/time/zoned-time.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import type { ScheduledJob } from "../../job/schedule.ts";
import { readCronFields, type CronFields } from "./cron-fields.ts";
import { toLaunchWords, type Launch } from "./systemd.ts";

const HOUR_MINUTES = 60;
const MINUTE_MS = 60_000;

/** A shell command in a crontab, where `%` ends the command unless escaped. */
const toCronCommand = (words: readonly string[]): string =>
  toCommandLine(words, "linux").replaceAll("%", "\\%");

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ");

const toList = (numbers: readonly number[] | undefined): string =>
  numbers === undefined ? "*" : numbers.join(",");

/** The fields as every cron understands them. */
function toFields(cron: string, fields: CronFields): string {
  // As it was written, unless it has what crons read differently: names, and steps over all days.
  const written = cron.trim().split(/\s+/u);
  const isPlain = written.every((field) => /^[\d*,/-]+$/u.test(field));
  const hasDaySteps = [written[2], written[4]].some((field) => field?.startsWith("*/"));
  if (fields.isExact && isPlain && !hasDaySteps) return written.join(" ");
  const { minutes, hours, days, months, weekdays } = fields;
  return [minutes, hours, days, months, weekdays].map(toList).join(" ");
}

/** The job's minutes as a clock in another zone shows them; most zones differ by whole hours. */
function toMinutesThere(
  minutes: readonly number[] | undefined,
  { from, to, nowMs }: { from: string; to: string; nowMs: number },
): number[] | undefined {
  const shift = (zoneOffsetMs(to, nowMs) - zoneOffsetMs(from, nowMs)) / MINUTE_MS;
  return minutes
    ?.map((minute) => (((minute + shift) % HOUR_MINUTES) + HOUR_MINUTES) % HOUR_MINUTES)
    .toSorted((a, b) => a - b);
}

export interface CrontabOptions extends Launch {
  /** Zone of this computer, in which its cron counts. */
  readonly timeZone: string;
  readonly nowMs: number;
}

function toLines(job: ScheduledJob, options: CrontabOptions): string[] {
  const { cron, timezone } = job.schedule;
  const words = toLaunchWords(job, options);
  const command = `${toCronCommand(["cd", options.cwd])} && ${toCronCommand(words)}`;
  const fields = readCronFields(cron);
  const head = `# ${oneLine(job.name)}: ${oneLine(cron)} ${timezone}`;
  if (timezone === options.timeZone) return [head, `${toFields(cron, fields)} ${command}`];
  const minutes = toMinutesThere(fields.minutes, {
    from: timezone,
    to: options.timeZone,
    nowMs: options.nowMs,
  });
  const asks = minutes?.length ?? 60;
  const often = asks === 1 ? "every hour" : `${asks} times an hour`;
  return [
    head,
    `# This computer counts in ${options.timeZone}: it asks ${often}, and makeready runs the job at its time.`,
    "# A cron that knows CRON_TZ (cronie) needs to ask only then:",
    `#   CRON_TZ=${timezone}`,
    `#   ${toFields(cron, fields)} ${command}`,
    `${toList(minutes)} * * * * ${command}`,
  ];
}

/**
 * A crontab for all jobs. Many crons know no zone but the computer's, so a job of another zone is
 * asked for every hour: `makeready schedule run` decides whether it is due.
 */
export function toCrontab(jobs: readonly ScheduledJob[], options: CrontabOptions): string {
  return [
    "# makeready: add these lines with `crontab -e`; delete them there and the jobs are run no more.",
    "# Cron starts with an almost empty environment: where jobs need MAKEREADY_BASE_URL,",
    "# MAKEREADY_TOKEN and MAKEREADY_WORKSPACE, set them above these lines.",
    ...jobs.flatMap((job) => ["", ...toLines(job, options)]),
    "",
  ].join("\n");
}
