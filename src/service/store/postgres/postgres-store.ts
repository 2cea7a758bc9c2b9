/**
 * The store in PostgreSQL, for several processes on one database. As with SQLite, only one commit is
 * under way at a time, over all processes: a writer holds a lock until it has committed. So row
 * numbers are committed in order, times of a workspace are unique, and there are no deadlocks. Reads
 * never wait.
 */
import { CompiledQuery } from "kysely";
import type { Clock } from "../../../base/time/clock.ts";
import { AppError, toMessage, badUsage } from "../../../base/errors.ts";
import type { Durability, SqlValue } from "../../../base/sqlite/sqlite.ts";
import { tell, UNSIGNED, type Outcome } from "../commit.ts";
import type { Lead, Rows, SharedCounters, Store, TargetChanges, Work } from "../store.ts";
import type { Db } from "../tables.ts";
import {
  openClient,
  openReaders,
  overClient,
  run,
  type Connection,
  type Readers,
  Statements,
} from "./clients.ts";
import { makeCounters } from "./counters.ts";
import { checkVersion, FIND_VERSION, migrate, WRITE_LOCK } from "./migrate.ts";
import { News } from "./news.ts";
import { channels } from "./schema.ts";
import { isAway, StoreAway } from "./store-away.ts";
import { toPostgres } from "./to-postgres.ts";

interface Pending {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Most writes of one commit, so that the first one does not wait long. */
const MAX_SHARED = 64;
/**
 * Changes of tables need this lock, too: the version that is read behind it is true until the commit.
 */
const BEGIN = `BEGIN; SELECT pg_advisory_xact_lock(${WRITE_LOCK}); ${FIND_VERSION}; SAVEPOINT one_write`;
const NEXT = `${UNSIGNED}; RELEASE SAVEPOINT one_write; SAVEPOINT one_write`;
const UNDO = "ROLLBACK TO SAVEPOINT one_write";
const COMMIT = `${UNSIGNED}; COMMIT`;
/**
 * This process learns of its own commits on this connection, before the writers get their answers.
 */
const LISTEN = `LISTEN ${channels.targets}`;

/** Queries written for SQLite, through whatever `db` is. */
function toRows(db: Db): Rows {
  const query = <Row>(sql: string, values: readonly SqlValue[]) =>
    db.executeQuery<Row>(CompiledQuery.raw(toPostgres(sql), [...values]));
  return {
    get: async <Row>(sql: string, ...values: SqlValue[]) => (await query<Row>(sql, values)).rows[0],
    all: async <Row>(sql: string, ...values: SqlValue[]) => (await query<Row>(sql, values)).rows,
    run: async (sql, ...values) => Number((await query(sql, values)).numAffectedRows ?? 0),
    async each<Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => void) {
      for (const row of (await query<Row>(sql, values)).rows) take(row);
    },
  };
}

/** Rows of one step. */
const SOME = 2000;

/** Rows one by one, with only some in memory; to be called inside a transaction. */
function makeEach(tx: Db): Rows["each"] {
  let cursors = 0;
  return async <Row>(sql: string, values: readonly SqlValue[], take: (row: Row) => void) => {
    const name = `each_${(cursors += 1)}`;
    const open = `DECLARE ${name} NO SCROLL CURSOR FOR ${toPostgres(sql)}`;
    await tx.executeQuery(CompiledQuery.raw(open, [...values]));
    for (let found = SOME; found === SOME;) {
      const some = CompiledQuery.raw(`FETCH ${SOME} FROM ${name}`);
      const { rows } = await tx.executeQuery<Row>(some);
      for (const row of rows) take(row);
      found = rows.length;
    }
    await tx.executeQuery(CompiledQuery.raw(`CLOSE ${name}`));
  };
}

/** The only connection of this process that writes. */
interface Writer {
  readonly client: Connection;
  readonly tx: Db;
  readonly rows: Rows;
}

export class PostgresStore implements Store {
  readonly kind = "postgres";
  readonly db: Db;
  readonly rows: Rows;
  readonly now = undefined;
  readonly isChanging = false;
  readonly hasTextIndex = true;
  readonly isIndexBehind = false;
  readonly counters: SharedCounters;
  readonly #url: string;
  readonly #statements = new Statements();
  readonly #readers: Readers;
  readonly #news: News;
  readonly #waiting: Pending[] = [];
  readonly #listeners: (() => void)[] = [];
  readonly #outdated: ((error: AppError) => void)[] = [];
  #writer: Promise<Writer> | undefined;
  #flushing: Promise<void> | undefined;
  #isClosing = false;

