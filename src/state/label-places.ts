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

  /** True where a row of a group has a label and no place: its code was made anew, and may look as before. */
  areLost(group: string): boolean {
    const sql = `SELECT 1 FROM rows WHERE presence = 'present' AND +(${SHOWN}) AND cell IS NULL
      AND json_extract(placing, '$.sheets') = ? AND json_extract(placing, '$.copies') IS NOT 0 LIMIT 1`;
    return this.#db.get(sql, group) !== undefined;
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
