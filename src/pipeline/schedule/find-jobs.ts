import { readdir, stat } from "node:fs/promises";
import path from "node:path";

import { AppError, badUsage } from "../../base/errors.ts";
import type { Environment } from "../../base/settings.ts";
import { readScheduledJob, type ScheduledJob } from "../../job/schedule.ts";

export interface FoundJobs {
  /** By file. */
  readonly jobs: readonly ScheduledJob[];
  /** Those whose schedules are switched off. */
  readonly paused: readonly ScheduledJob[];
  /** Manifests whose schedule can't be read; they don't stop the others. */
  readonly faults: readonly AppError[];
}

const MANIFEST = /\.(?:ya?ml|json)$/iu;

async function listManifests(given: string): Promise<string[]> {
  const found = await stat(given).catch(() => undefined);
  if (found === undefined) {
    throw badUsage(
      `${given} must be a manifest or a folder of manifests, but nothing is there`,
      "name manifests or folders behind the command, such as: makeready schedule list . (without them it looks into jobs/)",
    );
  }
  if (!found.isDirectory()) return [given];
  const names = await readdir(given);
  return names.filter((name) => MANIFEST.test(name)).map((name) => path.join(given, name));
}

const isPaused = ({ schedule }: ScheduledJob): boolean => schedule.paused === true;

/**
 * The scheduled jobs among files and in folders; folders are not searched deeper.
 * @param given absolute paths
 */
export async function findJobs(given: readonly string[], env: Environment): Promise<FoundJobs> {
  const lists = await Promise.all(given.map(listManifests));
  const files = [...new Set(lists.flat())].toSorted();
  const all: ScheduledJob[] = [];
  const faults: AppError[] = [];
  for (const file of files) {
    try {
      const job = await readScheduledJob(file, env);
      if (job !== undefined) all.push(job);
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === "bug") throw error;
      faults.push(error);
    }
  }
  return {
    jobs: all.filter((job) => !isPaused(job)),
    paused: all.filter(isPaused),
    faults,
  };
}
