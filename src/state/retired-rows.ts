import { invariant } from "../base/errors.ts";
import type { Sqlite } from "../base/sqlite.ts";
import { setPicture } from "./row-journal.ts";
import { FILED_HASH, GONE_WITH_ADDRESS } from "./which-rows.ts";

/** State changes of vanished rows: codes are filed away, deleted, or get another address. They can be repeated. */
export class RetiredRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /**
   * The server has a new public address: each short link as `toMoved` gives it. Nobody fetches
   * pictures of rows that are gone: these stay, until a row is back.
   */
  moveLinks(toMoved: (link: string) => string | undefined): void {
    const sql = `SELECT row_key AS key, short_link AS link FROM rows WHERE ${GONE_WITH_ADDRESS}`;
    this.#db.transaction(() => {
      for (const { key, link } of this.#db.all<{ key: string; link: string | null }>(sql)) {
        this.#db.run(
          `UPDATE rows SET short_link = ?, artwork = json_set(artwork, '$.spoiled', 'moved') WHERE row_key = ?`,
          link === null ? null : (toMoved(link) ?? null),
          key,
        );
        setPicture(this.#db, key, null);
      }
    });
  }

  /** The code is in this folder now; if its row comes back, so does the code. */
  filed(key: string, folder: string): void {
    this.#db.setDurability("full");
    const changed = this.#db.run(
      `UPDATE rows SET made = json_set(coalesce(made, wanted), '$.folder', ?), made_hash = '${FILED_HASH}', error = NULL
       WHERE row_key = ? AND presence = 'vanished' AND state = 'done'`,
      folder,
      key,
    );
    invariant(changed === 1, `row ${key} must have vanished for its code to be filed`);
  }

  /** The code is back in its old folder; `madeHash` is that of its content before. */
  unfiled(
    key: string,
    { folder, madeHash }: { readonly folder: string | null; readonly madeHash: string },
  ): void {
    this.#db.setDurability("full");
    this.#db.run(
      `UPDATE rows SET made = json_set(made, '$.folder', ?), made_hash = ?
       WHERE row_key = ? AND made_hash = '${FILED_HASH}'`,
      folder,
      madeHash,
      key,
    );
  }

  /**
   * The code is deleted. If its row comes back, a new code is made, with a new generation, since the
   * old reference belongs to the deleted one. What is printed stays: the row keeps which code it was.
   * @param at ISO
   */
  deleted(key: string, at: string): void {
    this.#db.transaction(() => {
      this.#db.run(
        `UPDATE rows SET state = 'pending', generation = generation + 1, ref = NULL, body_hash = NULL,
           remote_id = NULL, created = NULL, short_link = NULL, made = NULL, made_hash = NULL,
           made_design_hash = NULL, made_tags_hash = NULL, made_tags = NULL, doubted_from = NULL,
           artwork = NULL, cell = NULL, error = NULL,
           parts = json_insert(
             json_set(json_remove(coalesce(parts, '{}'), '$.codeId', '$.url', '$.fieldIds'),
               '$.deleted', json(coalesce(json_extract(parts, '$.deleted'), '[]'))),
             '$.deleted[#]', json_object('id', remote_id, 'created', created, 'shortLink', short_link, 'at', ?))
         WHERE row_key = ? AND presence = 'vanished' AND state = 'done'`,
        at,
        key,
      );
      setPicture(this.#db, key, null);
    }, "full");
  }
}
