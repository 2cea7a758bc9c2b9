import type { Sqlite } from "../base/sqlite/sqlite.ts";
import type { StateRow } from "./row.ts";
import { ROW_COLUMNS, toStateRow, type RawRow } from "./row-codec.ts";
import { DONE, PRESENT_DONE_WITH_SHORT_LINK } from "./which-rows.ts";

/** Which codes of a state were made last. */
export class MadeCodes {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Ids of the youngest codes among those sent since, by the server's clock. */
  youngest(sinceMs: number, limit: number): string[] {
    return this.#db
      .all<{ remote_id: string }>(
        `SELECT remote_id FROM rows WHERE presence = 'present' AND ${DONE} AND sent_at >= ?
           AND remote_id IS NOT NULL ORDER BY sent_at DESC LIMIT ?`,
        sinceMs,
        limit,
      )
      .map((row) => row.remote_id);
  }

  /** The rows of the job whose codes have a short link, the newest code first; -1: all of them. */
  newest(limit: number): StateRow[] {
    const sql = `SELECT ${ROW_COLUMNS} FROM rows WHERE ${PRESENT_DONE_WITH_SHORT_LINK}
      AND remote_id IS NOT NULL ORDER BY intent_at DESC, seq DESC LIMIT ?`;
    return this.#db.view<RawRow>(sql, limit).map(toStateRow);
  }

  /** True where one of these codes is the job's. */
  hasAny(ids: readonly string[]): boolean {
    const sql = `SELECT 1 FROM rows WHERE ${DONE} AND remote_id IN (SELECT value FROM json_each(?)) LIMIT 1`;
    return this.#db.get(sql, JSON.stringify(ids)) !== undefined;
  }

  /** Ids of all things that were made, without a look at their rows. */
  *ids(): Iterable<string> {
    const sql = "SELECT remote_id FROM rows WHERE remote_id IS NOT NULL";
    for (const { remote_id: id } of this.#db.iterateView<{ remote_id: string }>(sql)) yield id;
  }

  /** True for more things than these; looks at no row. */
  hasMoreThan(count: number): boolean {
    const sql = "SELECT 1 FROM rows WHERE remote_id IS NOT NULL LIMIT 1 OFFSET ?";
    return this.#db.get(sql, count) !== undefined;
  }

  /** The rows of the job that have these things and a short link, in their order. */
  linked(ids: readonly string[]): StateRow[] {
    const sql = `SELECT ${ROW_COLUMNS} FROM rows WHERE +(${PRESENT_DONE_WITH_SHORT_LINK})
      AND remote_id IN (SELECT value FROM json_each(?)) ORDER BY seq`;
    return this.#db.view<RawRow>(sql, JSON.stringify(ids)).map(toStateRow);
  }

  /** The rows whose codes were sent last, the latest first. */
  last(limit: number): StateRow[] {
    const sql = `SELECT ${ROW_COLUMNS} FROM rows WHERE ${DONE} AND remote_id IS NOT NULL
      ORDER BY intent_at DESC, seq DESC LIMIT ?`;
    return this.#db.view<RawRow>(sql, limit).map(toStateRow);
  }
}
