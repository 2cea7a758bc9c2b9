/** A batch of scans into the store: rows, who scanned, counters, reports. Raw SQL, one transaction. */
import { createSecretKey } from "node:crypto";

import { hmacSha256, toBase32 } from "../../base/ids.ts";
import type { Sqlite, SqlValue } from "../../base/sqlite.ts";

import { toActivity, type ActivityRecord } from "./activity-record.ts";
import { readDevice, type Device } from "./device.ts";
import { CodeNumbers, Profiles } from "./numbers.ts";
import type { Place, Places } from "./places.ts";
import type { Visit } from "./recorder.ts";

/** A visit with its moment. */
export interface Note extends Visit {
  readonly id: string;
  readonly timeMs: number;
}

export interface ScanWriter {
  /** `batch` in one go; to be called inside a transaction. A code deleted meanwhile takes its scans along. */
  readonly save: (batch: readonly Note[]) => Promise<void>;
  /** To be called when that transaction was undone. */
  readonly forget: () => void;
}

/** Takes the report of a counted scan into the outbox; to be called inside the transaction. */
export interface Outbox {
  readonly add: (report: {
    readonly workspaceId: string;
    readonly codeId: string;
    readonly scanId: string;
    readonly body: ActivityRecord;
    readonly timeMs: number;
    readonly holdMs: number;
  }) => void;
  readonly isWanted: (workspaceId: string) => boolean;
}

interface SaveParts {
  readonly raw: Sqlite;
  readonly places: Places;
  readonly outbox: Outbox;
  /** Key of the scanner hash: addresses themselves are never kept. */
  readonly key: string;
}

const SCANNER_BYTES = 20;
/** Between so many scans, redirects that came in are answered. */
const SLICE = 200;
/** Rows of one statement: one at a time costs twice as much. */
const ROWS = 50;

const FIND_ZONE = "SELECT time_zone FROM workspaces WHERE id = ?";
const FIND_SCANNER = "SELECT last FROM scanners WHERE code = ? AND scanner_id = ?";
const SET_SCANNER = "UPDATE scanners SET last = ? WHERE code = ? AND scanner_id = ?";

const toRows = (start: string, values: string, end = "") => ({
  one: `${start} VALUES ${values} ${end}`,
  many: `${start} VALUES ${Array.from({ length: ROWS }, () => values).join(", ")} ${end}`,
});
const ADD_SCANNERS = toRows(
  "INSERT INTO scanners (code, scanner_id, last)",
  "(?, ?, ?)",
  "ON CONFLICT DO NOTHING RETURNING code, scanner_id",
);
const ADD_SCANS = toRows(
  "INSERT INTO scans (id, code, time, earlier, scanner_id, profile)",
  "(?, ?, ?, ?, ?, ?)",
);
const COUNT = toRows(
  "INSERT INTO scan_totals (code, total, first)",
  "(?, ?, ?)",
  `ON CONFLICT (code) DO UPDATE
   SET total = total + excluded.total, first = first + excluded.first`,
);

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs `work` for each; others have their turn in between. */
async function each<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % SLICE === 0) await breathe();
  }
}

/** Rows into a table, many at a time; answers what the statements return. */
async function insert<Row>(
  raw: Sqlite,
  sql: { readonly one: string; readonly many: string },
  rows: readonly (readonly SqlValue[])[],
): Promise<Row[]> {
  const found: Row[] = [];
  let at = 0;
  for (; at + ROWS <= rows.length; at += ROWS) {
    found.push(...raw.all<Row>(sql.many, ...rows.slice(at, at + ROWS).flat()));
    if (at % SLICE === 0) await breathe();
  }
  for (const row of rows.slice(at)) found.push(...raw.all<Row>(sql.one, ...row));
  return found;
}

/** What a batch knows of a workspace. */
interface Reporting {
  readonly isReported: boolean;
  readonly zone: string | null;
}

/** What a batch knows of a code that it scans. */
interface CodeOfBatch extends Reporting {
  readonly number: number;
  readonly workspaceId: string;
  total: number;
  unique: number;
}

/** A note on its way to a row. */
interface Scan {
  readonly note: Note;
  readonly code: CodeOfBatch;
  readonly device: Device;
  readonly place: Place;
  readonly profile: number;
  readonly scanner: string;
  /** `code scanner`; undefined = a robot. */
  readonly who: string | undefined;
  timeMs: number;
  /** Of the same scanner; 0 = never, null = a robot. */
  earlier: number | null;
}

function readReporting({ raw, outbox }: SaveParts, workspaceId: string): Reporting {
  const isReported = outbox.isWanted(workspaceId);
  if (!isReported) return { isReported, zone: null };
  const row = raw.get<{ time_zone: string | null }>(FIND_ZONE, workspaceId);
  return { isReported, zone: row?.time_zone ?? null };
}

