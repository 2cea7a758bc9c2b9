/**
 * Turns scans into packs, in the background and in small steps, so that redirects don't wait for it.
 */
import type { Clock } from "../../base/time/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { SqlValue } from "../../base/sqlite/sqlite.ts";

import type { Rows, Store } from "../store/store.ts";
import { NEVER, Tally } from "./scan-packs.ts";
import { readWatermark, WATERMARK } from "./scan-windows.ts";
import { DAY_MS } from "./window.ts";

/** Scans rolled up in one transaction; also rows removed in one. */
const STEP = 2000;
/**
 * The same over a network, where each day of a code takes several round trips and all processes wait.
 */
const SHORT_STEP = 300;
/** The same with a reader of its own: the days of a code are written once for many scans. */
const LONG_STEP = 50_000;
/** ... but at most this many days of codes, since others wait to write. */
const MAX_DAYS = 8000;
/** Days of codes that are written without a pause. */
const SLICE = 100;
/** With more scans waiting, they are rolled up at once ... */
const MAX_TAIL = 50_000;
/** ... with fewer, after this time. */
const WAIT_MS = 60_000;
/** A larger part of a day isn't extended any more; a new one begins. */
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
  WHERE seq > ? ORDER BY seq LIMIT ?`;
const FIND_WORKSPACE = "SELECT workspace_id FROM scanned_codes WHERE number = ?";
/** For a scan that was still on its way when its code was deleted. */
const ADD_LEFTOVER = "INSERT INTO scan_leftovers (code) VALUES (?) ON CONFLICT DO NOTHING";
const FIND_LEFTOVER = "SELECT code FROM scan_leftovers LIMIT 1";
const SET_WATERMARK = `
  INSERT INTO meta (key, value) VALUES ('${WATERMARK}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Where parts are stored: a table, the columns that identify a day in it, their values. */
interface PackPlace {
  readonly table: "code_packs" | "workspace_packs";
  readonly columns: readonly string[];
  readonly values: readonly SqlValue[];
}

async function addPart(
  rows: Rows,
  { table, columns, values }: PackPlace,
  tally: Tally,
): Promise<void> {
  const where = columns.map((column) => `${column} = ?`).join(" AND ");
  const last = await rows.get<{ part: number; pack: Uint8Array }>(
    `SELECT part, pack FROM ${table} WHERE ${where} AND part > 0 ORDER BY part DESC LIMIT 1`,
    ...values,
  );
  if (last !== undefined && last.pack.byteLength < MAX_PART_BYTES) {
    tally.addPack(last.pack);
    const sql = `UPDATE ${table} SET pack = ? WHERE ${where} AND part = ?`;
    await rows.run(sql, tally.toPack(), ...values, last.part);
    return;
  }
  const all = [...columns, "part", "pack"];
  const sql = `INSERT INTO ${table} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`;
  await rows.run(sql, ...values, (last?.part ?? 0) + 1, tally.toPack());
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

/** The scans of a step by code and day, to be put into packs. */
interface Gathered {
  /** By `code day`. */
  readonly days: Map<string, CodeDay>;
  /** Number of scans read, including robots. */
  readonly scans: number;
  /** The watermark before and after them. */
  readonly from: number;
  readonly to: number;
}

interface CodeDay {
  readonly code: number;
  readonly day: number;
  readonly tally: Tally;
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The next `most` scans, fewer when they cover too many days; other work runs in between. */
async function gather(rows: Rows, most: number): Promise<Gathered> {
  const from = await readWatermark(rows);
  const days: Gathered["days"] = new Map();
  let to = from;
  let scans = 0;
  const step = Math.min(STEP, most);
  for (let found = step; found === step && scans < most && days.size < MAX_DAYS;) {
    const read = await rows.all<ScanRow>(NEXT, to, step);
    for (const { code, time, earlier, profile } of read) {
      if (earlier === null) continue;
      const day = Math.floor(time / DAY_MS);
      const age = earlier === 0 ? NEVER : Math.min(day - Math.floor(earlier / DAY_MS), NEVER - 1);
      const key = `${code} ${day}`;
      const known = days.get(key) ?? { code, day, tally: new Tally() };
      days.set(key, known);
      known.tally.add(profile, age, 1);
    }
    found = read.length;
    scans += found;
    to = read.at(-1)?.seq ?? to;
    if (scans < most) await breathe();
  }
  return { days, scans, from, to };
}

/** Adds tallies to packs. To be called inside a transaction. */
async function keep(rows: Rows, { days, from, to }: Gathered): Promise<void> {
  // Another process was faster.
  if (from === to || (await readWatermark(rows)) !== from) return;
  const ofWorkspaces = new Map<string, { readonly place: PackPlace; readonly tally: Tally }>();
  const addTo = (place: PackPlace): Tally => {
    const key = place.values.join(" ");
    const known = ofWorkspaces.get(key) ?? { place, tally: new Tally() };
    ofWorkspaces.set(key, known);
    return known.tally;
  };
  let saved = 0;
  for (const { code, day, tally } of days.values()) {
    const owner = await rows.get<{ workspace_id: string }>(FIND_WORKSPACE, code);
    const workspaceId = owner?.workspace_id;
    if (workspaceId === undefined) await rows.run(ADD_LEFTOVER, code);
    else {
      const profiles = addTo(workspaceDay(workspaceId, "profile", day));
      const codes = addTo(workspaceDay(workspaceId, "code", day));
      tally.each((profile, age, count) => {
        profiles.add(profile, age, count);
        codes.add(code, age, count);
      });
      await addPart(rows, codeDay(code, day), tally);
    }
    saved += 1;
    // Redirects that came in meanwhile are answered.
    if (saved % SLICE === 0) await breathe();
  }
  for (const { place, tally } of ofWorkspaces.values()) await addPart(rows, place, tally);
  await rows.run(SET_WATERMARK, String(to));
}

/** Statements that remove rows of a code, at most `STEP` of them. */
const SWEEP = [
  {
    sql: `DELETE FROM scans WHERE seq IN (SELECT seq FROM scans WHERE code = ? LIMIT ${STEP})`,
    times: 1,
  },
  {
    sql: `DELETE FROM scanners WHERE code = ? AND scanner_id IN (
      SELECT scanner_id FROM scanners WHERE code = ? LIMIT ${STEP})`,
    times: 2,
  },
  {
    sql: `DELETE FROM scan_positions WHERE scan_id IN (
      SELECT scan_id FROM scan_positions WHERE code = ? LIMIT ${STEP})`,
    times: 1,
  },
  { sql: "DELETE FROM scan_totals WHERE code = ?", times: 1 },
];

/** Whether rows of deleted codes remain. */
export const hasLeftovers = async (rows: Rows): Promise<boolean> =>
  (await rows.get(FIND_LEFTOVER)) !== undefined;

/** Removes some rows of a deleted code; false when none are left. */
async function sweepStep(rows: Rows): Promise<boolean> {
  const code = (await rows.get<{ code: number }>(FIND_LEFTOVER))?.code;
  if (code === undefined) return false;
  for (const { sql, times } of SWEEP) {
    if ((await rows.run(sql, ...Array<number>(times).fill(code))) > 0) return true;
  }
  await rows.run("DELETE FROM scan_leftovers WHERE code = ?", code);
  return true;
}

export interface RollUpLog {
  readonly error: (about: object, trouble: string) => void;
}

interface RollUpParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: RollUpLog;
  /**
   * A connection of its own to read scans by, which sees only committed data: with it, steps may be
   * longer. Default: none.
   */
  readonly reader?: Rows | undefined;
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

  /** Announces that `scans` more are stored. */
  poke(scans: number): void {
    this.#waiting += scans;
    if (this.#waiting >= MAX_TAIL) this.#hurry.abort();
    if (!this.#stop.signal.aborted) this.#running ??= this.#runSoon();
  }

  /** Rolls up everything that is stored, and removes what deleted codes left behind. */
  async run(): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this.#stop;
    let done = 1;
    while (done > 0 && !signal.aborted) {
      done = await this.#step();
      this.#waiting = Math.max(0, this.#waiting - done);
    }
    let isMore = true;
    while (isMore && !signal.aborted) {
      isMore = await store.write((_tx, rows) => sweepStep(rows), "normal");
    }
  }

  /** Ends after the current step: the rest waits in the store. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#hurry.abort();
    await this.#running;
  }

  /** Rolls up the next scans; answers their number. */
  async #step(): Promise<number> {
    const { store, reader } = this.#parts;
    const read = reader === undefined ? undefined : await gather(reader, LONG_STEP);
    if (read?.scans === 0) return 0;
    return store.write(async (_tx, rows) => {
      const most = store.kind === "postgres" ? SHORT_STEP : STEP;
      const gathered = read ?? (await gather(rows, most));
      await keep(rows, gathered);
      return gathered.scans;
    }, "normal");
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
