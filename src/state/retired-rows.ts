import { invariant } from "../base/errors.ts";
import type { Sqlite, SqlValue } from "../base/sqlite/sqlite.ts";
import type { DeletedCode, RowParts } from "./row.ts";
import { setPicture } from "./row-journal.ts";
import { FILED_HASH, FORGOTTEN_CODES, UNPUBLISHED } from "./which-rows.ts";

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

/** A code that a row had: of a form or a page, the code has an id of its own. */
export interface ForgottenCode {
  readonly id: string;
  readonly codeId: string;
}

/** A row without a code, and those of its codes that can be taken back, the newest first. */
export interface ForgottenRow {
  readonly key: string;
  readonly codes: readonly ForgottenCode[];
}

const deletedOf = (parts: SqlValue): readonly DeletedCode[] =>
  typeof parts === "string" ? ((JSON.parse(parts) as RowParts).deleted ?? []) : [];

const toForgotten = (parts: SqlValue): ForgottenCode[] =>
  deletedOf(parts)
    .flatMap(({ id, was }) => {
      if (was === undefined) return [];
      const { codeId = id } = JSON.parse(String(was["parts"] ?? "{}")) as RowParts;
      return [{ id, codeId }];
    })
    .toReversed();

/** All but what it is known by from now on; its pictures are fetched again. */
const TAKEN_BACK = FORGOTTEN.filter((name) => !["generation", "artwork", "parts"].includes(name));

/** What is kept of a row whose code is gone; codes that it had before are kept beside that. */
function toKept(row: Readonly<Record<string, SqlValue>> = {}): string {
  const { deleted: _, ...parts } = JSON.parse(String(row["parts"] ?? "{}")) as RowParts;
  const kept = TAKEN_BACK.map((name) => [name, row[name] ?? null]);
  return JSON.stringify({ ...Object.fromEntries(kept), parts: JSON.stringify(parts) });
}

/** What a row keeps of a deleted code, for `json_object`. */
const DELETED = "'id', remote_id, 'created', created, 'shortLink', short_link, 'at', ?";

/** The parts of a row without some of them, and with one more deleted code. */
const withDeleted = (without: string, entry: string): string =>
  `json_insert(
     json_set(json_remove(coalesce(parts, '{}'), ${without}),
       '$.deleted', json(coalesce(json_extract(parts, '$.deleted'), '[]'))),
     '$.deleted[#]', json_object(${entry}))`;

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
    this.#forget(key, at, { presence: "vanished" });
  }

  /**
   * The same of a row that the job still has: its server no longer has the code. Answers what takes it
   * back, where the run that would make another one doesn't begin.
   */
  gone(key: string, at: string): () => void {
    const before = this.#read(key);
    this.#forget(key, at, { presence: "present", was: toKept(before) });
    return this.#takingBack(key, before);
  }

  /** The same of a form that is there without its code: publishing it once more makes one, and answers stay. */
  unpublished(key: string, at: string): () => void {
    const before = this.#read(key);
    this.#db.transaction(() => {
      this.#db.run(
        `UPDATE rows SET short_link = NULL, made_hash = '${UNPUBLISHED}', artwork = NULL, cell = NULL,
           error = NULL, parts = ${withDeleted("'$.codeId'", DELETED)}
         WHERE row_key = ? AND presence = 'present' AND state = 'done'`,
        at,
        key,
      );
      setPicture(this.#db, key, null);
    }, "full");
    return this.#takingBack(key, before);
  }

  /** All that a row loses with its code. */
  #read(key: string): Record<string, SqlValue> | undefined {
    return this.#db.get<Record<string, SqlValue>>(
      `SELECT ${FORGOTTEN.join(", ")}, (SELECT svg FROM pictures WHERE pictures.row_key = rows.row_key) AS svg
         FROM rows WHERE row_key = ?`,
      key,
    );
  }

  #takingBack(key: string, before: Record<string, SqlValue> | undefined): () => void {
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

  /** Rows whose codes were gone, and that have none now. */
  forgotten(): ForgottenRow[] {
    return this.#db
      .all<{ row_key: string; parts: string }>(
        `SELECT row_key, parts FROM rows WHERE ${FORGOTTEN_CODES}`,
      )
      .map(({ row_key: key, parts }) => ({ key, codes: toForgotten(parts) }));
  }

  /** Codes that this row had before the one that it has. */
  earlier(key: string): readonly ForgottenCode[] {
    const row = this.#db.get<{ parts: SqlValue }>("SELECT parts FROM rows WHERE row_key = ?", key);
    return toForgotten(row?.parts ?? null);
  }

  /**
   * The service has this code again, which the row had before: it is the row's code again. A create of
   * the row that is under way or in doubt went to the data that was replaced, and so is not here: nothing
   * is doubled where its doubt is forgotten.
   */
  takeBack(key: string, id: string): void {
    const row = this.#db.get<{ parts: SqlValue }>("SELECT parts FROM rows WHERE row_key = ?", key);
    const deleted = deletedOf(row?.parts ?? null);
    const found = deleted.findLast((one) => one.id === id && one.was !== undefined);
    invariant(found?.was !== undefined, `row ${key} must have had the code ${id}`);
    const { was } = found;
    const others = deleted.filter((one) => one !== found);
    const parts = {
      ...(JSON.parse(String(was["parts"] ?? "{}")) as RowParts),
      deleted: others.length === 0 ? undefined : others,
    };
    this.#db.transaction(() => {
      this.#db.run(
        `UPDATE rows SET ${TAKEN_BACK.map((name) => `${name} = ?, `).join("")} artwork = NULL, parts = ?
          WHERE row_key = ? AND state <> 'done'`,
        ...TAKEN_BACK.map((name) => was[name] ?? null),
        JSON.stringify(parts),
        key,
      );
      setPicture(this.#db, key, null);
    }, "full");
  }

  #forget(
    key: string,
    at: string,
    { presence, was }: { readonly presence: "vanished" | "present"; readonly was?: string },
  ): void {
    const entry = DELETED + (was === undefined ? "" : ", 'was', json(?)");
    this.#db.transaction(() => {
      this.#db.run(
        `UPDATE rows SET state = 'pending', generation = generation + 1, ref = NULL, body_hash = NULL,
           remote_id = NULL, created = NULL, short_link = NULL, made = NULL, made_hash = NULL,
           made_design_hash = NULL, made_tags_hash = NULL, made_tags = NULL, doubted_from = NULL,
           artwork = NULL, cell = NULL, error = NULL,
           parts = ${withDeleted("'$.codeId', '$.url', '$.fieldIds'", entry)}
         WHERE row_key = ? AND presence = ? AND state = 'done'`,
        ...[at, was ?? []].flat(),
        key,
        presence,
      );
      setPicture(this.#db, key, null);
    }, "full");
  }
}
