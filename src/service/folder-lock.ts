/** Who serves a data folder. Jobs open it without this lock, beside the one that serves. */
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { tryLockFile } from "../base/sqlite.ts";

const LOCK_FILE = "serve.lock";

/** Freed by `release`, or by the death of the process. Throws "data-locked". */
export function lockFolder(folder: string): { release(): void } {
  const lock = tryLockFile(path.join(folder, LOCK_FILE));
  if (lock !== undefined) return lock;
  throw new AppError("data-locked", `${folder} is already served by another process`, {
    hint: "stop that one first, or choose another --data folder; jobs may use the folder meanwhile",
  });
}
