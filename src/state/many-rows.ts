import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { ROW_COLUMNS, toStateRow, type RawRow } from "./row-codec.ts";
import type { StateRow } from "./row.ts";

const PAGE_ROWS = 500;

/** `rows` of these keys, in their order: each is looked up by its key, whatever else is asked. */
const ASKED = "json_each(?) AS asked CROSS JOIN rows ON rows.row_key = asked.value";

/** Rows of many keys with one statement, and rows of other plans page by page. */
export class ManyRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Those of these rows that match `where`, by key. */
  of(keys: readonly string[], where: string): ReadonlyMap<string, StateRow> {
    const sql = `SELECT ${ROW_COLUMNS} FROM ${ASKED} WHERE ${where}`;
    const rows = this.#db.view<RawRow>(sql, JSON.stringify(keys)).map(toStateRow);
    return new Map(rows.map((row) => [row.key, row]));
  }

  /** How many of these rows match `where`. */
  count(keys: readonly string[], where: string): number {
    const sql = `SELECT count(*) AS n FROM ${ASKED} WHERE ${where}`;
    return this.#db.get<{ n: number }>(sql, JSON.stringify(keys))?.n ?? 0;
  }

  /** As `State.goneRows`, page by page. */
  *gone(where: string): Iterable<StateRow> {
    let after: readonly [seq: number, rowid: number] = [-1, 0];
    for (;;) {
      const page = this.#db.view<RawRow & { readonly place: number }>(
        `SELECT rowid AS place, ${ROW_COLUMNS} FROM rows WHERE presence <> 'present' AND (seq, rowid) > (?, ?)
           AND (${where}) ORDER BY seq, rowid LIMIT ${PAGE_ROWS}`,
        ...after,
      );
      for (const raw of page) yield toStateRow(raw);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) return;
      after = [Number(last["seq"]), last.place];
    }
  }
}
