/** A batch of scans into the store: rows, who scanned, counters, reports. Raw SQL, one transaction. */
import { createSecretKey } from "node:crypto";

import { hmacSha256, toBase32 } from "../../base/ids.ts";
import type { Sqlite, SqlValue } from "../../base/sqlite.ts";

import { Remembered } from "../../base/remembered.ts";
import { toActivity, type ActivityRecord } from "./activity-record.ts";
import { readDevice, type Device } from "./device.ts";
import type { Note } from "./note.ts";
import { CodeNumbers, Profiles } from "./numbers.ts";
import type { Place, Places } from "./places.ts";

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
/** Whoever scans often scans again soon, and a hash takes as long as three rows of a table. */
const SCANNERS_KEPT = 10_000;
/** Between so many scans, redirects that came in are answered. */
const SLICE = 200;
/** Rows of one statement: one at a time costs twice as much. */
const ROWS = 50;

const FIND_ZONE = "SELECT time_zone FROM workspaces WHERE id = ?";

/** A statement for one row, and one for many. */
interface Statement {
  readonly one: string;
  readonly many: string;
}

const toRows = (start: string, values: string, end = ""): Statement => ({
  one: `${start} VALUES ${values} ${end}`,
  many: `${start} VALUES ${Array.from({ length: ROWS }, () => values).join(", ")} ${end}`,
});
const FIND_SCANNERS = toRows(
  "SELECT code, scanner_id, last FROM (",
  "(?, ?)",
  ") AS asked CROSS JOIN scanners ON code = asked.column1 AND scanner_id = asked.column2",
);
const SET_SCANNERS = toRows(
  "INSERT INTO scanners (code, scanner_id, last)",
  "(?, ?, ?)",
  "ON CONFLICT DO UPDATE SET last = excluded.last",
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

/** Runs a statement over all items, many at a time; answers what it returns. */
async function overAll<Item, Row>(
  raw: Sqlite,
  { one, many }: Statement,
  {
    items,
    toValues,
  }: {
    readonly items: readonly Item[];
    readonly toValues: (item: Item, values: SqlValue[]) => void;
  },
): Promise<Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < items.length;) {
    const isMany = at + ROWS <= items.length;
    const end = isMany ? at + ROWS : at + 1;
    const values: SqlValue[] = [];
    for (; at < end; at += 1) toValues(items[at] as Item, values);
    for (const row of raw.all<Row>(isMany ? many : one, ...values)) found.push(row);
    if (at % SLICE === 0) await breathe();
  }
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

/** A scanner of a batch; `last` = when it came last, 0 = never. */
interface Seen {
  readonly code: number;
  readonly scanner: string;
  last: number;
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
  return (codeId: string): CodeOfBatch | undefined => {
    const known = met.get(codeId);
    if (known !== undefined || met.has(codeId)) return known;
    const code = meet(codeId);
    met.set(codeId, code);
    return code;
  };
}

/**
 * Sees the scanners of a batch: each scan learns of the one before it. A clock that was set back
 * never lets scans of one scanner swap places.
 */
async function seeScanners(raw: Sqlite, scans: readonly Scan[]): Promise<void> {
  // In the order of the scans: neighbours in the store are written together.
  const scanners = new Map<string, Seen>();
  for (const { who, code, scanner } of scans) {
    if (who === undefined || scanners.has(who)) continue;
    scanners.set(who, { code: code.number, scanner, last: 0 });
  }
  const items = [...scanners.values()];
  const known = await overAll<Seen, { code: number; scanner_id: string; last: number }>(
    raw,
    FIND_SCANNERS,
    { items, toValues: ({ code, scanner }, values) => values.push(code, scanner) },
  );
  for (const { code, scanner_id: scanner, last } of known) {
    const seen = scanners.get(`${code} ${scanner}`);
    if (seen !== undefined) seen.last = last;
  }
  for (const scan of scans) {
    const seen = scan.who === undefined ? undefined : scanners.get(scan.who);
    if (seen === undefined) continue;
    scan.earlier = seen.last;
    scan.timeMs = Math.max(scan.timeMs, seen.last);
    seen.last = scan.timeMs;
  }
  await overAll(raw, SET_SCANNERS, {
    items,
    toValues: ({ code, scanner, last }, values) => values.push(code, scanner, last),
  });
}

const addScans = (raw: Sqlite, items: readonly Scan[]): Promise<unknown> =>
  overAll(raw, ADD_SCANS, {
    items,
    toValues: ({ note, code, timeMs, earlier, scanner, profile }, values) =>
      values.push(note.id, code.number, timeMs, earlier, scanner, profile),
  });

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
  const scanners = new Remembered<string>(SCANNERS_KEPT);

  const toScanner = (text: string): string => {
    const known = scanners.get(text);
    if (known !== undefined) return known;
    const scanner = toBase32(hmacSha256(key, text).subarray(0, SCANNER_BYTES));
    scanners.set(text, scanner);
    return scanner;
  };
  const toScan = (note: Note, code: CodeOfBatch): Scan => {
    const { ip, userAgent } = note.sender;
    const device = readDevice(userAgent);
    const place = places.find(note.sender);
    const scanner = toScanner(`${ip}\n${userAgent}`);
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
    const find = makeFinder(parts, numbers);
    const scans: Scan[] = [];
    await each(batch, (note) => {
      const code = find(note.codeId);
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
    // In the order of their numbers, as the scans are.
    const items = [...new Set(scans.map(({ code }) => code))].filter(({ total }) => total > 0);
    await overAll(raw, COUNT, {
      items,
      toValues: ({ number, total, unique }, values) => values.push(number, total, unique),
    });
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
