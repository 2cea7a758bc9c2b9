/**
 * The text index behind `q`: trigrams in SQLite's FTS5. Triggers note which codes changed
 * (`code_pending`); their text goes into the index in batches, at the latest before the next search.
 * A SQLite built without FTS5 leaves the notes for a later one, and searches read every code.
 */
import type { Sqlite } from "../../base/sqlite.ts";

const CREATE = `
  CREATE VIRTUAL TABLE code_text
  USING fts5(text, content='', contentless_delete=1, tokenize="trigram case_sensitive 1")`;

const DELETE_OLD = `DELETE FROM code_text WHERE rowid IN (SELECT n FROM code_pending WHERE n <= ?)`;
const INSERT_NEW = `
  INSERT INTO code_text (rowid, text)
  SELECT code_index.n, codes.search
  FROM code_pending
  JOIN code_index ON code_index.n = code_pending.n
  JOIN codes ON codes.id = code_index.code_id
  WHERE code_pending.n <= ?`;

const LAST_OF_SOME = `
  SELECT max(n) AS last FROM (SELECT n FROM code_pending ORDER BY n LIMIT ?)`;

/** Opens the index, making it when it isn't there. False = this SQLite has none. */
export function openTextIndex(sqlite: Sqlite): boolean {
  try {
    const known = "SELECT 1 FROM sqlite_master WHERE name = 'code_text'";
    if (sqlite.get(known) === undefined) {
      sqlite.transaction(() => {
        // Another process may have made it while we waited for the lock.
        if (sqlite.get(known) !== undefined) return;
        sqlite.exec(CREATE);
        sqlite.exec("INSERT OR IGNORE INTO code_pending SELECT n FROM code_index");
      }, "full");
    }
    sqlite.all("SELECT rowid FROM code_text LIMIT 0");
    return true;
  } catch {
    return false;
  }
}

/** Indexes at most `max` of the codes that wait, inside the open transaction. */
export function indexSome(sqlite: Sqlite, max: number): void {
  const last = sqlite.get<{ last: number | null }>(LAST_OF_SOME, max)?.last ?? null;
  if (last === null) return;
  sqlite.run(DELETE_OLD, last);
  sqlite.run(INSERT_NEW, last);
  sqlite.run("DELETE FROM code_pending WHERE n <= ?", last);
}

export const hasPending = (sqlite: Sqlite): boolean =>
  sqlite.get("SELECT 1 FROM code_pending LIMIT 1") !== undefined;

/** Shorter texts have no trigram. */
const MIN_CHARACTERS = 3;

/** The index can tell where this text stands. */
export const canMatch = (text: string): boolean => Array.from(text).length >= MIN_CHARACTERS;

/** FTS5's question for codes with `text` in them. */
export const toMatch = (text: string): string => `"${text.replaceAll('"', '""')}"`;
