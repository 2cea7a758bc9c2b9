/** Who serves a data folder. Jobs open it without this lock, beside the one that serves. */
import path from "node:path";

import type { Clock } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import { makePrivateFile, tryLockFile } from "../../base/sqlite.ts";

const LOCK_FILE = "serve.lock";
/** A service that is being stopped ends its answers and stores its scans: a restart waits for it. */
const PATIENCE_MS = 10_000;
const STEP_MS = 100;

/**
 * Freed by `release`, or by the death of the process. Throws "data-locked" when another process
 * keeps it for ten seconds.
 */
export async function lockFolder(folder: string, clock: Clock): Promise<{ release(): void }> {
  const file = path.join(folder, LOCK_FILE);
  makePrivateFile(file);
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    const lock = tryLockFile(file);
    if (lock !== undefined) return lock;
    if (waitedMs >= PATIENCE_MS) break;
    await clock.sleep(STEP_MS);
  }
  throw new AppError("data-locked", `${folder} is already served by another process`, {
    hint: "stop that one first, or choose another --data folder; jobs may use the folder meanwhile",
  });
}
