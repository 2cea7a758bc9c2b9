import path from "node:path";

import { Kysely } from "kysely";

import type { Clock } from "../../../base/time/clock.ts";
import {
  makePrivateFile,
  openSqlite,
  tryLockFile,
  type Durability,
  type Sqlite,
  type SqlValue,
} from "../../../base/sqlite/sqlite.ts";
import { tell, UNSIGNED, type Outcome } from "../commit.ts";
import { refuseMovedStore } from "../moved-store.ts";
import { namingDamage, toStoreDamage } from "../store-damage.ts";
import type { Lead, Rows, Store, TargetChanges, Work } from "../store.ts";
import type { Db, Tables } from "../tables.ts";

import { migrate } from "./migrate.ts";
import { makeSqliteDialect } from "./sqlite-dialect.ts";
import { SqliteTargetChanges } from "./target-changes.ts";
import { hasPending, indexSome, openTextIndex } from "./text-index.ts";
import { WriteLock } from "./write-lock.ts";

interface Pending {
  readonly work: Work<unknown>;
  readonly durability: Durability;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Most writes of one commit, so that the first one does not wait long. */
const MAX_SHARED = 64;
/** After this many writes, waiting codes are added to the text index. */
const INDEX_EVERY = 128;
/** Codes added at once: other writes wait about ten milliseconds. */
const INDEX_SOME = 128;
/**
 * With more codes waiting (a tenth of a second of work), a search reads every code and doesn't wait.
 */
const INDEX_BEHIND = 1024;

/** The same queries as promises, on one connection, inside a transaction or not. */
export const toRows = (raw: Sqlite): Rows => ({
  get: async <Row>(sql: string, ...values: SqlValue[]) => raw.get<Row>(sql, ...values),
  all: async <Row>(sql: string, ...values: SqlValue[]) => raw.all<Row>(sql, ...values),
  run: async (sql, ...values) => raw.run(sql, ...values),
  async each<Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => void) {
    for (const row of raw.iterate<Row>(sql, ...values)) take(row);
  },
});

/** File of a lock that decides which process leads. */
const toLockFile = (folder: string, name: string): string => path.join(folder, `${name}.lock`);

/** One SQLite file. It has one connection, so transactions must not overlap. */
export class SqliteStore implements Store {
  readonly kind = "sqlite";
  readonly raw: Sqlite;
  readonly rows: Rows;
  readonly db: Db;
  readonly counters = undefined;
  readonly #folder: string | undefined;
  readonly #waiting: Pending[] = [];
  readonly #listeners: (() => void)[] = [];
  #isChanging = false;
  #flushing: Promise<void> | undefined;
  #indexing: Promise<void> | undefined;
  #sinceIndex = 0;
  #closing = false;
  /** Shared with the threads of this process that change the same store. */
  lock = new WriteLock();
  /** Searches may use the text index. */
  readonly hasTextIndex: boolean;

  /** @param file the store's own; undefined = in memory, used by this process only */
  constructor(raw: Sqlite, file?: string) {
    this.raw = raw;
    this.rows = toRows(raw);
    this.#folder = file === undefined ? undefined : path.dirname(file);
    this.hasTextIndex = openTextIndex(raw);
    this.db = new Kysely<Tables>({ dialect: makeSqliteDialect(raw) });
  }

  /** A durable change is under way: it may still be undone. */
  get isChanging(): boolean {
    return this.#isChanging;
  }

  get now(): Sqlite {
    return this.raw;
  }

  async bytes(): Promise<number> {
    return this.raw.get<{ n: number }>(STORE_BYTES)?.n ?? 0;
  }

  watchTargets(clock: Clock): TargetChanges {
    return new SqliteTargetChanges({ store: this, clock });
  }

  /** Other processes don't notify this one: the leading process looks by itself. */
  onReports(): void {}

  /** Only one process serves a data folder. */
  onOutdated(): void {}

