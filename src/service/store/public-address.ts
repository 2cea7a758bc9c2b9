/**
 * The public address: kept with the codes that have it, so that no shell has to remember it. Every command
 * with a job asks for it, so that this file loads SQLite alone; `keep-address.ts` has what takes a store.
 */
import { accessSync, constants } from "node:fs";
import path from "node:path";

import { toMessage } from "../../base/errors.ts";
import { openSqlite, type Sqlite } from "../../base/sqlite.ts";

/** Where `meta` has it. */
export const ADDRESS_KEY = "public_url";
export const STORE_FILE = "service.db";

export interface PublicAddress {
  /** Undefined until somebody has named one that is reached from elsewhere. */
  readonly kept: string | undefined;
  /** There are codes that hold an address: a short link or a Digital Link. */
  readonly hasLinks: boolean;
}

const NOTHING: PublicAddress = { kept: undefined, hasLinks: false };

/** No store yet, or no SQLite file: opening the service says so in its own words. */
const isNoStore = (error: unknown): boolean =>
  /no such table|not a database/iu.test(toMessage(error));

/** SQLite wants to write beside what it reads, and no job can use a folder where it may not. */
export function isWritable(places: readonly string[]): boolean {
  try {
    for (const place of places) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** What a data folder keeps; looks only. */
export function readPublicAddress(dataDir: string): PublicAddress {
  const file = path.join(dataDir, STORE_FILE);
  if (!isWritable([dataDir, file])) return NOTHING;
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openSqlite(file);
    const kept = sqlite.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", ADDRESS_KEY);
    const linked = sqlite.get(
      "SELECT 1 FROM codes WHERE slug IS NOT NULL OR digital_link IS NOT NULL LIMIT 1",
    );
    return { kept: kept?.value, hasLinks: linked !== undefined };
  } catch (error) {
    if (isNoStore(error)) return NOTHING;
    throw error;
  } finally {
    sqlite?.close();
  }
}
