/** SQLite, the only access for the state file and the embedded store. No other file loads it. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";

import { AppError, invariant, toMessage } from "../errors.ts";
import {
  loadSqlite,
  type RawDatabase,
  type RawStatement,
  type SqlRow,
  type SqlValue,
} from "./sqlite-module.ts";

export type { SqlRow, SqlValue } from "./sqlite-module.ts";

const STATEMENTS_KEPT = 200;

type ToRecord = (row: SqlRow) => SqlRow;

const asItIs: ToRecord = (row) => row;

/** Names of columns -> records of them: connections come and go, their statements are the same. */
const views = new Map<string, ToRecord>();

/** Records that look a column up when it is read: SQLite hands over values without names. */
function makeRecords(names: readonly string[]): ToRecord {
  class View {
    readonly #values: readonly SqlValue[];

    constructor(values: readonly SqlValue[]) {
      this.#values = values;
    }

    static {
      for (const [at, name] of names.entries())
        Object.defineProperty(this.prototype, name, {
          get(this: View) {
            return this.#values[at];
          },
        });
    }
  }
  return (row) => (Array.isArray(row) ? (new View(row) as unknown as SqlRow) : row);
}

function makeView(statement: RawStatement): ToRecord {
  if (statement.setReturnArrays === undefined) return asItIs;
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const key = names.join("\0");
  const view = views.get(key) ?? makeRecords(names);
  views.set(key, view);
  return view;
}

/**
 * Durability of a commit: `full` waits for the disk; with `normal`, a power cut may lose the last
 * ones.
 */
export type Durability = "full" | "normal";

/** One connection. Synchronous: never await the network between `begin` and `commit`. */
export class Sqlite {
  readonly #db: RawDatabase;
  /** Told of each statement that may change something, and without one when work is undone. */
  onWrite: ((sql?: string) => void) | undefined;
  readonly #statements = new Map<string, RawStatement>();
  readonly #views = new WeakMap<RawStatement, ToRecord>();
  /** Readings that go on, with their statements: one that is collected fails its iterator. */
  readonly #reading = new Map<IterableIterator<SqlRow>, RawStatement>();
  #durability: Durability | undefined;
  #inTransaction = false;

  constructor(db: RawDatabase) {
    this.#db = db;
  }

  /** Several statements without values. */
  exec(sql: string): void {
    this.onWrite?.(sql);
    this.#db.exec(sql);
  }

  /** Changes rows; answers how many. */
  run(sql: string, ...values: SqlValue[]): number {
    this.onWrite?.(sql);
    return Number(this.#prepare(sql).run(...values).changes);
  }

  get<Row = SqlRow>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row = SqlRow>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** As `all`, for rows of many columns, at two thirds of its cost: read them by name, spread none. */
  view<Row = SqlRow>(sql: string, ...values: SqlValue[]): Row[] {
    // The space makes it a statement of its own: one answers either records or views.
    const statement = this.#prepare(` ${sql}`);
    const toView = this.#views.get(statement) ?? makeView(statement);
    this.#views.set(statement, toView);
    return statement.all(...values).map(toView) as Row[];
  }

  /** Rows one by one. With its own statement, since a cached one may be used again meanwhile. */
  iterate<Row = SqlRow>(sql: string, ...values: SqlValue[]): IterableIterator<Row> {
    return this.#read(sql, values, () => asItIs) as IterableIterator<Row>;
  }

  /** As `iterate`, with rows as `view` gives them. */
  iterateView<Row = SqlRow>(sql: string, ...values: SqlValue[]): IterableIterator<Row> {
    return this.#read(sql, values, makeView) as IterableIterator<Row>;
  }

  *#read(
    sql: string,
    values: readonly SqlValue[],
    toRecords: (statement: RawStatement) => ToRecord,
  ): IterableIterator<SqlRow> {
    const statement = this.#db.prepare(sql);
    const toRecord = toRecords(statement);
    const rows = statement.iterate(...values);
    this.#reading.set(rows, statement);
    try {
      for (const row of rows) yield toRecord(row);
    } finally {
      this.#reading.delete(rows);
    }
  }

  /** True when the statement answers rows. */
  isReader(sql: string): boolean {
    return this.#prepare(sql).columns().length > 0;
  }