  /** Other connections may commit meanwhile: these queries don't see that. */
  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    return this.db.connection().execute(async () => {
      this.raw.exec("BEGIN");
      try {
        return await work(this.rows);
      } finally {
        this.raw.exec("COMMIT");
      }
    });
  }

  lead(name: string): Lead {
    const folder = this.#folder;
    let lock: { release(): void } | undefined;
    return {
      async isOurs() {
        if (folder === undefined) return true;
        const file = toLockFile(folder, name);
        makePrivateFile(file);
        lock ??= tryLockFile(file);
        return lock !== undefined;
      },
      async release() {
        lock?.release();
      },
    };
  }

  /** Calls `listener` after every commit, before its writers get their answers. */
  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Runs `work` in a transaction. Resolves once it is committed (`full`: on the disk); rejects with
   * what `work` threw, and then keeps nothing of it. Writes that wait at the same time share one
   * commit, each with its own savepoint. `work` must use only `tx` and not await anything slow: all
   * other writes wait.
   */
  write<T>(work: Work<T>, durability: Durability = "full"): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        work,
        durability,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#flushing ??= this.#flush();
    });
  }

  /**
   * So many codes wait for the text index, for example after an upgrade, that a search should not
   * wait for it.
   */
  get isIndexBehind(): boolean {
    return !this.hasTextIndex || hasPending(this.raw, INDEX_BEHIND);
  }

  /** Resolves when every code is in the text index. */
  async indexText(): Promise<void> {
    while (this.hasTextIndex && !this.#closing && hasPending(this.raw)) {
      this.#indexing ??= this.#index();
      await this.#indexing;
    }
  }

  async #index(): Promise<void> {
    try {
      // If this is lost, it is done again: the notes are deleted in the same transaction.
      await this.repeat(async () => {
        indexSome(this.raw, INDEX_SOME);
        return hasPending(this.raw);
      });
    } finally {
      this.#indexing = undefined;
    }
  }

  /**
   * Runs `step` in one transaction after the other, until it answers false or the store closes. A
   * power cut may lose what it did. Between two steps, requests have their turn.
   */
  async repeat(step: (rows: Rows) => Promise<boolean>): Promise<void> {
    while (!this.#closing && (await this.write((_tx, rows) => step(rows), "normal"))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Commits what waits, then closes. Nothing may be written afterwards. */
  async close(): Promise<void> {
    this.#closing = true;
    while (this.#flushing !== undefined) await this.#flushing;
    this.raw.close();
  }

  async #flush(): Promise<void> {
    // One turn of the event loop collects the requests that came in together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_SHARED);
      await this.#commit(batch);
      this.#indexAfter(batch.length);
    }
    this.#flushing = undefined;
  }

  /** Indexing in small batches keeps the next search from indexing ten thousand codes. */
  #indexAfter(writes: number): void {
    this.#sinceIndex += writes;
    if (!this.hasTextIndex || this.#sinceIndex < INDEX_EVERY) return;
    this.#sinceIndex = 0;
    // If it fails, the next search tries again and reports it.
    this.write(async () => indexSome(this.raw, INDEX_SOME), "normal").catch(() => {});
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    const durability = batch.some((one) => one.durability === "full") ? "full" : "normal";
    const { lock } = this;
    let outcomes: Outcome[];
    await lock.take();
    try {
      this.raw.setDurability(durability);
      this.#isChanging = durability === "full";
      outcomes = await this.db.transaction().execute(async (tx) => {
        const done: Outcome[] = [];
        for (const { work } of batch) {
          done.push(await this.#behindSavepoint(() => work(tx, this.rows)));
          // Otherwise the next write of this commit would sign changes that this one left unsigned.
          this.raw.run(UNSIGNED);
        }
        return done;
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    } finally {
      this.#isChanging = false;
      lock.leave();
    }
    for (const listener of this.#listeners) tell(listener);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined && "value" in outcome) resolve(outcome.value);
      else reject(outcome?.error);
    }
  }

  /**
   * Everything that `work` writes is kept or nothing is, whatever happens to the rest of the commit.
   */
  async #behindSavepoint(work: () => Promise<unknown>): Promise<Outcome> {
    this.raw.run("SAVEPOINT one_write");
    try {
      const value = await work();
      this.raw.run("RELEASE one_write");
      return { value };
    } catch (error) {
      try {
        this.raw.run("ROLLBACK TO one_write");
        this.raw.run("RELEASE one_write");
      } catch {
        // On a full or failing disk SQLite ends the whole transaction: nothing of the commit is kept.
        throw error;
      }
      return { error };
    }
  }
}

/**
 * 64 MB of pages in memory: scans of many codes touch pages all over the store. The log is copied
 * into the store every 40 MB, not every 4: a page written ten times meanwhile is copied once.
 */
const TUNING =
  "PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=10000; PRAGMA temp_store=MEMORY";

const STORE_BYTES =
  "SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()";

const IN_MEMORY = ":memory:";

/** Opens or makes the store (`:memory:` for none on disk) and brings it up to date. */
export function openStore(file: string): SqliteStore {
  refuseMovedStore(file);
  if (file !== IN_MEMORY) makePrivateFile(file);
  const sqlite = namingDamage(file, () => openSqlite(file));
  try {
    sqlite.exec(TUNING);
    migrate(sqlite);
    // It may have been moved while this process waited for its lock.
    refuseMovedStore(file);
  } catch (error) {
    sqlite.close();
    throw toStoreDamage(file, error);
  }
  return new SqliteStore(sqlite, file === IN_MEMORY ? undefined : file);
}
