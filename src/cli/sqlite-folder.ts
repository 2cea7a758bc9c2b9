/** The data folder of commands that know no database. */
import path from "node:path";

import { badUsage } from "../base/errors.ts";
import { refuseMovedStore } from "../service/store/moved-store.ts";
import { readSetting, requireDataDir, type AskedHere } from "./settings.ts";

/**
 * The data folder of commands that work on SQLite alone: where a database is named, or has the store of
 * the folder, they would find or change the wrong data.
 */
export function requireSqliteDir(asked: AskedHere, hint: string): string {
  const given = readSetting(asked, "store");
  if (given === undefined) {
    const folder = requireDataDir(asked);
    refuseMovedStore(path.join(folder, "service.db"), hint);
    return folder;
  }
  throw badUsage(
    `this works on a data folder with SQLite, but ${given.from} names a database`,
    hint,
  );
}
