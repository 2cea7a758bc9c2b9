import { SqliteDialect, type SqliteStatement } from "kysely";

import type { SqlValue, Sqlite } from "../../../base/sqlite/sqlite.ts";

const READERS_KEPT = 1000;

/** A transaction that will write must wait for its turn at the start, and not fail half-way. */
const toSql = (sql: string): string => (sql === "begin" ? "begin immediate" : sql);

/** Kysely's SQLite dialect over our connection and its statement cache. */
export function makeSqliteDialect(sqlite: Sqlite): SqliteDialect {
  const readers = new Map<string, boolean>();
  const isReader = (sql: string): boolean => {
    const known = readers.get(sql);
    if (known !== undefined) return known;
    if (readers.size >= READERS_KEPT) readers.clear();
    const reader = sqlite.isReader(sql);
    readers.set(sql, reader);
    return reader;
  };
  const statement = (sql: string): SqliteStatement => ({
    get reader() {
      return isReader(sql);
    },
    all: (values) => sqlite.all(sql, ...(values as SqlValue[])),
    run: (values) => {
      // We make our own ids: these values are not needed.
      const done = { changes: 0, lastInsertRowid: 0 };
      if (sql !== "rollback")
        return { ...done, changes: sqlite.run(sql, ...(values as SqlValue[])) };
      sqlite.rollBack();
      return done;
    },
    iterate: (values) => sqlite.iterate(sql, ...(values as SqlValue[])),
  });
  return new SqliteDialect({
    database: { prepare: (sql) => statement(toSql(sql)), close: () => sqlite.close() },
  });
}
