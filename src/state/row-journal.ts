import { invariant } from "../base/errors.ts";
import type { Sqlite } from "../base/sqlite/sqlite.ts";
import type { RowError, RowParts, Wanted } from "./row.ts";
import { moveAddress, type AddressMove } from "./moved-address.ts";

/** The durable note that a create is about to be sent. */
export interface Intent {
  readonly key: string;
  readonly ref: string;
  readonly bodyHash: string;
  readonly intentAtMs: number;
  /** What the create alone makes, if that is less than the wish: the rest follows as a change. */
  readonly made?: MadeFirst | undefined;
}

/** The part of a wish that its create makes, with its hashes. */
export interface MadeFirst {
  readonly wanted: Wanted;
  readonly wantedHash: string;
  readonly designHash: string;
}

/** What the server made. */
export interface Made {
  readonly key: string;
  readonly remoteId: string;
  readonly created: string | null;
  readonly shortLink: string | null;
  readonly svg: string | null;
  readonly parts?: RowParts | undefined;
}

/** How a code looks now. */
export interface Restyled {
  readonly hash: string;
  readonly design: Wanted["design"];
  readonly svg: string | null;
}

/** A code of this job that was found on the server, but not known to the state. */
export interface TakenBack {
  readonly key: string;
  readonly ref: string | null;
  readonly remoteId: string;
  readonly created: string | null;
  readonly shortLink: string | null;
  /** The code's content, as far as lists show it. */
  readonly made: Wanted;
  /** True when its content equals the row's wish. */
  readonly isEqual: boolean;
}

/**
 * Stores the picture from an answer; null removes it. To be called inside the transaction of the
 * change.
 */
export function setPicture(db: Sqlite, key: string, svg: string | null): void {
  if (svg === null) db.run("DELETE FROM pictures WHERE row_key = ?", key);
  else db.run("INSERT OR REPLACE INTO pictures VALUES (?, ?)", key, svg);
}

/** The first doubt counts: a code that it left behind may be that old. */
const DOUBTED = "doubted_from = coalesce(doubted_from, intent_at)";

/** A failed row may be sent again; for a row in conflict, the list must be read again. */
export const AGAIN = `state = CASE state WHEN 'conflict' THEN 'doubt' ELSE 'pending' END, error = NULL
  WHERE state IN ('failed', 'conflict')`;

/**
 * The state changes of rows (docs/spec/engine.md section 1.2). Each applies only in the state that
 * it expects; in any other state it changes nothing.
 */
