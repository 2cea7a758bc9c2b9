/**
 * All data of a service from SQLite into PostgreSQL, or back: table by table, in one transaction,
 * with the rows counted on both sides before the commit. Files stay in the data folder.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

import type { Clock } from "../../base/time/clock.ts";
import { AppError, badUsage } from "../../base/errors.ts";
import { isBusy, type SqlRow, type SqlValue, type Sqlite } from "../../base/sqlite/sqlite.ts";
import { makeDataFolder, toDataError } from "../store/data-folder.ts";
import { lockFolder } from "../store/folder-lock.ts";
import { ask, openClient, run, Statements, type Connection } from "../store/postgres/clients.ts";
import { migrate } from "../store/postgres/migrate.ts";
import { SERVED_LOCK } from "../store/postgres/news.ts";
import { toOpenError } from "../store/postgres/postgres-store.ts";
import { refuseMovedStore, toMovedName } from "../store/moved-store.ts";
import { STORE_FILE } from "../store/public-address.ts";
import { openStore } from "../store/sqlite/sqlite-store.ts";

export interface TableMoved {
  readonly table: string;
  readonly rows: number;
}

export interface StoreMoved {
  readonly tables: readonly TableMoved[];
  readonly rows: number;
  /** The new name of the data folder's SQLite file. */
  readonly file: string;
}

export interface StoreMove {
  readonly dataDir: string;
  readonly url: string;
  readonly clock: Clock;
}

/** Rows of one statement. */
const SOME = 1000;

const LIST_TABLES = `
  SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`;
const LIST_COLUMNS = `
  SELECT column_name AS name, data_type AS type, is_identity AS "isIdentity" FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`;
/** PostgreSQL's own tables, without data to move. */
const NOT_DATA = new Set(["makeready_schema", "budget"]);

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isIdentity: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Tables that both stores have, with PostgreSQL's types. */
async function listTables(client: Connection, sqlite: Sqlite): Promise<Table[]> {
  const { rows } = await ask(client, LIST_TABLES);
  const there = new Set(
    sqlite
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .map(({ name }) => name),
  );
  const tables: Table[] = [];
  for (const { name } of rows as { name: string }[]) {
    if (NOT_DATA.has(name) || !there.has(name)) continue;
    tables.push({ name, columns: (await ask(client, LIST_COLUMNS, [name])).rows });
  }
  return tables;
}

const countIn = async (client: Connection, table: string): Promise<number> =>
  (await ask(client, `SELECT count(*) AS n FROM ${table}`)).rows[0].n;
const countOf = (sqlite: Sqlite, table: string): number =>
  sqlite.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

function requireSame(table: string, before: number, after: number): TableMoved {
  if (before === after) return { table, rows: after };
  throw new AppError(
    "state-damaged",
    `the table ${table} must have ${before} rows after the move, got ${after}: nothing was moved`,
    { hint: "the old store is as it was; somebody may have written to it meanwhile" },
  );
}

/** Connects so that nobody else serves the database meanwhile. */
async function openAlone(url: string): Promise<Connection> {
  let client: Connection | undefined;
  try {
    client = await openClient(url, () => {}, { isPatient: true, statements: new Statements() });
    const { rows } = await ask(client, `SELECT pg_try_advisory_lock(${SERVED_LOCK}) AS got`);
    if (rows[0]?.got !== 1) {
      throw new AppError("data-locked", "the database is served by another process", {
        hint: "stop every makeready serve on it first",
      });
    }
    await migrate(client);
    return client;
  } catch (error) {
    await client?.end().catch(() => {});
    throw toOpenError(error);
  }
}

async function copyIn(client: Connection, sqlite: Sqlite, { name, columns }: Table): Promise<void> {
  const list = columns.map((one) => one.name).join(", ");
  const arrays = columns.map(({ type }, n) => `$${n + 1}::${type}[]`).join(", ");
  const sql = `INSERT INTO ${name} (${list}) SELECT * FROM unnest(${arrays})`;
  let some: SqlRow[] = [];
  const put = async (): Promise<void> => {
    const values = columns.map((column) => some.map((row) => toGiven(row[column.name] ?? null)));
    if (some.length > 0) await ask(client, sql, values);
    some = [];
  };
  for (const row of sqlite.iterate(`SELECT ${list} FROM ${name}`)) {
    some.push(row);
    if (some.length === SOME) await put();
  }
  await put();
}

