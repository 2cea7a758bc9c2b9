import { sql } from "kysely";

import type { Counts } from "./code-rows.ts";
import type { Db } from "./store/tables.ts";
import type { Span } from "./window.ts";

/** Counted scans per code within a window; codes without any are left out. */
export async function countScans(
  db: Db,
  codeIds: readonly string[],
  { startMs, endMs }: Span,
): Promise<Map<string, Counts>> {
  if (codeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("scans")
    .select((select) => [
      "code_id",
      select.fn.countAll<number>().as("total"),
      sql<number>`count(distinct scanner_id)`.as("unique_scanners"),
    ])
    .where("code_id", "in", codeIds)
    .where("time", ">=", startMs)
    .where("time", "<", endMs)
    .where("bot", "=", 0)
    .groupBy("code_id")
    .execute();
  return new Map(
    rows.map((row) => [row.code_id, { total: row.total, unique: row.unique_scanners }]),
  );
}
