import type { Sqlite } from "../base/sqlite/sqlite.ts";
import type { Cell } from "./row.ts";

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
