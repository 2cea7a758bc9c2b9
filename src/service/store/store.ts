/**
 * The interface between the service and its stored data. It has two implementations: SQLite in the
 * data folder (`sqlite/`), the default, and PostgreSQL (`postgres/`), which several processes may
 * share.
 */
import type { Durability, Sqlite, SqlValue } from "../../base/sqlite/sqlite.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { AppError } from "../../base/errors.ts";
import type { Db } from "./tables.ts";

/** SQL as written for SQLite: values are `?`. The PostgreSQL store translates it. */
export interface Rows {
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** Changes rows; answers how many. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Passes on rows one by one. */
  each<Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => void): Promise<void>;
}

/** Slugs and paths of products; "all" when they were too many to list. */
export type Changed = readonly string[] | "all";

/**
 * Tells listeners which short links and Digital Links changed, so that they forget them. Changes of
 * this process arrive before its writers get their answers, those of another one soon after.
 */
export interface TargetChanges {
  listen(listener: (changed: Changed) => void): void;
  /** To be called before anything is answered from memory. */
  look(): void;
}

/** Decides which process does work that only one may do. */
export interface Lead {
  /** False while another process does this work. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/** A count over all processes within one window of time. */
export interface Used {
  /** Requests of the key in this window. */
  readonly used: number;
  /** Which window it is, and the time that counts. */
  readonly nowMs: number;
}

/** Counts requests of all processes on one database. */
export interface SharedCounters {
  /** Adds `more` (0 or 1) under `key`, up to `most`. `nowMs` undefined = the database's own clock. */
  count(wanted: {
    readonly key: string;
    readonly windowMs: number;
    readonly more: 0 | 1;
    readonly nowMs: number | undefined;
  }): Promise<Used>;
}

/** A change in progress. `rows` and `tx` are the same transaction. */
export type Work<T> = (tx: Db, rows: Rows) => Promise<T>;

/**
 * The service's data. Reads go through `db` (builder) or `rows` (hot paths), every change through
 * `write`.
 */
export interface Store {
  readonly kind: "sqlite" | "postgres";
  readonly db: Db;
  readonly rows: Rows;
  /** Rows that can be read without waiting; undefined when each query goes to a server. */
  readonly now: Pick<Sqlite, "get"> | undefined;
  /** A durable change is under way: it may still be undone. */
  readonly isChanging: boolean;
  /** Counts for several processes; undefined when only one process serves. */
  readonly counters: SharedCounters | undefined;
  /** Size of the data in bytes. */
  bytes(): Promise<number>;
  /** Calls `listener` after every commit, before its writers get their answers. */
  onCommit(listener: () => void): void;
  watchTargets(clock: Clock): TargetChanges;
  /** Calls `listener` when a newer makeready changed the tables: nothing can be written any more. */
  onOutdated(listener: (error: AppError) => void): void;
  /** Calls `wake` when another process may have left reports to send. */
  onReports(wake: () => void): void;
  /**
   * Runs `work` in a transaction. Resolves once it is committed (`full`: on the disk); rejects with
   * what `work` threw, and then keeps nothing of it. Writes that wait at the same time share one
   * commit, each with its own savepoint. `work` must use only `tx` and `rows` and not await anything
   * slow: all other writes wait.
   */
  write<T>(work: Work<T>, durability?: Durability): Promise<T>;
  /**
   * Runs `step` in one transaction after the other, until it answers false or the store closes. A
   * power cut may lose what it did. Between two steps, requests have their turn.
   */
  repeat(step: (rows: Rows) => Promise<boolean>): Promise<void>;
  /** Queries that all see the same moment. */
  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
  /** The right to do the work `name`, held until it is released or this process ends. */
  lead(name: string): Lead;
  /** Searches may use the text index. */
  readonly hasTextIndex: boolean;
  /**
   * So many codes wait for the text index, for example after an upgrade, that a search should not
   * wait for it.
   */
  readonly isIndexBehind: boolean;
  /** Resolves when every code is in the text index. */
  indexText(): Promise<void>;
  /** Commits what waits, then closes. Nothing may be written afterwards. */
  close(): Promise<void>;
}
