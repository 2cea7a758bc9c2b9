/** The public address: kept with the codes that have it, so that no shell has to remember it. */
import { accessSync, constants } from "node:fs";
import path from "node:path";

import { toMessage } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { openSqlite, type Sqlite } from "../../base/sqlite.ts";
import { openDataFolder, toDataError } from "./data-folder.ts";
import { openStoreOf } from "./open-store.ts";
import { openStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";
import type { Db } from "./tables.ts";

const KEY = "public_url";
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
    const kept = sqlite.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", KEY);
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

/** What a database keeps. */
export async function readStoreAddress(url: string): Promise<PublicAddress> {
  const store = await openStoreOf(url, undefined);
  try {
    const linked = store.db
      .selectFrom("codes")
      .select("id")
      .where((eb) => eb.or([eb("slug", "is not", null), eb("digital_link", "is not", null)]))
      .limit(1);
    const hasLinks = (await linked.executeTakeFirst()) !== undefined;
    return { kept: await readKeptUrl(store), hasLinks };
  } finally {
    await store.close();
  }
}

/** Keeps the address in a database. */
export async function keepStoreUrl(url: string, publicUrl: string): Promise<void> {
  const store = await openStoreOf(url, undefined);
  try {
    await store.write((tx) => keep(tx, publicUrl));
  } finally {
    await store.close();
  }
}

/** The same of a store that is open. */
export async function readKeptUrl({ db }: Store): Promise<string | undefined> {
  const row = db.selectFrom("meta").select("value").where("key", "=", KEY);
  return (await row.executeTakeFirst())?.value;
}

const keep = (tx: Db, value: string): Promise<unknown> =>
  tx
    .insertInto("meta")
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();

/** Keeps the address in a data folder, which is made where it is missing. */
export async function keepPublicUrl(dataDir: string, publicUrl: string): Promise<void> {
  try {
    await openDataFolder(dataDir, makeLog());
    const store = openStore(path.join(dataDir, STORE_FILE));
    try {
      await store.write((tx) => keep(tx, publicUrl));
    } finally {
      await store.close();
    }
  } catch (error) {
    throw toDataError(error, dataDir);
  }
}
