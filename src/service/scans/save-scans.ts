/** Stores a batch of scans: rows, scanners, counters, reports. Raw SQL, one transaction. */
import { createSecretKey } from "node:crypto";

import { hmacSha256, toBase32 } from "../../base/ids/ids.ts";
import type { SqlValue } from "../../base/sqlite/sqlite.ts";

import { Remembered } from "../../base/flow/remembered.ts";
import type { Rows } from "../store/store.ts";
import { toActivity, type ActivityRecord } from "./activity-record.ts";
import { readDevice, type Device } from "./device.ts";
import type { Note } from "./note.ts";
import { CodeNumbers, Profiles, type NumberedCode } from "./numbers.ts";
import type { Place, Places } from "./places.ts";

export interface ScanWriter {
  /**
   * Stores `batch`; to be called inside a transaction. Scans of a code that was deleted meanwhile are
   * dropped.
   */
  readonly save: (rows: Rows, batch: readonly Note[]) => Promise<void>;
  /** To be called when that transaction was undone. */
  readonly forget: () => void;
}

/** Puts the report of a counted scan into the outbox; to be called inside the transaction. */
export interface Outbox {
  readonly add: (
    rows: Rows,
    report: {
      readonly workspaceId: string;
      readonly codeId: string;
      readonly scanId: string;
      readonly body: ActivityRecord;
      readonly timeMs: number;
      readonly holdMs: number;
    },
  ) => Promise<void>;
  readonly isWanted: (rows: Rows, workspaceId: string) => Promise<boolean>;
}

interface SaveParts {
  readonly places: Places;
  readonly outbox: Outbox;
  /** Key of the scanner hash: addresses are never stored. */
  readonly key: string;
}

const SCANNER_BYTES = 20;
/**
 * A scanner that was here often comes again soon, and a hash takes as long as three rows of a table.
 */
const SCANNERS_KEPT = 10_000;
/** After this many scans, waiting redirects are answered. */
const SLICE = 200;
/**
 * Rows per statement. Any number of rows needs few statements: each may be a round trip over a
 * network.
 */
const SIZES = [128, 64, 32, 16, 8, 4, 2, 1];

const FIND_ZONE = "SELECT time_zone FROM workspaces WHERE id = ?";

/** A statement for each of `SIZES`. */
type Statement = readonly { readonly size: number; readonly sql: string }[];

const toRows = (start: string, values: string, end = ""): Statement =>
  SIZES.map((size) => {
    const all = Array.from({ length: size }, () => values).join(", ");
    return { size, sql: `${start} VALUES ${all} ${end}` };
  });
const FIND_SCANNERS = toRows(
  "SELECT code, scanner_id, last FROM (",
  "(CAST(? AS BIGINT), ?)",
  ") AS asked CROSS JOIN scanners WHERE code = asked.column1 AND scanner_id = asked.column2",
);
const SET_SCANNERS = toRows(
  "INSERT INTO scanners (code, scanner_id, last)",
  "(?, ?, ?)",
  "ON CONFLICT (code, scanner_id) DO UPDATE SET last = excluded.last",
);
const ADD_SCANS = toRows(
  "INSERT INTO scans (id, code, time, earlier, scanner_id, profile)",
  "(?, ?, ?, ?, ?, ?)",
);
const COUNT = toRows(
  "INSERT INTO scan_totals (code, total, first)",
  "(?, ?, ?)",
  `ON CONFLICT (code) DO UPDATE
   SET total = scan_totals.total + excluded.total, first = scan_totals.first + excluded.first`,
);

const FIND_NUMBERS = toRows(
  "SELECT code_id, number, workspace_id FROM scanned_codes WHERE code_id IN (",
  "(?)",
  ")",
);
const ADD_NUMBERS = toRows(
  `INSERT INTO scanned_codes (code_id, workspace_id)
   SELECT id, workspace_id FROM codes WHERE id IN (`,
  "(?)",
  ") RETURNING code_id, number, workspace_id",
);

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs `work` for each; other work runs in between. */
async function each<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void> | void,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    const working = work(item);
    // An `await` costs more than most of the work: so only where it is needed.
    if (working !== undefined) await working;
    done += 1;
    if (done % SLICE === 0) await breathe();
  }
}

