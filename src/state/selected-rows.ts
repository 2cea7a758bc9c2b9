import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { setPicture } from "./row-journal.ts";
import type { RowError } from "./row.ts";
import { PUT_BACK, UNKNOWN, WITH_SHORT_LINK } from "./which-rows.ts";

/** A code as the list shows it; its id is the row's key. */
export interface Selected {
  readonly key: string;
  readonly created: string;
  readonly shortLink: string | null;
  /** Identifies its design; null keeps what is known. */
  readonly designHash: string | null;
}

/** What of a code a retarget can change, as the server has it. */
export interface CodeNow {
  readonly destination: string | null;
  readonly name: string;
  /** Path. */
  readonly folder: string | null;
}

/** A row that a run has found the code of. */
export interface FoundBefore {
  /** Of the code. */
  readonly key: string;
  readonly cells: Readonly<Record<string, string>>;
  /** A run has given its code what the row wanted when it was last good, and no undo took it back. */
  readonly isFinished: boolean;
}

interface Linked {
  readonly at: number;
  readonly key: string;
  readonly link: string;
}

const LINKS_A_PAGE = 500;

/** State changes of rows that are existing codes: these rows are never in doubt. */
export class SelectedRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /**
   * Stores existing codes as finished rows, with the data from the list. What was fetched of one is
   * valid only while the list shows the same. A run is to change again what an undo has put back.
   */
  take(codes: Iterable<Selected>): void {
    this.#db.transaction(() => {
      for (const code of codes) {
        this.#db.run(
          `DELETE FROM pictures WHERE row_key = (SELECT row_key FROM rows WHERE row_key = ?
             AND (made_hash IS NOT wanted_hash OR short_link IS NOT ?))`,
          code.key,
          code.shortLink,
        );
        this.#db.run(
          `UPDATE rows SET state = 'done', remote_id = row_key, created = ?, error = NULL,
             artwork = CASE WHEN made_hash = wanted_hash AND short_link IS ? THEN artwork END,
             short_link = ?, made = wanted, made_hash = wanted_hash, made_tags_hash = tags_hash,
             made_design_hash = coalesce(?, nullif(made_design_hash, '${PUT_BACK}'), '${UNKNOWN}')
           WHERE row_key = ?`,
          code.created,
          code.shortLink,
          code.shortLink,
          code.designHash,
          code.key,
        );
      }
    });
  }

  /** Rows whose code is known; those of the last plan last, and of these the finished ones. */
  *found(): Iterable<FoundBefore> {
    const sql = `SELECT row_key AS key, cells, made_hash = wanted_hash AS finished
      FROM rows ORDER BY presence = 'present', finished, seq`;
    for (const row of this.#db.iterate<{ key: string; cells: string; finished: number }>(sql)) {
      const cells = JSON.parse(row.cells) as FoundBefore["cells"];
      yield { key: row.key, cells, isFinished: row.finished === 1 };
    }
  }

  /** The short link of a code, as the server gives it now; pictures of another one are forgotten. */
  seen(key: string, shortLink: string): void {
    this.#db.transaction(() => this.#relink(key, shortLink));
  }

  /** Every short link that `toMoved` knows another one of. */
  moveLinks(toMoved: (link: string) => string | undefined): void {
    this.#db.transaction(() => {
      for (const { key, link } of this.#links()) {
        const moved = toMoved(link);
        if (moved !== undefined) this.#relink(key, moved);
      }
    });
  }

  /** Page by page: a job may have a million rows, and they may be written meanwhile. */
  *#links(): Iterable<Linked> {
    const sql = `SELECT rowid AS at, row_key AS key, short_link AS link FROM rows
      WHERE rowid > ? AND ${WITH_SHORT_LINK} ORDER BY rowid LIMIT ${LINKS_A_PAGE}`;
    let after = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const page = this.#db.all<Linked>(sql, after);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.at;
    }
  }

  #relink(key: string, link: string): void {
    const sql = `UPDATE rows SET short_link = ?, artwork = NULL
      WHERE row_key = ? AND short_link IS NOT ?`;
    if (this.#db.run(sql, link, key, link) > 0) setPicture(this.#db, key, null);
  }

  /** These codes don't have what their rows want yet: so they are now. */
  toChange(codes: Iterable<{ readonly key: string; readonly now: CodeNow }>): void {
    this.#db.transaction(() => {
      for (const { key, now } of codes) this.#setNow(key, "before", now);
    });
  }

  /** A selected code has what its row wants. */
  changeDone(key: string): void {
    this.#db.run(
      "UPDATE rows SET made = wanted, made_hash = wanted_hash, error = NULL WHERE row_key = ?",
      key,
    );
  }

  /** A selected code stays as it was; the next run tries again. */
  changeFailed(key: string, error: RowError): void {
    this.#db.run(
      "UPDATE rows SET state = 'failed', error = ? WHERE row_key = ?",
      JSON.stringify(error),
      key,
    );
  }

  /** Nobody wants any more what the server refused: a new run begins anew. */
  forgetRefusals(halfway: string): void {
    const refused = `presence = 'present' AND (state = 'failed' OR (${halfway}))`;
    this.#db.run(`UPDATE rows SET state = 'done', error = NULL WHERE ${refused}`);
  }

  /** A selected code has the drawing that `mark` identifies. */
  drawn(key: string, mark: string): void {
    this.#db.run("UPDATE rows SET made_design_hash = ? WHERE row_key = ?", mark, key);
  }

  /** No code's design counts as known any more: each is sent again. */
  forgetDesigns(): void {
    this.#db.run(`UPDATE rows SET made_design_hash = '${UNKNOWN}'`);
  }

  /** A selected code has the design of `hash`; files of another design are fetched again. */
  redesigned(key: string, hash: string, svg: string | null): void {
    this.#db.transaction(() => {
      this.#db.run(
        "UPDATE rows SET made_design_hash = ?, artwork = NULL, error = NULL WHERE row_key = ?",
        hash,
        key,
      );
      setPicture(this.#db, key, svg);
    });
  }

  /** A code is as it was before a run. */
  putBack(key: string, now: CodeNow): void {
    this.#setNow(key, PUT_BACK, now);
  }

  #setNow(key: string, madeHash: string, { destination, name, folder }: CodeNow): void {
    this.#db.run(
      `UPDATE rows SET made_hash = ?, error = NULL, made = json_set(coalesce(made, wanted),
         '$.qrData', ?, '$.displayName', ?, '$.folder', ?) WHERE row_key = ?`,
      madeHash,
      destination,
      name,
      folder,
      key,
    );
  }

  /** A code's design is unknown now: another one was put back. */
  forgetDesign(key: string): void {
    this.#loseDesign(key, PUT_BACK);
  }

  /** A code's design is unknown now: it may be another one. */
  doubtDesign(key: string): void {
    this.#loseDesign(key, UNKNOWN);
  }

  #loseDesign(key: string, mark: string): void {
    this.#db.transaction(() => {
      this.#db.run(
        "UPDATE rows SET made_design_hash = ?, artwork = NULL WHERE row_key = ?",
        mark,
        key,
      );
      setPicture(this.#db, key, null);
    });
  }
}
