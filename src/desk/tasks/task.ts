/**
 * A task is one step of a job that the desk lets run in a process of its own. It outlives the
 * browser and the desk: its events are kept in a file that any desk of the folder reads.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import type { JobEvent } from "../../pipeline/events.ts";
import type { JobPlan, JobProof, RunRequest, RunResult } from "../../pipeline/results.ts";
import type { WrittenProof } from "../../pipeline/preview/approval.ts";
import type { LabelPlace } from "../../pipeline/reprint/reprint-labels.ts";
import type { Reprint } from "../../pipeline/reprint/reprint-result.ts";
import type { ScanResult } from "../../pipeline/scan-back/scan-back.ts";
import type { MarkResult } from "../../pipeline/units/mark-units.ts";
import type { Reconciliation } from "../../pipeline/units/reconcile.ts";
import type { ReplaceResult } from "../../pipeline/units/replace-units.ts";
import { DESK_DIR } from "../folder.ts";

export type Step =
  | "plan"
  | "compare"
  | "run"
  | "verify"
  | "undo"
  | "reprint"
  | "proof"
  | "void"
  | "replace"
  | "activate"
  | "reconcile"
  | "scan";

/** The request of a task. Everything in it is JSON. */
export interface TaskRequest {
  readonly step: Step;
  /** Manifest, relative to the folder. */
  readonly manifest: string;
  readonly run?: Omit<RunRequest, "plan"> | undefined;
  /** Of `run` and `undo`: the language of the page, which the report gets. */
  readonly language?: string | undefined;
  /** Task whose plan was looked at: the run does what it says, or is refused. */
  readonly planTask?: string | undefined;
  readonly reprint?: ReprintWish | undefined;
  /** Of `void`, `replace` and `activate`. */
  readonly mark?: MarkWish | undefined;
  /** Of `compare`: the file that may take the place of the job's, relative to the folder. */
  readonly source?: string | undefined;
  /** Of `compare`: its sheet, where the job's own is not in it. */
  readonly sheet?: string | undefined;
  /** Of `compare`: the name of a file that was sent; it is kept under its hash. */
  readonly sentAs?: string | undefined;
  /** Of `scan`: pictures of sheets, relative to the folder. All lie in one folder. */
  readonly files?: readonly string[] | undefined;
  /** Of `proof`: lines of the spreadsheet; none: those with the longest texts. */
  readonly lines?: readonly number[] | undefined;
}

/** `ReprintOptions` as JSON. */
export interface ReprintWish {
  readonly sheets?: readonly number[];
  readonly keys?: readonly string[];
  readonly places?: readonly LabelPlace[];
  readonly start?: number;
  readonly from?: string;
}

/** Rows whose labels are taken out of use, or noted as being on their goods. */
export interface MarkWish {
  readonly keys: readonly string[];
  /** Of `replace`: which of their labels, where rows have several. */
  readonly places?: readonly LabelPlace[];
  /** Those of `spoiled.csv` besides. */
  readonly isSpoiled?: boolean;
  readonly reason?: string;
  /** Of `replace`: first cell for labels that are printed again. */
  readonly start?: number;
}

export type TaskResult =
  | { readonly step: "plan" | "compare"; readonly plan: JobPlan }
  | { readonly step: "proof"; readonly proof: WrittenProof }
  | { readonly step: "run" | "undo"; readonly result: RunResult }
  /** Warnings: left out where there are none. */
  | { readonly step: "verify"; readonly proof: JobProof; readonly warnings?: readonly Problem[] }
  | { readonly step: "reprint"; readonly reprint: Reprint }
  | { readonly step: "void" | "activate"; readonly marked: MarkResult }
  | { readonly step: "replace"; readonly replaced: ReplaceResult }
  | { readonly step: "reconcile"; readonly reconciliation: Reconciliation }
  /** With the SHA-256 of the `spoiled.csv` that it wrote; undefined where it wrote none. */
  | {
      readonly step: "scan";
      readonly scan: ScanResult;
      readonly sha256: string | undefined;
      readonly warnings?: readonly Problem[];
    };

export interface TaskFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];
}

