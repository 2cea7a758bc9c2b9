/** The rows that a plan names. In a temporary table: that is not in the file, and locks nothing. */
import { inParts } from "../base/flow/parts.ts";
import type { Sqlite } from "../base/sqlite/sqlite.ts";

export function emptyNamed(db: Sqlite): void {
  db.exec(
    `CREATE TEMP TABLE IF NOT EXISTS named (row_key TEXT PRIMARY KEY, presence TEXT NOT NULL) WITHOUT ROWID;
     DELETE FROM named`,
  );
}

export function nameGood(db: Sqlite, key: string): void {
  db.run("INSERT OR REPLACE INTO named VALUES (?, 'present')", key);
}

/** All good rows of a plan, then the bad ones: many with one statement. */
export function nameAll(db: Sqlite, good: Iterable<string>, bad: Iterable<string>): void {
  const sql = "INSERT OR IGNORE INTO named SELECT value, ? FROM json_each(?)";
  for (const keys of inParts(good)) db.run(sql, "present", JSON.stringify(keys));
  for (const keys of inParts(bad)) db.run(sql, "bad", JSON.stringify(keys));
}

/** A key that a good row has as well stays that of the good one. */
export function nameBad(db: Sqlite, key: string): void {
  db.run("INSERT OR IGNORE INTO named VALUES (?, 'bad')", key);
}

/** What the plan makes of a row. */
export const PRESENCE_TO_BE =
  "coalesce((SELECT presence FROM named WHERE named.row_key = rows.row_key), 'vanished')";
