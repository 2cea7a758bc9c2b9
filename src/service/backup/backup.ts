/** A consistent copy of a data folder, also while a service and jobs use it. */
import { existsSync } from "node:fs";
import { chmod, link, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";

import { PRIVATE_FILE, PRIVATE_FOLDER, writeFileAtomic } from "../../base/files/atomic-file.ts";
import type { Clock } from "../../base/time/clock.ts";
import { findDiskFault } from "../../base/files/disk-error.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { copySqlite, openSqlite, tryLockFile } from "../../base/sqlite/sqlite.ts";

import {
  copyPrivately,
  countThings,
  DATABASES,
  findForeign,
  LIST_FILE,
  listKept,
  listNeeded,
  makeList,
  proveDatabase,
  readList,
  toMediaPath,
  type BackupFile,
  type BackupList,
  type ThingCounts,
} from "./contents.ts";
import { refuseMovedStore } from "../store/moved-store.ts";
import { namingDamage } from "../store/store-damage.ts";
import { LAST_BACKUP } from "./last-backup.ts";

export interface BackupRequest {
  /** The data folder. */
  readonly from: string;
  /** The backup: a new or empty folder, or an older backup, which is replaced when this one is whole. */
  readonly to: string;
  readonly clock: Clock;
  /** Name and version of the program. */
  readonly writer: string;
  readonly signal: AbortSignal;
}

export interface BackupDone {
  readonly files: number;
  readonly bytes: number;
  readonly counts: ThingCounts;
  /** Files taken over from the older backup, as links: the disk holds them once. */
  readonly reused: number;
  /** Media files that the data folder itself has lost. */
  readonly lost: readonly string[];
}

const isInside = (inner: string, outer: string): boolean => {
  const way = path.relative(outer, inner);
  return way === "" || (!way.startsWith("..") && !path.isAbsolute(way));
};

/** Throws "bad-usage" unless the backup may be written there. */
async function requirePlaces({ from, to }: BackupRequest): Promise<void> {
  refuseMovedStore(path.join(from, "service.db"));
  if (!existsSync(path.join(from, "service.db"))) {
    throw badUsage(
      `the data folder must hold the data of a service, got ${from} without service.db`,
      "name it with --data",
    );
  }
  if (isInside(to, from) || isInside(from, to)) {
    throw badUsage(
      `the backup must lie outside of the data folder, got ${to}`,
      "best on another disk or machine: what takes the data folder must not take the backup",
    );
  }
  const there = await readdir(to).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code !== "ENOTDIR") return [];
    throw badUsage(
      `the backup must be a new or empty folder, or an older backup, got the file ${to}`,
      "name another folder",
    );
  });
  const foreign = findForeign(there);
  if (foreign === undefined) return;
  throw badUsage(
    `the backup must be a new or empty folder, or an older backup, got ${to} with ${foreign}`,
    `name a folder of its own, such as ${path.join(to, "makeready")}`,
  );
}

/** One backup under way: it is written to a hidden folder, which is renamed at the end. */
class Writing {
  readonly #request: BackupRequest;
  readonly #old: ReadonlyMap<string, BackupFile>;
  readonly #part: string;
  readonly #files: BackupFile[] = [];
  #reused = 0;

  constructor(request: BackupRequest, part: string, old: BackupList | undefined) {
    this.#request = request;
    this.#part = part;
    this.#old = new Map((old?.files ?? []).map((file) => [file.path, file]));
  }

