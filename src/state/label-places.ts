import type { Sqlite } from "../base/sqlite.ts";
import type { Cell } from "./row.ts";

/** Where the labels of rows lie. */
export class LabelPlaces {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Forgets where the labels of a group lie, before its sheets are written anew. */
  clear(group: string): void {
    this.#db.run("UPDATE rows SET cell = NULL WHERE json_extract(placing, '$.sheets') = ?", group);
  }

  /** Adds places to those that the rows have: a row may lie in several files of its group. */
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
