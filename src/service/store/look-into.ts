/** Stores that others ask a few things, while a service may use them. */
import { statSync } from "node:fs";

import { openSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";

const open = new Map<string, Sqlite>();

function closeAll(): void {
  for (const sqlite of open.values()) sqlite.close();
  open.clear();
}

/**
 * Opens a store to look into it, for this turn of the event loop: then it is closed. Who asks in the same turn
 * gets the same connection, since each reads the whole schema first, which costs as much as many questions. A
 * file that has taken the place of another one is opened itself.
 */
export function lookIntoStore(file: string): Sqlite {
  const { dev, ino } = statSync(file);
  const key = `${dev} ${ino} ${file}`;
  const known = open.get(key);
  if (known !== undefined) return known;
  const sqlite = openSqlite(file);
  if (open.size === 0) setImmediate(closeAll);
  open.set(key, sqlite);
  return sqlite;
}