  async write(): Promise<BackupDone> {
    const { from, clock, writer } = this.#request;
    const created_at = new Date(clock.nowMs()).toISOString();
    const counts = await this.#copyDatabases();
    for (const name of await listKept(from)) await this.#keep(name);
    const files = this.#files;
    const list = makeList({ writer, created_at, counts, files });
    await writeFileAtomic(path.join(this.#part, LIST_FILE), `${JSON.stringify(list)}\n`, {
      isPrivate: true,
    });
    const there = new Set(files.map((file) => file.path));
    const store = path.join(this.#part, "service.db");
    const needed = listNeeded(store);
    return {
      files: files.length,
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      counts: countThings(store),
      reused: this.#reused,
      lost: needed.filter((name) => !there.has(toMediaPath(name))),
    };
  }

  async #copyDatabases(): Promise<Record<string, number>> {
    let counts: Record<string, number> = {};
    for (const name of DATABASES) {
      const from = path.join(this.#request.from, name);
      if (!existsSync(from)) continue;
      const to = path.join(this.#part, name);
      namingDamage(from, () => copySqlite(from, to));
      await chmod(to, PRIVATE_FILE);
      const proof = proveDatabase(to);
      if (proof.faults.length > 0) {
        throw new AppError("state-damaged", `${from} is damaged: ${proof.faults.join("; ")}`, {
          hint: "restore an older backup: makeready restore",
        });
      }
      if (name === "service.db") counts = proof.counts;
      await this.#note(name);
    }
    return counts;
  }

  async #note(name: string): Promise<void> {
    const file = path.join(this.#part, name);
    const { size } = await stat(file);
    this.#files.push({ path: name, bytes: size, sha256: await hashFile(file) });
  }

  async #keep(name: string): Promise<void> {
    this.#request.signal.throwIfAborted();
    const to = path.join(this.#part, name);
    if (await this.#reuse(name, to)) return;
    const isCopied = await copyPrivately(path.join(this.#request.from, name), to).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // Removed meanwhile.
        if (error.code === "ENOENT") return false;
        throw error;
      },
    );
    if (isCopied) await this.#note(name);
  }

  /** Media files never change under their name. */
  async #reuse(name: string, to: string): Promise<boolean> {
    const old = this.#old.get(name);
    if (old === undefined || !name.startsWith("media/")) return false;
    const [there, kept] = [
      await stat(path.join(this.#request.from, name)).catch(() => undefined),
      await stat(path.join(this.#request.to, name)).catch(() => undefined),
    ];
    if (there?.size !== old.bytes || kept?.size !== old.bytes) return false;
    await mkdir(path.dirname(to), { recursive: true, mode: PRIVATE_FOLDER });
    const isLinked = await link(path.join(this.#request.to, name), to).then(
      () => true,
      () => false,
    );
    if (!isLinked) return false;
    this.#files.push(old);
    this.#reused += 1;
    return true;
  }
}

function toWriteError(error: unknown, to: string): unknown {
  const fault = error instanceof AppError ? undefined : findDiskFault(error);
  if (fault === undefined) return error;
  const { reason, code, path: place = to } = fault;
  return new AppError(
    "output-unwritable",
    `the backup can't be written, because ${reason} (${code}): ${place}`,
    { cause: error, hint: "an older backup there is as it was" },
  );
}

/**
 * Beside the backup, under a name that only this program uses: `NAME.old` may be a file of the user.
 */
const toHidden = (to: string, what: "begun" | "before"): string =>
  path.join(path.dirname(to), `.${path.basename(to)}.${what}`);

/** After a kill between two renames, the older backup has this name. */
const toAside = (to: string): string => toHidden(to, "before");

async function putInPlace(part: string, to: string): Promise<void> {
  const aside = toAside(to);
  if (existsSync(to)) await rename(to, aside);
  await rename(part, to);
  await rm(aside, { recursive: true, force: true });
}

const LOCK = "lock";
const LOCKS = [LOCK, `${LOCK}-journal`];

async function lockPart(part: string): Promise<{ release(): void }> {
  await makeFolder(part, PRIVATE_FOLDER);
  const lock = tryLockFile(path.join(part, LOCK));
  if (lock !== undefined) return lock;
  throw new AppError("data-locked", `another backup is being written to ${part}`, {
    hint: "wait for its end",
  });
}

/** Removes what an earlier try left behind. */
async function writeAnew(request: BackupRequest, part: string): Promise<BackupDone> {
  for (const name of await readdir(part)) {
    if (!LOCKS.includes(name)) await rm(path.join(part, name), { recursive: true });
  }
  const { to } = request;
  const isThere = existsSync(path.join(to, LIST_FILE));
  const old = isThere ? await readList(to).catch(() => undefined) : undefined;
  return new Writing(request, part, old).write();
}

/**
 * Writes a backup. One that was begun and killed is begun anew; an older one stays until this one is
 * whole. Throws "bad-usage" for places that can't be, "data-locked" when another backup is written
 * there, "state-damaged" for a database with faults, "output-unwritable" when the disk refuses.
 */
export async function writeBackup(request: BackupRequest): Promise<BackupDone> {
  const { to, from, clock } = request;
  await requirePlaces(request);
  const part = toHidden(to, "begun");
  const aside = toAside(to);
  try {
    if (!existsSync(to) && existsSync(aside)) await rename(aside, to);
    const lock = await lockPart(part);
    const done = await writeAnew(request, part).finally(() => lock.release());
    for (const name of LOCKS) await rm(path.join(part, name), { force: true });
    await putInPlace(part, to);
    noteBackup(from, { at: clock.nowMs(), to, ...done });
    return done;
  } catch (error) {
    throw toWriteError(error, to);
  }
}

/**
 * Notes the backup for the operator; a data folder that can't be written is backed up all the same.
 */
function noteBackup(
  from: string,
  { at, to, files, bytes }: { at: number; to: string; files: number; bytes: number },
): void {
  try {
    const store = openSqlite(path.join(from, "service.db"));
    try {
      store.run(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        LAST_BACKUP,
        JSON.stringify({ at, to, files, bytes }),
      );
    } finally {
      store.close();
    }
  } catch {
    // Then the previous backup stays noted, with its age.
  }
}
