import { invariant } from "../base/errors.ts";
import type { Sqlite, SqlValue } from "../base/sqlite.ts";
import { setPicture } from "./row-journal.ts";
import { FILED_HASH } from "./which-rows.ts";

/** What a row keeps of a code, and loses with it. */
const FORGOTTEN = [
  "state",
  "generation",
  "ref",
  "body_hash",
  "remote_id",
  "created",
  "short_link",
  "made",
  "made_hash",
  "made_design_hash",
  "made_tags_hash",
  "made_tags",
  "doubted_from",
  "artwork",
  "cell",
  "error",
  "parts",
] as const;

/** State changes of vanished rows: codes are filed away or deleted. They can be repeated. */
export class RetiredRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
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
    this.#forget(key, at, "vanished");
  }

  /**
   * The same of a row that the job still has: its server no longer has the code. Answers what takes it
   * back, where the run that would make another one doesn't begin.
   */
  gone(key: string, at: string): () => void {
    const columns = FORGOTTEN.join(", ");
    const before = this.#db.get<Record<string, SqlValue>>(
      `SELECT ${columns}, (SELECT svg FROM pictures WHERE pictures.row_key = rows.row_key) AS svg
         FROM rows WHERE row_key = ?`,
      key,
    );
    this.#forget(key, at, "present");
    return () => {
      if (before === undefined) return;
      const { svg } = before;
      this.#db.transaction(() => {
        this.#db.run(
          `UPDATE rows SET ${FORGOTTEN.map((name) => `${name} = ?`).join(", ")} WHERE row_key = ?`,
          ...FORGOTTEN.map((name) => before[name] ?? null),
          key,
        );
        setPicture(this.#db, key, typeof svg === "string" ? svg : null);
      }, "full");
    };
  }

  #forget(key: string, at: string, presence: "vanished" | "present"): void {
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
         WHERE row_key = ? AND presence = ? AND state = 'done'`,
        at,
        key,
        presence,
      );
      setPicture(this.#db, key, null);
    }, "full");
  }
}
