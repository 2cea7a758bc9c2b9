/** Turns scans into packs, in the background and in small steps: no redirect waits for it long. */
import type { Clock } from "../../base/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { Sqlite, SqlValue } from "../../base/sqlite.ts";

import { NEVER, Tally } from "../scan-packs.ts";
import { readWatermark, WATERMARK } from "../scan-windows.ts";
import type { Store } from "../store/store.ts";
import { DAY_MS } from "../window.ts";

/** Scans of one step, one transaction. */
const STEP = 2000;
/** Days of codes that are written without a break. */
const SLICE = 100;
/** So many scans wait at most before they are rolled up at once ... */
const MAX_TAIL = 50_000;
/** ... and so long in quiet times. */
const WAIT_MS = 60_000;
/** A part of a day that has grown larger is left alone; a new one begins. */
const MAX_PART_BYTES = 16_384;

interface ScanRow {
  readonly seq: number;
  readonly code: number;
  readonly time: number;
  readonly earlier: number | null;
  readonly profile: number;
}

const NEXT = `
  SELECT seq, code, time, earlier, profile FROM scans NOT INDEXED
  WHERE seq > ? ORDER BY seq LIMIT ${STEP}`;
const FIND_WORKSPACE = "SELECT workspace_id FROM scanned_codes WHERE number = ?";
/** A scan that was on its way when its code was deleted. */
const ADD_LEFTOVER = "INSERT INTO scan_leftovers (code) VALUES (?) ON CONFLICT DO NOTHING";
const FIND_LEFTOVER = "SELECT code FROM scan_leftovers LIMIT 1";
const SET_WATERMARK = `
  INSERT INTO meta (key, value) VALUES ('${WATERMARK}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** A place for parts: a table, the columns that name a day in it, their values. */
interface PackPlace {
  readonly table: "code_packs" | "workspace_packs";
  readonly columns: readonly string[];
  readonly values: readonly SqlValue[];
}

function addPart(raw: Sqlite, { table, columns, values }: PackPlace, tally: Tally): void {
  const where = columns.map((column) => `${column} = ?`).join(" AND ");
  const last = raw.get<{ part: number; pack: Uint8Array }>(
    `SELECT part, pack FROM ${table} WHERE ${where} AND part > 0 ORDER BY part DESC LIMIT 1`,
    ...values,
  );
  if (last !== undefined && last.pack.byteLength < MAX_PART_BYTES) {
    tally.addPack(last.pack);
    const sql = `UPDATE ${table} SET pack = ? WHERE ${where} AND part = ?`;
    raw.run(sql, tally.toPack(), ...values, last.part);
    return;
  }
  const all = [...columns, "part", "pack"];
  const sql = `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`;
  raw.run(sql, ...values, (last?.part ?? 0) + 1, tally.toPack());
}

const codeDay = (code: number, day: number): PackPlace => ({
  table: "code_packs",
  columns: ["code", "day"],
  values: [code, day],
});
const workspaceDay = (workspaceId: string, kind: string, day: number): PackPlace => ({
  table: "workspace_packs",
  columns: ["workspace_id", "kind", "day"],
  values: [workspaceId, kind, day],
});

class Sorted {
  readonly #tallies = new Map<string, { readonly place: PackPlace; readonly tally: Tally }>();

  tally(place: PackPlace): Tally {
    const key = place.values.join(" ");
    const known = this.#tallies.get(key);
    if (known !== undefined) return known.tally;
    const tally = new Tally();
    this.#tallies.set(key, { place, tally });
    return tally;
  }

  async save(raw: Sqlite): Promise<void> {
    let saved = 0;
    for (const { place, tally } of this.#tallies.values()) {
      addPart(raw, place, tally);
      saved += 1;
      // Redirects that came in meanwhile are answered.
      if (saved % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Rolls up the next scans; answers how many there were. To be called inside a transaction. */
async function rollUpStep(raw: Sqlite): Promise<number> {
  const rows = raw.all<ScanRow>(NEXT, readWatermark(raw));
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const workspaces = new Map<number, string | undefined>();
  const sorted = new Sorted();
  for (const { code, time, earlier, profile } of rows) {
    if (earlier === null) continue;
    if (!workspaces.has(code)) {
      const row = raw.get<{ workspace_id: string }>(FIND_WORKSPACE, code);
      workspaces.set(code, row?.workspace_id);
    }
    const workspaceId = workspaces.get(code);
    if (workspaceId === undefined) {
      raw.run(ADD_LEFTOVER, code);
      continue;
    }
    const day = Math.floor(time / DAY_MS);
    const age = earlier === 0 ? NEVER : Math.min(day - Math.floor(earlier / DAY_MS), NEVER - 1);
    sorted.tally(codeDay(code, day)).add(profile, age, 1);
    sorted.tally(workspaceDay(workspaceId, "profile", day)).add(profile, age, 1);
    sorted.tally(workspaceDay(workspaceId, "code", day)).add(code, age, 1);
  }
  await sorted.save(raw);
  raw.run(SET_WATERMARK, String(last.seq));
  return rows.length;
}

/** Statements that take rows of a code out, `STEP` of them at most. */
const SWEEP = [
  `DELETE FROM scans WHERE seq IN (SELECT seq FROM scans WHERE code = ? LIMIT ${STEP})`,
  `DELETE FROM scanners WHERE code = ?1 AND scanner_id IN (
    SELECT scanner_id FROM scanners WHERE code = ?1 LIMIT ${STEP})`,
  `DELETE FROM scan_positions WHERE scan_id IN (
    SELECT scan_id FROM scan_positions WHERE code = ? LIMIT ${STEP})`,
  "DELETE FROM scan_totals WHERE code = ?",
];

/** Whether a deleted code left rows behind. */
export const hasLeftovers = (raw: Sqlite): boolean => raw.get(FIND_LEFTOVER) !== undefined;

/** Takes out some rows of a deleted code; false when there are none left. */
function sweepStep(raw: Sqlite): boolean {
  const code = raw.get<{ code: number }>(FIND_LEFTOVER)?.code;
  if (code === undefined) return false;
  for (const sql of SWEEP) if (raw.run(sql, code) > 0) return true;
  raw.run("DELETE FROM scan_leftovers WHERE code = ?", code);
  return true;
}

export interface RollUpLog {
  readonly error: (about: object, trouble: string) => void;
}

interface RollUpParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: RollUpLog;
}

export class RollUp {
  readonly #parts: RollUpParts;
  readonly #stop = new AbortController();
  #hurry = new AbortController();
  #waiting = 0;
  #running: Promise<void> | undefined;

  constructor(parts: RollUpParts) {
    this.#parts = parts;
  }

  /** Tells that `scans` more are stored. */
  poke(scans: number): void {
    this.#waiting += scans;
    if (this.#waiting >= MAX_TAIL) this.#hurry.abort();
    if (!this.#stop.signal.aborted) this.#running ??= this.#runSoon();
  }

  /** Rolls up everything that is stored, and takes out what deleted codes left behind. */
  async run(): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this.#stop;
    let done = STEP;
    while (done === STEP && !signal.aborted) {
      done = await store.write(() => rollUpStep(store.raw), "normal");
      this.#waiting = Math.max(0, this.#waiting - done);
    }
    let isMore = true;
    while (isMore && !signal.aborted) {
      isMore = await store.write(async () => sweepStep(store.raw), "normal");
    }
  }

  /** Ends after the step that is under way: the rest waits in the store. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#hurry.abort();
    await this.#running;
  }

  async #runSoon(): Promise<void> {
    const { clock, log } = this.#parts;
    await clock.sleep(WAIT_MS, this.#hurry.signal);
    if (!this.#stop.signal.aborted) {
      this.#hurry = new AbortController();
      this.#waiting = 0;
      try {
        await this.run();
      } catch (error) {
        log.error({ error: toMessage(error) }, "scans could not be rolled up yet");
      }
    }
    this.#running = undefined;
    if (this.#waiting > 0 && !this.#stop.signal.aborted) this.#running = this.#runSoon();
  }
}
