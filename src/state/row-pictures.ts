import type { Sqlite } from "../base/sqlite/sqlite.ts";
import type { Artwork } from "./row.ts";
import {
  DONE_WITH_ARTWORK,
  GONE_WITH_ARTWORK,
  presentHalfway,
  WITH_ARTWORK,
} from "./which-rows.ts";

const PAGE_ROWS = 500;

interface RowPicture {
  readonly key: string;
  readonly artwork: Artwork;
}

/** What is noted about the files of rows: names, hashes, and which of them were proven. */
export class RowPictures {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** True for a row whose pictures are not noted, or belong to an earlier look of its code. */
  areMissing(key: string): boolean {
    return (
      this.#db.get("SELECT 1 FROM rows WHERE row_key = ? AND artwork IS NULL", key) !== undefined
    );
  }

  /** What is noted of the plan's finished rows, page by page, so that rows may be written meanwhile. */
  *pages(): Iterable<readonly RowPicture[]> {
    for (let after = -1; ;) {
      const page = this.#db.all<{ seq: number; key: string; artwork: string }>(
        `SELECT seq, row_key AS key, artwork FROM rows
           WHERE presence = 'present' AND seq > ? AND ${DONE_WITH_ARTWORK} ORDER BY seq LIMIT ?`,
        after,
        PAGE_ROWS,
      );
      yield page.map(({ key, artwork }) => ({ key, artwork: JSON.parse(artwork) as Artwork }));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) return;
      after = last.seq;
    }
  }

  /** The same pictures, with other stamps, or proven no longer. */
  note(pictures: Iterable<readonly [key: string, artwork: Artwork]>): void {
    this.#db.transaction(() => {
      for (const [key, artwork] of pictures) {
        const text = JSON.stringify(artwork);
        this.#db.run("UPDATE rows SET artwork = ? WHERE row_key = ?", text, key);
      }
    });
  }

  /** Files that came at last end their own error, not that of a refused call. */
  set(key: string, artwork: Artwork): void {
    this.#db.joined(() => {
      this.#db.run(
        `UPDATE rows SET artwork = ?, error = CASE WHEN ${presentHalfway(false)} THEN error END
         WHERE row_key = ?`,
        JSON.stringify(artwork),
        key,
      );
    });
  }

  /** Row -> names of its pictures whose code was read and is right. What was spoiled is judged anew. */
  setProven(pictures: Iterable<readonly [key: string, names: Iterable<string>]>): void {
    this.#db.transaction(() => {
      for (const [key, names] of pictures) {
        this.#db.run(
          `UPDATE rows SET artwork = json_remove(json_set(artwork, '$.proven', json(?)), '$.spoiled')
           WHERE row_key = ?`,
          JSON.stringify([...names]),
          key,
        );
      }
    });
  }

  /** Files of other rows have their names now: what these rows had is gone. Good rows keep theirs. */
  forgetOfGone(keys: readonly string[]): void {
    this.#db.transaction(() => {
      const sql = `UPDATE rows SET artwork = NULL WHERE row_key = ? AND ${GONE_WITH_ARTWORK}`;
      for (const key of keys) this.#db.run(sql, key);
    });
  }

  /** The same where rows of a plan, before any file is written, have the names of others among them. */
  forgetOfMoved(): void {
    const base = "json_extract(artwork, '$.base')";
    const planned = "json_extract(placing, '$.fileBase')";
    this.#db.run(
      `UPDATE rows SET artwork = NULL WHERE presence = 'present' AND ${WITH_ARTWORK} AND ${base} <> ${planned}
         AND lower(${base}) IN (SELECT lower(${planned}) FROM rows WHERE presence = 'present')`,
    );
  }

  /** They stay noted, since archives hold them; the next run fetches them. */
  setSpoiled(key: string, how: NonNullable<Artwork["spoiled"]>): void {
    this.#db.run(
      "UPDATE rows SET artwork = json_set(artwork, '$.spoiled', ?) WHERE row_key = ?",
      how,
      key,
    );
  }
}