export class RowJournal {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /**
   * pending -> sending, on the disk before this returns, or with the durable commit that it is part
   * of. The sent wish is stored as `made`: a row in doubt is searched for by what was sent, even if
   * the spreadsheet changes later.
   */
  intend(intents: readonly Intent[]): void {
    this.#db.joined(() => {
      for (const intent of intents) this.#intend(intent);
    }, "full");
  }

  #intend({ key, ref, bodyHash, intentAtMs, made }: Intent): void {
    const changed = this.#db.run(
      `UPDATE rows SET state = 'sending', ref = ?, body_hash = ?, intent_at = ?, sent_at = ?, attempts = attempts + 1,
         made = coalesce(?, wanted), made_hash = coalesce(?, wanted_hash), made_design_hash = coalesce(?, design_hash),
         made_tags_hash = NULL, made_tags = NULL, error = NULL
       WHERE row_key = ? AND state = 'pending'`,
      ref,
      bodyHash,
      intentAtMs,
      intentAtMs,
      made === undefined ? null : JSON.stringify(made.wanted),
      made?.wantedHash ?? null,
      made?.designHash ?? null,
      key,
    );
    invariant(changed === 1, `row ${key} must be pending to be sent`);
  }

  /**
   * sending or doubt -> done. False when another row has the code already (an equal row got it
   * first): then this row is in doubt, and nothing is doubled.
   */
  done(made: Made): boolean {
    const holder = this.#db.get<{ row_key: string }>(
      "SELECT row_key FROM rows WHERE remote_id = ? AND row_key <> ?",
      made.remoteId,
      made.key,
    );
    if (holder !== undefined) {
      this.#lostToTwin(made.key);
      return false;
    }
    this.#db.joined(() => {
      const changed = this.#db.run(
        `UPDATE rows SET state = 'done', remote_id = ?, created = ?, short_link = ?, error = NULL, artwork = NULL,
           parts = json_patch(coalesce(parts, '{}'), ?)
         WHERE row_key = ? AND state IN ('sending', 'doubt')`,
        made.remoteId,
        made.created,
        made.shortLink,
        JSON.stringify(made.parts ?? {}),
        made.key,
      );
      if (changed === 1) setPicture(this.#db, made.key, made.svg);
    });
    return true;
  }

  /** pending -> done, for things that can be set again at will: no create had to be noted. */
  settled(key: string, remoteId: string): void {
    this.#db.run(
      `UPDATE rows SET state = 'done', remote_id = ?, error = NULL, artwork = NULL,
         made = wanted, made_hash = wanted_hash, made_design_hash = design_hash, made_tags_hash = tags_hash
       WHERE row_key = ? AND state IN ('pending', 'sending', 'doubt')`,
      remoteId,
      key,
    );
  }

  /** Stores what the server answered about a row's things; other known parts stay. */
  keepParts(key: string, parts: RowParts): void {
    this.#db.setDurability("normal");
    this.#db.run(
      "UPDATE rows SET parts = json_patch(coalesce(parts, '{}'), ?) WHERE row_key = ?",
      JSON.stringify(parts),
      key,
    );
  }

  /** The short link or image of a done row became known, or has changed. */
  shown(key: string, shortLink: string | null, svg: string | null): void {
    this.#db.transaction(() => {
      this.#db.run(
        "UPDATE rows SET short_link = coalesce(?, short_link), artwork = NULL WHERE row_key = ?",
        shortLink,
        key,
      );
      setPicture(this.#db, key, svg);
    });
  }

  /**
   * An equal row got the code that this row made. This row's own code may still be unclaimed, so
   * the list decides. Its reference now belongs to the other's code, so it gets a new one.
   */
  #lostToTwin(key: string): void {
    this.#db.run(
      `UPDATE rows SET state = 'doubt', doubts = doubts + 1, generation = generation + 1, ref = NULL, ${DOUBTED}
       WHERE row_key = ? AND state IN ('sending', 'doubt')`,
      key,
    );
  }

  /**
   * pending -> done: its code was made earlier, by a state that was lost. False when another row has
   * it.
   */
  takenBack(code: TakenBack): boolean {
    if (this.holds(code.remoteId)) return false;
    return this.#db.transaction(() => {
      const changed = this.#db.run(
        `UPDATE rows SET state = 'done', remote_id = ?, ref = ?, created = ?, short_link = ?, artwork = NULL, error = NULL,
           made = ?, made_hash = CASE WHEN ? THEN wanted_hash ELSE 'taken back' END, made_design_hash = design_hash,
           made_tags_hash = NULL, made_tags = NULL
         WHERE row_key = ? AND state = 'pending'`,
        code.remoteId,
        code.ref,
        code.created,
        code.shortLink,
        JSON.stringify(code.made),
        Number(code.isEqual),
        code.key,
      );
      if (changed === 1) setPicture(this.#db, code.key, null);
      return changed === 1;
    });
  }

  /** sending or doubt -> pending: certainly nothing was made. */
  notSent(key: string): void {
    this.#db.run(
      `UPDATE rows SET state = 'pending', made = NULL, made_hash = NULL, made_design_hash = NULL
       WHERE row_key = ? AND state IN ('sending', 'doubt')`,
      key,
    );
  }

  /** sending -> doubt: it may have been made. `error`: the server's words, if it refused. */
  doubt(key: string, error: RowError | null): void {
    this.#db.run(
      `UPDATE rows SET state = 'doubt', doubts = doubts + 1, error = ?, ${DOUBTED} WHERE row_key = ? AND state = 'sending'`,
      error && JSON.stringify(error),
      key,
    );
  }

  /** sending, doubt or pending -> failed: the server refused for good. */
  refused(key: string, error: RowError): void {
    this.#db.run(
      `UPDATE rows SET state = 'failed', error = ?, made = NULL, made_hash = NULL, made_design_hash = NULL
       WHERE row_key = ? AND state IN ('sending', 'doubt', 'pending')`,
      JSON.stringify(error),
      key,
    );
  }

  /** doubt -> conflict: a code was found, but it may not be this row's. Nothing more is sent. */
  conflict(key: string, error: RowError): void {
    this.#db.run(
      "UPDATE rows SET state = 'conflict', error = ? WHERE row_key = ? AND state = 'doubt'",
      JSON.stringify(error),
      key,
    );
  }

  /**
   * After a restart, answers are lost: every sending row is in doubt. The server is not to blame,
   * so this doesn't count as one of the row's lost answers.
   */
  doubtAllSending(): number {
    return this.#db.run(`UPDATE rows SET state = 'doubt', ${DOUBTED} WHERE state = 'sending'`);
  }

  /** A row in doubt will be sent again under its key: it must settle again. */
  resent(key: string, sentAtMs: number): void {
    this.#db.setDurability("full");
    this.#db.run(
      "UPDATE rows SET sent_at = ? WHERE row_key = ? AND state = 'doubt'",
      sentAtMs,
      key,
    );
  }

  /**
   * The server dates codes `offMs` off the clock with which creates were noted; by its codes it is
   * `nowMs`. No intent may seem younger than its code, and rows under way must settle again.
   */
  redated(nowMs: number, offMs: number): void {
    this.#db.run(
      `UPDATE rows SET sent_at = ?1,
         intent_at = CASE WHEN intent_at > ?1 THEN intent_at + ?2 ELSE intent_at END,
         doubted_from = CASE WHEN doubted_from > ?1 THEN doubted_from + ?2 ELSE doubted_from END
       WHERE state IN ('sending', 'doubt') OR doubted_from IS NOT NULL`,
      nowMs,
      Math.min(0, offMs),
    );
  }

  /**
   * doubt -> failed: never answered, and not on the server. If it appears later, the audit finds it.
   */
  gaveUp(key: string, error: RowError): void {
    this.#db.run(
      "UPDATE rows SET state = 'failed', error = ? WHERE row_key = ? AND state = 'doubt'",
      JSON.stringify(error),
      key,
    );
  }

  /** failed -> doubt: the code of a row that was given up has appeared. */
  turnedUp(key: string): void {
    this.#db.run(
      "UPDATE rows SET state = 'doubt', error = NULL WHERE row_key = ? AND state = 'failed'",
      key,
    );
  }

  /** The code of a done row is in no folder any more, but its row wants one. */
  unfiled(key: string): void {
    this.#db.run(
      "UPDATE rows SET made = json_set(made, '$.folder', NULL), made_hash = 'unfiled' WHERE row_key = ? AND state = 'done'",
      key,
    );
  }

  /** The list was read after these rows' doubts had settled: they have no unclaimed codes. */
  audited(keys: Iterable<string>): void {
    this.#db.transaction(() => {
      for (const key of keys) {
        this.#db.run("UPDATE rows SET doubted_from = NULL WHERE row_key = ?", key);
      }
    });
  }

  /** The code of a done row now has the content `made`. */
  updated(key: string, made: Wanted, hash: string): void {
    this.#db.run(
      "UPDATE rows SET made = ?, made_hash = ?, error = NULL WHERE row_key = ?",
      JSON.stringify(made),
      hash,
      key,
    );
  }

  /** The code of a done row has the design of `hash`; its files must be fetched again. */
  restyled(key: string, { hash, design, svg }: Restyled): void {
    this.#db.transaction(() => {
      this.#db.run(
        `UPDATE rows SET made_design_hash = ?, made = json_set(made, '$.design', json(?)),
           artwork = NULL, error = NULL WHERE row_key = ?`,
        hash,
        JSON.stringify(design),
        key,
      );
      if (svg !== null) setPicture(this.#db, key, svg);
    });
  }

  /** The code of a done row has these tags. */
  tagged(key: string, hash: string, tags: readonly string[]): void {
    this.#db.run(
      "UPDATE rows SET made_tags_hash = ?, made_tags = ?, error = NULL WHERE row_key = ?",
      hash,
      JSON.stringify(tags),
      key,
    );
  }

  /** The code of a done row has a new short link or image address; its files are fetched again. */
  relinked(key: string, shortLink: string | null, svg: string | null): void {
    this.#db.transaction(() => {
      this.#db.run("UPDATE rows SET short_link = ? WHERE row_key = ?", shortLink, key);
      setPicture(this.#db, key, svg);
    });
  }

  /** The server has a new public address. Answers how many codes are to be asked for. */
  moveAddress(move: AddressMove): number {
    return moveAddress(this.#db, move);
  }

  /** The files of a done row are wrong: the next run fetches them again. */
  spoiled(key: string, error: RowError): void {
    this.#db.run(
      "UPDATE rows SET artwork = NULL, error = ? WHERE row_key = ?",
      JSON.stringify(error),
      key,
    );
  }

  /** The drawing from the answer is wrong: it will be fetched as a file. */
  forgetPicture(key: string): void {
    setPicture(this.#db, key, null);
  }

  /** A later step failed for a done row; its code stays. */
  stepFailed(key: string, error: RowError): void {
    this.#db.run("UPDATE rows SET error = ? WHERE row_key = ?", JSON.stringify(error), key);
  }

  /** True when a row holds this code. */
  holds(remoteId: string): boolean {
    return this.#db.get("SELECT 1 AS held FROM rows WHERE remote_id = ?", remoteId) !== undefined;
  }

  /** When the last create of a code was sent, by the server's clock. */
  sentAtMs(remoteId: string): number | undefined {
    const sql = "SELECT sent_at FROM rows WHERE remote_id = ?";
    return this.#db.get<{ sent_at: number | null }>(sql, remoteId)?.sent_at ?? undefined;
  }

  /** failed -> pending, conflict -> doubt, for `retry`. */
  retryFailed(): number {
    return this.#db.run(`UPDATE rows SET ${AGAIN}`);
  }
}
