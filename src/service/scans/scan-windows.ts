/**
 * Counts the scans of a window: whole days from packs, the rest (days that the window cuts, scans
 * not rolled up yet) from the rows themselves. No scan is counted twice: packs hold the scans up to
 * a watermark.
 */
import type { SqlValue } from "../../base/sqlite/sqlite.ts";

import type { Rows } from "../store/store.ts";
import { NEVER, readPack } from "./scan-packs.ts";
import { DAY_MS, type Span } from "./window.ts";

/** Some codes (by their number), or all codes of a workspace. */
export type ScanScope = { readonly codes: readonly number[] } | { readonly workspaceId: string };

/**
 * Gets what was found: `scans` of a kind on a day; `unique` of them were the first of their scanners.
 */
export type TakeCounts = (day: number, key: number, scans: number, unique: number) => void;

export interface WindowReader {
  /** By profile; `code` = the code's number, 0 in a workspace. */
  readonly profile?: (code: number) => TakeCounts;
  /** By code, for a workspace. */
  readonly code?: TakeCounts;
}

export const WATERMARK = "rolled_up_seq";

export async function readWatermark(rows: Rows): Promise<number> {
  const find = "SELECT value FROM meta WHERE key = ?";
  return Number((await rows.get<{ value: string }>(find, WATERMARK))?.value ?? "0");
}

interface Row {
  readonly code: number;
  readonly time: number;
  readonly earlier: number;
  readonly profile: number;
}

/** `column IN (...)` over the scope's codes. */
function toCodes(scope: ScanScope): { readonly sql: string; readonly values: readonly SqlValue[] } {
  return "codes" in scope
    ? { sql: `(${scope.codes.map(() => "?").join(", ")})`, values: scope.codes }
    : {
        sql: "(SELECT number FROM scanned_codes WHERE workspace_id = ?)",
        values: [scope.workspaceId],
      };
}

interface Packed {
  readonly code: number;
  readonly day: number;
  readonly pack: Uint8Array;
}

async function eachPack(
  rows: Rows,
  scope: ScanScope,
  { kind, firstDay, endDay }: { kind: string; firstDay: number; endDay: number },
  take: (packed: Packed) => void,
): Promise<void> {
  if (firstDay >= endDay) return;
  const codes = toCodes(scope);
  await ("codes" in scope
    ? rows.each(
        `SELECT code, day, pack FROM code_packs WHERE code IN ${codes.sql} AND day >= ? AND day < ?`,
        [...codes.values, firstDay, endDay],
        take,
      )
    : rows.each(
        `SELECT 0 AS code, day, pack FROM workspace_packs
         WHERE workspace_id = ? AND kind = ? AND day >= ? AND day < ?`,
        [...codes.values, kind, firstDay, endDay],
        take,
      ));
}

type TakeRow = (row: Row) => void;

const COLUMNS = "code, time, earlier, profile";

/** Rows of days that the window cuts; all of them are rolled up. */
function eachEdge(rows: Rows, scope: ScanScope, edge: Edge, take: TakeRow): Promise<void> {
  const codes = toCodes(scope);
  return rows.each(
    `SELECT ${COLUMNS} FROM scans WHERE code IN ${codes.sql} AND time >= ? AND time < ?
       AND earlier IS NOT NULL AND seq <= ?`,
    [...codes.values, edge.startMs, edge.endMs, edge.watermark],
    take,
  );
}

interface Edge extends Span {
  readonly watermark: number;
}

/** Rows of whole days whose scanner was last here on the first day, before the window began. */
function eachReturn(
  rows: Rows,
  scope: ScanScope,
  { startMs, endMs, watermark }: Edge,
  take: TakeRow,
): Promise<void> {
  const firstMs = Math.floor(startMs / DAY_MS) * DAY_MS;
  const codes = toCodes(scope);
  return rows.each(
    `SELECT ${COLUMNS} FROM scans INDEXED BY scans_return
     WHERE code IN ${codes.sql} AND earlier >= ? AND earlier < ? AND earlier > 0 AND earlier / 86400000 <> time / 86400000 AND time < ? AND seq <= ?`,
    [...codes.values, firstMs, startMs, endMs, watermark],
    take,
  );
}

/** Rows that are not in packs yet. */
function eachTail(rows: Rows, scope: ScanScope, edge: Edge, take: TakeRow): Promise<void> {
  const codes = toCodes(scope);
  return rows.each(
    `SELECT ${COLUMNS} FROM scans NOT INDEXED WHERE seq > ? AND time >= ? AND time < ?
       AND earlier IS NOT NULL AND code IN ${codes.sql}`,
    [edge.watermark, edge.startMs, edge.endMs, ...codes.values],
    take,
  );
}

const toDay = (ms: number): number => Math.floor(ms / DAY_MS);

async function takePacks(
  rows: Rows,
  scope: ScanScope,
  span: Span,
  reader: WindowReader,
): Promise<void> {
  const startDay = toDay(span.startMs);
  const firstDay = Math.ceil(span.startMs / DAY_MS);
  const range = { firstDay, endDay: toDay(span.endMs) };
  const take = (kind: "profile" | "code", toTake: (code: number) => TakeCounts): Promise<void> =>
    eachPack(rows, scope, { kind, ...range }, ({ code, day, pack }) => {
      const takeCounts = toTake(code);
      readPack(pack, (key, age, count) => {
        const isFirst = age === NEVER || day - age < startDay;
        takeCounts(day, key, count, isFirst ? count : 0);
      });
    });
  if (reader.profile !== undefined) await take("profile", reader.profile);
  const { code } = reader;
  if (code !== undefined) await take("code", () => code);
}

/**
 * Counts all scans of the scope within the window, without robots. All from one moment: see
 * `Store.snapshot`.
 */
export async function readWindow(
  rows: Rows,
  scope: ScanScope,
  { span, reader }: { readonly span: Span; readonly reader: WindowReader },
): Promise<void> {
  if ("codes" in scope && scope.codes.length === 0) return;
  const watermark = await readWatermark(rows);
  const { startMs, endMs } = span;
  const isCode = "codes" in scope;
  const takeRow = ({ code, time, earlier, profile }: Row, scans: 0 | 1): void => {
    const isFirst = earlier === 0 || earlier < startMs;
    reader.profile?.(isCode ? code : 0)(toDay(time), profile, scans, Number(isFirst));
    reader.code?.(toDay(time), code, scans, Number(isFirst));
  };
  const takeOne = (row: Row): void => takeRow(row, 1);
  const takeEdge = async (edge: Span): Promise<void> => {
    if (edge.startMs < edge.endMs) await eachEdge(rows, scope, { ...edge, watermark }, takeOne);
  };

  await takePacks(rows, scope, span, reader);
  const nextDayMs = Math.ceil(startMs / DAY_MS) * DAY_MS;
  const lastDayMs = toDay(endMs) * DAY_MS;
  if (nextDayMs > startMs) {
    await takeEdge({ startMs, endMs: Math.min(nextDayMs, endMs) });
    await eachReturn(rows, scope, { startMs, endMs: lastDayMs, watermark }, (row) => {
      if (row.time >= nextDayMs) takeRow(row, 0);
    });
  }
  await takeEdge({ startMs: Math.max(nextDayMs, lastDayMs), endMs });
  await eachTail(rows, scope, { startMs, endMs, watermark }, takeOne);
}
