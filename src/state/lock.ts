import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { AppError, toMessage } from "../base/errors.ts";
import { makeFolder } from "../base/files/make-folder.ts";
import { isLockHeld, tryLockFile } from "../base/sqlite/sqlite.ts";
import { toStateError } from "./schema.ts";

/** Held for a whole run; freed by `release`, or when the process dies. */
export interface Lock {
  /** The run goes by the rows that it has read: what is written into their files counts in the next. */
  takeOn(): void;
  release(): void;
}

/** Second line of the note of a run that has not taken on its rows. */
const READS = "reads its rows";

const lockFile = (folder: string): string => path.join(folder, "state.db.lock");
const holderFile = (folder: string): string => path.join(folder, "state.db.holder");

function readNote(folder: string): string[] {
  try {
    return readFileSync(holderFile(folder), "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

const readHolder = (folder: string): string => readNote(folder)[0] ?? "another process";

function toLockError(file: string, cause: unknown): AppError {
  const error = toStateError(file, cause);
  if (error instanceof AppError && error.code === "output-unwritable") return error;
  return new AppError("state-damaged", `${file} must be a lock file, got ${toMessage(cause)}`, {
    cause,
    hint: "delete that file if no other run is using the folder: it holds nothing",
  });
}

/** Runs what asks for a lock. */
function askLock<T>(file: string, asks: (file: string) => T): T {
  try {
    return asks(file);
  } catch (cause) {
    throw toLockError(file, cause);
  }
}

/** Who runs in an output folder now, as `process 123 on host`; undefined when nobody does. */
export function findHolder(folder: string): string | undefined {
  // A killed run leaves its note behind, and its process number may be in use again: so the lock
  // decides.
  if (!existsSync(holderFile(folder))) return undefined;
  return askLock(lockFile(folder), isLockHeld) ? readHolder(folder) : undefined;
}

/** True while whoever runs in an output folder, by `findHolder`, reads its rows and has not taken them on. */
export const isReadingRows = (folder: string): boolean => readNote(folder)[1] === READS;

/**
 * Takes the lock of an output folder, making the folder; of a run that `reads` rows until it takes them
 * on. Throws `job-locked` (exit 7) while a live run has it.
 */
export async function lockFolder(folder: string, does?: "reads"): Promise<Lock> {
  try {
    await makeFolder(folder);
  } catch (cause) {
    throw new AppError("output-unwritable", `output folder must be writable, got ${folder}`, {
      cause,
      hint: "choose another folder with --out",
    });
  }
  const file = lockFile(folder);
  // A failure may come from another process that only checks the lock: this takes no time, so try
  // again.
  const held = askLock(file, tryLockFile) ?? askLock(file, tryLockFile);
  if (held === undefined) {
    throw new AppError("job-locked", `${folder} is in use by ${readHolder(folder)}`, {
      hint: "wait until that run has ended, or stop it; its state is safe either way",
    });
  }
  const note = (...more: readonly string[]): void =>
    writeFileSync(
      holderFile(folder),
      [`process ${process.pid} on ${os.hostname()}`, ...more, ""].join("\n"),
    );
  note(...(does === "reads" ? [READS] : []));
  return {
    takeOn: () => note(),
    release: () => {
      rmSync(holderFile(folder), { force: true });
      held.release();
    },
  };
}
