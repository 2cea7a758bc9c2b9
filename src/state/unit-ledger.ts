/**
 * `units.db` in the data folder: what happened to codes after printing, with name and time of whoever
 * noted it (docs/ledger.md). It only grows: entries are never changed or removed. It outlives
 * `state.db`, whose salt it keeps: so the entries are found when the output folder lies elsewhere.
 */
import { existsSync } from "node:fs";
import path from "node:path";

import { PRIVATE_FOLDER } from "../base/files/atomic-file.ts";
import { closing } from "../base/flow/closing.ts";
import { AppError, toMessage } from "../base/errors.ts";
import { makeFolder } from "../base/files/make-folder.ts";
import { makePrivateFile, openSqlite, readSqlite, type Sqlite } from "../base/sqlite/sqlite.ts";

export const UNITS_FILE = "units.db";

const VERSION = 1;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ledger (version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, job TEXT NOT NULL, unit TEXT NOT NULL, what TEXT NOT NULL,
    at INTEGER NOT NULL, who TEXT NOT NULL, reason TEXT NOT NULL, place TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS events_of_job ON events (job, id);
  CREATE UNIQUE INDEX IF NOT EXISTS events_once ON events (job, unit, what)
    WHERE what IN ('void', 'activated');
  CREATE UNIQUE INDEX IF NOT EXISTS labels_once ON events (job, unit, place)
    WHERE what = 'spoiled' AND place <> '';
  CREATE TABLE IF NOT EXISTS jobs (
    salt TEXT NOT NULL, job TEXT NOT NULL, PRIMARY KEY (salt, job)
  ) WITHOUT ROWID;
  INSERT INTO ledger SELECT ${VERSION} WHERE NOT EXISTS (SELECT 1 FROM ledger);
`;

/** A job, as the ledger finds its entries. */
export interface UnitOwner {
  /** Its name and the output folder of today: entries are noted under it first. */
  readonly identity: string;
  /** That of its state, the same wherever it lies; undefined where there is none. */
  readonly salt: string | undefined;
  /** Its name and output folder at the last run, for entries of an older makeready. */
  readonly before: string | undefined;
}

/** What can happen to a unit: to the code (`void`, `activated`), or to one of its labels. */
export type UnitFate = "void" | "activated" | "spoiled" | "reprinted";

/** Where a label lies; all counts from 1. */
export interface UnitPlace {
  readonly file: string;
  readonly page: number;
  readonly row: number;
  readonly column: number;
  /** SHA-256 of the PDF: a file that was written again is another print. Older entries have none. */
  readonly sha256?: string | undefined;
}

export interface UnitEvent {
  /** Key of the row. */
  readonly unit: string;
  readonly what: UnitFate;
  readonly reason: string;
  /** For a label: its place; undefined when it is unknown, or when the entry is about the code. */
  readonly place?: UnitPlace | undefined;
}

export interface NotedEvent extends UnitEvent {
  /** Milliseconds. */
  readonly atMs: number;
  readonly who: string;
}

/** The same text for the same place, in any print. */
export const toPlaceText = ({ file, page, row, column }: UnitPlace): string =>
  JSON.stringify([file, page, row, column]);

/** True for the same label on paper. */
export const isSameLabel = (a: UnitPlace, b: UnitPlace): boolean =>
  toPlaceText(a) === toPlaceText(b) &&
  (a.sha256 === undefined || b.sha256 === undefined || a.sha256 === b.sha256);

const toKept = ({ sha256, ...place }: UnitPlace): string =>
  sha256 === undefined
    ? toPlaceText(place)
    : JSON.stringify([place.file, place.page, place.row, place.column, sha256]);

function readPlace(text: string): UnitPlace | undefined {
  if (text === "") return undefined;
  const [file, page, row, column, sha256] = JSON.parse(text) as [
    string,
    number,
    number,
    number,
    string?,
  ];
  return { file, page, row, column, sha256 };
}

/** Key -> its entries. */
export function groupByUnit(events: readonly NotedEvent[]): Map<string, NotedEvent[]> {
  const found = new Map<string, NotedEvent[]>();
  for (const event of events) {
    const own = found.get(event.unit);
    if (own === undefined) found.set(event.unit, [event]);
    else own.push(event);
  }
  return found;
}

const ADD = `INSERT INTO events (job, unit, what, at, who, reason, place)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const LIST = `SELECT unit, what, at, who, reason, place FROM events
  WHERE job IN (SELECT value FROM json_each(?)) ORDER BY id`;
const TIE = "INSERT INTO jobs (salt, job) VALUES (?, ?) ON CONFLICT DO NOTHING";

const isTable = (db: Sqlite, name: string): boolean =>
  db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) !== undefined;

/**
 * The names under which a job has entries: those that its state is tied to, and those of its folder of
 * today and of its last run, unless they are tied to other states. Of a state without a tie the folder
 * of today counts in any case: it takes the place of one that was lost.
 */