  /** Commits what `work` did; nothing when it throws. Durability is for this commit. */
  transaction<T>(work: () => T, durability: Durability = "normal"): T {
    invariant(!this.#inTransaction, "a transaction must not be opened inside another");
    this.setDurability(durability);
    this.#db.exec("BEGIN IMMEDIATE");
    this.#inTransaction = true;
    try {
      const result = work();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** The same within an open transaction, if there is one: its opener commits. */
  joined<T>(work: () => T, durability: Durability = "normal"): T {
    if (!this.#inTransaction) return this.transaction(work, durability);
    const isDurable = durability === "normal" || this.#durability === "full";
    invariant(isDurable, "a durable change must not join a transaction that may be lost");
    return work();
  }

  /**
   * Undoes the open transaction. On a full or failing disk SQLite has already done so: then the
   * original error must be reported.
   */
  rollBack(): void {
    this.onWrite?.();
    try {
      this.#db.exec("ROLLBACK");
    } catch (error) {
      if (!/no transaction is active/u.test(toMessage(error))) throw error;
    }
  }

  /** Only between transactions: within one, SQLite refuses the change. */
  setDurability(durability: Durability): void {
    if (durability === this.#durability) return;
    this.#db.exec(`PRAGMA synchronous=${durability === "full" ? "FULL" : "NORMAL"}`);
    this.#durability = durability;
  }

  /** Readings that go on are ended: otherwise the package would keep their locks. */
  close(): void {
    for (const rows of this.#reading.keys()) rows.return?.();
    this.#reading.clear();
    this.#statements.clear();
    this.#db.close();
  }

  /** Drops the least recently used statements; preparing each anew would cost memory and time. */
  #prepare(sql: string): RawStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    return statement;
  }
}

/**
 * Makes an empty file for a database that only its owner may read; SQLite gives its other files the
 * same mode. An existing file is left alone: opening and closing it here would release this
 * process's locks on it.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Opens or makes a database file (`:memory:` for none): with foreign keys, and five seconds of
 * waiting for locks. With `delete`, everything is in one file while nobody writes; `wal` is faster.
 */
export function openSqlite(file: string, journal: "wal" | "delete" = "wal"): Sqlite {
  let db: Sqlite | undefined;
  try {
    db = new Sqlite(new (loadSqlite().DatabaseSync)(file));
    db.exec(`PRAGMA busy_timeout=5000; PRAGMA journal_mode=${journal}; PRAGMA foreign_keys=ON`);
    db.setDurability("full");
    return db;
  } catch (error) {
    db?.close();
    // As errors of files have it: SQLite doesn't say where it failed.
    throw Object.assign(error as Error, { path: path.dirname(file) });
  }
}

/** The same for who only looks, at a file of journal `delete`: it makes no file, and takes no lock that keeps out a writer. */
export function readSqlite(file: string): Sqlite {
  const db = new Sqlite(new (loadSqlite().DatabaseSync)(file, { readOnly: true }));
  db.exec("PRAGMA busy_timeout=5000");
  return db;
}

/** Why a database can only be read: SQLite writes beside its file, too. Undefined where it can be written. */
export function findReadOnly(file: string): unknown {
  try {
    accessSync(path.dirname(file), constants.W_OK);
    accessSync(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Of SQLite, primary: it can't open a database without writing beside it. */
const CANT_OPEN: readonly number[] = [8, 14];

function vacuumInto(from: string, to: string, readOnly: boolean): void {
  const raw = new (loadSqlite().DatabaseSync)(from, { readOnly });
  try {
    raw.exec(`PRAGMA busy_timeout=5000; VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    raw.close();
  }
}

/**
 * False where SQLite can't open it. A service that lives has its `-shm` beside the file; where there
 * is none, SQLite would fail, or leave files there that are not the service's.
 */
function tryVacuumInto(from: string, to: string): boolean {
  if (!existsSync(`${from}-shm`)) return false;
  try {
    vacuumInto(from, to, true);
    return true;
  } catch (error) {
    const { errcode = 0 } = error as { readonly errcode?: number };
    if (!CANT_OPEN.includes(errcode & 0xff)) throw error;
    return false;
  }
}

const FILE_ENDS = ["", "-wal"] as const;

/** Size and time of the file and of its log. */
const toStamps = (file: string): string =>
  FILE_ENDS.map((end) => {
    const stat = statSync(`${file}${end}`, { bigint: true, throwIfNoEntry: false });
    return `${stat?.size} ${stat?.mtimeNs}`;
  }).join();

/** The file with its log: opened elsewhere, they become one. False when others wrote meanwhile. */
function tryCopyFiles(from: string, to: string): boolean {
  const before = toStamps(from);
  for (const end of FILE_ENDS) {
    rmSync(`${to}${end}`, { force: true });
    if (!existsSync(`${from}${end}`)) continue;
    copyFileSync(`${from}${end}`, `${to}${end}`);
    chmodSync(`${to}${end}`, 0o600);
  }
  if (toStamps(from) === before) return true;
  for (const end of FILE_ENDS) rmSync(`${to}${end}`, { force: true });
  return false;
}

const COPY_TRIES = 5;

/** Of a database that only others can write. */
function copyReadOnly(from: string, to: string): void {
  for (let tries = 0; tries < COPY_TRIES; tries += 1) {
    if (tryVacuumInto(from, to)) return;
    if (!tryCopyFiles(from, to)) continue;
    const copy = openSqlite(to, "delete");
    try {
      copy.exec("VACUUM");
    } finally {
      copy.close();
    }
    return;
  }
  throw new AppError(
    "data-locked",
    `${from} must stay as it is while it is copied, but another process keeps changing it`,
    {
      hint: "stop the service that uses it; or run the command where the service runs, as its user",
    },
  );
}

/**
 * A clean copy of a database as it is now, even while others write to it; synced. The copy must not
 * exist yet. The original isn't changed.
 */
export function copySqlite(from: string, to: string): void {
  if (findReadOnly(from) === undefined) vacuumInto(from, to, false);
  else copyReadOnly(from, to);
}

const BUSY = /locked|busy/iu;

/** Whether another connection keeps this one out. */
export const isBusy = (error: unknown): boolean => BUSY.test(String(error));

/**
 * Takes an exclusive lock, which the operating system releases when the process dies; answers
 * undefined when a live process holds it. Keep the result reachable: a collected handle unlocks.
 */
export function tryLockFile(file: string): { release(): void } | undefined {
  const raw = new (loadSqlite().DatabaseSync)(file);
  try {
    raw.exec("PRAGMA busy_timeout=0; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    raw.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => raw.close() };
}

/** Whether a live process holds the lock. Doesn't take it, and makes no file. */
export function isLockHeld(file: string): boolean {
  if (!existsSync(file)) return false;
  const raw = new (loadSqlite().DatabaseSync)(file);
  try {
    raw.exec("PRAGMA busy_timeout=0; SELECT 1 FROM sqlite_master");
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    raw.close();
  }
}
