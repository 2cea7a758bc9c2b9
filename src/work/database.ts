/** The database of `--on`: its connections, what its errors mean, and our tables in it (docs/scale.md). */
import pg from "pg";

import { AppError, toMessage, badUsage } from "../base/errors.ts";

export type Ask = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface Database {
  /** For people: user, host and database; never a password. */
  readonly name: string;
  readonly ask: Ask;
  /** All of it or nothing of it. */
  together<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Older tables are made anew: they only spare computing things twice. */
const TABLES = 2;
const OLDEST_SERVER = 130_000;
const CONNECT_MS = 10_000;
/** Notices a network that drops everything. */
const QUERY_MS = 60_000;
/** An arbitrary number: the lock under which makeready's programs take turns at the tables. */
const LOCK = 7_203_411;
const TURN = LOCK + 1;

/** The server stops, starts, or has no room for now. */
const PASSING = /^(?:08|53|57P0[123]|40001|40P01|25006)/u;
const LOST =
  /^(?:ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET)|terminated|timeout|not queryable|connection error/iu;

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** True when the same may work later: the database is away, or has no room. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const code = codeOf(error);
  return PASSING.test(code) || LOST.test(code) || (code === "" && LOST.test(toMessage(error)));
}

/** The error in a few words; errors of several addresses have no message of their own. */
export const whyAway = (error: unknown): string =>
  toMessage(error instanceof AggregateError ? error.errors[0] : error);

/** Workers and `status` get this hint, too: they need the database. */
const HINT_AWAY =
  "start it, or mend its address; a job that is run without --on runs on this computer alone";
const HINT_PASSWORD =
  "give the password in PGPASSWORD, in ~/.pgpass, or as part of the address in MAKEREADY_ON; arguments can be read by everyone on this computer";
const HINT_OWN = "give --on a database of its own: createdb makeready_work";

/** The error for people; others are passed on as they are. */
export function toDatabaseError(error: unknown, name: string): unknown {
  const code = codeOf(error);
  const says = whyAway(error);
  const make = (kind: AppError["code"], message: string, hint: string): AppError =>
    new AppError(kind, `database ${name} ${message}`, { hint, cause: error });
  if (error instanceof AppError) return error;
  if (code === "3D000") return make("bad-usage", "must be there, got none", HINT_OWN);
  if (code.startsWith("28") || /password/iu.test(says))
    return make("database-refused", `refuses its user: ${says}`, HINT_PASSWORD);
  if (code === "42501" || code === "3F000")
    return make("database-refused", `must let its user make tables: ${says}`, HINT_OWN);
  if (code === "25006")
    return make("database-unavailable", "can only be read: it is a standby", HINT_AWAY);
  if (code === "53100") return make("database-unavailable", `has a full disk: ${says}`, HINT_AWAY);
  if (isAway(error)) return make("database-unavailable", `must answer, got ${says}`, HINT_AWAY);
  if (code.startsWith("42"))
    return make("database-foreign", `holds tables of another program: ${says}`, HINT_OWN);
  return error;
}

