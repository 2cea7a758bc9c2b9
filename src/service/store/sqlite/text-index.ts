/**
 * The text index for `q`, with SQLite's FTS5: trigrams for texts of three characters and more
 * (`code_text`), characters and pairs of them for shorter ones (`code_grams`). Triggers note which
 * codes changed (`code_pending`); their text is indexed in batches, at the latest before the next
 * search. A SQLite built without FTS5 leaves the notes for another one, and searches read every
 * code.
 */
import type { Sqlite } from "../../../base/sqlite/sqlite.ts";

const TABLES = {
  code_text: `
    CREATE VIRTUAL TABLE code_text
    USING fts5(text, content='', contentless_delete=1, tokenize="trigram case_sensitive 1")`,
  // Positions of pairs are never needed: without them, the index is a third as big.
  code_grams: `
    CREATE VIRTUAL TABLE code_grams
    USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize="ascii")`,
} as const;

type IndexTable = keyof typeof TABLES;
const tables = Object.keys(TABLES) as IndexTable[];

const SOME = `
  SELECT code_pending.n, codes.search
  FROM code_pending
  LEFT JOIN code_index ON code_index.n = code_pending.n
  LEFT JOIN codes ON codes.id = code_index.code_id
  ORDER BY code_pending.n LIMIT ?`;

/** Opens the index, or makes it when it is missing. False = this SQLite has no FTS5. */
export function openTextIndex(sqlite: Sqlite): boolean {
  try {
    if (!isThere(sqlite)) {
      // Another process may have made it while we waited for the lock.
      sqlite.transaction(() => isThere(sqlite) || makeTables(sqlite), "full");
    }
    for (const table of tables) sqlite.all(`SELECT rowid FROM ${table} LIMIT 0`);
    return true;
  } catch {
    return false;
  }
}

const isThere = (sqlite: Sqlite): boolean =>
  tables.every(
    (table) => sqlite.get("SELECT 1 FROM sqlite_master WHERE name = ?", table) !== undefined,
  );

/** Made from scratch: replacing texts in place would leave marks that slow down searches for long. */
function makeTables(sqlite: Sqlite): void {
  for (const table of tables) sqlite.exec(`DROP TABLE IF EXISTS ${table}; ${TABLES[table]}`);
  sqlite.exec("INSERT OR IGNORE INTO code_pending SELECT n FROM code_index");
}

/** Indexes at most `max` of the waiting codes, inside the open transaction. */
export function indexSome(sqlite: Sqlite, max: number): void {
  const some = sqlite.all<{ n: number; search: string | null }>(SOME, max);
  for (const { n, search } of some) {
    for (const table of tables) sqlite.run(`DELETE FROM ${table} WHERE rowid = ?`, n);
    sqlite.run("DELETE FROM code_pending WHERE n = ?", n);
    // A deleted code has no text any more.
    if (search === null) continue;
    sqlite.run("INSERT INTO code_text (rowid, text) VALUES (?, ?)", n, search);
    sqlite.run("INSERT INTO code_grams (rowid, grams) VALUES (?, ?)", n, toGrams(search));
  }
}

/** True when more than `some` codes wait. */
export const hasPending = (sqlite: Sqlite, some = 0): boolean =>
  sqlite.get("SELECT 1 FROM code_pending LIMIT 1 OFFSET ?", some) !== undefined;

/** FTS5's tokenizer accepts letters and digits: every character becomes its number. */
const toToken = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

const toPair = (first: string, second: string): string => `${first}x${second}`;

/** Every character of a text and every pair of neighbours, once each. */
function toGrams(text: string): string {
  const grams = new Set<string>();
  let before: string | undefined;
  for (const character of text) {
    const token = toToken(character);
    grams.add(token);
    if (before !== undefined) grams.add(toPair(before, token));
    before = token;
  }
  return [...grams].join(" ");
}

export interface IndexQuestion {
  readonly table: IndexTable;
  /** For MATCH. */
  readonly match: string;
}

/** A query for the codes that contain `text`, which has at least one character. */
export function toIndexQuestion(text: string): IndexQuestion {
  const [first = "", second, ...more] = text;
  if (second === undefined) return { table: "code_grams", match: toToken(first) };
  if (more.length > 0) return { table: "code_text", match: `"${text.replaceAll('"', '""')}"` };
  return { table: "code_grams", match: toPair(toToken(first), toToken(second)) };
}