function findNames(db: Sqlite, { identity, salt = "", before = identity }: UnitOwner): string[] {
  const ties = isTable(db, "jobs")
    ? db.all<{ salt: string; job: string }>(
        "SELECT salt, job FROM jobs WHERE salt = ? OR job IN (?, ?)",
        salt,
        identity,
        before,
      )
    : [];
  const own = ties.flatMap((tie) => (tie.salt === salt ? [tie.job] : []));
  const isOthers = (job: string): boolean => ties.some((tie) => tie.job === job);
  const isNoted = (job: string): boolean =>
    db.get("SELECT 1 FROM events WHERE job = ? LIMIT 1", job) !== undefined;
  const names = [identity, before].filter(
    (job) => (!isOthers(job) || (own.length === 0 && job === identity)) && isNoted(job),
  );
  return [...new Set([...own, ...names])];
}

interface RawEvent {
  readonly unit: string;
  readonly what: UnitFate;
  readonly at: number;
  readonly who: string;
  readonly reason: string;
  readonly place: string;
}

const toNoted = ({ at, place, ...event }: RawEvent): NotedEvent => ({
  ...event,
  atMs: at,
  place: readPlace(place),
});

const listEvents = (db: Sqlite, owner: UnitOwner): NotedEvent[] =>
  db.all<RawEvent>(LIST, JSON.stringify(findNames(db, owner))).map(toNoted);

export class UnitLedger {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /**
   * Notes what happened to units of a job, in one commit that waits for the disk. A code can be void
   * or activated only once, a label spoiled only once: what is noted already stays as it is. Answers
   * how many entries are new.
   */
  note(
    owner: UnitOwner,
    events: readonly UnitEvent[],
    { atMs, who }: Pick<NotedEvent, "atMs" | "who">,
  ): number {
    return this.#db.transaction(() => {
      const [job = owner.identity] = this.#tie(owner);
      let added = 0;
      for (const { unit, what, reason, place } of events) {
        const at = place === undefined ? "" : toKept(place);
        added += this.#db.run(ADD, job, unit, what, atMs, who, reason, at);
      }
      return added;
    }, "full");
  }

  /** All entries of a job, in order. */
  list(owner: UnitOwner): NotedEvent[] {
    return listEvents(this.#db, owner);
  }

  /** Ties the job's state to the names of its entries. */
  tie(owner: UnitOwner): void {
    this.#db.transaction(() => this.#tie(owner), "full");
  }

  #tie(owner: UnitOwner): string[] {
    const names = findNames(this.#db, owner);
    const tied = names.length === 0 ? [owner.identity] : names;
    if (owner.salt !== undefined) for (const job of tied) this.#db.run(TIE, owner.salt, job);
    return tied;
  }

  close(): void {
    this.#db.close();
  }
}

/** Reads a ledger without writing; nothing where there is none. */
function readLedger<T>(dataDir: string, read: (db: Sqlite) => T[]): T[] {
  const file = path.join(dataDir, UNITS_FILE);
  if (!existsSync(file)) return [];
  let db: Sqlite | undefined;
  try {
    db = readSqlite(file);
    if (!isTable(db, "events")) return [];
    return read(db);
  } catch (error) {
    throw new AppError(
      "state-damaged",
      `${file} must be a ledger of printed codes, got ${toMessage(error)}`,
      { cause: error, where: { file } },
    );
  } finally {
    db?.close();
  }
}

/** Keys of a job's void codes; none without a ledger. Writes nothing. */
export const readVoidUnits = (dataDir: string, owner: UnitOwner): string[] => [
  ...new Set(
    readUnitEvents(dataDir, owner)
      .filter(({ what }) => what === "void")
      .map(({ unit }) => unit),
  ),
];

/** All entries of a job, in order; none without a ledger. Writes nothing. */
export const readUnitEvents = (dataDir: string, owner: UnitOwner): NotedEvent[] =>
  readLedger(dataDir, (db) => listEvents(db, owner));

/** Ties a job's state to its entries; does nothing where it has none. */
export async function keepOwner(dataDir: string, owner: UnitOwner): Promise<void> {
  if (readLedger(dataDir, (db) => findNames(db, owner)).length === 0) return;
  await closing(await openUnits(dataDir), (ledger) => {
    ledger.tie(owner);
  });
}

/** Opens the ledger of a data folder, or makes an empty one. */
export async function openUnits(dataDir: string): Promise<UnitLedger> {
  const file = path.join(dataDir, UNITS_FILE);
  let db: Sqlite | undefined;
  try {
    await makeFolder(dataDir, PRIVATE_FOLDER);
    makePrivateFile(file);
    // Everything in one file, so that a copy of it is complete.
    db = openSqlite(file, "delete");
    db.exec(SCHEMA);
    const found = db.get<{ version: number }>("SELECT version FROM ledger")?.version ?? 0;
    if (found > VERSION)
      throw new AppError("state-newer", `${file} was written by a newer makeready`);
    return new UnitLedger(db);
  } catch (error) {
    db?.close();
    if (error instanceof AppError) throw error;
    throw new AppError(
      "state-damaged",
      `${file} must be a ledger of printed codes, got ${toMessage(error)}`,
      {
        cause: error,
        hint: "put it back from a backup: it knows which codes are void",
        where: { file },
      },
    );
  }
}