/** An address without its password, for messages. */
const withoutPassword = (url: string): string =>
  url.replace(/^([^:]*:\/\/[^:/?#]*):.*@/u, "$1@").replaceAll(/(password=)[^&]*/giu, "$1***");

function toConfig(url: string): pg.PoolConfig {
  const config: pg.PoolConfig = {
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    application_name: "makeready",
  };
  if (/^postgres(?:ql)?:\/\//u.test(url)) return config;
  const got = withoutPassword(url);
  throw badUsage(
    `--on must be a postgres:// address, got ${got}`,
    "--on postgres://USER@HOST/DATABASE",
  );
}

function toName(config: pg.PoolConfig): string {
  try {
    const { user, host, port, database } = new pg.Client(config);
    return `${user ?? ""}@${host}:${port}/${database ?? ""}`;
  } catch {
    const got = withoutPassword(config.connectionString ?? "");
    throw badUsage(`--on must be a postgres:// address, got ${got}`);
  }
}

const askOn =
  (client: Pick<pg.Pool, "query">): Ask =>
  async <Row>(sql: string, values: readonly unknown[] = []) =>
    // Without values several statements may be sent at once.
    (await (values.length === 0 ? client.query(sql) : client.query(sql, [...values])))
      .rows as Row[];

/** Connects and looks at what is there. Throws `AppError` for what a person has to mend. */
export async function openDatabase(url: string): Promise<Database> {
  const config = toConfig(url);
  const name = toName(config);
  const pool = new pg.Pool(config);
  // An unused connection broke: the next query reports it.
  pool.on("error", () => undefined);
  const database: Database = {
    name,
    ask: askOn(pool),
    async together(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      client.on("error", (error) => (broken = error));
      try {
        await client.query("BEGIN");
        const result = await work(askOn(client));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        client.removeAllListeners("error");
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
  try {
    await checkServer(database);
    return database;
  } catch (error) {
    await pool.end().catch(() => undefined);
    throw toDatabaseError(error, name);
  }
}

async function checkServer({ ask, name }: Database): Promise<void> {
  const [row] = await ask<{ n: number; v: string }>(
    "SELECT current_setting('server_version_num')::int AS n, current_setting('server_version') AS v",
  );
  if (row !== undefined && row.n < OLDEST_SERVER)
    throw new AppError(
      "database-foreign",
      `database ${name} must run on PostgreSQL 13 or later, got ${row.v}`,
    );
}

const SCHEMA = `
  CREATE TABLE chunk_schema (version int NOT NULL);
  INSERT INTO chunk_schema VALUES (${TABLES});
  CREATE TABLE chunk_results (
    id uuid PRIMARY KEY,
    batch text NOT NULL,
    result json NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX chunk_results_at ON chunk_results (at);
  CREATE TABLE chunk_workers (
    id uuid PRIMARY KEY,
    queue text NOT NULL,
    program text NOT NULL,
    host text NOT NULL,
    pid int NOT NULL,
    threads int NOT NULL,
    trouble text,
    chunks uuid[] NOT NULL,
    draws text,
    engine text NOT NULL DEFAULT '',
    seen timestamptz NOT NULL DEFAULT now()
  )`;

/** Whether our tables are there. Throws `database-foreign` when a later makeready made them. */
export async function hasTables({ ask, name }: Pick<Database, "ask" | "name">): Promise<boolean> {
  const [there] = await ask<{ is: boolean }>(
    "SELECT to_regclass('chunk_schema') IS NOT NULL AS is",
  );
  if (there?.is !== true) return false;
  const [row] = await ask<{ version: number }>("SELECT version FROM chunk_schema");
  if (row !== undefined && row.version > TABLES) {
    throw new AppError(
      "database-foreign",
      `database ${name} must have tables of version ${TABLES}, got ${row.version}: a later makeready made them`,
      { hint: `update makeready here, or: ${HINT_OWN}` },
    );
  }
  return row?.version === TABLES;
}

/** Programs that are started at once make what is missing one after the other: pg-boss itself would fail. */
export const inTurn = <Result>(database: Database, work: () => Promise<Result>): Promise<Result> =>
  database.together(async (ask) => {
    await ask(`SELECT pg_advisory_xact_lock(${TURN})`);
    return work();
  });

/** Makes our tables where they are missing or older. */
export async function makeTables(database: Database): Promise<void> {
  await database.together(async (ask) => {
    await ask(`SELECT pg_advisory_xact_lock(${LOCK})`);
    if (await hasTables({ ask, name: database.name })) return;
    const [older] = await ask<{ is: boolean }>(
      "SELECT to_regclass('chunk_schema') IS NOT NULL AS is",
    );
    if (older?.is === true)
      await ask("DROP TABLE IF EXISTS chunk_schema, chunk_results, chunk_workers");
    await ask(SCHEMA);
  });
}
