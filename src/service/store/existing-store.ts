/** The store of a data folder for maintenance, beside the service that serves it. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { badUsage } from "../../base/errors.ts";
import { copySqlite, findReadOnly } from "../../base/sqlite/sqlite.ts";
import { toDataError } from "./data-folder.ts";
import { refuseMovedStore } from "./moved-store.ts";
import { openStore } from "./sqlite/sqlite-store.ts";
import type { Store } from "./store.ts";

/** Of a store that can't be written; it is removed on close. */
function openCopy(file: string): Store {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-store-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, path.basename(file));
    copySqlite(file, copy);
    const store = openStore(copy);
    const close = store.close.bind(store);
    store.close = async () => {
      await close();
      remove();
    };
    return store;
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Throws "bad-usage" for a folder or a database without a service's data, so that a mistyped name
 * makes nothing; "data-unwritable" for one that can't be written, unless it is only read.
 * @param url of a database; undefined = SQLite in the folder
 */
export async function openExistingStore(
  folder: string,
  url: string | undefined,
  isReader = false,
): Promise<Store> {
  if (url !== undefined) {
    const { openPostgres } = await import("./postgres/postgres-store.ts");
    return openPostgres(url, { makesTables: false });
  }
  const file = path.join(folder, "service.db");
  if (existsSync(file)) {
    const fault = findReadOnly(file);
    if (fault === undefined) return openStore(file);
    if (isReader) return openCopy(file);
    throw toDataError(fault, folder);
  }
  refuseMovedStore(file);
  throw badUsage(
    `the data folder must hold the data of a service, got ${folder} without service.db`,
    "name it with --data, or start makeready serve there once",
  );
}
