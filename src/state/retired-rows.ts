import { invariant } from "../base/errors.ts";
import type { Sqlite } from "../base/sqlite.ts";
import { setPicture } from "./row-journal.ts";
import { FILED_HASH } from "./which-rows.ts";

/** The moves of rows that vanished and whose codes are filed away or deleted. Repeats are harmless. */
export class RetiredRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** The code lies in this folder now; should its row come back, it is brought back, too. */
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

  /** The code lies where it lay; `madeHash` stands for its content as it was before. */
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
   * The code is no more. Should its row come back, a new one is made: of a new generation, since the
   * old reference stands for the code that is gone.
   */
  deleted(key: string): void {
    this.#db.transaction(() => {
      this.#db.run(
        `UPDATE rows SET state = 'pending', generation = generation + 1, ref = NULL, body_hash = NULL,
           remote_id = NULL, created = NULL, short_link = NULL, made = NULL, made_hash = NULL,
           made_design_hash = NULL, made_tags_hash = NULL, made_tags = NULL, doubted_from = NULL,
           artwork = NULL, cell = NULL, error = NULL,
           parts = json_remove(coalesce(parts, '{}'), '$.codeId', '$.url', '$.fieldIds')
         WHERE row_key = ? AND presence = 'vanished' AND state = 'done'`,
        key,
      );
      setPicture(this.#db, key, null);
    }, "full");
  }
}
