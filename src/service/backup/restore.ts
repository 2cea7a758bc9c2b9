/** Proves a backup and turns it back into a data folder. */
import { existsSync } from "node:fs";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FOLDER } from "../../base/files/atomic-file.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { makePrivateFile, tryLockFile } from "../../base/sqlite/sqlite.ts";

import { toDataError } from "../store/data-folder.ts";
import { openStore } from "../store/sqlite/sqlite-store.ts";
import {
  copyPrivately,
  countThings,
  DATABASES,
  findFileFault,
  listNeeded,
  proveDatabase,
  readList,
  toMediaPath,
  type BackupList,
  type ThingCounts,
} from "./contents.ts";

export interface RestoreRequest {
  /** The backup. */
  readonly from: string;
  /** A new or empty data folder; undefined proves the backup and writes nothing. */
  readonly to: string | undefined;
  readonly signal: AbortSignal;
}

export interface RestoreDone {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly files: number;
  readonly bytes: number;
  /** Empty for a damaged backup. */
  readonly counts: ThingCounts;
  /** What differs from the backup's list; with any fault, nothing is restored. */
  readonly faults: readonly string[];
  /** Media files that were lost before the backup was made. */
  readonly lost: readonly string[];
}

/** Every file, every page of the databases, every count. */
async function prove(folder: string, list: BackupList, signal: AbortSignal): Promise<RestoreDone> {
  const faults: string[] = [];
  for (const file of list.files) {
    signal.throwIfAborted();
    const fault = await findFileFault(folder, file);
    if (fault !== undefined) faults.push(fault);
  }
  const there = new Set(list.files.map((file) => file.path));
  if (!there.has("service.db")) faults.push("service.db is missing");
  let lost: string[] = [];
  let counts: ThingCounts = {};
  // A damaged database is not opened.
  if (faults.length === 0) {
    for (const name of DATABASES.filter((one) => there.has(one))) {
      const proof = proveDatabase(path.join(folder, name));
      faults.push(...proof.faults.map((fault) => `${name}: ${fault}`));
      if (name === "service.db") faults.push(...findMiscounts(list.counts, proof.counts));
    }
    const store = path.join(folder, "service.db");
    const needed = listNeeded(store);
    lost = needed.filter((name) => !there.has(toMediaPath(name)));
    if (faults.length === 0) counts = countThings(store);
  }
  return {
    createdAt: list.created_at,
    files: list.files.length,
    bytes: list.files.reduce((sum, { bytes }) => sum + bytes, 0),
    counts,
    faults,
    lost,
  };
}

type Counts = Readonly<Record<string, number>>;

const findMiscounts = (listed: Counts, counted: Counts): string[] =>
  Object.entries(listed)
    .filter(([table, rows]) => counted[table] !== rows)
    .map(([table, rows]) => `${table} has ${counted[table] ?? 0} rows, not ${rows}`);

async function copyAll(list: BackupList, { from, signal }: RestoreRequest, part: string) {
  for (const { path: name } of list.files) {
    signal.throwIfAborted();
    await copyPrivately(path.join(from, name), path.join(part, name));
  }
}

/** What is copied but not proven yet. */
const PART = "restore.part";
const LOCK = "serve.lock";
/** Names that don't count as data: ours, the disk's own, and those of file managers. */
const NO_DATA = /^(?:restore\.part|serve\.lock(?:-.*)?|\..*|lost\+found)$/u;

async function requireEmpty(to: string): Promise<void> {
  const all = await readdir(to).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code !== "ENOTDIR") return [];
    throw badUsage(`the data folder must be new or empty, got the file ${to}`, "name another one");
  });
  const there = all.filter((name) => !NO_DATA.test(name));
  if (there.length === 0) return;
  throw badUsage(
    `the data folder must be new or empty, got ${to} with ${there[0]}`,
    "nothing is ever restored over data: name another folder with --data, or move this one away first",
  );
}

/** Keeps a service or another restore from using the folder meanwhile. */
async function lockFolder(to: string): Promise<{ release(): void }> {
  await makeFolder(to, PRIVATE_FOLDER);
  const file = path.join(to, LOCK);
  makePrivateFile(file);
  const lock = tryLockFile(file);
  if (lock !== undefined) return lock;
  throw new AppError("data-locked", `${to} is being served or restored by another process`, {
    hint: "stop that one first, or choose another --data folder",
  });
}

/** The database comes last: when it is there, everything is. */
async function putInPlace(part: string, to: string): Promise<void> {
  await requireEmpty(to);
  const names = (await readdir(part)).filter((name) => !name.startsWith("service.db"));
  for (const name of [...names, "service.db"]) {
    await rename(path.join(part, name), path.join(to, name));
  }
}

/** Copies, proves and puts in place; a damaged copy is not. */
async function fill(list: BackupList, request: RestoreRequest, to: string): Promise<RestoreDone> {
  const part = path.join(to, PART);
  try {
    await rm(part, { recursive: true, force: true });
    await makeFolder(part, PRIVATE_FOLDER);
    await copyAll(list, request, part);
    const done = await prove(part, list, request.signal);
    if (done.faults.length > 0) return done;
    // Brought up to date here, so that the first start has nothing to do.
    await openStore(path.join(part, "service.db")).close();
    await putInPlace(part, to);
    return done;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Removes a folder that was made in vain. */
async function removeEmpty(to: string): Promise<void> {
  for (const name of [LOCK, `${LOCK}-journal`]) await rm(path.join(to, name), { force: true });
  await rmdir(to).catch(() => {});
}

/**
 * Proves a backup, copies it and proves the copy, so that what was proven is what will be served.
 * Throws "bad-usage" for a folder that is no backup or a place that is taken, "data-locked" for a
 * folder that is being served, "state-newer" for a backup of a newer makeready.
 */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreDone> {
  const { from, to, signal } = request;
  const list = await readList(from);
  if (to === undefined) return prove(from, list, signal);
  await requireEmpty(to);
  const missing = list.files.filter(({ path: name }) => !existsSync(path.join(from, name)));
  if (missing.length > 0) return prove(from, list, signal);
  const isNew = !existsSync(to);
  let isDone = false;
  try {
    const lock = await lockFolder(to);
    const done = await fill(list, request, to).finally(() => lock.release());
    isDone = done.faults.length === 0;
    return done;
  } catch (error) {
    throw error instanceof AppError ? error : toDataError(error, to);
  } finally {
    if (isNew && !isDone) await removeEmpty(to);
  }
}
