import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { builtUrl } from "../../base/files/package-files.ts";
import { PRIVATE_FOLDER, writeFileAtomic } from "../../base/files/atomic-file.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import type { DeskContext } from "../context.ts";
import {
  showAlive,
  TASK_FILES,
  tasksDir,
  type BeginTask,
  type Task,
  type TaskRequest,
} from "./task.ts";

/** Token, workspace and public address of the task are taken from `env`. */
export type StartOptions = Pick<
  DeskContext,
  "folder" | "clock" | "ids" | "env" | "program" | "begin"
>;

/** In a process of its own, which goes on when this one ends. */
const beginProcess: BeginTask = ({ folder, id, env, program = [] }) => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(builtUrl("desk/tasks/task-worker.js")), folder, id, ...program],
    {
      cwd: folder,
      env,
      detached: true,
      stdio: "ignore",
      windowsHide: true,
    },
  );
  child.unref();
  return child.pid ?? 0;
};

/** Lets a step run by itself. */
export async function startTask(
  request: TaskRequest,
  { folder, clock, ids, env, program, begin = beginProcess }: StartOptions,
): Promise<Task> {
  const startedMs = clock.nowMs();
  const id = `${startedMs.toString(36)}${ids.slug(6)}`;
  const dir = path.join(tasksDir(folder), id);
  await makeFolder(dir, PRIVATE_FOLDER);
  await writeFileAtomic(
    path.join(dir, TASK_FILES.request),
    `${JSON.stringify({ startedMs, request })}\n`,
  );
  await showAlive(dir, startedMs, begin({ folder, id, env, program }));
  return { id, dir, request, startedMs };
}
