import path from "node:path";

import { openSqlite, type Sqlite } from "../../base/sqlite.ts";
import { isNoStore, isWritable, STORE_FILE } from "./public-address.ts";

/** Id of a code or short link that ever led elsewhere -> where it leads now. Reads only. */
export function readMoved(dataDir: string): ReadonlyMap<string, string> {
  const file = path.join(dataDir, STORE_FILE);
  const found = new Map<string, string>();
  if (!isWritable([dataDir, file])) return found;
  let sqlite: Sqlite | undefined;
  try {
    sqlite = openSqlite(file);
    const sql = `SELECT id, qr_data FROM codes WHERE dynamic = 1 AND qr_data <> ''
      AND id IN (SELECT code_id FROM code_history WHERE what = 'destination')`;
    for (const { id, qr_data: data } of sqlite.all<{ id: string; qr_data: string }>(sql))
      found.set(id, data);
    return found;
  } catch (error) {
    // A store of an older makeready keeps no history.
    if (isNoStore(error)) return found;
    throw error;
  } finally {
    sqlite?.close();
  }
}