  constructor(url: string) {
    this.#url = url;
    this.#readers = openReaders(url, this.#statements);
    this.#news = new News(url, (client) => this.#check(client));
    this.db = this.#readers.db;
    this.rows = toRows(this.db);
    this.counters = makeCounters(this.#readers);
  }

  /** Makes the tables, or checks them; rejects when the database can't be reached. */
  async open(makesTables = true): Promise<void> {
    const client = await openClient(this.#url, () => {}, { isPatient: true });
    try {
      await migrate(client, makesTables);
    } finally {
      await client.end().catch(() => {});
    }
    await this.#news.open();
  }

  async bytes(): Promise<number> {
    const size = "SELECT pg_database_size(current_database()) AS n";
    return (await this.rows.get<{ n: number }>(size))?.n ?? 0;
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  onOutdated(listener: (error: AppError) => void): void {
    this.#outdated.push(listener);
  }

  async #check(client: Connection): Promise<void> {
    this.#judge((await run(client, FIND_VERSION)).rows[0]);
  }

  /** Throws when a newer makeready has changed the tables: they must not be written. */
  #judge(row: { readonly version?: unknown } | undefined): void {
    try {
      checkVersion(row);
    } catch (error) {
      if (error instanceof AppError) for (const listener of this.#outdated) listener(error);
      throw new StoreAway(error);
    }
  }

  watchTargets(_clock: Clock): TargetChanges {
    return this.#news.targets;
  }

  onReports(wake: () => void): void {
    this.#news.onReports(wake);
  }

  lead(name: string): Lead {
    return this.#news.lead(name);
  }

  /** Every commit is on the disk, since the docs promise that for a crash of the database. */
  write<T>(work: Work<T>, _durability?: Durability): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async repeat(step: (rows: Rows) => Promise<boolean>): Promise<void> {
    while (!this.#isClosing && (await this.write((_tx, rows) => step(rows)))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  snapshot<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    return this.#readers.with(async (client) => {
      await run(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      const tx = overClient(client);
      const value = await work({ ...toRows(tx), each: makeEach(tx) });
      await run(client, "COMMIT");
      return value;
    });
  }

  /** The database updates its index itself. */
  async indexText(): Promise<void> {}

  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#flushing !== undefined) await this.#flushing;
    await this.#news.close();
    const writer = await this.#writer?.catch(() => undefined);
    await writer?.client.end().catch(() => {});
    await this.#readers.end();
  }

  async #flush(): Promise<void> {
    // One turn of the event loop collects the requests that came in together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_SHARED));
    this.#flushing = undefined;
  }

  #openWriter(): Promise<Writer> {
    const opening = (async () => {
      const onEnd = (): void => {
        if (this.#writer === opening) this.#writer = undefined;
      };
      const client = await openClient(this.#url, onEnd, { statements: this.#statements });
      this.#news.hear(client);
      try {
        await run(client, LISTEN);
      } catch (error) {
        client.end().catch(() => {});
        throw error;
      }
      const tx = overClient(client);
      return { client, tx, rows: toRows(tx) };
    })();
    opening.catch(() => {
      if (this.#writer === opening) this.#writer = undefined;
    });
    return opening;
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      const writer = await (this.#writer ??= this.#openWriter());
      outcomes = await this.#run(writer, batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const listener of this.#listeners) tell(listener);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined && "value" in outcome) resolve(outcome.value);
      else reject(outcome?.error);
    }
  }

  async #run({ client, tx, rows }: Writer, batch: readonly Pending[]): Promise<Outcome[]> {
    const done: Outcome[] = [];
    try {
      // One result per statement.
      const [, , found] = (await run(client, BEGIN)) as unknown as Awaited<
        ReturnType<typeof run>
      >[];
      this.#judge(found?.rows[0]);
      for (const { work } of batch) {
        if (done.length > 0) await run(client, NEXT);
        done.push(await runBehindSavepoint(client, () => work(tx, rows)));
      }
      await run(client, COMMIT);
      return done;
    } catch (error) {
      // The connection's state is unknown: the next commit takes another one.
      this.#writer = undefined;
      client.end().catch(() => {});
      throw error;
    }
  }
}

async function runBehindSavepoint(
  client: Connection,
  work: () => Promise<unknown>,
): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof StoreAway) throw error;
    await run(client, UNDO);
    return { error };
  }
}

const FORM = /^postgres(?:ql)?:\/\//u;

/**
 * Why a database can't be opened, in words for people. Without its address, which may contain a
 * password.
 */
export function toOpenError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const cause = error instanceof StoreAway ? error.cause : error;
  const reason = toMessage(cause);
  if (isAway(error)) {
    return new AppError(
      "server-unavailable",
      `the database of --store can't be reached: ${reason}`,
      {
        cause: error,
        hint: "start it, or name the one that is meant; nothing is lost",
      },
    );
  }
  return new AppError("bad-usage", `the database of --store can't be used: ${reason}`, {
    cause: error,
    hint: "name a database that its user may make tables in, such as postgres://user:password@host/makeready",
  });
}

/**
 * Opens the store and brings it up to date. Throws "server-unavailable", "bad-usage", "data-locked"
 * while it is being moved, or what `migrate` throws. With `makesTables` false, a database without
 * tables is "bad-usage", too.
 */
export async function openPostgres(
  url: string,
  { makesTables = true }: { readonly makesTables?: boolean } = {},
): Promise<PostgresStore> {
  if (!FORM.test(url)) {
    throw badUsage(
      "the database of --store must be an address such as postgres://user:password@host/makeready",
    );
  }
  const store = new PostgresStore(url);
  try {
    await store.open(makesTables);
  } catch (error) {
    await store.close();
    throw toOpenError(error);
  }
  return store;
}
