import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { openSqlite, type Sqlite } from "../base/sqlite/sqlite.ts";
import { lockFolder, type Lock } from "./lock.ts";
import { STATE_VERSION, toStateError } from "./schema.ts";
import { openState, stateFile, type State, type StateOptions } from "./state.ts";

/** The version of a folder's state; undefined for a file that is empty or holds nothing yet. */
function findVersion(folder: string): number | undefined {
  const file = stateFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return undefined;
  let db: Sqlite | undefined;
  try {
    db = openSqlite(file);
    const tables = db.all<{ name: string }>("SELECT name FROM sqlite_schema");
    const isOurs = tables.some(({ name }) => name === "meta");
    const isThere = isOurs
      ? db.get("SELECT 1 FROM meta WHERE key = 'salt'") !== undefined
      : tables.length > 0;
    if (!isThere) return undefined;
    return db.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
  } catch (error) {
    throw toStateError(file, error);
  } finally {
    db?.close();
  }
}

/**
 * True when the folder holds a state; a file that is empty or holds nothing yet doesn't count. A
 * state that can't be written is looked at in a copy.
 */
export function isStateThere(folder: string): boolean {
  if (!isReadOnly(folder)) return findVersion(folder) !== undefined;
  const copy = copyState(folder);
  try {
    return findVersion(copy.folder) !== undefined;
  } finally {
    copy.remove();
  }
}

/**
 * The state of an output folder, if there is one; for callers that hold its lock and must not make
 * one.
 */
export function findState(folder: string, options: StateOptions): State | undefined {
  return isStateThere(folder) ? openState(folder, options) : undefined;
}

/** True when a state can only be read: its folder or file can't be written. */
export function isReadOnly(folder: string): boolean {
  const file = stateFile(folder);
  if (!existsSync(file)) return false;
  try {
    accessSync(folder, constants.W_OK);
    accessSync(file, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

interface Copy {
  readonly folder: string;
  remove(): void;
}

/** SQLite writes beside the file that it reads: so a copy of it is opened, and removed on close. */
function copyState(folder: string): Copy {
  const copy = mkdtempSync(path.join(os.tmpdir(), "makeready-state-"));
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  try {
    for (const suffix of ["", "-wal"]) {
      const from = `${stateFile(folder)}${suffix}`;
      if (!existsSync(from)) continue;
      const to = `${stateFile(copy)}${suffix}`;
      copyFileSync(from, to);
      chmodSync(to, 0o600);
    }
    return { folder: copy, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A copy of a state, or undefined where there is none: changes to it are lost. */
export function openCopy(folder: string, options: StateOptions): State | undefined {
  const copy = copyState(folder);
  try {
    const state = findState(copy.folder, options);
    if (state === undefined) {
      copy.remove();
      return undefined;
    }
    const close = state.close.bind(state);
    state.close = () => {
      close();
      copy.remove();
    };
    return state;
  } catch (error) {
    copy.remove();
    throw error;
  }
}

/** Throws `job-locked` (exit 7) while an older makeready still runs on the state. */
async function lockOlder(folder: string, version: number): Promise<Lock> {
  try {
    return await lockFolder(folder);
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "job-locked") throw cause;
    throw new AppError(
      "job-locked",
      `${cause.message}, a run of an older makeready: its state is of version ${version}, this makeready reads version ${STATE_VERSION}`,
      {
        cause,
        hint: "wait until that run has ended, or look at it with the makeready that runs it",
      },
    );
  }
}

/**
 * The same for reading, without the lock. A state of an older makeready is brought up to date under
 * the lock; while a run holds it, `job-locked` is thrown and nothing is touched. If it can't be
 * written, a copy is read, and changes to it are lost.
 */
export async function readState(folder: string, options: StateOptions): Promise<State | undefined> {
  if (isReadOnly(folder)) return openCopy(folder, options);
  const version = findVersion(folder);
  if (version === undefined) return undefined;
  if (version < STATE_VERSION) {
    const lock = await lockOlder(folder, version);
    try {
      openState(folder, options).close();
    } finally {
      lock.release();
    }
  }
  return openState(folder, { ...options, isReader: true });
}

/** Values that a folder's state keeps under names; none where it holds no state that can be read. */
export function readMeta(
  folder: string,
  names: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const file = stateFile(folder);
  if (!existsSync(file) || isReadOnly(folder)) return {};
  let db: Sqlite | undefined;
  try {
    db = openSqlite(file);
    const all = db.all<{ key: string; value: string }>("SELECT key, value FROM meta");
    const wanted = all.filter(({ key }) => names.includes(key));
    return Object.fromEntries(wanted.map(({ key, value }) => [key, value]));
  } catch {
    return {};
  } finally {
    db?.close();
  }
}

/** Removes a state, and everything known about what was made. The caller holds the lock. */
export async function forgetState(folder: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) {
    await rm(`${stateFile(folder)}${suffix}`, { force: true });
  }
}