/** PostgreSQL can't store NUL in a text. */
const toGiven = (value: SqlValue): unknown => {
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  return value instanceof Uint8Array ? Buffer.from(value) : value;
};

/** Goes on behind the numbers of SQLite: no number is given twice. */
async function goOn(client: Connection, sqlite: Sqlite, { name, columns }: Table): Promise<void> {
  const column = columns.find(({ isIdentity }) => isIdentity === "YES")?.name;
  if (column === undefined) return;
  const given =
    sqlite.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?", name)?.seq ?? 0;
  await ask(
    client,
    `SELECT setval(pg_get_serial_sequence('${name}', '${column}'),
       greatest((SELECT coalesce(max(${column}), 0) FROM ${name}), $1::bigint) + 1, false)`,
    [given],
  );
}

/**
 * Keeps all others out of the store while it is moved: what a job or a desk stored behind the move
 * would be lost. The file then holds everything, without `-wal` and `-shm` beside it.
 */
function keepAlone(sqlite: Sqlite, file: string): void {
  try {
    sqlite.exec(
      "PRAGMA journal_mode=DELETE; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT",
    );
  } catch (cause) {
    if (!isBusy(cause)) throw cause;
    throw new AppError("data-locked", `${file} is used by another process`, {
      cause,
      hint: "stop every makeready run, desk and watch on this data folder first; nothing was moved",
    });
  }
}

/** From the data folder into the database, which must hold no account. */
export async function moveToPostgres({ dataDir, url, clock }: StoreMove): Promise<StoreMoved> {
  const file = path.join(dataDir, STORE_FILE);
  refuseMovedStore(
    file,
    "that is done: serve it with makeready serve --store; to take it back: makeready move-store sqlite --data EMPTY-FOLDER",
  );
  if (!existsSync(file)) {
    throw badUsage(`the data folder must hold ${STORE_FILE}, got ${dataDir} without`);
  }
  const moved = toMovedName(file);
  if (existsSync(moved)) {
    throw badUsage(
      `${moved} is there already: it would be overwritten`,
      "it is the store before an earlier move; keep it elsewhere",
    );
  }
  const lock = await lockFolder(dataDir, { clock });
  try {
    const store = openStore(file);
    let client: Connection | undefined;
    let tables: TableMoved[];
    try {
      keepAlone(store.raw, file);
      client = await openAlone(url);
      tables = await fill(client, store.raw);
    } finally {
      await client?.end().catch(() => {});
      await store.close();
    }
    renameSync(file, moved);
    return { tables, rows: sum(tables), file: moved };
  } finally {
    lock.release();
  }
}

const sum = (tables: readonly TableMoved[]): number =>
  tables.reduce((all, { rows }) => all + rows, 0);

async function fill(client: Connection, sqlite: Sqlite): Promise<TableMoved[]> {
  if ((await countIn(client, "accounts")) > 0) {
    throw badUsage(
      "the database must be empty, but it has accounts",
      "name an empty one; to serve this one, start makeready serve --store",
    );
  }
  const tables = await listTables(client, sqlite);
  await run(client, "BEGIN; SET CONSTRAINTS ALL DEFERRED");
  sqlite.exec("BEGIN");
  try {
    for (const { name } of tables) {
      await run(client, `ALTER TABLE ${name} DISABLE TRIGGER USER; DELETE FROM ${name}`);
    }
    const moved: TableMoved[] = [];
    for (const table of tables) {
      await copyIn(client, sqlite, table);
      await goOn(client, sqlite, table);
      const { name } = table;
      moved.push(requireSame(name, countOf(sqlite, name), await countIn(client, name)));
    }
    // Checked now: a trigger can't be switched while a check is pending.
    await run(client, "SET CONSTRAINTS ALL IMMEDIATE");
    for (const { name } of tables) await run(client, `ALTER TABLE ${name} ENABLE TRIGGER USER`);
    await run(client, "COMMIT");
    return moved;
  } finally {
    sqlite.exec("COMMIT");
  }
}

/**
 * `-wal` and `-shm` beside a store that is gone: SQLite would take them for those of the new one.
 * Makeready left them where a job used the store while it was moved: they go with the moved store.
 */
