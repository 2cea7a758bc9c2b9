/** Everything that a scan meets, put together. */
import { hmacSha256 } from "../../base/ids.ts";

import type { Context } from "../context.ts";
import { Senders, type SenderOptions } from "../senders.ts";
import { withPosition, type ActivityRecord } from "./activity-record.ts";
import { openGeoDatabase } from "./geo-database.ts";
import { placeParts, Places, type GeoHeaders } from "./places.ts";
import { Positions } from "./positions.ts";
import { FLUSH_MS, ScanRecorder } from "./recorder.ts";
import { RollUp } from "./roll-up.ts";
import { makeScanWriter, type Outbox } from "./save-scans.ts";
import { Targets } from "./targets.ts";

export interface ScanOptions extends SenderOptions {
  /** At most the scans of this time are lost when the process is killed. Default 100 ms. */
  readonly scanFlushMs?: number | undefined;
  /** An MMDB file of cities: tells country, region, city and time zone of addresses. Default: none. */
  readonly geoDatabase?: string | undefined;
  /** Headers in which a trusted proxy tells the sender's place; they come before the database. */
  readonly geoHeaders?: GeoHeaders | undefined;
}

/** What scans are told to: webhooks. */
export interface Reports extends Outbox {
  /** Called when scans were stored. */
  readonly wake: () => void;
  /** Changes a report that still waits; to be called inside a transaction. */
  readonly change: (
    scan: { readonly codeId: string; readonly scanId: string },
    change: (body: ActivityRecord) => ActivityRecord,
  ) => void;
}

export interface Scans {
  readonly targets: Targets;
  readonly recorder: ScanRecorder;
  readonly positions: Positions;
  readonly senders: Senders;
  /** Rolls up what is stored, without waiting for a quiet moment. */
  readonly rollUp: () => Promise<void>;
  /** Stores what waits. */
  readonly close: () => Promise<void>;
}

/** `key`: the service's own, from which scanners' ids and tickets are made. */
export async function openScans(
  context: Context,
  options: ScanOptions,
  { key, reports }: { readonly key: string; readonly reports: Reports },
): Promise<Scans> {
  const { store, clock, ids, log, addresses } = context;
  const database =
    options.geoDatabase === undefined ? undefined : await openGeoDatabase(options.geoDatabase);
  const headers = options.geoHeaders ?? {};
  const hintHeaders = placeParts.map((part) => (headers[part] ?? "").toLowerCase());
  const senders = new Senders(options, hintHeaders.some((name) => name !== "") ? hintHeaders : []);
  const rollUp = new RollUp({ store, clock, log });
  const writer = makeScanWriter({
    raw: store.raw,
    places: new Places(database),
    outbox: reports,
    key,
  });
  const recorder = new ScanRecorder({
    store,
    clock,
    ids,
    log,
    writer,
    flushMs: options.scanFlushMs ?? FLUSH_MS,
    onStored: (scans) => {
      rollUp.poke(scans);
      reports.wake();
    },
  });
  const positions = new Positions({
    store,
    clock,
    recorder,
    key: Buffer.from(hmacSha256(key, "positions")).toString("hex"),
    onTold: (scan, position) => reports.change(scan, (body) => withPosition(body, position)),
    onKept: reports.wake,
  });
  // What an earlier run left behind.
  rollUp.poke(0);
  return {
    targets: new Targets({ store, clock, addresses }),
    recorder,
    positions,
    senders,
    rollUp: () => rollUp.run(),
    close: async () => {
      await recorder.close();
      await rollUp.close();
    },
  };
}
