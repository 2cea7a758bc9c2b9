/** Positions that visitors agree to share, for codes that ask for them (`gps_tracking`, `gps`). */
import { timingSafeEqual } from "node:crypto";

import { z } from "zod";

import type { Clock } from "../../base/time/clock.ts";
import { hmacSha256, toBase32 } from "../../base/ids/ids.ts";

import { readJson } from "../http/body.ts";
import { Refusal } from "../http/reply.ts";
import type { Rows, Store } from "../store/store.ts";
import type { Position } from "./activity-record.ts";
import type { ScanRecorder } from "./recorder.ts";

/** A report waits this long for a position; reports of other visitors don't wait for it. */
export const HOLD_MS = 20_000;

const MAX_BYTES = 1000;

const Told = z.object({
  ticket: z.string().max(200),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

const ADD = `
  INSERT INTO scan_positions (scan_id, code, latitude, longitude)
  SELECT id, code, ?, ? FROM scans WHERE seq = ? ON CONFLICT (scan_id) DO NOTHING`;
const FIND = `
  SELECT seq FROM scans JOIN scanned_codes ON scanned_codes.number = scans.code
  WHERE code_id = ? AND time >= ? AND scans.id = ?`;
/** A ticket is valid while its page is open. */
const VALID_MS = 3_600_000;

interface PositionParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly recorder: ScanRecorder;
  readonly key: string;
  /** Called inside the transaction that stores a position. */
  readonly onTold: (
    rows: Rows,
    scan: { readonly codeId: string; readonly scanId: string },
    position: Position,
  ) => Promise<void>;
  /** Called after that transaction. */
  readonly onKept: () => void;
}

const reply = (status: number): Response =>
  new Response(null, { status, headers: { "cache-control": "no-store" } });

export class Positions {
  readonly #parts: PositionParts;

  constructor(parts: PositionParts) {
    this.#parts = parts;
  }

  /** What a page sends to prove which scan it belongs to. */
  toTicket(scanId: string): string {
    return `${scanId}.${this.#sign(scanId)}`;
  }

  /**
   * `POST /{slug}` with `ticket`, `latitude`, `longitude`: 204, or 400 for anything that our pages
   * don't send.
   */
  async take(request: Request, codeId: string): Promise<Response> {
    const told = await readTold(request);
    const scanId = told === undefined ? undefined : this.#readTicket(told.ticket);
    if (told === undefined || scanId === undefined) return reply(400);
    const { store, clock, recorder, onTold, onKept } = this.#parts;
    // The scan itself may not be stored yet.
    await recorder.flush();
    const sinceMs = clock.nowMs() - VALID_MS;
    await store.write(async (_tx, rows) => {
      const found = await rows.get<{ seq: number }>(FIND, codeId, sinceMs, scanId);
      const seq = found?.seq;
      if (seq === undefined) return;
      // About 11 m, enough to tell a shop from its neighbour; phones know two more digits.
      const position = { latitude: round(told.latitude), longitude: round(told.longitude) };
      const { latitude, longitude } = position;
      if ((await rows.run(ADD, latitude, longitude, seq)) > 0) {
        await onTold(rows, { codeId, scanId }, position);
      }
    }, "normal");
    onKept();
    return reply(204);
  }

  #sign(scanId: string): string {
    return toBase32(hmacSha256(this.#parts.key, `position ${scanId}`));
  }

  #readTicket(ticket: string): string | undefined {
    const at = ticket.indexOf(".");
    const scanId = ticket.slice(0, at);
    const given = Buffer.from(ticket.slice(at + 1));
    const right = Buffer.from(this.#sign(scanId));
    return scanId !== "" && given.length === right.length && timingSafeEqual(given, right)
      ? scanId
      : undefined;
  }
}

const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;

async function readTold(request: Request): Promise<z.infer<typeof Told> | undefined> {
  try {
    const { value } = await readJson(request, { maxBytes: MAX_BYTES, array: false });
    const result = Told.safeParse(value);
    return result.success ? result.data : undefined;
  } catch (error) {
    if (error instanceof Refusal && !error.isBrake) return undefined;
    throw error;
  }
}
