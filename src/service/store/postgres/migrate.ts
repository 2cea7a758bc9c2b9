/** Brings a database to today's tables. */
import { AppError, badUsage } from "../../../base/errors.ts";
import { ask, run, type Connection } from "./clients.ts";
import { makeSchema, own, upgradeFrom, VERSION } from "./schema.ts";

/** "mrsv", as in the SQLite file: one process at a time makes tables. */
const LOCK = 0x6d727376;
/**
 * "mkwr": held by the process that writes, and also by one that changes tables others still write.
 */
export const WRITE_LOCK = 0x6d6b7772;

/** Tables of other programs, such as the queue of `run --on`, but for those that belong to an extension. */
const FIND = `
  SELECT to_regclass('makeready_schema') IS NOT NULL AS mine,
    EXISTS (
      SELECT FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        AND relkind IN ('r', 'p')
        AND oid NOT IN
          (SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e')
    ) AS other`;

export const FIND_VERSION = "SELECT version FROM makeready_schema";

/**
 * Throws "state-foreign" or "state-newer"; "bad-usage" when tables are missing and must not be made.
 */
export async function migrate(client: Connection, makesTables = true): Promise<void> {
  await run(client, "BEGIN");
  try {
    await run(client, `SELECT pg_advisory_xact_lock(${LOCK})`);
    await make(client, makesTables);
    await run(client, "COMMIT");
  } catch (error) {
    await run(client, "ROLLBACK").catch(() => {});
    throw error;
  }
}

async function make(client: Connection, makesTables: boolean): Promise<void> {
  const version = await readVersion(client);
  if (version === undefined && !makesTables) {
    throw badUsage(
      "the database of --store must hold the data of a service, got none",
      "name another one, or start makeready serve --store there once",
    );
  }
  if (version === undefined) {
    for (const sql of makeSchema()) await run(client, sql);
    await makeSearch(client);
    await run(client, "CREATE TABLE makeready_schema (version BIGINT NOT NULL)");
    await ask(client, "INSERT INTO makeready_schema VALUES ($1)", [VERSION]);
    return;
  }
  if (version === VERSION) return;
  await run(client, `SELECT pg_advisory_xact_lock(${WRITE_LOCK})`);
  for (let step = version; step < VERSION; step += 1) {
    for (const sql of upgradeFrom(step)) await run(client, sql);
  }
  for (const sql of own) await run(client, sql);
  await ask(client, "UPDATE makeready_schema SET version = $1", [VERSION]);
}

/** Undefined = there are no tables yet. */
async function readVersion(client: Connection): Promise<number | undefined> {
  const [{ mine, other } = { mine: 0, other: 0 }] = (await ask(client, FIND)).rows;
  if (mine === 0 && other === 1) {
    throw new AppError("state-foreign", "the database must be empty or hold makeready's tables", {
      hint: "it holds tables of another program, or was restored in part: give --store a database of its own, or restore it whole",
    });
  }
  if (mine === 0) return undefined;
  return checkVersion((await ask(client, FIND_VERSION)).rows[0]);
}

/** Answers the version of the tables; throws "state-newer" when a newer makeready changed them. */
export function checkVersion(row: { readonly version?: unknown } | undefined): number {
  const version = Number(row?.version ?? 0);
  if (version <= VERSION) return version;
  throw new AppError(
    "state-newer",
    `the database must have version ${VERSION} or less, got ${version}`,
    { hint: "use the makeready that wrote it, or a newer one" },
  );
}

/** Where the database doesn't allow this extension, searches read every code. */
async function makeSearch(client: Connection): Promise<void> {
  await run(client, "SAVEPOINT search");
  try {
    await run(
      client,
      `CREATE EXTENSION IF NOT EXISTS pg_trgm;
       CREATE INDEX codes_search ON codes USING gin (search gin_trgm_ops)`,
    );
  } catch {
    await run(client, "ROLLBACK TO SAVEPOINT search");
  }
}
