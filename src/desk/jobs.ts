/** Finds a job for a screen: its manifest by the address, its newest tasks. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Context } from "hono";

import { badUsage } from "../base/errors.ts";
import { stateDirOf, type Job } from "../kinds/any-job.ts";
import { readLastResult } from "../pipeline/standing/last-result.ts";
import { openJob, type OpenJob } from "../pipeline/open.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import { findHolder } from "../state/lock.ts";
import type { DeskContext } from "./context.ts";
import { resolveInside } from "./folder.ts";
import { readStanding } from "./tasks/tail.ts";
import { startTask } from "./tasks/start.ts";
import { listTasks, type Step, type Task, type TaskRequest } from "./tasks/task.ts";

/**
 * The manifest that an address names, relative to the folder. Throws `bad-usage` outside of it, and for one
 * that isn't there.
 */
export async function manifestOf(c: Context, { folder }: DeskContext): Promise<string> {
  const manifest = c.req.param("manifest") ?? "";
  const file = await resolveInside(folder, manifest);
  if (existsSync(file)) return manifest;
  throw badUsage(
    `the job must be in the desk's folder, got ${manifest}`,
    "it was moved, renamed or removed: choose one in the list of jobs",
  );
}

/** The newest task of a manifest that does one of the steps. */
export async function findTask(
  { folder }: DeskContext,
  manifest: string,
  steps: readonly Step[],
): Promise<Task | undefined> {
  const tasks = await listTasks(folder, manifest);
  return tasks.find(({ request }) => steps.includes(request.step));
}

/** Starts a step as a task, and leads to the page that follows it. */
export async function beginStep(
  c: Context,
  desk: DeskContext,
  request: TaskRequest,
): Promise<Response> {
  const { id } = await startTask(request, desk);
  return c.redirect(`/task/${id}`, 303);
}

/** Steps that change things: a job takes one at a time. */
export const CHANGING: readonly Step[] = ["run", "undo"];

/** The running task that changes this job, of this desk or of another. */
export async function findRunning(desk: DeskContext, manifest: string): Promise<Task | undefined> {
  const task = await findTask(desk, manifest, CHANGING);
  if (task === undefined) return undefined;
  return (await readStanding(task, desk.clock.nowMs())).isRunning ? task : undefined;
}

/** True while a run of the job is under way: of this desk, of another one, of a command or a timer. */
export async function isUnderWay(desk: DeskContext, manifest: string, job: Job): Promise<boolean> {
  if ((await findRunning(desk, manifest)) !== undefined) return true;
  // Asked first: a run that ends meanwhile leaves its result.
  const isHeld = findHolder(stateDirOf(job)) !== undefined;
  return isHeld && (await readLastResult(job, desk)) === null;
}

/** A job as its manifest on disk says. Throws `manifest-invalid`. */
export const openDeskJob = ({ folder, clock }: DeskContext, manifest: string): Promise<OpenJob> =>
  openJob(path.join(folder, manifest), {}, { clock, server: embeddedPort });

/** The values of all fields of a name, without files. */
export const toTexts = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === "string");

/** A text that a form has sent; empty where it sent none, or a file. */
export async function readField(c: Context, name: string): Promise<string> {
  const value = (await c.req.parseBody())[name];
  return typeof value === "string" ? value.trim() : "";
}
