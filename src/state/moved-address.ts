/** The server of a job has another public address than before. */
import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { DONE_WITH_ADDRESS, GONE_WITH_ADDRESS, PRESENT_DONE_WITH_ADDRESS } from "./which-rows.ts";

export interface AddressMove {
  readonly from: string;
  readonly to: string;
  /** A short link as it is now; undefined where nobody knows. */
  readonly toMoved: (link: string) => string | undefined;
}

/** Nobody fetches pictures of rows that are gone: these stay, until a row is back. */
function moveGone(db: Sqlite, { toMoved }: AddressMove): void {
  const sql = `SELECT row_key AS key, short_link AS link FROM rows WHERE ${GONE_WITH_ADDRESS}`;
  for (const { key, link } of db.all<{ key: string; link: string | null }>(sql)) {
    db.run(
      `UPDATE rows SET short_link = ?, artwork = json_set(artwork, '$.spoiled', 'moved') WHERE row_key = ?`,
      link === null ? null : (toMoved(link) ?? null),
      key,
    );
  }
}

/** Pages, forms and PDFs are where the short links are; those that another host has stay there. */
function moveHosted(db: Sqlite, { from, to }: AddressMove): void {
  db.run(
    `UPDATE rows SET parts = json_set(parts, '$.url', ?1 || substr(json_extract(parts, '$.url'), length(?2)))
     WHERE lower(substr(json_extract(parts, '$.url'), 1, length(?2))) = lower(?2)`,
    to,
    `${from}/`,
  );
}

/** Short links and their images must be requested again: answers of how many codes. */
export const moveAddress = (db: Sqlite, move: AddressMove): number =>
  db.transaction(() => {
    const these = `SELECT row_key FROM rows WHERE ${DONE_WITH_ADDRESS}`;
    db.run(`DELETE FROM pictures WHERE row_key IN (${these})`);
    moveGone(db, move);
    moveHosted(db, move);
    const present = `WHERE ${PRESENT_DONE_WITH_ADDRESS}`;
    return db.run(`UPDATE rows SET short_link = NULL, artwork = NULL ${present}`);
  });
