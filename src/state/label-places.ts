import type { Sqlite } from "../base/sqlite/sqlite.ts";
import type { Cell } from "./row.ts";
import { SHOWN } from "./schema.ts";

/** Where the labels of rows are printed. */
export class LabelPlaces {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Removes the places of a group's labels, before its sheets are written again. */
  clear(group: string): void {
    this.#db.run("UPDATE rows SET cell = NULL WHERE json_extract(placing, '$.sheets') = ?", group);
  }

  /**
   * Groups with a label whose place is no longer known: its code was made anew, and may look as before,
   * so that nothing on the sheet is another.
   */
  lostGroups(): ReadonlySet<string> {
    const sql = `SELECT DISTINCT json_extract(placing, '$.sheets') AS name FROM rows
      WHERE cell IS NULL AND presence = 'present' AND +(${SHOWN})
        AND json_extract(parts, '$.deleted') IS NOT NULL AND json_extract(placing, '$.copies') IS NOT 0`;
    return new Set(this.#db.all<{ name: string }>(sql).map(({ name }) => name));
  }

  /** Adds places of rows: a row may be in several files of its group. */
  add(cells: Iterable<{ key: string; cell: Cell }>): void {
    this.#db.transaction(() => {
      for (const { key, cell } of cells) {
        this.#db.run(
          "UPDATE rows SET cell = json_insert(coalesce(cell, '[]'), '$[#]', json(?)) WHERE row_key = ?",
          JSON.stringify(cell),
          key,
        );
      }
    });
  }
}
