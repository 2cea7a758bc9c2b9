/** Connections to PostgreSQL. Loaded by `--store` alone. */
import { PostgresDialect, Kysely, type PostgresPoolClient } from "kysely";
import pg from "pg";

import type { Tables } from "../tables.ts";
import { isAway, StoreAway } from "./store-away.ts";

/** Numbers are numbers, truth is 0 or 1, as in SQLite: counts and times are far below 2^53. */
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
 * A machine that is gone without a word holds no lock for long, and a network that swallows everything is
 * noticed. Of no meaning to sockets of files.
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
  // A server that says nothing any more is as good as gone.
  query_timeout: STATEMENT_MS + CONNECT_MS,
  options: `${ALIVE} -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=15000 -c lock_timeout=20000`,
});

/** PostgreSQL keeps no NUL: nothing that is stored has one, and what is stored gets U+FFFD for it. */
const toValue = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{FFFD}") : value;

/** After so many times a statement is worth being prepared. */
const OFTEN = 4;
const PREPARED = 400;
const COUNTED = 10_000;

/** Others (FETCH, DECLARE) have no plan: there is nothing to gain from preparing them. */
const HAS_PLAN = /^\s*(?:select|insert|update|delete|with)\b/iu;

/** What is asked often of one database is prepared once on each connection, under the same name on all. */
export class Statements {
  readonly #seen = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #plans = 0;

  /** Counts how often tables were changed under us. */
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

  /** A newer makeready changed tables meanwhile: what was prepared before is of no use any more. */
  isOldPlan(error: unknown): boolean {
    const isOld = error instanceof Error && /cached plan must not change/u.test(error.message);
    if (!isOld) return false;
    this.#plans += 1;
    this.#names.clear();
    return true;
  }
}

/** Of connections that ask the same again and again. */
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

/** The same outside of a transaction, where nothing is lost by asking again. */
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

/** Several statements without values, in one go. */
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

/** The builder over one connection, whatever transaction is open on it. */
export const overClient = (client: Asking): Kysely<Tables> =>
  toKysely(async () =>
    toPoolClient(
      (text, values) => ask(client, text, values),
      () => {},
    ),
  );

export interface Readers {
  readonly db: Kysely<Tables>;
  /** `work` with a connection of its own. */
  with<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Connections that only read. */
export function openReaders(url: string, statements: Statements): Readers {
  const pool = new pg.Pool({ ...toConfig(url), max: READERS, idleTimeoutMillis: 60_000 });
  // An idle connection broke: the next question opens another one.
  pool.on("error", () => {});
  // So did one that is being asked: the question learns of it.
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
      // One that gave no answer gives none the next time.
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

/** For what takes as long as it takes. */
const PATIENT: pg.ClientConfig = { query_timeout: 0, options: `${ALIVE} -c statement_timeout=0` };

/** A connection of its own; `onEnd` when it broke. Without `statements` nothing is prepared. */
export async function openClient(
  url: string,
  onEnd: () => void,
  { isPatient = false, statements }: { isPatient?: boolean; statements?: Statements } = {},
): Promise<Connection> {
  const client = new pg.Client({ ...toConfig(url), ...(isPatient && PATIENT) });
  if (statements !== undefined) statementsOf.set(client, statements);
  // Whoever waits for the connection learns of it there.
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
