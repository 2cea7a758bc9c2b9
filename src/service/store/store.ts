import { Kysely, sql } from "kysely";

import { toMessage } from "../../base/errors.ts";
import { makePrivateFile, openSqlite, type Durability, type Sqlite } from "../../base/sqlite.ts";

import { migrate } from "./migrations.ts";
import { makeSqliteDialect } from "./sqlite-dialect.ts";
import type { Db, Tables } from "./tables.ts";
import { hasPending, indexSome, openTextIndex } from "./text-index.ts";
import { WriteLock } from "./write-lock.ts";

interface Pending {
  readonly work: (tx: Db) => Promise<unknown>;
  readonly durability: Durability;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes of codes that nobody asked for. */
const UNSIGNED = "UPDATE code_history SET who = '' WHERE who IS NULL";

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** One commit takes at most this many writes, so that the first does not wait for long. */
const MAX_SHARED = 64;
/** After so many writes, codes that wait for the text index get into it. */
const INDEX_EVERY = 128;
/** So many at once: other writes wait for some ten milliseconds. */
const INDEX_SOME = 128;
/** A search rather reads every code than wait for more than so many: a tenth of a second. */
const INDEX_BEHIND = 1024;

/**
 * The service's data. Reads go through `db` (builder) or `raw` (hot paths), every change through
 * `write`: on one connection a second transaction would fall into the first.
 */
export class Store {
  readonly raw: Sqlite;
  readonly db: Db;
  readonly #waiting: Pending[] = [];
  readonly #listeners: (() => void)[] = [];
  #isChanging = false;
  #flushing: Promise<void> | undefined;
  #indexing: Promise<void> | undefined;
  #sinceIndex = 0;
  #closing = false;
  /** Shared with the threads of this process that change the same store. */
  lock = new WriteLock();
  /** Searches may ask the text index. */
  readonly hasTextIndex: boolean;

  constructor(raw: Sqlite) {
    this.raw = raw;
    this.hasTextIndex = openTextIndex(raw);
    this.db = new Kysely<Tables>({ dialect: makeSqliteDialect(raw) });
  }

  /** A durable change is under way: what is read now may still be undone. */
  get isChanging(): boolean {
    return this.#isChanging;
  }

  /** Calls `listener` after every commit, before any of its writers learns of it. */
  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Runs `work` in a transaction; resolves once it is committed (`full`: on the disk), rejects with
   * what `work` threw, nothing of it kept. Works that wait at the same time share one commit, each
   * behind its own savepoint. `work` must use `tx` only and await nothing that takes long: all others wait.
   */
  write<T>(work: (tx: Db) => Promise<T>, durability: Durability = "full"): Promise<T> {
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

  /** So many codes wait for the text index, as after an upgrade, that nobody should wait for it. */
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
      // Lost, it is done again: the notes are deleted in the same transaction.
      await this.repeat(() => {
        indexSome(this.raw, INDEX_SOME);
        return hasPending(this.raw);
      });
    } finally {
      this.#indexing = undefined;
    }
  }

  /**
   * Runs `step` in one transaction after the other while it tells that there is more to do and the
   * store is open. What it does may be lost in a power cut; between two, requests have their turn.
   */
  async repeat(step: () => boolean): Promise<void> {
    while (!this.#closing && (await this.write(async () => step(), "normal"))) {
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
    // One turn of the loop gathers the requests that came in together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_SHARED);
      await this.#commit(batch);
      this.#indexAfter(batch.length);
    }
    this.#flushing = undefined;
  }

  /** Small batches on the way keep the next search from indexing ten thousand codes. */
  #indexAfter(writes: number): void {
    this.#sinceIndex += writes;
    if (!this.hasTextIndex || this.#sinceIndex < INDEX_EVERY) return;
    this.#sinceIndex = 0;
    // Should it fail, the next search tries again and tells.
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
          done.push(await runBehindSavepoint(tx, work));
          // Nobody else's change signs what this one left unsigned.
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
}

/** What is committed stays so, and its writers learn of it, whatever befalls a listener. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.emitWarning(`a listener of the store failed: ${toMessage(error)}`);
  }
}

async function runBehindSavepoint(tx: Db, work: Pending["work"]): Promise<Outcome> {
  await sql`savepoint one_write`.execute(tx);
  try {
    const value = await work(tx);
    await sql`release savepoint one_write`.execute(tx);
    return { value };
  } catch (error) {
    try {
      await sql`rollback to savepoint one_write`.execute(tx);
      await sql`release savepoint one_write`.execute(tx);
    } catch {
      // Over a full or failing disk SQLite ends the whole transaction: nothing of the commit is kept.
      throw error;
    }
    return { error };
  }
}

/**
 * 64 MB of pages in memory: scans of many codes touch pages all over the store. The log is copied
 * into the store every 40 MB instead of every 4: a page that was written ten times meanwhile is
 * copied once.
 */
const TUNING =
  "PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=10000; PRAGMA temp_store=MEMORY";

const IN_MEMORY = ":memory:";

/** Opens or makes the store (`:memory:` for none on disk) and brings it up to date. */
export function openStore(file: string): Store {
  if (file !== IN_MEMORY) makePrivateFile(file);
  const sqlite = openSqlite(file);
  try {
    sqlite.exec(TUNING);
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return new Store(sqlite);
}
