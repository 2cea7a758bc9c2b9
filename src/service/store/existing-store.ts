/** The store of a data folder for maintenance, beside the service that serves it. */
import { existsSync } from "node:fs";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { openStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/**
 * Throws "bad-usage" for a folder or a database without a service's data, so that a mistyped name
 * makes nothing.
 * @param url of a database; undefined = SQLite in the folder
 */
export async function openExistingStore(folder: string, url: string | undefined): Promise<Store> {
  if (url !== undefined) {
    const { openPostgres } = await import("./postgres/postgres-store.ts");
    return openPostgres(url, { makesTables: false });
  }
  const file = path.join(folder, "service.db");
  if (existsSync(file)) return openStore(file);
  throw badUsage(
    `the data folder must hold the data of a service, got ${folder} without service.db`,
    "name it with --data, or start makeready serve there once",
  );
}
