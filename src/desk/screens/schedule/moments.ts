/** When a job runs by itself, as the scheduler sees it. */
import path from "node:path";

import { nextRunMs } from "../../../base/time/cron.ts";
import { readScheduledJob } from "../../../job/schedule.ts";
import type { JobSchedule } from "../../../job/job.ts";
import { findDue } from "../../../pipeline/schedule/due.ts";
import { readEntry } from "../../../pipeline/schedule/ledger.ts";
import { toDataDir } from "../../../pipeline/address/server.ts";
import type { DeskContext } from "../../context.ts";
import type { Words } from "../../words/words.ts";

const NEXT_SHOWN = 3;

export interface Moments {
  /** When the last run began; undefined before the first one. */
  readonly lastMs: number | undefined;
  /** How it ended; undefined where it goes on, or there was none. */
  readonly lastExit: number | undefined;
  /** A moment that came without a run: the next look of the scheduler makes up for it. */
  readonly dueMs: number | undefined;
  /** Moments to come. */
  readonly nextMs: readonly number[];
}

function toNext(schedule: JobSchedule, nowMs: number): number[] {
  const next: number[] = [];
  while (next.length < NEXT_SHOWN) {
    const ms = nextRunMs(schedule, next.at(-1) ?? nowMs);
    if (ms === undefined) break;
    next.push(ms);
  }
  return next;
}

export async function readMoments(
  { folder, clock }: Pick<DeskContext, "folder" | "clock">,
  manifest: string,
  schedule: JobSchedule,
): Promise<Moments> {
  const file = path.join(folder, manifest);
  const job = await readScheduledJob(file, {}).catch(() => undefined);
  const known = job && (await readEntry(toDataDir(file), job));
  const nowMs = clock.nowMs();
  const lastMs = Date.parse(known?.startedAt ?? "");
  return {
    lastMs: Number.isNaN(lastMs) ? undefined : lastMs,
    lastExit: known?.exitCode ?? undefined,
    dueMs: findDue(schedule, known, nowMs)?.dueMs,
    nextMs: toNext(schedule, nowMs),
  };
}

/** `Mon, 23 Nov 2026, 06:00`, in the time zone of the schedule. */
export const formatMoment = (
  ms: number,
  { timezone }: Pick<JobSchedule, "timezone">,
  language: string,
): string =>
  new Intl.DateTimeFormat(language, {
    timeZone: timezone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }).format(ms);

/** The moments that are due or to come, the next one first, as people read them. */
export function sayMoments(
  { dueMs, nextMs }: Moments,
  schedule: JobSchedule,
  { language, schedule: said }: Words,
): string[] {
  const show = (ms: number): string => formatMoment(ms, schedule, language);
  return [...(dueMs === undefined ? [] : [said.due(show(dueMs))]), ...nextMs.map(show)];
}
