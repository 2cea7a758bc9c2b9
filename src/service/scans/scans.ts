/** Puts together everything that handles scans. */
import { hmacSha256 } from "../../base/ids/ids.ts";

import type { Context } from "../context.ts";
import { Senders, type SenderOptions } from "../http/senders.ts";
import { withPosition, type ActivityRecord } from "./activity-record.ts";
import { openGeoDatabase } from "./geo-database.ts";
import { KnownLevels } from "./known-levels.ts";
import { placeParts, Places, type GeoHeaders } from "./places.ts";
import { Positions } from "./positions.ts";
import { FLUSH_MS, ScanRecorder } from "./recorder.ts";
import { hasLeftovers } from "./roll-up.ts";
import type { Outbox } from "./save-scans.ts";
import { StorageThread } from "./storage-thread.ts";
import { makeSharedStorage, makeStorage, type ScanStorage } from "./storage.ts";
import { Targets } from "./targets.ts";
import type { Rows } from "../store/store.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

export interface ScanOptions extends SenderOptions {
  /** When the process is killed, at most the scans of this time are lost. Default 100 ms. */
  readonly scanFlushMs?: number | undefined;
  /** An MMDB file of cities: country, region, city and time zone of addresses. Default: none. */
  readonly geoDatabase?: string | undefined;
  /** Headers in which a trusted proxy gives the sender's place; they come before the database. */
  readonly geoHeaders?: GeoHeaders | undefined;
  /** True: a separate thread stores scans, for the process that serves. Default false. */
  readonly scanThread?: boolean | undefined;
}

/** Gets the scans: webhooks. */
export interface Reports extends Outbox {
  /** False: nothing is reported. */
  readonly isAllowed: boolean;
  /** Called when scans were stored. */
  readonly wake: () => void;
  /** Changes a report that still waits; to be called inside a transaction. */
  readonly change: (
    rows: Rows,
    scan: { readonly codeId: string; readonly scanId: string },
    change: (body: ActivityRecord) => ActivityRecord,
  ) => Promise<void>;
}

export interface Scans {
  readonly targets: Targets;
  readonly levels: KnownLevels;
  readonly recorder: ScanRecorder;
  readonly positions: Positions;
  readonly senders: Senders;
  /** Rolls up what is stored, without waiting for a quiet moment. */
  readonly rollUp: () => Promise<void>;
  /** Stores the waiting scans. */
  readonly close: () => Promise<void>;
}

interface ScanSetup {
  /** The service's own key, for scanners' ids and tickets. */
  readonly key: string;
  readonly reports: Reports;
  /** The store's file; undefined = in memory. */
  readonly file: string | undefined;
}

async function openStorage(
  { store, clock, log }: Context,
  { scanThread = false, geoDatabase }: ScanOptions,
  { key, reports, file }: ScanSetup,
): Promise<ScanStorage> {
  const database = geoDatabase === undefined ? undefined : await openGeoDatabase(geoDatabase);
  if (!scanThread || file === undefined || !(store instanceof SqliteStore)) {
    const places = new Places(database);
    const make = store.kind === "postgres" ? makeSharedStorage : makeStorage;
    return make({ store, clock, log, places, outbox: reports, key });
  }
  const isReporting = reports.isAllowed;
  const thread = new StorageThread({ store, clock, log, file, key, geoDatabase, isReporting });
  await thread.start();
  return thread;
}

export async function openScans(
  context: Context,
  options: ScanOptions,
  setup: ScanSetup,
): Promise<Scans> {
  const { store, clock, ids, log, addresses } = context;
  const { key, reports } = setup;
  const headers = options.geoHeaders ?? {};
  const hintHeaders = placeParts.map((part) => (headers[part] ?? "").toLowerCase());
  const senders = new Senders(options, hintHeaders.some((name) => name !== "") ? hintHeaders : []);
  const storage = await openStorage(context, options, setup);
  store.onCommit(() => {
    // Not awaited; if it fails, the next commit looks again.
    hasLeftovers(store.rows).then(
      (isLeft) => isLeft && storage.poke(),
      () => {},
    );
  });
  const recorder = new ScanRecorder({
    clock,
    ids,
    log,
    storage,
    flushMs: options.scanFlushMs ?? FLUSH_MS,
    onStored: reports.wake,
  });
  const positions = new Positions({
    store,
    clock,
    recorder,
    key: Buffer.from(hmacSha256(key, "positions")).toString("hex"),
    onTold: (rows, scan, position) =>
      reports.change(rows, scan, (body) => withPosition(body, position)),
    onKept: reports.wake,
  });
  const changes = store.watchTargets(clock);
  return {
    targets: new Targets({ store, changes, addresses }),
    levels: new KnownLevels({ store, changes }),
    recorder,
    positions,
    senders,
    rollUp: () => storage.rollUp(),
    close: async () => {
      await recorder.close();
      await storage.close();
    },
  };
}
