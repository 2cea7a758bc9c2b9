/** The newest plan of a job, and whether it still holds. */
import { stat } from "node:fs/promises";
import path from "node:path";

import type { Job } from "../../../kinds/any-job.ts";
import type { JobPlan } from "../../../pipeline/results.ts";
import type { DeskContext } from "../../context.ts";
import { CHANGING, findTask } from "../../jobs.ts";
import { readStanding } from "../../tasks/tail.ts";
import type { Task, TaskLine } from "../../tasks/task.ts";

/** True where one of the files is younger than a task, by whole milliseconds as tasks count. */
export async function isYounger(files: readonly string[], { startedMs }: Task): Promise<boolean> {
  const times = await Promise.all(
    files.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0),
  );
  return times.some((time) => Math.floor(time) > startedMs);
}

/** The spreadsheet or the manifest is younger than the plan. */
function isStale(
  desk: DeskContext,
  task: Task,
  { plan, job }: { readonly plan: JobPlan; readonly job: Job | undefined },
): Promise<boolean> {
  const mended = job !== undefined && "source" in job ? (job.source.mended ?? []) : [];
  const files = [path.join(desk.folder, task.request.manifest), plan.input, mended].flat();
  return isYounger(files, task);
}

export interface Answer {
  readonly task: Task | undefined;
  readonly last: TaskLine | undefined;
  readonly isMaking: boolean;
  readonly plan: JobPlan | undefined;
  readonly stale: boolean;
  /** A run has begun since: a new plan shows what is left to do. */
  readonly isRun: boolean;
}

export async function readAnswer(
  desk: DeskContext,
  manifest: string,
  job: Job | undefined,
): Promise<Answer> {
  const task = await findTask(desk, manifest, ["plan"]);
  if (task === undefined) {
    return { task, last: undefined, isMaking: false, plan: undefined, stale: false, isRun: false };
  }
  const { last, isRunning: isMaking } = await readStanding(task, desk.clock.nowMs());
  const answered = last?.type === "result" && last.result.step === "plan" ? last.result : undefined;
  const plan = answered?.plan;
  const run = await findTask(desk, manifest, CHANGING);
  return {
    task,
    last,
    isMaking,
    isRun: plan !== undefined && run !== undefined && run.startedMs > task.startedMs,
    plan,
    stale: plan !== undefined && (await isStale(desk, task, { plan, job })),
  };
}