/** Runs a statement for all items, many at a time; answers what it returns. */
async function overAll<Item, Row>(
  rows: Rows,
  statement: Statement,
  {
    items,
    toValues,
  }: {
    readonly items: readonly Item[];
    readonly toValues: (item: Item, values: SqlValue[]) => void;
  },
): Promise<Row[]> {
  const found: Row[] = [];
  let at = 0;
  for (const { size, sql } of statement) {
    while (at + size <= items.length) {
      const values: SqlValue[] = [];
      for (const end = at + size; at < end; at += 1) toValues(items[at] as Item, values);
      for (const row of await rows.all<Row>(sql, ...values)) found.push(row);
      if (size === SIZES[0]) await breathe();
    }
  }
  return found;
}

/** What a batch knows about a workspace. */
interface Reporting {
  readonly isReported: boolean;
  readonly zone: string | null;
}

/** What a batch knows about a code. */
interface CodeOfBatch extends Reporting {
  readonly number: number;
  readonly workspaceId: string;
  total: number;
  unique: number;
}

/** A scanner of a batch; `last` = its previous scan, 0 = never. */
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
  /** Time of the same scanner's previous scan; 0 = never, null = a robot. */
  earlier: number | null;
}

/** Finds or makes numbers of codes that aren't remembered, many at a time. */
async function findNumbers(
  rows: Rows,
  numbers: CodeNumbers,
  batch: readonly Note[],
): Promise<void> {
  for (const statement of [FIND_NUMBERS, ADD_NUMBERS]) {
    const items = [...new Set(batch.map(({ codeId }) => codeId))].filter((id) => !numbers.has(id));
    const found = await overAll<string, NumberedCode & { readonly code_id: string }>(
      rows,
      statement,
      { items, toValues: (id, values) => values.push(id) },
    );
    for (const { code_id: id, ...code } of found) numbers.keep(id, code);
  }
}

async function readReporting(
  rows: Rows,
  { outbox }: SaveParts,
  workspaceId: string,
): Promise<Reporting> {
  const isReported = await outbox.isWanted(rows, workspaceId);
  if (!isReported) return { isReported, zone: null };
  const row = await rows.get<{ time_zone: string | null }>(FIND_ZONE, workspaceId);
  return { isReported, zone: row?.time_zone ?? null };
}

/** The codes of one batch. Known ones are answered at once. */
function makeFinder(rows: Rows, parts: SaveParts, numbers: CodeNumbers) {
  const met = new Map<string, CodeOfBatch | undefined>();
  const workspaces = new Map<string, Reporting>();
  const meet = async (codeId: string): Promise<CodeOfBatch | undefined> => {
    const code = await numbers.find(rows, codeId);
    if (code === undefined) return undefined;
    const { number, workspace_id: workspaceId } = code;
    const reporting =
      workspaces.get(workspaceId) ?? (await readReporting(rows, parts, workspaceId));
    workspaces.set(workspaceId, reporting);
    return { number, workspaceId, ...reporting, total: 0, unique: 0 };
  };
  return {
    has: (codeId: string): boolean => met.has(codeId),
    known: (codeId: string): CodeOfBatch | undefined => met.get(codeId),
    async find(codeId: string): Promise<CodeOfBatch | undefined> {
      const code = await meet(codeId);
      met.set(codeId, code);
      return code;
    },
  };
}

/**
 * Notes the scanners of a batch: each scan learns when the same scanner came before. Even after a
 * clock was set back, scans of one scanner keep their order.
 */
