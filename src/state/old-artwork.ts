import type { Sqlite } from "../base/sqlite/sqlite.ts";

/** Prefix in the table of packages: a picture under a name that its row no longer has. */
const OLD = "old-artwork ";

const NAMES = "json_extract(file.value, '$.name')";

export interface OldFile {
  /** Relative to the output folder. */
  readonly file: string;
  readonly sha256: string;
}

/** Pictures that were fetched under other names, or in formats no longer wanted. */
export class OldArtwork {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Notes them when a plan is adopted, before rows get new names. Those of vanished rows stay. */
  note(formats: readonly string[]): void {
    if (formats.length === 0) return;
    this.#db.run(
      `INSERT OR REPLACE INTO packages
         SELECT '${OLD}' || ${NAMES}, json_extract(file.value, '$.sha256'), 'null'
         FROM rows, json_each(rows.artwork, '$.files') AS file
         WHERE presence = 'present' AND ${NAMES} NOT IN (
           SELECT 'artwork/' || json_extract(placing, '$.fileBase') || '.' || value FROM json_each(?))`,
      JSON.stringify(formats),
    );
  }

  /** The next ones that no row uses now; none while a picture of any row is missing. */
  next(limit: number): OldFile[] {
    const missing = `SELECT 1 FROM rows WHERE presence = 'present' AND state = 'done'
      AND (error IS NOT NULL
        OR json_extract(artwork, '$.base') IS NOT json_extract(placing, '$.fileBase')) LIMIT 1`;
    if (this.#db.get(missing) !== undefined) return [];
    // Some disks treat A.svg and a.svg as the same file.
    return this.#db.all<{ file: string; sha256: string }>(
      `SELECT substr(name, ?) AS file, fingerprint AS sha256 FROM packages
         WHERE substr(name, 1, ?) = ? AND lower(substr(name, ?)) NOT IN (
           SELECT lower(${NAMES}) FROM rows, json_each(rows.artwork, '$.files') AS file)
         ORDER BY name LIMIT ?`,
      OLD.length + 1,
      OLD.length,
      OLD,
      OLD.length + 1,
      limit,
    );
  }

  forget(files: readonly OldFile[]): void {
    this.#db.transaction(() => {
      for (const { file } of files) this.#db.run("DELETE FROM packages WHERE name = ?", OLD + file);
    });
  }
}
