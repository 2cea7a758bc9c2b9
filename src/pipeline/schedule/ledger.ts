/**
 * What the scheduler remembers of a job: one small file in the data folder, beside its lock. It
 * holds for one manifest, wherever its output goes.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FOLDER, writeFileAtomic } from "../../base/files/atomic-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { toSlug } from "../../base/text/slug.ts";
import type { Schedule } from "../../base/time/cron.ts";
import { tryLockFile } from "../../base/sqlite/sqlite.ts";
import type { ScheduledJob } from "../../job/schedule.ts";

export interface LedgerEntry {
  /** The manifest, absolute. */
  readonly job: string;
  /** When the scheduler first saw the job with this schedule; earlier moments don't count. ISO. */
  readonly since: string;
  /** Left out by older programs. */
  readonly schedule?: Schedule;
  /** The latest moment that a run stands for, ISO; null before the first run. */
  readonly due: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly exitCode: number | null;
}

/** What the name of its file comes from. */
type Named = Pick<ScheduledJob, "file" | "name">;

const toBase = (dataDir: string, job: Named): string =>
  path.join(dataDir, "schedule", `${toSlug(job.name) || "job"}-${sha256(job.file).slice(0, 8)}`);

/** What is known of a job; undefined when the scheduler never saw it, or the file is damaged. */
export async function readEntry(dataDir: string, job: Named): Promise<LedgerEntry | undefined> {
  try {
    const entry = JSON.parse(await readFile(`${toBase(dataDir, job)}.json`, "utf8")) as LedgerEntry;
    return Number.isNaN(Date.parse(entry.since)) ? undefined : entry;
  } catch {
    return undefined;
  }
}

export async function writeEntry(
  dataDir: string,
  job: ScheduledJob,
  entry: LedgerEntry,
): Promise<void> {
  await writeFileAtomic(`${toBase(dataDir, job)}.json`, `${JSON.stringify(entry, null, 2)}\n`);
}

/** Takes the one lock of a job; undefined while another scheduler that lives has it. */
export async function lockJob(
  dataDir: string,
  job: ScheduledJob,
): Promise<{ release(): void } | undefined> {
  await makeFolder(path.join(dataDir, "schedule"), PRIVATE_FOLDER);
  return tryLockFile(`${toBase(dataDir, job)}.lock`);
}

/** A job that was switched on again has missed nothing: its next run is the next moment that comes. */
export async function forgetMissed(
  dataDir: string,
  job: ScheduledJob,
  nowMs: number,
): Promise<void> {
  const entry = await readEntry(dataDir, job);
  if (entry === undefined) return;
  await writeEntry(dataDir, job, { ...entry, due: new Date(nowMs).toISOString() });
}
