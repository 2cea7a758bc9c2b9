import type { Store } from "../store/store.ts";
import type { Db } from "../store/tables.ts";
import { readWindow } from "./scan-windows.ts";
import type { Span } from "./window.ts";

export interface Counts {
  readonly total: number;
  readonly unique: number;
}

export const noCounts: Counts = { total: 0, unique: 0 };

/** Counted scans per code in its lifetime; codes without any are left out. */
export async function readTotals(db: Db, codeIds: readonly string[]): Promise<Map<string, Counts>> {
  if (codeIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("scanned_codes")
    .innerJoin("scan_totals", "scan_totals.code", "scanned_codes.number")
    .select(["scanned_codes.code_id", "scan_totals.total", "scan_totals.first"])
    .where("scanned_codes.code_id", "in", codeIds)
    .execute();
  return new Map(rows.map(({ code_id: id, total, first: unique }) => [id, { total, unique }]));
}

/** Counted scans per code within a window; codes without any are left out. */
export async function countScans(
  store: Store,
  codeIds: readonly string[],
  span: Span,
): Promise<Map<string, Counts>> {
  if (codeIds.length === 0) return new Map();
  const codes = await store.db
    .selectFrom("scanned_codes")
    .select(["number", "code_id"])
    .where("code_id", "in", codeIds)
    .execute();
  const found = new Map(codes.map(({ number }) => [number, { total: 0, unique: 0 }]));
  const nobody = { total: 0, unique: 0 };
  const profile = (code: number) => {
    const counts = found.get(code) ?? nobody;
    return (_day: number, _key: number, scans: number, unique: number): void => {
      counts.total += scans;
      counts.unique += unique;
    };
  };
  const scope = { codes: codes.map(({ number }) => number) };
  await store.snapshot((rows) => readWindow(rows, scope, { span, reader: { profile } }));
  return new Map(codes.map(({ number, code_id: id }) => [id, found.get(number) ?? nobody]));
}
