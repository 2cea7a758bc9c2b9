import { SqliteDialect, type SqliteStatement } from "kysely";

import type { SqlValue, Sqlite } from "../../base/sqlite.ts";

/** A transaction that means to write must wait for its turn at the start, not fail half-way. */
const toSql = (sql: string): string => (sql === "begin" ? "begin immediate" : sql);

/** Kysely's own SQLite dialect over our connection and its statement cache. */
export function makeSqliteDialect(sqlite: Sqlite): SqliteDialect {
  const statement = (sql: string): SqliteStatement => ({
    get reader() {
      return sqlite.isReader(sql);
    },
    all: (values) => sqlite.all(sql, ...(values as SqlValue[])),
    run: (values) => ({
      changes: sqlite.run(sql, ...(values as SqlValue[])),
      // Ids are ours: nothing asks for it.
      lastInsertRowid: 0,
    }),
    iterate: (values) => sqlite.iterate(sql, ...(values as SqlValue[])),
  });
  return new SqliteDialect({
    database: { prepare: (sql) => statement(toSql(sql)), close: () => sqlite.close() },
  });
}