async function seeScanners(rows: Rows, scans: readonly Scan[]): Promise<void> {
  // In the order of the scans: neighbours in the store are written together.
  const scanners = new Map<string, Seen>();
  for (const { who, code, scanner } of scans) {
    if (who === undefined || scanners.has(who)) continue;
    scanners.set(who, { code: code.number, scanner, last: 0 });
  }
  const items = [...scanners.values()];
  const known = await overAll<Seen, { code: number; scanner_id: string; last: number }>(
    rows,
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
  await overAll(rows, SET_SCANNERS, {
    items,
    toValues: ({ code, scanner, last }, values) => values.push(code, scanner, last),
  });
}

const addScans = (rows: Rows, items: readonly Scan[]): Promise<unknown> =>
  overAll(rows, ADD_SCANS, {
    items,
    toValues: ({ note, code, timeMs, earlier, scanner, profile }, values) =>
      values.push(note.id, code.number, timeMs, earlier, scanner, profile),
  });

/** Stores rows, scanners, counters. */
async function storeScans(rows: Rows, scans: Scan[]): Promise<void> {
  // Neighbours in the store are written together; the scans of one code keep their order.
  scans.sort((a, b) => a.code.number - b.code.number);
  await seeScanners(rows, scans);
  await addScans(rows, scans);
  for (const { code, earlier } of scans) {
    if (earlier !== null) code.total += 1;
    if (earlier === 0) code.unique += 1;
  }
  // In the order of their numbers, like the scans.
  const items = [...new Set(scans.map(({ code }) => code))].filter(({ total }) => total > 0);
  await overAll(rows, COUNT, {
    items,
    toValues: ({ number, total, unique }, values) => values.push(number, total, unique),
  });
}

function report(
  rows: Rows,
  outbox: Outbox,
  { note, code, device, place, scanner, timeMs }: Scan,
): Promise<void> {
  const { kind, os, browser } = device;
  const { id, codeId } = note;
  const scan = { id, code_id: codeId, time: timeMs, scanner_id: scanner, device: kind };
  return outbox.add(rows, {
    workspaceId: code.workspaceId,
    codeId,
    scanId: id,
    body: toActivity({ ...scan, os, browser, ...place }, code.zone),
    timeMs: note.timeMs,
    holdMs: note.holdMs ?? 0,
  });
}

/** Scanners by address and user agent: a keyed hash, remembered. */
function makeHasher(text: string): (sender: Note["sender"]) => string {
  const key = createSecretKey(text, "utf8");
  const scanners = new Remembered<string>(SCANNERS_KEPT);
  return ({ ip, userAgent }) => {
    const who = `${ip}\n${userAgent}`;
    const known = scanners.get(who);
    if (known !== undefined) return known;
    const scanner = toBase32(hmacSha256(key, who).subarray(0, SCANNER_BYTES));
    scanners.set(who, scanner);
    return scanner;
  };
}

export function makeScanWriter(parts: SaveParts): ScanWriter {
  const { places, outbox } = parts;
  const profiles = new Profiles();
  const numbers = new CodeNumbers();
  const toScanner = makeHasher(parts.key);

  const toScan = (
    { note, device, place }: Pick<Scan, "note" | "device" | "place">,
    code: CodeOfBatch,
    profile: number,
  ): Scan => {
    const scanner = toScanner(note.sender);
    const who = device.kind === "bot" ? undefined : `${code.number} ${scanner}`;
    const { timeMs } = note;
    return { note, code, device, place, profile, scanner, who, timeMs, earlier: null };
  };

  const toScans = async (rows: Rows, batch: readonly Note[]): Promise<Scan[]> => {
    await findNumbers(rows, numbers, batch);
    const codes = makeFinder(rows, parts, numbers);
    const scans: Scan[] = [];
    const meet = async (seen: Pick<Scan, "note" | "device" | "place">): Promise<void> => {
      const { codeId } = seen.note;
      const code = codes.has(codeId) ? codes.known(codeId) : await codes.find(codeId);
      if (code === undefined) return;
      const { device, place } = seen;
      const profile = profiles.known(device, place) ?? (await profiles.find(rows, device, place));
      scans.push(toScan(seen, code, profile));
    };
    await each(batch, (note) => {
      const seen = {
        note,
        device: readDevice(note.sender.userAgent),
        place: places.find(note.sender),
      };
      const code = codes.known(note.codeId);
      const profile = profiles.known(seen.device, seen.place);
      if (code === undefined || profile === undefined) return meet(seen);
      scans.push(toScan(seen, code, profile));
      return undefined;
    });
    return scans;
  };

  const save: ScanWriter["save"] = async (rows, batch) => {
    const scans = await toScans(rows, batch);
    await storeScans(rows, scans);
    await each(scans, (scan) => {
      const isTold = scan.code.isReported && scan.earlier !== null;
      return isTold ? report(rows, outbox, scan) : undefined;
    });
  };
  return {
    save,
    forget() {
      profiles.forget();
      numbers.forget();
    },
  };
}