function clearLogs(file: string): void {
  const moved = toMovedName(file);
  const log = `${file}-wal`;
  if (existsSync(log) && existsSync(moved) && !existsSync(`${moved}-wal`))
    renameSync(log, `${moved}-wal`);
  for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

/**
 * From the database into the data folder, made when missing, which must hold no store. The database
 * stays as it is.
 */
export async function moveToSqlite({ dataDir, url }: StoreMove): Promise<StoreMoved> {
  const file = path.join(dataDir, STORE_FILE);
  if (existsSync(file)) {
    throw badUsage(
      `the data folder must hold no ${STORE_FILE}, got one in ${dataDir}`,
      "move it aside, or name another folder with --data",
    );
  }
  const client = await openAlone(url);
  try {
    // Only now: a database that can't be reached leaves no folder behind.
    await makeDataFolder(dataDir);
    return await takeInto(file, client);
  } catch (error) {
    throw toOpenError(toDataError(error, dataDir));
  } finally {
    await client.end().catch(() => {});
  }
}

/** All of the database as the file, or no file. */
async function takeInto(file: string, client: Connection): Promise<StoreMoved> {
  const part = `${file}.part`;
  const clear = (): void => {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${part}${end}`, { force: true });
  };
  try {
    clear();
    const store = openStore(part);
    let tables: TableMoved[];
    try {
      tables = await take(client, store.raw);
      // Everything in one file, so that it can be renamed.
      store.raw.exec("PRAGMA journal_mode=DELETE");
    } finally {
      await store.close();
    }
    clearLogs(file);
    renameSync(part, file);
    return { tables, rows: sum(tables), file };
  } catch (error) {
    clear();
    throw error;
  }
}

interface Trigger {
  readonly name: string;
  readonly sql: string;
}

async function take(client: Connection, sqlite: Sqlite): Promise<TableMoved[]> {
  const tables = await listTables(client, sqlite);
  const triggers = sqlite.all<Trigger>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  );
  await run(client, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  sqlite.exec("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys=ON");
  try {
    for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`);
    const moved: TableMoved[] = [];
    for (const table of tables) {
      await copyOut(client, sqlite, table);
      await goOnHere(client, sqlite, table);
      const { name } = table;
      moved.push(requireSame(name, await countIn(client, name), countOf(sqlite, name)));
    }
    // Only SQLite has the text index.
    sqlite.exec(`INSERT INTO code_index (code_id, workspace_id, kind, linked)
      SELECT id, workspace_id, kind, slug IS NOT NULL OR digital_link IS NOT NULL FROM codes ORDER BY created;
      INSERT INTO code_pending SELECT n FROM code_index`);
    for (const { sql } of triggers) sqlite.exec(sql);
    sqlite.exec("COMMIT");
    return moved;
  } catch (error) {
    sqlite.rollBack();
    throw error;
  }
}

async function copyOut(
  client: Connection,
  sqlite: Sqlite,
  { name, columns }: Table,
): Promise<void> {
  const list = columns.map((one) => one.name);
  const marks = list.map(() => "?").join(", ");
  const sql = `INSERT INTO ${name} (${list.join(", ")}) VALUES (${marks})`;
  sqlite.exec(`DELETE FROM ${name}`);
  await run(client, `DECLARE moving CURSOR FOR SELECT ${list.join(", ")} FROM ${name}`);
  for (;;) {
    const { rows } = await run(client, `FETCH ${SOME} FROM moving`);
    for (const row of rows as SqlRow[]) {
      sqlite.run(sql, ...list.map((column) => row[column] ?? null));
    }
    if (rows.length < SOME) break;
  }
  await run(client, "CLOSE moving");
}

async function goOnHere(
  client: Connection,
  sqlite: Sqlite,
  { name, columns }: Table,
): Promise<void> {
  const column = columns.find(({ isIdentity }) => isIdentity === "YES")?.name;
  const known = "SELECT seq FROM sqlite_sequence WHERE name = ?";
  if (column === undefined) return;
  const { rows } = await ask(
    client,
    `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('${name}', '${column}')::regclass), 0) AS given`,
  );
  const given: number = rows[0].given;
  if (sqlite.get(known, name) !== undefined) {
    sqlite.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", given, name);
  } else if (
    sqlite.get("SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'", name)
  ) {
    sqlite.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", name, given);
  }
}
