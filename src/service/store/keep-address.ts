/** The public address in a store: in a data folder, or in a database. */
import path from "node:path";

import { closing } from "../../base/flow/closing.ts";
import { makeLog } from "../../base/log.ts";
import { openDataFolder, toDataError } from "./data-folder.ts";
import { openStoreOf } from "./open-store.ts";
import { ADDRESS_KEY, STORE_FILE, type PublicAddress } from "./public-address.ts";
import { openStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";
import type { Db } from "./tables.ts";

/** The address kept in a database. */
export async function readStoreAddress(url: string): Promise<PublicAddress> {
  return closing(await openStoreOf(url, undefined), async (store) => {
    const linked = store.db
      .selectFrom("codes")
      .select("id")
      .where((eb) => eb.or([eb("slug", "is not", null), eb("digital_link", "is not", null)]))
      .limit(1);
    const hasLinks = (await linked.executeTakeFirst()) !== undefined;
    return { kept: await readKeptUrl(store), hasLinks };
  });
}

/** Stores the address in a database. */
export async function keepStoreUrl(url: string, publicUrl: string): Promise<void> {
  await closing(await openStoreOf(url, undefined), async (store) => {
    await store.write((tx) => keep(tx, publicUrl));
  });
}

/** The same, for a store that is open. */
export async function readKeptUrl({ db }: Store): Promise<string | undefined> {
  const row = db.selectFrom("meta").select("value").where("key", "=", ADDRESS_KEY);
  return (await row.executeTakeFirst())?.value;
}

const keep = (tx: Db, value: string): Promise<unknown> =>
  tx
    .insertInto("meta")
    .values({ key: ADDRESS_KEY, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();

/** Stores the address in a data folder, which is made when it is missing. */
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
