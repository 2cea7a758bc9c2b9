/** Connections to PostgreSQL. Loaded only with `--store`. */
import { PostgresDialect, Kysely, type PostgresPoolClient } from "kysely";
import pg from "pg";

import type { Tables } from "../tables.ts";
import { isAway, StoreAway } from "./store-away.ts";

/** Numbers become numbers, booleans 0 or 1, as in SQLite: counts and times are far below 2^53. */
const parsers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1700, Number],
  [16, (text) => Number(text === "t")],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format === "binary" ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

const CONNECT_MS = 3000;
const STATEMENT_MS = 30_000;
const READERS = 8;

/**
 * A machine that disappears holds its locks only for a short time, and a broken network is noticed.
 * Unix sockets ignore this.
 */
const ALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3";

/** What every connection is opened with. */
export const toConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  types,
  application_name: "makeready",
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
  connectionTimeoutMillis: CONNECT_MS,
  // For a server that doesn't answer any more.
  query_timeout: STATEMENT_MS + CONNECT_MS,
  options: `${ALIVE} -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=15000 -c lock_timeout=20000`,
});

/**
 * PostgreSQL can't store NUL: stored texts get U+FFFD for it, and so do the texts that are compared
 * with them.
 */
const toValue = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{FFFD}") : value;

/** After this many uses a statement is prepared. */
const OFTEN = 4;
const PREPARED = 400;
const COUNTED = 10_000;

/** Other statements (FETCH, DECLARE) have no plan: preparing them saves nothing. */
const HAS_PLAN = /^\s*(?:select|insert|update|delete|with)\b/iu;

/** Prepares frequent statements once per connection, under the same name on all connections. */
export class Statements {
  readonly #seen = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #plans = 0;

  /** How often another process changed the tables. */
  get plans(): number {
    return this.#plans;
  }

  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined) return name;
    const times = (this.#seen.get(text) ?? 0) + 1;
    if (this.#seen.size > COUNTED) this.#seen.clear();
    this.#seen.set(text, times);
    if (times < OFTEN || this.#names.size >= PREPARED || !HAS_PLAN.test(text)) return undefined;
    const made = `m${this.#plans}_${this.#names.size}`;
    this.#names.set(text, made);
    return made;
  }

  /** True when a newer makeready changed tables meanwhile: prepared statements are then dropped. */
  isOldPlan(error: unknown): boolean {
    const isOld = error instanceof Error && /cached plan must not change/u.test(error.message);
    if (!isOld) return false;
    this.#plans += 1;
    this.#names.clear();
    return true;
  }
}

/** For connections that repeat the same statements. */
const statementsOf = new WeakMap<object, Statements>();

type Asking = Pick<pg.Client, "query">;

export async function ask(
  client: Asking,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult> {
  const statements = statementsOf.get(client);
  const name = statements?.nameOf(text);
  try {
    return await client.query({ text, values: values.map(toValue), ...(name && { name }) });
  } catch (error) {
    throw isAway(error) || statements?.isOldPlan(error) === true ? new StoreAway(error) : error;
  }
}

/** The same outside of a transaction, where a statement can simply be repeated. */
async function askAlone(
  client: Asking,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  const statements = statementsOf.get(client);
  const before = statements?.plans;
  try {
    return await ask(client, text, values);
  } catch (error) {
    if (statements?.plans === before || !(error instanceof StoreAway)) throw error;
    return ask(client, text, values);
  }
}

/** Several statements without values, in one request. */
export async function run(client: Asking, text: string): Promise<pg.QueryResult> {
  try {
    return await client.query(text);
  } catch (error) {
    throw isAway(error) ? new StoreAway(error) : error;
  }
}

const toPoolClient = (query: Query, release: () => void): PostgresPoolClient =>
  ({ query, release }) as unknown as PostgresPoolClient;

type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

const toKysely = (connect: () => Promise<PostgresPoolClient>): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) });

/** Kysely over one connection, within the transaction that is open on it. */
export const overClient = (client: Asking): Kysely<Tables> =>
  toKysely(async () =>
    toPoolClient(
      (text, values) => ask(client, text, values),
      () => {},
    ),
  );

export interface Readers {
  readonly db: Kysely<Tables>;
  /** Runs `work` with a connection of its own. */
  with<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Connections that only read. */
export function openReaders(url: string, statements: Statements): Readers {
  const pool = new pg.Pool({ ...toConfig(url), max: READERS, idleTimeoutMillis: 60_000 });
  // An idle connection broke: the next query opens another one.
  pool.on("error", () => {});
  // A connection in use broke: its query fails, too.
  pool.on("connect", (client) => {
    statementsOf.set(client, statements);
    client.on("error", () => {});
  });
  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw isAway(error) ? new StoreAway(error) : error;
    }
  };
  return {
    db: toKysely(async () => {
      const client = await connect();
      let fault: StoreAway | undefined;
      const query: Query = async (text, values) => {
        try {
          return await askAlone(client, text, values);
        } catch (error) {
          if (error instanceof StoreAway) fault = error;
          throw error;
        }
      };
      // A connection that gave no answer is not used again.
      return toPoolClient(query, () => client.release(fault));
    }),
    async with(work) {
      const client = await connect();
      let fault: Error | undefined;
      try {
        return await work(client);
      } catch (error) {
        fault = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        client.release(fault);
      }
    },
    end: () => pool.end(),
  };
}

export type Connection = pg.Client;

/** For statements that may take any time. */
const PATIENT: pg.ClientConfig = { query_timeout: 0, options: `${ALIVE} -c statement_timeout=0` };

/**
 * A connection of its own; `onEnd` is called when it breaks. Without `statements` nothing is
 * prepared.
 */
export async function openClient(
  url: string,
  onEnd: () => void,
  { isPatient = false, statements }: { isPatient?: boolean; statements?: Statements } = {},
): Promise<Connection> {
  const client = new pg.Client({ ...toConfig(url), ...(isPatient && PATIENT) });
  if (statements !== undefined) statementsOf.set(client, statements);
  // The waiting query fails, too.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw isAway(error) ? new StoreAway(error) : error;
  }
  client.on("error", onEnd);
  client.on("end", onEnd);
  return client;
}
