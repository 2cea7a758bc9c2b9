/**
 * Queries that every request needs: built and compiled once per kind of database, then run with
 * other values. Building one takes longer than SQLite needs to answer it.
 */
import type { Compilable, CompiledQuery, QueryResult } from "kysely";

import type { SqlValue } from "../../base/sqlite/sqlite.ts";
import type { Db, Tables } from "./tables.ts";

type Values = Readonly<Record<string, SqlValue>>;

/** A placeholder for a value that changes. */
class Blank {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const blanks = new Proxy({}, { get: (_, name) => new Blank(String(name)) });

/**
 * `build` is called once per kind of database. It gets placeholders, which it must pass on
 * unchanged: it can't decide by values.
 */
export function prepare<const Given extends Values, Row>(
  build: (db: Db, values: Given) => Compilable<Row>,
): (db: Db, values: Given) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return (db, values) => {
    const kind = db.getExecutor().adapter.constructor;
    let query = compiled.get(kind);
    if (query === undefined) {
      query = build(db, blanks as Given).compile();
      compiled.set(kind, query);
    }
    const parameters = query.parameters.map((one) =>
      one instanceof Blank ? values[one.name] : one,
    );
    return db.executeQuery<Row>({ ...query, parameters });
  };
}

/** The first row of an answer. */
export async function firstOf<Row>(asked: Promise<QueryResult<Row>>): Promise<Row | undefined> {
  return (await asked).rows[0];
}

/** Inserts rows of a table; undefined columns get their default. */
export function prepareInsert<Table extends keyof Tables>(
  table: Table,
): (db: Db, row: Readonly<Record<string, SqlValue | undefined>>) => Promise<unknown> {
  const byColumns = new Map<string, (db: Db, values: Values) => Promise<unknown>>();
  return (db, row) => {
    const given = Object.entries(row).filter((entry): entry is [string, SqlValue] => {
      return entry[1] !== undefined;
    });
    const names = given.map(([name]) => name);
    const key = names.join();
    let insert = byColumns.get(key);
    if (insert === undefined) {
      insert = prepare((on, values) => {
        const columns = Object.fromEntries(names.map((name) => [name, values[name]]));
        return on.insertInto(table).values(columns as never);
      });
      byColumns.set(key, insert);
    }
    return insert(db, Object.fromEntries(given));
  };
}
