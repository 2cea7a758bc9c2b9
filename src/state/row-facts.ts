import { sha256 } from "../base/ids/ids.ts";
import type { Sqlite, SqlRow, SqlValue } from "../base/sqlite/sqlite.ts";
import { SEAL, SHOWN } from "./schema.ts";

/** Key in `meta`: what is known of the rows while the seal of this hash holds. */
const FACTS = "facts";

/** More is not kept for later runs: a job may have ten thousand groups. */
const MOST_KEPT = 1_000_000;

type Facts = readonly (readonly [sql: string, rows: readonly SqlRow[]])[];

/**
 * Counts over all rows of a job, which may be a million. Each is read once while no row changes; with
 * a seal, which every change of a row breaks, they are kept for later runs.
 */
export class RowFacts {
  readonly #db: Sqlite;
  readonly #known = new Map<string, readonly SqlRow[]>();
  #isRecalled = false;
  /** Hash of the seal for which all that is known is kept. */
  #kept: string | undefined;

  constructor(db: Sqlite) {
    this.#db = db;
    db.onWrite = (sql) => {
      if (sql === undefined || /\brows\b/u.test(sql)) this.#known.clear();
    };
  }

  /** The values of an SQL expression among the plan's rows that match `where`, in row order. */
  values(expression: string, where: string): string[] {
    return this.#ask<{ value: SqlValue }>(
      `SELECT ${expression} AS value, min(seq) AS first FROM rows WHERE presence = 'present' AND (${where})
         GROUP BY 1 HAVING value IS NOT NULL ORDER BY first`,
    ).map(({ value }) => String(value));
  }

  /** Groups with finished rows: how many rows, and how many labels if rows say so. */
  groups(
    kind: "zip" | "sheets",
  ): readonly { readonly name: string; readonly rows: number; readonly labels: number | null }[] {
    return this.#ask(
      `SELECT json_extract(placing, '$.${kind}') AS name, count(*) AS rows,
         sum(json_extract(placing, '$.copies')) AS labels FROM rows
       WHERE presence = 'present' AND ${SHOWN} AND json_extract(placing, '$.${kind}') IS NOT NULL
       GROUP BY 1 ORDER BY 1`,
    );
  }

  /** PDF and short link of each of the plan's rows that has both. */
  links(): IterableIterator<{ readonly name: string; readonly link: string }> {
    return this.#db.iterate(
      `SELECT json_extract(placing, '$.sheets') AS name, short_link AS link FROM rows
       WHERE presence = 'present' AND short_link <> '' AND json_extract(placing, '$.sheets') IS NOT NULL`,
    );
  }

  /** How many of the plan's rows match each condition, in one pass over those that match `where`. */
  counts<Name extends string>(
    conditions: Readonly<Record<Name, string>>,
    where = "1",
  ): Record<Name, number> {
    const names = Object.keys(conditions) as Name[];
    const sums = names.map((name) => `coalesce(sum(${conditions[name]}), 0) AS ${name}`);
    const sql = `SELECT ${sums.join(", ")} FROM rows WHERE presence = 'present' AND (${where})`;
    return { ...this.#ask<Record<Name, number>>(sql)[0] } as Record<Name, number>;
  }

  count(where: string): number {
    const [found] = this.#ask<{ n: number }>(`SELECT count(*) AS n FROM rows WHERE ${where}`);
    return found?.n ?? 0;
  }

  /** The spreadsheet's current rows, counted by state. */
  countByState(): Record<string, number> {
    const rows = this.#ask<{ state: string; n: number }>(
      "SELECT state, count(*) AS n FROM rows WHERE presence = 'present' GROUP BY state",
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  }

  /** Server time of the latest create; null before the first. */
  get lastIntentMs(): number | null {
    const [found] = this.#ask<{ at: number | null }>("SELECT max(intent_at) AS at FROM rows");
    return found?.at ?? null;
  }

  /** Keeps what is known as long as the seal holds; writes nothing where that is kept already. */
  keepFacts(): void {
    const seal = this.#seal();
    const of = seal === undefined ? undefined : sha256(seal);
    if (of === this.#kept || of === undefined) return;
    const text = JSON.stringify([of, [...this.#known]]);
    if (text.length > MOST_KEPT) return;
    this.#db.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", FACTS, text);
    this.#kept = of;
  }

  #ask<Row>(sql: string): readonly Row[] {
    if (!this.#isRecalled) this.#recall();
    let rows = this.#known.get(sql);
    if (rows === undefined) {
      rows = this.#db.all(sql);
      this.#known.set(sql, rows);
      this.#kept = undefined;
    }
    return rows as readonly Row[];
  }

  #recall(): void {
    this.#isRecalled = true;
    const [seal, kept] = [this.#seal(), this.#meta(FACTS)];
    if (seal === undefined || kept === undefined) return;
    const [of, facts] = JSON.parse(kept) as [string, Facts];
    if (of !== sha256(seal)) return;
    for (const [sql, rows] of facts) this.#known.set(sql, rows);
    this.#kept = of;
  }

  #seal(): string | undefined {
    return this.#meta(SEAL);
  }

  #meta(key: string): string | undefined {
    return this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }
}
