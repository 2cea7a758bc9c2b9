/**
 * A lock for the process that serves a data folder. Jobs open the folder without it, beside that
 * process.
 */
import path from "node:path";

import type { Clock } from "../../base/time/clock.ts";
import { AppError } from "../../base/errors.ts";
import { makePrivateFile, tryLockFile } from "../../base/sqlite/sqlite.ts";

const LOCK_FILE = "serve.lock";
/**
 * A service that is stopping sends its last answers and stores its scans: a restart waits this long.
 */
const PATIENCE_MS = 10_000;
const STEP_MS = 100;
/** Whoever looks at the terminal is told after this. */
const TOLD_AFTER_MS = 1000;

/**
 * Released by `release`, or when the process ends. Throws "data-locked" when another process holds
 * it for ten seconds. `onWait` is called after a second.
 */
export async function lockFolder(
  folder: string,
  { clock, onWait }: { readonly clock: Clock; readonly onWait?: (() => void) | undefined },
): Promise<{ release(): void }> {
  const file = path.join(folder, LOCK_FILE);
  makePrivateFile(file);
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    const lock = tryLockFile(file);
    if (lock !== undefined) return lock;
    if (waitedMs >= PATIENCE_MS) break;
    if (waitedMs === TOLD_AFTER_MS) onWait?.();
    await clock.sleep(STEP_MS);
  }
  throw new AppError("data-locked", `${folder} is already served by another process`, {
    hint: "stop that one first, or choose another --data folder; jobs may use the folder meanwhile",
  });
}
