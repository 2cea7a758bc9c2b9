/** What a scheduler says: sentences on standard error for people, one JSON object a line for programs. */
import { formatMany, formatSeconds } from "../../base/text/words.ts";
import type { ScheduledJob } from "../../job/schedule.ts";
import { LATE_MS, type Due } from "../../pipeline/schedule/due.ts";
import type { ScheduleEvents } from "../../pipeline/schedule/run-due.ts";
import type { Call } from "../call.ts";
import type { CliContext } from "../context.ts";

const MOMENTS_SHOWN = 3;

/** `2026-12-01 03:00 Europe/Berlin`. */
export function formatMoment(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return `${format.format(ms)} ${timeZone}`;
}

const toIso = (ms: number): string => new Date(ms).toISOString();

function describeMissed({ schedule }: ScheduledJob, { missedMs }: Due): string {
  const shown = missedMs.slice(0, MOMENTS_SHOWN).map((ms) => formatMoment(ms, schedule.timezone));
  const more = missedMs.length > MOMENTS_SHOWN ? ", …" : "";
  const was = missedMs.length === 1 ? "was" : "were";
  return `${formatMany(missedMs.length, "run")} ${was} missed (${shown.join(", ")}${more}): this one stands for all`;
}

function makeHuman({ err, clock }: CliContext): ScheduleEvents {
  const say = (job: ScheduledJob, text: string): void => err(`${job.name}: ${text}\n`);
  return {
    due: (job, due) => {
      if (due.missedMs.length > 0) err(`warning: ${job.name}: ${describeMissed(job, due)}\n`);
      const lateMs = clock.nowMs() - due.dueMs;
      const late = lateMs > LATE_MS ? `, ${formatSeconds(lateMs / 1000)} late` : "";
      say(job, `due ${formatMoment(due.dueMs, job.schedule.timezone)}${late}, running`);
    },
    busy: (job) => say(job, "another scheduler has it, left alone"),
    ended: (job, exitCode) => say(job, `ended with exit code ${exitCode}`),
    next: (job, nextMs) =>
      say(
        job,
        nextMs === undefined
          ? "is never due"
          : `next ${formatMoment(nextMs, job.schedule.timezone)}`,
      ),
  };
}

function makeJson({ out, clock }: CliContext): ScheduleEvents {
  const write = (event: string, { name, file }: ScheduledJob, data: object): void =>
    out(`${JSON.stringify({ type: "schedule", event, job: name, file, ...data })}\n`);
  return {
    due: (job, { dueMs, missedMs }) =>
      write("due", job, {
        due: toIso(dueMs),
        lateSeconds: Math.floor((clock.nowMs() - dueMs) / 1000),
        missed: missedMs.length,
        missedRuns: missedMs.map(toIso),
      }),
    busy: (job) => write("busy", job, {}),
    ended: (job, exitCode) => write("ended", job, { exitCode }),
    next: (job, nextMs) =>
      write("next", job, { next: nextMs === undefined ? null : toIso(nextMs) }),
  };
}

/** The view that a person asked for. */
export const makeScheduleView = ({ context, isJson }: Call): ScheduleEvents =>
  isJson ? makeJson(context) : makeHuman(context);
