/**
 * The values that a job replaced on existing codes, so that they can be put back: one SQLite file
 * beside the state. Old values are on the disk before a change is sent.
 */
import { existsSync } from "node:fs";
import path from "node:path";

import { openSqlite, type Sqlite, type SqlRow } from "../base/sqlite/sqlite.ts";
import { toStateError } from "./schema.ts";

/** Plain JSON: fields of the API and what they hold. */
export type Fields = Readonly<Record<string, unknown>>;

/** One code or short link that a run changed. */
export interface Change {
  /** Of the row. */
  readonly key: string;
  readonly remoteId: string;
  readonly isLink: boolean;
  /** For people. */
  readonly name: string;
  /** The old values; null when they could not be read. */
  readonly before: Fields | null;
  /** The requested values; after the change, those that the server answered. */
  readonly after: Fields;
}

/** `begun`: it may have been sent. `undone`: the old values are back. */
type ChangeState = "begun" | "applied" | "undone";

export interface KeptChange extends Change {
  readonly state: ChangeState;
}

/** The changes of one run, which may be started several times. */
export interface ChangeRun {
  readonly id: number;
  /** ISO. */
  readonly startedAt: string;
  readonly isFinished: boolean;
  readonly changes: number;
  readonly undone: number;
  /** How often it was started and changed something: with a limit, or after it was cut short. */
  readonly starts: number;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS starts (run INTEGER NOT NULL, started_at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS changes (
  run INTEGER NOT NULL, row_key TEXT NOT NULL, remote_id TEXT NOT NULL, is_link INTEGER NOT NULL,
  name TEXT NOT NULL, before TEXT, after TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'begun',
  PRIMARY KEY (run, row_key)
) STRICT;
CREATE TABLE IF NOT EXISTS logos (mark TEXT PRIMARY KEY, image TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS changes_by_code ON changes (remote_id, run);
`;

const changesFile = (folder: string): string => path.join(folder, "changes.db");

const toChange = (raw: SqlRow): KeptChange => ({
  key: String(raw["row_key"]),
  remoteId: String(raw["remote_id"]),
  isLink: raw["is_link"] === 1,
  name: String(raw["name"]),
  before: raw["before"] === null ? null : (JSON.parse(String(raw["before"])) as Fields),
  after: JSON.parse(String(raw["after"])) as Fields,
  state: String(raw["state"]) as ChangeState,
});

/** Fields of both; the older value wins, since it was there first. */
const merge = (fresh: Fields | null, old: Fields | null): Fields | null =>
  fresh === null || old === null ? (old ?? fresh) : { ...fresh, ...old };

/** Opens or makes the log of a job's folder. The caller holds the folder's lock. */
export function openChangeLog(folder: string): ChangeLog {
  const file = changesFile(folder);
  try {
    const db = openSqlite(file);
    db.exec(TABLES);
    return new ChangeLog(db);
  } catch (error) {
    throw toStateError(file, error);
  }
}

export const hasChangeLog = (folder: string): boolean => existsSync(changesFile(folder));

export class ChangeLog {
  readonly #db: Sqlite;
  #run: number | undefined;
  /** Key of a change that this process has begun -> what stood there before; undefined for nothing. */
  readonly #inFlight = new Map<string, SqlRow | undefined>();

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** The unfinished run, else a new one; this log's first change counts as a start of it. */
  #currentRun(startedAt: string): number {
    if (this.#run !== undefined) return this.#run;
    this.#run = this.#db.get<{ id: number }>(
      "SELECT id FROM runs WHERE finished = 0 ORDER BY id DESC LIMIT 1",
    )?.id;
    if (this.#run === undefined) {
      this.#db.run("INSERT INTO runs (started_at) VALUES (?)", startedAt);
      this.#run = this.#db.get<{ id: number }>("SELECT max(id) AS id FROM runs")?.id ?? 1;
    } else {
      // Logs of an older makeready hold no starts: there was one at least.
      this.#db.run(
        `INSERT INTO starts SELECT id, started_at FROM runs
           WHERE id = ? AND NOT EXISTS (SELECT 1 FROM starts WHERE run = runs.id)`,
        this.#run,
      );
    }
    this.#db.run("INSERT INTO starts VALUES (?, ?)", this.#run, startedAt);
    return this.#run;
  }

  /**
   * Stores what will be replaced; it is on the disk when this returns. If an earlier start of the
   * same run began the change, its old values are kept.
   */
  begin(change: Change, startedAt: string): void {
    this.#db.setDurability("full");
    const run = this.#currentRun(startedAt);
    const raw = this.#db.get(
      "SELECT * FROM changes WHERE run = ? AND row_key = ?",
      run,
      change.key,
    );
    this.#inFlight.set(change.key, raw);
    const old = raw === undefined ? undefined : toChange(raw);
    const before = old === undefined ? change.before : merge(change.before, old.before);
    this.#db.run(
      `INSERT INTO changes (run, row_key, remote_id, is_link, name, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run, row_key) DO UPDATE SET before = excluded.before, after = excluded.after, state = 'begun'`,
      run,
      change.key,
      change.remoteId,
      Number(change.isLink),
      change.name,
      before === null ? null : JSON.stringify(before),
      JSON.stringify({ ...old?.after, ...change.after }),
    );
  }

  /** A change of this run that was begun, and may have been made before its answer was lost. */
  begun(key: string): KeptChange | undefined {
    const raw = this.#db.get(
      `SELECT * FROM changes WHERE row_key = ? AND state = 'begun'
         AND run = (SELECT max(id) FROM runs WHERE finished = 0)`,
      key,
    );
    return raw === undefined ? undefined : toChange(raw);
  }

  /** The server made the change; `said` is its answer, if it has one. */
  applied(key: string, said: Fields): void {
    this.#inFlight.delete(key);
    const change = this.begun(key);
    if (change === undefined) return;
    this.#db.setDurability("normal");
    this.#db.run(
      `UPDATE changes SET state = 'applied', after = ? WHERE row_key = ? AND state = 'begun'
         AND run = (SELECT max(id) FROM runs WHERE finished = 0)`,
      JSON.stringify({ ...change.after, ...said }),
      key,
    );
  }

  /**
   * The change that this process has begun was not made. What an earlier start of the run changed, or
   * may have changed, is still to be put back.
   */
  dropped(key: string): void {
    if (!this.#inFlight.has(key)) return;
    const old = this.#inFlight.get(key);
    this.#inFlight.delete(key);
    const run = this.#run ?? null;
    if (old === undefined) {
      this.#db.run("DELETE FROM changes WHERE run = ? AND row_key = ?", run, key);
      return;
    }
    this.#db.run(
      "UPDATE changes SET before = ?, after = ?, state = ? WHERE run = ? AND row_key = ?",
      ...["before", "after", "state"].map((column) => old[column] ?? null),
      run,
      key,
    );
  }

  /**
   * The last change that the job made to a code, by any run: its design or destination since then.
   */
  lastOf(remoteId: string): KeptChange | undefined {
    const raw = this.#db.get(
      "SELECT * FROM changes WHERE remote_id = ? AND state <> 'begun' ORDER BY run DESC LIMIT 1",
      remoteId,
    );
    return raw === undefined ? undefined : toChange(raw);
  }

  /** Stores an image that this job gives to codes, as base64: the API doesn't return it. */
  keepLogo(mark: string, image: string): void {
    this.#db.run("INSERT OR IGNORE INTO logos VALUES (?, ?)", mark, image);
  }

  logo(mark: string): string | undefined {
    return this.#db.get<{ image: string }>("SELECT image FROM logos WHERE mark = ?", mark)?.image;
  }

  /** The run is complete: the next one begins a new entry. */
  finish(): void {
    this.#run = undefined;
    this.#db.run("UPDATE runs SET finished = 1 WHERE finished = 0");
  }

  /** The last run that changed anything. */
  lastRun(): ChangeRun | undefined {
    const raw = this.#db.get(
      `SELECT runs.id, started_at, finished, count(*) AS changes, sum(state = 'undone') AS undone,
           (SELECT count(*) FROM starts WHERE starts.run = runs.id) AS starts
         FROM runs JOIN changes ON changes.run = runs.id GROUP BY runs.id ORDER BY runs.id DESC LIMIT 1`,
    );
    return raw === undefined
      ? undefined
      : {
          id: Number(raw["id"]),
          startedAt: String(raw["started_at"]),
          isFinished: raw["finished"] === 1,
          changes: Number(raw["changes"]),
          undone: Number(raw["undone"]),
          starts: Math.max(1, Number(raw["starts"])),
        };
  }

  /** Changes of a run that are not undone, latest first. Rows may be marked as undone meanwhile. */
  *open(run: number): Iterable<KeptChange> {
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = this.#db.all(
        "SELECT rowid AS at, * FROM changes WHERE run = ? AND state <> 'undone' AND rowid < ? ORDER BY rowid DESC LIMIT 200",
        run,
        before,
      );
      for (const raw of page) yield toChange(raw);
      const last = page.at(-1);
      if (last === undefined) return;
      before = Number(last["at"]);
    }
  }

  undone(run: number, key: string): void {
    this.#db.setDurability("full");
    this.#db.run("UPDATE changes SET state = 'undone' WHERE run = ? AND row_key = ?", run, key);
  }

  close(): void {
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#db.close();
  }
}