/** One line of a task's file. */
export type TaskLine =
  | { readonly atMs: number; readonly type: "event"; readonly event: JobEvent }
  | { readonly atMs: number; readonly type: "result"; readonly result: TaskResult }
  | { readonly atMs: number; readonly type: "fault"; readonly fault: TaskFault };

export interface Task {
  readonly id: string;
  readonly dir: string;
  readonly request: TaskRequest;
  readonly startedMs: number;
}

/** Which task runs where, with its environment. */
export interface TaskPlace {
  readonly folder: string;
  readonly id: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line that starts this program, without arguments; default: `makeready`. */
  readonly program?: readonly string[] | undefined;
}

/** Lets a task run by itself; answers the process that it runs in. */
export type BeginTask = (place: TaskPlace) => number;

export const TASK_FILES = {
  request: "request.json",
  lines: "events.ndjson",
  /** Touched every second while the process lives. */
  alive: "alive",
  /** Its presence asks the task to stop politely. */
  stop: "stop",
  /** Of a plan: what a later run is held to. */
  plan: "plan.json",
  /** Of a scan: the folder with a picture of each spoiled label. */
  cuts: "cuts",
} as const;

/** How often a living task shows that it lives, and after how long without it is taken for dead. */
export const ALIVE_MS = 1000;
const DEAD_MS = 15_000;

export const tasksDir = (folder: string): string => path.join(folder, DESK_DIR, "tasks");

const ID = /^[0-9a-z]{8,40}$/u;

export async function readTask(folder: string, id: string): Promise<Task | undefined> {
  if (!ID.test(id)) return undefined;
  const dir = path.join(tasksDir(folder), id);
  try {
    const text = await readFile(path.join(dir, TASK_FILES.request), "utf8");
    const { request, startedMs } = JSON.parse(text) as Pick<Task, "request" | "startedMs">;
    return { id, dir, request, startedMs };
  } catch {
    return undefined;
  }
}

/** All tasks of a manifest, or of the folder, newest first. */
export async function listTasks(folder: string, manifest?: string): Promise<Task[]> {
  const ids = await readdir(tasksDir(folder)).catch(() => [] as string[]);
  const tasks = await Promise.all(ids.map((id) => readTask(folder, id)));
  return tasks
    .filter((task) => task !== undefined)
    .filter(({ request }) => manifest === undefined || request.manifest === manifest)
    .toSorted((a, b) => b.startedMs - a.startedMs || b.id.localeCompare(a.id));
}

const HOST = hostname();

/**
 * The mark of a task's process in its file; a process of another computer is known by its time
 * only.
 */
const toMark = (pid: number): string => JSON.stringify({ host: HOST, pid });

/** True for a process of this computer that is gone. */
function isGone(mark: string): boolean {
  try {
    const { host, pid } = JSON.parse(mark) as { host: string; pid: number };
    if (host !== HOST) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The process of a task on this computer; undefined for one elsewhere. */
export async function readPid({ dir }: Pick<Task, "dir">): Promise<number | undefined> {
  const mark = await readFile(path.join(dir, TASK_FILES.alive), "utf8").catch(() => "");
  try {
    const { host, pid } = JSON.parse(mark) as { host: string; pid: number };
    return host === HOST && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether its process shows that it lives. */
export async function isAlive({ dir }: Pick<Task, "dir">, nowMs: number): Promise<boolean> {
  const file = path.join(dir, TASK_FILES.alive);
  const shown = await stat(file).catch(() => undefined);
  if (shown === undefined || nowMs - shown.mtimeMs >= DEAD_MS) return false;
  return !isGone(await readFile(file, "utf8").catch(() => ""));
}

/** @param pid of the process, where it isn't known yet that the file names it */
export async function showAlive(dir: string, nowMs: number, pid?: number): Promise<void> {
  const file = path.join(dir, TASK_FILES.alive);
  if (pid === undefined) await utimes(file, nowMs / 1000, nowMs / 1000);
  else await writeFile(file, toMark(pid));
}

/** Asks a task to stop: what is in flight ends, the state is saved. */
export const askToStop = ({ dir }: Pick<Task, "dir">): Promise<void> =>
  writeFile(path.join(dir, TASK_FILES.stop), "");

export const isAskedToStop = (dir: string): boolean => existsSync(path.join(dir, TASK_FILES.stop));
