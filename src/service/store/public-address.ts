/**
 * The public address is kept with the codes that contain it, so that no command line has to repeat
 * it. Every command with a job reads it, so this file loads only SQLite; `keep-address.ts` has the
 * parts that need a store.
 */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

import { findDiskFault } from "../../base/files/disk-error.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { openSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";
import { refuseMovedStore } from "./moved-store.ts";
import { toStoreDamage } from "./store-damage.ts";

/** Key of `meta`. */
export const ADDRESS_KEY = "public_url";
export const STORE_FILE = "service.db";

export interface PublicAddress {
  /** Undefined until an address was set that others can reach. */
  readonly kept: string | undefined;
  /** Some codes contain an address: a short link or a Digital Link. */
  readonly hasLinks: boolean;
  /** The workspace that jobs make codes in; null where there is none yet, undefined where that is unknown. */
  readonly workspace?: string | null | undefined;
}

const UNKNOWN: PublicAddress = { kept: undefined, hasLinks: false };
const NOTHING: PublicAddress = { ...UNKNOWN, workspace: null };

/** No store yet. */
export const isNoStore = (error: unknown): boolean => /no such table/iu.test(toMessage(error));

/**
 * SQLite writes beside the file that it reads, and a job can't use a folder where it may not write.
 */
export function isWritable(places: readonly string[]): boolean {
  try {
    for (const place of places) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The workspace that `openAccount` answers. */
export const JOBS_WORKSPACE = `SELECT workspaces.id, workspaces.gs1_stem FROM workspaces
  JOIN accounts ON accounts.id = workspaces.account_id
  WHERE accounts.name = 'default' ORDER BY workspaces.created`;

const noFolder = (folder: string, cause?: unknown): AppError =>
  new AppError("data-unwritable", `the data folder must be a folder, got ${folder}`, {
    cause,
    hint: "name the folder itself, or another one",
  });

/** A folder that this user may not look into is no empty one. */
function isThere(file: string): boolean {
  const folder = path.dirname(file);
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === false) throw noFolder(folder);
    return found !== undefined && statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") throw noFolder(folder, cause);
    const fault = findDiskFault(cause);
    if (fault === undefined) throw cause;
    throw new AppError(
      "data-unwritable",
      `the data folder must be readable, but ${fault.reason} (${fault.code}): ${folder}`,
      {
        cause,
        hint: "run makeready as the user who owns it, or open it for yours; nothing is lost",
      },
    );
  }
}

/**
 * The address kept in a data folder; reads only. Throws `data-unwritable` when it can't be read,
 * `state-damaged` for a file that is no database, and `bad-usage` where its store was moved into a database. All commands with a job ask this first.
 */
export function readPublicAddress(dataDir: string): PublicAddress {
  const file = path.join(dataDir, STORE_FILE);
  refuseMovedStore(file);
  if (!isThere(file)) return NOTHING;
  if (!isWritable([dataDir, file])) return UNKNOWN;
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openSqlite(file);
    const kept = sqlite.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", ADDRESS_KEY);
    const linked = sqlite.get(
      "SELECT 1 FROM codes WHERE slug IS NOT NULL OR digital_link IS NOT NULL LIMIT 1",
    );
    const workspace = sqlite.get<{ id: string }>(JOBS_WORKSPACE);
    return {
      kept: kept?.value,
      hasLinks: linked !== undefined,
      workspace: workspace?.id ?? null,
    };
  } catch (error) {
    if (isNoStore(error)) return UNKNOWN;
    throw toStoreDamage(file, error);
  } finally {
    sqlite?.close();
  }
}
