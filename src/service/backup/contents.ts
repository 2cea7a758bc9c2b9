/** What a backup holds, and the list of it: `backup.json`. */
import { constants } from "node:fs";
import { chmod, copyFile, mkdir, open, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

import { z } from "zod";

import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../base/files/atomic-file.ts";
import { closing } from "../../base/flow/closing.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { isJunkFile } from "../../base/files/junk-files.ts";
import { openSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";
import { formatMany } from "../../base/text/words.ts";
import { listOriginals } from "../move/move-files.ts";
import { countedThings, SOURCE } from "../move/moved-tables.ts";

export const LIST_FILE = "backup.json";
/** Copied by SQLite itself, before everything else: a file is on the disk before a row names it. */
export const DATABASES = ["service.db", "serials.db", "units.db"] as const;
const VERSION = 1;
/** What jobs, schedules and the operator keep beside the databases. */
const KEPT =
  /^(?:media|templates|schedule|sources|desk|token(?:-.+)?|certificate-key\.pem|front-page(?:\..+)?\.txt)$/u;

/** What lies in a folder that is not a backup alone; undefined for a backup, damaged or not, and for an empty folder. */
export function findForeign(names: readonly string[]): string | undefined {
  const own = new Set<string>([LIST_FILE, ...DATABASES]);
  const others = names.filter((name) => !own.has(name) && !KEPT.test(name));
  const isBackup = names.includes(LIST_FILE) && names.includes("service.db");
  return isBackup ? others.find((name) => !isJunkFile(name)) : (others[0] ?? names[0]);
}

const TEMPORARY = /\.part$/u;

const shape = z.object({
  version: z.literal(VERSION),
  writer: z.string(),
  created_at: z.iso.datetime(),
  /** Rows of each table of `service.db`. */
  counts: z.record(z.string(), z.number()),
  files: z.array(
    z.object({
      /** Below the backup's folder, with `/`. */
      path: z.string().regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\0]+$/u),
      bytes: z.number().int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u),
    }),
  ),
});

export type BackupList = z.infer<typeof shape>;
export type BackupFile = BackupList["files"][number];

export const makeList = (
  facts: Pick<BackupList, "writer" | "created_at" | "counts" | "files">,
): BackupList => ({ version: VERSION, ...facts });

/**
 * The list of a backup. Throws "bad-usage" for a folder without one, "state-newer" for one of a newer
 * makeready, "state-damaged" for one that can't be read.
 */
export async function readList(folder: string): Promise<BackupList> {
  const file = path.join(folder, LIST_FILE);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError(
      "bad-usage",
      `the backup must be a folder with ${LIST_FILE}, got ${folder}`,
      {
        cause,
        hint: "makeready backup makes one",
      },
    );
  });
  try {
    const value = JSON.parse(text) as { readonly version?: unknown };
    if (typeof value.version === "number" && value.version > VERSION) {
      throw new AppError("state-newer", `${file} was written by a newer makeready`, {
        hint: "restore it with that one",
      });
    }
    return shape.parse(value);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("state-damaged", `${file} is damaged: ${toMessage(error)}`, {
      cause: error,
      hint: "take another backup",
    });
  }
}

async function listBelow(folder: string, name: string): Promise<string[]> {
  const found = await stat(path.join(folder, name)).catch(() => undefined);
  if (found?.isFile() === true) return [name];
  if (found?.isDirectory() !== true) return [];
  const names = await readdir(path.join(folder, name));
  const below = await Promise.all(names.map((child) => listBelow(folder, `${name}/${child}`)));
  return below.flat();
}

/** The files beside the databases, as paths below the data folder. */
export async function listKept(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => KEPT.test(name));
  const all: string[] = [];
  for (const name of names.toSorted()) all.push(...(await listBelow(folder, name)));
  return all.filter((file) => !TEMPORARY.test(file));
}

function countRows(db: Sqlite): Record<string, number> {
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'code_text%' AND name NOT LIKE 'code_grams%' ORDER BY name",
  );
  const count = (name: string): number =>
    db.get<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`)?.n ?? 0;
  return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
}

/** What SQLite finds wrong in a database, in its own words; empty for a sound one. */
function findFaults(db: Sqlite): string[] {
  const rows = db.all<Record<string, string>>("PRAGMA integrity_check(5)");
  const faults = rows.map((row) => Object.values(row)[0] ?? "").filter((says) => says !== "ok");
  const orphans = db.all("PRAGMA foreign_key_check");
  return orphans.length === 0
    ? faults
    : [
        ...faults,
        formatMany(orphans.length, "row without its parent", "rows without their parents"),
      ];
}

export interface DatabaseFacts {
  readonly counts: Record<string, number>;
  readonly faults: readonly string[];
}

/** Reads a copied database from end to end. Nothing else may have it open. */
export function proveDatabase(file: string): DatabaseFacts {
  let db: Sqlite | undefined;
  try {
    db = openSqlite(file, "delete");
    return { counts: countRows(db), faults: findFaults(db) };
  } catch (error) {
    return { counts: {}, faults: [toMessage(error)] };
  } finally {
    db?.close();
  }
}

/** Looks at a copied `service.db`, attached as the source of a move. */
function lookAt<T>(file: string, look: (db: Sqlite) => T): T {
  const db = openSqlite(":memory:");
  try {
    db.exec(`ATTACH '${file.replaceAll("'", "''")}' AS ${SOURCE}`);
    return look(db);
  } finally {
    db.close();
  }
}

/** Names of media files that a copied `service.db` needs and that can't be made again. */
export const listNeeded = (file: string): string[] =>
  lookAt(file, (db) => {
    const all = db.all<{ id: string }>(`SELECT id FROM ${SOURCE}.workspaces`);
    return [...new Set(all.flatMap(({ id }) => listOriginals({ raw: db }, id)))];
  });

/** A thing that people count, such as `short links` -> how many a copied `service.db` has. */
export type ThingCounts = Readonly<Record<string, number>>;

/** In the words of a move, and tokens. */
export const countThings = (file: string): ThingCounts =>
  lookAt(file, (db) => {
    const all: typeof countedThings = [...countedThings, { what: "tokens", table: "tokens" }];
    const counts = all.map(({ what, table, only = "1" }) => {
      const sql = `SELECT count(*) AS n FROM ${SOURCE}.${table} AS s WHERE ${only}`;
      return [what, db.get<{ n: number }>(sql)?.n ?? 0] as const;
    });
    return Object.fromEntries(counts);
  });

export const toMediaPath = (name: string): string => `media/${name.slice(0, 2)}/${name}`;

/** Copies a file for its owner only, and waits for the disk. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true, mode: PRIVATE_FOLDER });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, PRIVATE_FILE);
  await closing(await open(to, "r+"), async (handle) => {
    await handle.sync();
  });
}

/** What is wrong with a file of the list; undefined for nothing. */
export async function findFileFault(
  folder: string,
  { path: name, bytes, sha256 }: BackupFile,
): Promise<string | undefined> {
  const file = path.join(folder, name);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return `${name} is missing`;
  if (found.size !== bytes) return `${name} has ${found.size} bytes, not ${bytes}`;
  return (await hashFile(file)) === sha256 ? undefined : `${name} was changed`;
}
