/** A batch of scans into the store: rows, who scanned, counters, reports. Raw SQL, one transaction. */
import { hmacSha256, toBase32 } from "../../base/ids.ts";
import type { Sqlite } from "../../base/sqlite.ts";

import type { Visit } from "./recorder.ts";
import { toActivity, type ActivityRecord } from "./activity-record.ts";
import { readDevice, type Device } from "./device.ts";
import type { Place, Places } from "./places.ts";
import { Remembered } from "../remembered.ts";

/** A visit with its moment. */
export interface Note extends Visit {
  readonly id: string;
  readonly timeMs: number;
}

export type SaveScans = (batch: readonly Note[]) => Promise<void>;

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
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const FIND_CODE = "SELECT number, workspace_id FROM scanned_codes WHERE code_id = ?";
const ADD_CODE = `
  INSERT INTO scanned_codes (code_id, workspace_id) SELECT id, workspace_id FROM codes WHERE id = ?`;
const FIND_ZONE = "SELECT time_zone FROM workspaces WHERE id = ?";
const FIND_PROFILE = `
  SELECT id FROM scan_profiles WHERE device = ? AND os = ? AND browser = ?
    AND country = ? AND region = ? AND city = ? AND zone = ?`;
const ADD_PROFILE = `
  INSERT INTO scan_profiles (device, os, browser, country, region, city, zone)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
// Most scanners come once: one statement for them, three for those who come again.
const ADD_SCANNER = `
  INSERT INTO scanners (code, scanner_id, earlier, last) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING`;
const FIND_SCANNER = "SELECT last FROM scanners WHERE code = ? AND scanner_id = ?";
const SET_SCANNER = `
  UPDATE scanners SET earlier = last, last = ? WHERE code = ? AND scanner_id = ?`;
const ADD_SCAN = `
  INSERT INTO scans (id, code, time, earlier, scanner_id, profile) VALUES (?, ?, ?, ?, ?, ?)`;
const COUNT = `
  UPDATE codes SET total_scans = total_scans + ?, unique_scans = unique_scans + ? WHERE id = ?`;

/** What a batch knows of a code that it scans. */
interface CodeOfBatch {
  readonly number: number;
  readonly workspaceId: string;
  readonly zone: string | null;
  readonly isReported: boolean;
  total: number;
  unique: number;
}

interface NumberedCode {
  readonly number: number;
  readonly workspace_id: string;
}

/** What a batch knows of a workspace. */
interface Reporting {
  readonly isReported: boolean;
  readonly zone: string | null;
}

/**
 * Codes by their numbers. A code that is deleted is remembered on: scans that were on their way get
 * a number that leads nowhere, and no code ever gets it again.
 */
class Codes {
  readonly #raw: Sqlite;
  readonly #known = new Remembered<NumberedCode>(50_000);

  constructor(raw: Sqlite) {
    this.#raw = raw;
  }

  find(codeId: string): NumberedCode | undefined {
    const known = this.#known.get(codeId);
    if (known !== undefined) return known;
    const find = () => this.#raw.get<NumberedCode>(FIND_CODE, codeId);
    const found = find();
    if (found !== undefined) {
      this.#known.set(codeId, found);
      return found;
    }
    // Remembered from its next use on: this transaction may still fail.
    return this.#raw.run(ADD_CODE, codeId) === 0 ? undefined : find();
  }
}

function readReporting({ raw, outbox }: SaveParts, workspaceId: string): Reporting {
  const isReported = outbox.isWanted(workspaceId);
  if (!isReported) return { isReported, zone: null };
  const row = raw.get<{ time_zone: string | null }>(FIND_ZONE, workspaceId);
  return { isReported, zone: row?.time_zone ?? null };
}

/** Sees a scanner; answers when it was here before (0 = never) and the time that its scan gets. */
function seeScanner(
  raw: Sqlite,
  { code, scanner, timeMs }: { readonly code: number; readonly scanner: string; timeMs: number },
): { readonly earlier: number; readonly timeMs: number } {
  if (raw.run(ADD_SCANNER, code, scanner, timeMs) > 0) return { earlier: 0, timeMs };
  const last = raw.get<{ last: number }>(FIND_SCANNER, code, scanner)?.last ?? timeMs;
  // A clock that was set back never lets a scanner's scans swap places.
  const laterMs = Math.max(timeMs, last);
  raw.run(SET_SCANNER, laterMs, code, scanner);
  return { earlier: last, timeMs: laterMs };
}

/** Ids of profiles that were stored for sure; those of a transaction that failed are forgotten. */
class Profiles {
  readonly #raw: Sqlite;
  readonly #known = new Remembered<number>(10_000);

  constructor(raw: Sqlite) {
    this.#raw = raw;
  }

  find(device: Device, place: Place): number {
    const { kind, os, browser } = device;
    const { country, region, city, zone } = place;
    const values = [kind, os, browser, country, region, city, zone];
    const key = values.join("\u0000");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const find = () => this.#raw.get<{ id: number }>(FIND_PROFILE, ...values)?.id;
    const found = find();
    if (found !== undefined) {
      this.#known.set(key, found);
      return found;
    }
    // Remembered from its next use on: this transaction may still fail.
    this.#raw.run(ADD_PROFILE, ...values);
    return find() ?? 0;
  }
}

/** `batch` in one go; to be called inside a transaction. A code deleted meanwhile takes its scans along. */
export function makeSaveScans(parts: SaveParts): SaveScans {
  const { raw, places, outbox, key } = parts;
  const profiles = new Profiles(raw);

  const saveOne = (note: Note, code: CodeOfBatch): void => {
    const { sender } = note;
    const device = readDevice(sender.userAgent);
    const place = places.find(sender);
    const profile = profiles.find(device, place);
    const hash = hmacSha256(key, `${sender.ip}\n${sender.userAgent}`);
    const scanner = toBase32(hash.subarray(0, SCANNER_BYTES));
    if (device.kind === "bot") {
      raw.run(ADD_SCAN, note.id, code.number, note.timeMs, null, scanner, profile);
      return;
    }
    const seen = seeScanner(raw, { code: code.number, scanner, timeMs: note.timeMs });
    raw.run(ADD_SCAN, note.id, code.number, seen.timeMs, seen.earlier, scanner, profile);
    code.total += 1;
    code.unique += Number(seen.earlier === 0);
    if (!code.isReported) return;
    const { kind, os, browser } = device;
    const { id, codeId } = note;
    const scan = { id, code_id: codeId, time: seen.timeMs, scanner_id: scanner, device: kind };
    const body = toActivity({ ...scan, os, browser, ...place }, code.zone);
    outbox.add({
      workspaceId: code.workspaceId,
      codeId,
      scanId: id,
      body,
      timeMs: note.timeMs,
      holdMs: note.holdMs ?? 0,
    });
  };

  const codes = new Codes(raw);

  return async (batch) => {
    const met = new Map<string, CodeOfBatch | undefined>();
    const workspaces = new Map<string, Reporting>();
    const meet = (codeId: string): CodeOfBatch | undefined => {
      const code = codes.find(codeId);
      if (code === undefined) return undefined;
      const { number, workspace_id: workspaceId } = code;
      const reporting = workspaces.get(workspaceId) ?? readReporting(parts, workspaceId);
      workspaces.set(workspaceId, reporting);
      return { number, workspaceId, ...reporting, total: 0, unique: 0 };
    };
    for (const [index, note] of batch.entries()) {
      if (!met.has(note.codeId)) met.set(note.codeId, meet(note.codeId));
      const code = met.get(note.codeId);
      if (code !== undefined) saveOne(note, code);
      if (index % SLICE === SLICE - 1) await breathe();
    }
    let counted = 0;
    for (const [codeId, code] of met) {
      if (code === undefined || code.total === 0) continue;
      raw.run(COUNT, code.total, code.unique, codeId);
      counted += 1;
      if (counted % SLICE === 0) await breathe();
    }
  };
}
