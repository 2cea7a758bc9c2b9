import type { ScheduledJob } from "../../job/schedule.ts";
import type { FoundJobs } from "./find-jobs.ts";
import { findNextRuns, runDue, type Scheduler } from "./run-due.ts";

/** Manifests are looked at again this often: they come, go and change while a scheduler stays. */
const LOOK_EVERY_MS = 60_000;

type Found = Pick<FoundJobs, "jobs" | "faults">;

export interface StayOptions {
  readonly find: () => Promise<Found>;
  readonly tellFaults: (found: Found) => void;
}

/** Says once what comes next of every job, and again when it changes. */
class NextRuns {
  readonly #told = new Map<string, number | undefined>();

  isNew({ file }: ScheduledJob, nextMs: number | undefined): boolean {
    const isTold = this.#told.has(file) && this.#told.get(file) === nextMs;
    this.#told.set(file, nextMs);
    return !isTold;
  }
}

/** Runs jobs whenever they are due, until the signal is aborted. */
export async function stay(scheduler: Scheduler, options: StayOptions): Promise<void> {
  const { clock, signal } = scheduler;
  const nextRuns = new NextRuns();
  while (!signal.aborted) {
    const found = await options.find();
    options.tellFaults(found);
    await runDue(scheduler, found.jobs);
    const next = await findNextRuns(scheduler, found.jobs);
    for (const { job, nextMs } of next) {
      if (nextRuns.isNew(job, nextMs)) scheduler.tell.next(job, nextMs);
    }
    const nowMs = clock.nowMs();
    const soonest = Math.min(...next.map(({ nextMs }) => nextMs ?? Number.POSITIVE_INFINITY));
    // A job that is due already waits for another process: no hurry.
    const waitMs = soonest <= nowMs ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, soonest - nowMs);
    await clock.sleep(waitMs, signal);
  }
}
