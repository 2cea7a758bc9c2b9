/** The module behind `sqlite.ts`: built into Node from 22.16, else the package with the same interface. */
import { createRequire } from "node:module";

export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

export interface RawStatement {
  run(...values: SqlValue[]): { changes: number | bigint };
  get(...values: SqlValue[]): SqlRow | undefined;
  all(...values: SqlValue[]): SqlRow[];
  iterate(...values: SqlValue[]): IterableIterator<SqlRow>;
  columns(): { name: string }[];
  /** Node has it from 24 and 22.16 on. */
  setReturnArrays?(on: boolean): void;
}

export interface RawDatabase {
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => RawDatabase;
  StatementSync: { readonly prototype: object };
}

/** Node's own, where it knows the columns of a statement: from 22.16 on. */
export function pickBuiltIn(found: unknown): SqliteModule | undefined {
  const own = found as SqliteModule | undefined;
  return own !== undefined && "columns" in own.StatementSync.prototype ? own : undefined;
}

/** Loads without a warning: Node 22 prints that its own SQLite is experimental, once for each thread. */
export function loadQuietly<Module>(load: () => Module): Module {
  const known: unknown = Reflect.get(process, "emitWarning");
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    Reflect.set(process, "emitWarning", known);
  }
}

let loaded: SqliteModule | undefined;

export function loadSqlite(): SqliteModule {
  loaded ??=
    pickBuiltIn(loadQuietly(() => process.getBuiltinModule?.("node:sqlite"))) ??
    (createRequire(import.meta.url)("@photostructure/sqlite") as SqliteModule);
  return loaded;
}
