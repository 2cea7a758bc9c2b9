/** A batch of scans into the store: rows, who scanned, counters, reports. Raw SQL, one transaction. */
import { hmacSha256, toBase32 } from "../../base/ids.ts";
import type { Sqlite } from "../../base/sqlite.ts";

import type { Visit } from "./recorder.ts";
import { toActivity, type ActivityRecord } from "./activity-record.ts";
import { readDevice, type Device } from "./device.ts";
import type { Place, Places } from "./places.ts";
import { Remembered } from "./remembered.ts";

/** A visit with its moment. */
export interface Note extends Visit {
  readonly id: string;
  readonly timeMs: number;
}

export type SaveScans = (batch: readonly Note[]) => void;

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
// A clock that was set back never lets a scanner's scans swap places.
const SEE_SCANNER = `
  INSERT INTO scanners (code, scanner_id, earlier, last) VALUES (?, ?, 0, ?)
  ON CONFLICT (code, scanner_id) DO UPDATE SET earlier = last, last = max(last, excluded.last)
  RETURNING earlier, last`;
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

function readCode({ raw, outbox }: SaveParts, codeId: string): CodeOfBatch | undefined {
  type Row = { number: number; workspace_id: string };
  const find = (): Row | undefined => raw.get<Row>(FIND_CODE, codeId);
  const row = find() ?? (raw.run(ADD_CODE, codeId) === 0 ? undefined : find());
  if (row === undefined) return undefined;
  const { number, workspace_id: workspaceId } = row;
  const isReported = outbox.isWanted(workspaceId);
  const zone = isReported
    ? (raw.get<{ time_zone: string | null }>(FIND_ZONE, workspaceId)?.time_zone ?? null)
    : null;
  return { number, workspaceId, zone, isReported, total: 0, unique: 0 };
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
    const seen = raw.get<{ earlier: number; last: number }>(
      SEE_SCANNER,
      code.number,
      scanner,
      note.timeMs,
    ) ?? { earlier: 0, last: note.timeMs };
    raw.run(ADD_SCAN, note.id, code.number, seen.last, seen.earlier, scanner, profile);
    code.total += 1;
    code.unique += Number(seen.earlier === 0);
    if (!code.isReported) return;
    const { kind, os, browser } = device;
    const { id, codeId } = note;
    const scan = { id, code_id: codeId, time: seen.last, scanner_id: scanner, device: kind };
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

  return (batch) => {
    const codes = new Map<string, CodeOfBatch | undefined>();
    for (const note of batch) {
      if (!codes.has(note.codeId)) codes.set(note.codeId, readCode(parts, note.codeId));
      const code = codes.get(note.codeId);
      if (code !== undefined) saveOne(note, code);
    }
    for (const [codeId, code] of codes) {
      if (code !== undefined && code.total > 0) raw.run(COUNT, code.total, code.unique, codeId);
    }
  };
}