/** The codes of one batch. */
function makeFinder(parts: SaveParts, numbers: CodeNumbers) {
  const met = new Map<string, CodeOfBatch | undefined>();
  const workspaces = new Map<string, Reporting>();
  const meet = (codeId: string): CodeOfBatch | undefined => {
    const code = numbers.find(codeId);
    if (code === undefined) return undefined;
    const { number, workspace_id: workspaceId } = code;
    const reporting = workspaces.get(workspaceId) ?? readReporting(parts, workspaceId);
    workspaces.set(workspaceId, reporting);
    return { number, workspaceId, ...reporting, total: 0, unique: 0 };
  };
  return {
    met,
    find: (codeId: string): CodeOfBatch | undefined => {
      if (!met.has(codeId)) met.set(codeId, meet(codeId));
      return met.get(codeId);
    },
  };
}

/**
 * Sees the scanners of a batch: each scan learns of the one before it. A clock that was set back
 * never lets scans of one scanner swap places.
 */
async function seeScanners(raw: Sqlite, scans: readonly Scan[]): Promise<void> {
  const firsts = new Map<string, Scan>();
  for (const scan of scans) {
    if (scan.who !== undefined && !firsts.has(scan.who)) firsts.set(scan.who, scan);
  }
  const rows = [...firsts.values()].map(({ code, scanner, note }) => [
    code.number,
    scanner,
    note.timeMs,
  ]);
  const added = await insert<{ code: number; scanner_id: string }>(raw, ADD_SCANNERS, rows);
  const isNew = new Set(added.map(({ code, scanner_id: scanner }) => `${code} ${scanner}`));
  const last = new Map<string, number>();
  await each(firsts, ([who, { code, scanner }]) => {
    if (isNew.has(who)) return;
    const row = raw.get<{ last: number }>(FIND_SCANNER, code.number, scanner);
    if (row !== undefined) last.set(who, row.last);
  });
  const again = new Map<string, Scan>();
  for (const scan of scans) {
    if (scan.who === undefined) continue;
    const before = last.get(scan.who);
    scan.earlier = before ?? 0;
    if (before !== undefined) {
      scan.timeMs = Math.max(scan.timeMs, before);
      again.set(scan.who, scan);
    }
    last.set(scan.who, scan.timeMs);
  }
  await each(again.values(), ({ timeMs, code, scanner }) => {
    raw.run(SET_SCANNER, timeMs, code.number, scanner);
  });
}

async function addScans(raw: Sqlite, scans: readonly Scan[]): Promise<void> {
  const rows = scans.map(({ note, code, timeMs, earlier, scanner, profile }) => [
    note.id,
    code.number,
    timeMs,
    earlier,
    scanner,
    profile,
  ]);
  await insert(raw, ADD_SCANS, rows);
}

function report(outbox: Outbox, { note, code, device, place, scanner, timeMs }: Scan): void {
  const { kind, os, browser } = device;
  const { id, codeId } = note;
  const scan = { id, code_id: codeId, time: timeMs, scanner_id: scanner, device: kind };
  outbox.add({
    workspaceId: code.workspaceId,
    codeId,
    scanId: id,
    body: toActivity({ ...scan, os, browser, ...place }, code.zone),
    timeMs: note.timeMs,
    holdMs: note.holdMs ?? 0,
  });
}

export function makeScanWriter(parts: SaveParts): ScanWriter {
  const { raw, places, outbox } = parts;
  const key = createSecretKey(parts.key, "utf8");
  const profiles = new Profiles(raw);
  const numbers = new CodeNumbers(raw);

  const toScan = (note: Note, code: CodeOfBatch): Scan => {
    const { ip, userAgent } = note.sender;
    const device = readDevice(userAgent);
    const place = places.find(note.sender);
    const hash = hmacSha256(key, `${ip}\n${userAgent}`);
    const scanner = toBase32(hash.subarray(0, SCANNER_BYTES));
    const isRobot = device.kind === "bot";
    return {
      note,
      code,
      device,
      place,
      profile: profiles.find(device, place),
      scanner,
      who: isRobot ? undefined : `${code.number} ${scanner}`,
      timeMs: note.timeMs,
      earlier: null,
    };
  };

  const save: ScanWriter["save"] = async (batch) => {
    const codes = makeFinder(parts, numbers);
    const scans: Scan[] = [];
    await each(batch, (note) => {
      const code = codes.find(note.codeId);
      if (code !== undefined) scans.push(toScan(note, code));
    });
    // Neighbours in the store are written together; within a code the order stays.
    scans.sort((a, b) => a.code.number - b.code.number);
    await seeScanners(raw, scans);
    await addScans(raw, scans);
    for (const { code, earlier } of scans) {
      if (earlier !== null) code.total += 1;
      if (earlier === 0) code.unique += 1;
    }
    const counted = [...codes.met.values()].filter((code) => code !== undefined && code.total > 0);
    const totals = counted.map((code) => [code?.number ?? 0, code?.total ?? 0, code?.unique ?? 0]);
    await insert(
      raw,
      COUNT,
      totals.toSorted(([a = 0], [b = 0]) => a - b),
    );
    await each(scans, (scan) => {
      if (scan.code.isReported && scan.earlier !== null) report(outbox, scan);
    });
  };
  const forget = (): void => {
    profiles.forget();
    numbers.forget();
  };
  return { save, forget };
}
