/**
 * `serials.db` in the data folder: a random key, and every serial made with it. A row's serial
 * follows from the key, its job and its number, so a plan can show what a run will store
 * (docs/spec/serials.md).
 */
import { createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import path from "node:path";

import { PRIVATE_FOLDER } from "../../base/files/atomic-file.ts";
import { hmacSha256, sha256 } from "../../base/ids/ids.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { describeSerial, toSerial, type SerialForm } from "../../base/ids/serials.ts";
import { makePrivateFile, openSqlite, readSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";
import { TextNumbers } from "../../base/flow/text-numbers.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { unreadable } from "../files/unreadable.ts";

export const LEDGER_FILE = "serials.db";

const VERSION = 1;
const KEY_BYTES = 32;
/** Serials per transaction, and so per sync of the disk. */
const BATCH = 5000;
/**
 * A form with half of its serials free needs two attempts on average; this many means that it is used
 * up.
 */
const MOST_ATTEMPTS = 1000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ledger (version INTEGER NOT NULL, secret BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, form TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS serials (
    serial TEXT PRIMARY KEY, job INTEGER NOT NULL REFERENCES jobs (id), n INTEGER NOT NULL,
    UNIQUE (job, n)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS replacements (
    job INTEGER NOT NULL REFERENCES jobs (id), n INTEGER NOT NULL, number INTEGER NOT NULL,
    round INTEGER NOT NULL, replaced TEXT NOT NULL UNIQUE, PRIMARY KEY (job, n)
  ) WITHOUT ROWID;
`;

/** A serial that replaced a void one. */
export interface Replacement {
  /** Number of the row, from 1. */
  readonly number: number;
  /** From 1; serials replaced together share a round. */
  readonly round: number;
  /** The void serial, and the new one. */
  readonly replaced: string;
  readonly serial: string;
}

const REPLACEMENTS = `SELECT r.number, r.round, r.replaced, s.serial FROM replacements AS r
  JOIN jobs AS j ON j.id = r.job JOIN serials AS s ON s.job = r.job AND s.n = r.n
  WHERE j.identity = ? ORDER BY r.n DESC`;

export interface SerialOwner {
  /** The same for a job wherever its data folder is. */
  readonly identity: string;
  readonly form: SerialForm;
  readonly count: number;
}

const toFormText = ({ length, alphabet, check }: SerialForm): string =>
  JSON.stringify([length, alphabet, check]);

const fromFormText = (text: string): SerialForm => {
  const [length, alphabet, check] = JSON.parse(text) as [
    number,
    SerialForm["alphabet"],
    SerialForm["check"],
  ];
  return { length, alphabet, check };
};

export class SerialLedger {
  readonly #db: Sqlite;
  readonly #key: KeyObject;
  readonly #file: string;
  /** Identifies this ledger; reveals nothing about its key. */
  readonly id: string;

  constructor(db: Sqlite, key: Uint8Array, file: string) {
    this.#db = db;
    this.#key = createSecretKey(key);
    this.#file = file;
    this.id = sha256(hmacSha256(this.#key, "ledger")).slice(0, 16);
  }

  /**
   * The serials of a job, from the first. With `keeps`, a batch is on the disk before any of it is
   * answered; without, nothing is written, and missing serials are those that a run would store.
   */
  *serials(owner: SerialOwner, keeps: boolean): Generator<string> {
    const job = this.#jobOf(owner, keeps);
    const planned = new TextNumbers();
    for (let from = 1; from <= owner.count; from += BATCH) {
      const to = Math.min(owner.count, from + BATCH - 1);
      yield* keeps
        ? this.#db.transaction(() => this.#keepBatch(owner, { job, from, to }), "full")
        : this.#planBatch(owner, { job, from, to }, planned);
    }
  }

  /** Identifies where a job's serials come from: this ledger and this job. */
  originOf(identity: string): string {
    return sha256(JSON.stringify([this.id, identity]));
  }

  /** Replacements of void serials, in the order in which they were made. */
  replacements({ identity }: Pick<SerialOwner, "identity">): Replacement[] {
    return this.#db.all<Replacement>(REPLACEMENTS, identity);
  }

  /** How many serials a job has, replacements included. */
  countMinted({ identity }: Pick<SerialOwner, "identity">): number {
    const sql =
      "SELECT count(*) AS n FROM serials JOIN jobs ON jobs.id = serials.job WHERE identity = ?";
    return this.#db.get<{ n: number }>(sql, identity)?.n ?? 0;
  }

  /** The highest number that a row of the job ever had; 0 before the first. */
  lastNumber({ identity }: Pick<SerialOwner, "identity">): number {
    const sql =
      "SELECT max(n) AS n FROM serials JOIN jobs ON jobs.id = serials.job WHERE identity = ?";
    return Math.max(0, this.#db.get<{ n: number | null }>(sql, identity)?.n ?? 0);
  }

  /**
   * Makes a new serial for each of these, in one commit that waits for the disk; serials that were
   * replaced already are skipped. Answers how many are new.
   */
  replace(
    owner: SerialOwner,
    voided: readonly { readonly number: number; readonly serial: string }[],
    round: number,
  ): number {
    const job = this.#jobOf(owner, true);
    const [known, last, keep] = [
      "SELECT 1 FROM replacements WHERE replaced = ?",
      "SELECT coalesce(min(n), 0) AS n FROM serials WHERE job = ? AND n < 0",
      "INSERT INTO replacements (job, n, number, round, replaced) VALUES (?, ?, ?, ?, ?)",
    ];
    return this.#db.transaction(() => {
      const fresh = voided.filter(({ serial }) => this.#db.get(known, serial) === undefined);
      const first = (this.#db.get<{ n: number }>(last, job)?.n ?? 0) - 1;
      for (const [index, { number, serial }] of fresh.entries()) {
        // Replacements have numbers below 0, since the number of rows may grow at any time.
        const n = first - index;
        this.#keepBatch(owner, { job, from: n, to: n });
        this.#db.run(keep, job, n, number, round, serial);
      }
      return fresh.length;
    }, "full");
  }

  close(): void {
    this.#db.close();
  }

  /** The job's number; 0 when it has none yet. Throws when its serials have another form. */
  #jobOf({ identity, form }: SerialOwner, keeps: boolean): number {
    const text = toFormText(form);
    if (keeps) {
      const sql = "INSERT INTO jobs (identity, form) VALUES (?, ?) ON CONFLICT DO NOTHING";
      this.#db.transaction(() => this.#db.run(sql, identity, text), "full");
    }
    const sql = "SELECT id, form FROM jobs WHERE identity = ?";
    const found = this.#db.get<{ id: number; form: string }>(sql, identity);
    if (found === undefined) return 0;
    if (found.form !== text) throw otherForm(fromFormText(found.form), form);
    return found.id;
  }

  #kept({ job, from, to }: Batch): Map<number, string> {
    const sql = "SELECT n, serial FROM serials WHERE job = ? AND n BETWEEN ? AND ?";
    const rows = this.#db.all<{ n: number; serial: string }>(sql, job, from, to);
    return new Map(rows.map(({ n, serial }) => [n, serial]));
  }

  #keepBatch(owner: SerialOwner, batch: Batch): string[] {
    const kept = this.#kept(batch);
    const sql =
      "INSERT INTO serials (serial, job, n) VALUES (?, ?, ?) ON CONFLICT (serial) DO NOTHING";
    const isTaken = (serial: string, n: number): boolean =>
      this.#db.run(sql, serial, batch.job, n) === 0;
    return numbersOf(batch).map((n) => kept.get(n) ?? this.#mint(owner, n, isTaken));
  }

  #planBatch(owner: SerialOwner, batch: Batch, planned: TextNumbers): string[] {
    const kept = this.#kept(batch);
    const sql = "SELECT 1 FROM serials WHERE serial = ?";
    const isTaken = (serial: string): boolean =>
      planned.has(serial) || this.#db.get(sql, serial) !== undefined;
    return numbersOf(batch).map((n) => {
      const serial = kept.get(n) ?? this.#mint(owner, n, isTaken);
      planned.set(serial, n);
      return serial;
    });
  }

  /** The first free candidate for a row. */
  #mint(
    { identity, form }: SerialOwner,
    n: number,
    isTaken: (serial: string, n: number) => boolean,
  ): string {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const serial = toSerial(form, (block) =>
        hmacSha256(this.#key, JSON.stringify([identity, toFormText(form), n, attempt, block])),
      );
      if (!isTaken(serial, n)) return serial;
    }
    throw unreadable(
      `source.serial must leave room for more serials, got ${describeSerial(form)}: nearly all of them are taken in ${this.#file}`,
      { where: { file: this.#file }, hint: "make source.serial.length larger" },
    );
  }
}

interface Batch {
  readonly job: number;
  /** First and last number. */
  readonly from: number;
  readonly to: number;
}

const numbersOf = ({ from, to }: Batch): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

function otherForm(kept: SerialForm, wanted: SerialForm): AppError {
  const message = `source.serial must stay ${describeSerial(kept)}, got ${describeSerial(wanted)}: serials of this job are minted, and may be in print`;
  const hint = "put it back; a job with another name or output folder mints serials of its own";
  return new AppError("source-unreadable", message, { hint, where: { field: "source.serial" } });
}

function readSecret(db: Sqlite, file: string): Uint8Array {
  db.transaction(() => {
    db.exec(SCHEMA);
    const sql = "INSERT INTO ledger SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM ledger)";
    db.run(sql, VERSION, randomBytes(KEY_BYTES));
  }, "full");
  const found = db.get<{ version: number; secret: Uint8Array }>("SELECT * FROM ledger");
  if (found?.version === VERSION) return found.secret;
  throw newer(file);
}

const newer = (file: string): AppError =>
  new AppError("state-newer", `${file} was written by a newer makeready`, {
    hint: "update makeready",
    where: { file },
  });

function damaged(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  return unreadable(
    `${file} must be a ledger of serials that can be read and written, got ${toMessage(error)}`,
    {
      where: { file },
      hint: "put it back from a backup: it knows which serials are taken",
      cause: error,
    },
  );
}

/** The replacements of a job, for who only looks: nothing is written. Throws `source-unreadable`. */
export function readReplacements(dataDir: string, identity: string): Replacement[] {
  const file = path.join(dataDir, LEDGER_FILE);
  let db: Sqlite | undefined;
  try {
    db = readSqlite(file);
    const version = db.get<{ version: number }>("SELECT version FROM ledger")?.version;
    if (version !== undefined && version !== VERSION) throw newer(file);
    // A ledger of before replacements has none.
    const isThere = "SELECT 1 FROM sqlite_schema WHERE name = 'replacements'";
    return db.get(isThere) === undefined ? [] : db.all<Replacement>(REPLACEMENTS, identity);
  } catch (error) {
    throw damaged(file, error);
  } finally {
    db?.close();
  }
}

/** Opens the ledger of a data folder, or makes an empty one. */
export async function openLedger(dataDir: string): Promise<SerialLedger> {
  const file = path.join(dataDir, LEDGER_FILE);
  let db: Sqlite | undefined;
  try {
    await makeFolder(dataDir, PRIVATE_FOLDER);
    makePrivateFile(file);
    // Everything in one file, so that a copy of it is complete.
    db = openSqlite(file, "delete");
    return new SerialLedger(db, readSecret(db, file), file);
  } catch (error) {
    db?.close();
    throw damaged(file, error);
  }
}
