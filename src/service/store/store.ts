/**
 * The seam between the service and what keeps its data. Two stores are behind it: SQLite in the data
 * folder (`sqlite/`), the default, and PostgreSQL (`postgres/`), which several processes may share.
 */
import type { Durability, Sqlite, SqlValue } from "../../base/sqlite.ts";
import type { Clock } from "../../base/clock.ts";
import type { AppError } from "../../base/errors.ts";
import type { Db } from "./tables.ts";

/** SQL as it is written in SQLite: values stand as `?`. The other store translates it. */
export interface Rows {
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>;
  /** Changes rows; answers how many. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Hands over rows one by one. */
  each<Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => void): Promise<void>;
}

/** Slugs and paths of products; "all" when there were too many to tell. */
export type Changed = readonly string[] | "all";

/**
 * Tells what has changed of what is remembered about short links and Digital Links: changes of this
 * process before whoever made them learns of it, those of another one soon after.
 */
export interface TargetChanges {
  listen(listener: (changed: Changed) => void): void;
  /** To be called before anything is answered from memory. */
  look(): void;
}

/** Who does what only one process may do. */
export interface Lead {
  /** False while another process does this work. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/** What is counted over all processes within one window of time. */
export interface Used {
  /** Requests of the key in this window. */
  readonly used: number;
  /** Which window it is, and the moment that is counted by. */
  readonly nowMs: number;
}

/** Counts requests for all processes on one database. */
export interface SharedCounters {
  /** Counts `more` (0 or 1) under `key`, `most` at most. `nowMs` undefined = by the database's own clock. */
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
  /** Rows that can be had without waiting; undefined where each question goes to a server. */
  readonly now: Pick<Sqlite, "get"> | undefined;
  /** A durable change is under way: what is read now may still be undone. */
  readonly isChanging: boolean;
  /** Counts for several processes; undefined where one process serves. */
  readonly counters: SharedCounters | undefined;
  /** Size of the data in bytes. */
  bytes(): Promise<number>;
  /** Calls `listener` after every commit, before any of its writers learns of it. */
  onCommit(listener: () => void): void;
  watchTargets(clock: Clock): TargetChanges;
  /** Calls `listener` when a newer makeready changed the tables: from now on nothing can be written. */
  onOutdated(listener: (error: AppError) => void): void;
  /** Calls `wake` when another process may have left reports to send. */
  onReports(wake: () => void): void;
  /**
   * Runs `work` in a transaction; resolves once it is committed (`full`: on the disk), rejects with
   * what `work` threw, nothing of it kept. Works that wait at the same time share one commit, each
   * behind its own savepoint. `work` must use `tx` and `rows` only and await nothing that takes long:
   * all others wait.
   */
  write<T>(work: Work<T>, durability?: Durability): Promise<T>;
  /**
   * Runs `step` in one transaction after the other while it tells that there is more to do and the
   * store is open. What it does may be lost in a power cut; between two, requests have their turn.
   */
  repeat(step: (rows: Rows) => Promise<boolean>): Promise<void>;
  /** Questions that see the same moment. */
  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T>;
  /** The right to do what `name` means, held until it is released or this process ends. */
  lead(name: string): Lead;
  /** Searches may ask the text index. */
  readonly hasTextIndex: boolean;
  /** So many codes wait for the text index, as after an upgrade, that nobody should wait for it. */
  readonly isIndexBehind: boolean;
  /** Resolves when every code is in the text index. */
  indexText(): Promise<void>;
  /** Commits what waits, then closes. Nothing may be written afterwards. */
  close(): Promise<void>;
}
