import { existsSync, statSync } from "node:fs";

import { openSqlite, type Sqlite } from "../base/sqlite.ts";
import { toStateError } from "./schema.ts";
import { openState, stateFile, type State, type StateOptions } from "./state.ts";

/** True when the folder holds a state: a file that is empty, or has nothing in it yet, is none. */
export function isStateThere(folder: string): boolean {
  const file = stateFile(folder);
  if (!existsSync(file) || statSync(file).size === 0) return false;
  let db: Sqlite | undefined;
  try {
    db = openSqlite(file);
    const tables = db.all<{ name: string }>("SELECT name FROM sqlite_schema");
    const isOurs = tables.some(({ name }) => name === "meta");
    return isOurs
      ? db.get("SELECT 1 FROM meta WHERE key = 'salt'") !== undefined
      : tables.length > 0;
  } catch (error) {
    throw toStateError(file, error);
  } finally {
    db?.close();
  }
}

/** The state of an output folder if there is one; for commands that must not make any. */
export function findState(folder: string, options: StateOptions): State | undefined {
  return isStateThere(folder) ? openState(folder, options) : undefined;
}
