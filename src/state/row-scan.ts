/** Rows of the plan in their order, page by page, so that rows may be written meanwhile. */
import type { Sqlite, SqlValue } from "../base/sqlite/sqlite.ts";
import type { RawRow } from "./row-codec.ts";

const PAGE_ROWS = 500;

/** Which rows: SQL over the columns of `rows`, whose `?` the values fill. */
interface Which {
  readonly where: string;
  readonly values: readonly SqlValue[];
}

export function pageOf(
  db: Sqlite,
  columns: string,
  { where, values, afterSeq, limit }: Which & { readonly afterSeq: number; readonly limit: number },
): RawRow[] {
  const sql = `SELECT ${columns} FROM rows WHERE presence = 'present' AND seq > ? AND (${where}) ORDER BY seq LIMIT ?`;
  return db.view<RawRow>(sql, afterSeq, ...values, limit);
}

/** `columns` must hold `seq`. */
export function* scanRows<T>(
  db: Sqlite,
  { columns, toRow }: { readonly columns: string; readonly toRow: (raw: RawRow) => T },
  which: Which,
): Iterable<T> {
  let afterSeq = -1;
  for (;;) {
    const page = pageOf(db, columns, { ...which, afterSeq, limit: PAGE_ROWS });
    for (const raw of page) yield toRow(raw);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    afterSeq = Number(last["seq"]);
  }
}
