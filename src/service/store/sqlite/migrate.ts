/** From any version of our store to today's. */
import { AppError } from "../../../base/errors.ts";
import { openSqlite, type Sqlite } from "../../../base/sqlite/sqlite.ts";
import { steps } from "./migrations.ts";

/** Marks the file as ours ("mrsv"). */
const APPLICATION_ID = 0x6d727376;

const readPragma = (sqlite: Sqlite, name: string): number =>
  sqlite.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;

const versionOf = (sqlite: Sqlite): number => readPragma(sqlite, "user_version");

/** Runs one step, in one transaction. */
function takeStep(sqlite: Sqlite, from: number, step: { sql: string; to: number }): void {
  sqlite.transaction(() => {
    // Another process may have run this step while we waited for the lock.
    if (versionOf(sqlite) > from) return;
    sqlite.exec(step.sql);
    sqlite.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${step.to}`);
  }, "full");
}

function takeEachStep(sqlite: Sqlite, version: number): void {
  for (const [index, sql] of steps.entries()) {
    if (index >= version) takeStep(sqlite, index, { sql, to: index + 1 });
  }
}

let today: string | undefined;

/**
 * All steps for an empty store, as one: single steps would each wait for the disk, and renaming a
 * column takes longer than making all tables.
 */
function toToday(): string {
  if (today !== undefined) return today;
  const store = openSqlite(":memory:");
  takeEachStep(store, 0);
  const made = store.all<{ sql: string }>(
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid",
  );
  const counts = store.all<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence");
  store.close();
  const counted = counts.map(
    ({ name, seq }) => `INSERT INTO sqlite_sequence VALUES ('${name}', ${seq})`,
  );
  today = [...made.map(({ sql }) => sql), ...counted].join(";\n");
  return today;
}

/**
 * Brings a store to today's version. Each step is one transaction, so that a killed upgrade
 * continues where it stopped. A store of a newer program is refused ("state-newer").
 */
export function migrate(sqlite: Sqlite): void {
  const version = versionOf(sqlite);
  const owner = readPragma(sqlite, "application_id");
  if (owner !== 0 && owner !== APPLICATION_ID) {
    throw new AppError("state-foreign", "the data folder must hold a makeready store", {
      hint: "choose another --data folder",
    });
  }
  if (version > steps.length) {
    throw new AppError(
      "state-newer",
      `the store must have version ${steps.length} or less, got ${version}`,
      { hint: "use the makeready that wrote it, or a newer one" },
    );
  }
  if (version === 0) takeStep(sqlite, 0, { sql: toToday(), to: steps.length });
  takeEachStep(sqlite, versionOf(sqlite));
}
