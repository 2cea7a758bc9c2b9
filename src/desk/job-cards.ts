/** The jobs of the folder, and where each stands. */
import path from "node:path";

import { AppError, findSaid, toMessage } from "../base/errors.ts";
import { formatProblem } from "../base/text/format-problem.ts";
import type { JobSchedule } from "../job/job.ts";
import { stateDirOf } from "../kinds/any-job.ts";
import { isManifest } from "../kinds/manifest.ts";
import type { Kind } from "../kinds/names.ts";
import { openJob } from "../pipeline/open.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import type { JobStatus } from "../pipeline/standing/status.ts";
import { findHolder } from "../state/lock.ts";
import type { DeskContext } from "./context.ts";
import { listManifests } from "./folder.ts";
import { CHANGING } from "./jobs.ts";
import { readGone, type GoneSince } from "./screens/result/codes-since.ts";
import { type Moments, readMoments } from "./screens/schedule/moments.ts";
import { readStanding } from "./tasks/tail.ts";
import { listTasks, type Step, type Task } from "./tasks/task.ts";
import { sayWithFix } from "./view/problems.tsx";

export interface JobCard {
  readonly manifest: string;
  readonly name: string;
  readonly kind: Kind | undefined;
  /** Why it has no kind that can be told, or what of it could not be counted. */
  readonly fault: string | undefined;
  readonly isStarted: boolean;
  /** A step of it is under way. */
  readonly isRunning: boolean;
  /** The step under way can be watched as a run. */
  readonly isWatched: boolean;
  /** The step of a task under way; undefined where a command or a timer has begun it. */
  readonly step: Step | undefined;
  readonly done: number;
  /** Of the done: those that are as before a run, since it was undone. */
  readonly undone: number;
  readonly all: number;
  readonly toMend: number;
  /** Codes that the service no longer has, and of how many. */
  readonly gone?: Pick<GoneSince, "count" | "of"> | undefined;
  /** Of a report: when the last one was made. It has no rows. */
  readonly reportMs?: number;
  /** The list or the manifest has changed since the last run: the counts are those of before. */
  readonly isChanged: boolean;
  readonly schedule: JobSchedule | null;
  /** Null where nothing runs by itself. */
  readonly moments: Moments | null;
}

const NOT_STARTED = {
  isStarted: false,
  isWatched: false,
  done: 0,
  undone: 0,
  all: 0,
  toMend: 0,
  isChanged: false,
  schedule: null,
  moments: null,
};

const toCounts = ({
  isStarted,
  rows,
  bad,
  fresh,
  undone,
  unfinished,
  since,
  lastReport,
}: JobStatus) => ({
  isStarted,
  ...(lastReport && { reportMs: lastReport.madeMs }),
  done: rows["done"] ?? 0,
  undone,
  all: Object.values(rows).reduce((sum, count) => sum + count, bad + fresh + unfinished),
  toMend: bad + (rows["failed"] ?? 0),
  isChanged: since?.isChanged === true,
});

/** What of a job could not be counted or looked at, and what to do. */
function toFault({ uncounted, since }: JobStatus): string | undefined {
  const told = [uncounted, since?.unseen].filter((problem) => problem !== undefined);
  return told.map(sayWithFix).join("; ") || undefined;
}

const NO_JOB = "if it is no job, move it out of the folder";

/** Why a job can't be opened, and what to do. */
function sayBroken(error: unknown, folder: string): string {
  if (!(error instanceof AppError)) return toMessage(error);
  const { message, hint, problems } = error;
  const said = findSaid(error);
  const [first] = said === undefined ? problems : [];
  const all = sayWithFix({ message, hint: hint ?? said?.hint });
  return first === undefined ? all : `${all}: ${formatProblem(first, folder)}`;
}

/** Undefined for YAML that is no manifest, such as a file of settings. */
async function readCard(
  desk: DeskContext,
  manifest: string,
  task: Task | undefined,
): Promise<JobCard | undefined> {
  const { folder, clock, writer } = desk;
  const isRunning = task !== undefined && (await readStanding(task, clock.nowMs())).isRunning;
  const step = isRunning ? task.request.step : undefined;
  const shown = { manifest, isRunning, step };
  try {
    const opened = await openJob(path.join(folder, manifest), {}, { clock, server: embeddedPort });
    const { name, kind, schedule } = opened.job;
    const status = await opened.status({ clock, writer }, { looksAtFiles: false });
    const isHeld = findHolder(stateDirOf(opened.job)) !== undefined;
    const gone = isHeld || isRunning ? undefined : await readGone(opened, desk);
    return {
      ...shown,
      ...toCounts(status),
      gone,
      isRunning: isRunning || isHeld,
      isWatched: step === undefined ? isHeld : CHANGING.includes(step),
      name,
      kind,
      fault: toFault(status),
      schedule,
      moments:
        schedule === null || schedule.paused === true
          ? null
          : await readMoments(desk, manifest, schedule),
    };
  } catch (error) {
    const isJob = await isManifest(path.join(folder, manifest));
    if (isJob === false) return undefined;
    const name = path.basename(manifest);
    const fault = sayBroken(error, folder) + (isJob === "unknown" ? `; ${NO_JOB}` : "");
    return { ...shown, ...NOT_STARTED, name, kind: undefined, fault };
  }
}

/** In order of their names. */
export async function readCards(desk: DeskContext): Promise<JobCard[]> {
  const cards: JobCard[] = [];
  const newest = new Map<string, Task>();
  for (const task of await listTasks(desk.folder)) {
    if (!newest.has(task.request.manifest)) newest.set(task.request.manifest, task);
  }
  for (const manifest of await listManifests(desk.folder)) {
    const card = await readCard(desk, manifest, newest.get(manifest));
    if (card !== undefined) cards.push(card);
  }
  return cards;
}
