/** Writes scans in batches, after the answer has gone out (design.md section 3, promise 9). */
import type { Clock } from "../../base/clock.ts";
import { toMessage } from "../../base/errors.ts";
import { hmacSha256, toBase32, type Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";

import type { Store } from "../store/store.ts";
import type { ScanRow } from "../store/tables.ts";
import { readDevice } from "./device.ts";

/** What a visit of a short link leaves behind. */
export interface Visit {
  readonly codeId: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** At most this much is lost when the process is killed. */
const FLUSH_MS = 100;
const MAX_BATCH = 1000;
const MAX_USER_AGENT = 1000;
const SCANNER_ID_CHARACTERS = 32;

interface RecorderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Key of the scanner hash: addresses themselves are never kept. */
  readonly key: string;
}

export class ScanRecorder {
  readonly #parts: RecorderParts;
  readonly #stop = new AbortController();
  #waiting: ScanRow[] = [];
  #flushing: Promise<void> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Never waits, never throws; the scan is in the store after the next flush. */
  record(visit: Visit): void {
    this.#waiting.push(this.#toRow(visit));
    this.#flushing ??= this.#flushSoon();
  }

  /** Resolves when everything recorded so far is stored. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, MAX_BATCH));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#flushing;
    await this.flush();
  }

  async #flushSoon(): Promise<void> {
    await this.#parts.clock.sleep(FLUSH_MS, this.#stop.signal);
    try {
      await this.flush();
    } finally {
      this.#flushing = undefined;
    }
    if (this.#waiting.length > 0) this.#flushing ??= this.#flushSoon();
  }

  #toRow({ codeId, ip, userAgent }: Visit): ScanRow {
    const agent = userAgent.slice(0, MAX_USER_AGENT);
    const device = readDevice(agent);
    const scanner = toBase32(hmacSha256(this.#parts.key, `${ip}\n${agent}`));
    return {
      id: this.#parts.ids.uuid(),
      code_id: codeId,
      time: this.#parts.clock.nowMs(),
      scanner_id: scanner.slice(0, SCANNER_ID_CHARACTERS),
      device: device.kind,
      os: device.os,
      browser: device.browser,
      country: "",
      region: "",
      city: "",
      bot: device.kind === "bot" ? 1 : 0,
    };
  }

  async #write(batch: readonly ScanRow[]): Promise<void> {
    const { store, log } = this.#parts;
    try {
      await store.write(async () => saveScans(store, batch), "normal");
    } catch (error) {
      // The answers are long gone: all that is left to do is to tell the operator.
      log.error({ scans: batch.length, error: toMessage(error) }, "scans could not be stored");
    }
  }
}

const INSERT_SCAN = `
  INSERT INTO scans (id, code_id, time, scanner_id, device, os, browser, country, region, city, bot)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM codes WHERE id = ?)`;
const INSERT_SCANNER = `
  INSERT INTO scanners (code_id, scanner_id) VALUES (?, ?) ON CONFLICT DO NOTHING`;
const COUNT = `
  UPDATE codes SET total_scans = total_scans + 1, unique_scans = unique_scans + ? WHERE id = ?`;

/** Raw cached SQL inside the shared transaction. A code deleted meanwhile takes its scans along. */
function saveScans({ raw }: Store, batch: readonly ScanRow[]): void {
  for (const row of batch) {
    const { id, code_id: code, time, scanner_id: scanner, device, os, browser } = row;
    const { country, region, city, bot } = row;
    const place = [device, os, browser, country, region, city] as const;
    const saved = raw.run(INSERT_SCAN, id, code, time, scanner, ...place, bot, code);
    if (saved === 0 || bot === 1) continue;
    const isNew = raw.run(INSERT_SCANNER, code, scanner);
    raw.run(COUNT, isNew, code);
  }
}
