/** The jobs of the folder, and where each stands. */
import { open } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../base/errors.ts";
import type { JobSchedule } from "../job/job.ts";
import { stateDirOf } from "../kinds/any-job.ts";
import type { Kind } from "../kinds/names.ts";
import { openJob } from "../pipeline/open.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import type { JobStatus } from "../pipeline/status.ts";
import { findHolder } from "../state/lock.ts";
import type { DeskContext } from "./context.ts";
import { listManifests } from "./folder.ts";
import { CHANGING } from "./jobs.ts";
import { type Moments, readMoments } from "./screens/schedule/moments.ts";
import { readStanding } from "./tasks/tail.ts";
import { listTasks, type Task } from "./tasks/task.ts";
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
  readonly done: number;
  /** Of the done: those that are as before a run, since it was undone. */
  readonly undone: number;
  readonly all: number;
  readonly toMend: number;
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

const toCounts = ({ isStarted, rows, bad, fresh, undone, unfinished, since }: JobStatus) => ({
  isStarted,
  done: (rows["done"] ?? 0) - unfinished,
  undone,
  all: Object.values(rows).reduce((sum, count) => sum + count, bad + fresh),
  toMend: bad + (rows["failed"] ?? 0),
  isChanged: since?.isChanged === true,
});

/** What of a job could not be counted or looked at, and what to do. */
function toFault({ uncounted, since }: JobStatus): string | undefined {
  const told = [uncounted, since?.unseen].filter((problem) => problem !== undefined);
  return told.map(sayWithFix).join("; ") || undefined;
}

/** Undefined for YAML that is no manifest, such as a file of settings. */
async function readCard(
  desk: DeskContext,
  manifest: string,
  task: Task | undefined,
): Promise<JobCard | undefined> {
  const { folder, clock, writer } = desk;
  const isRunning = task !== undefined && (await readStanding(task, clock.nowMs())).isRunning;
  const shown = { manifest, isRunning };
  try {
    const opened = await openJob(path.join(folder, manifest), {}, { clock, server: embeddedPort });
    const { name, kind, schedule } = opened.job;
    const status = await opened.status({ clock, writer }, { looksAtFiles: false });
    const isHeld = findHolder(stateDirOf(opened.job)) !== undefined;
    return {
      ...shown,
      ...toCounts(status),
      isRunning: isRunning || isHeld,
      isWatched: isRunning ? CHANGING.includes(task.request.step) : isHeld,
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
    if (!(error instanceof AppError)) throw error;
    if (!/(?:^|\n)kind\s*:/u.test(await readHead(path.join(folder, manifest)))) return undefined;
    const name = path.basename(manifest);
    return { ...shown, ...NOT_STARTED, name, kind: undefined, fault: error.message };
  }
}

async function readHead(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
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
