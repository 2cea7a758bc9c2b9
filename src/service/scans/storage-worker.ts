/** Stores scans in its own thread, over its own connection (`storage-thread.ts`). */
import { parentPort, workerData } from "node:worker_threads";

import { systemClock } from "../../base/time/clock.ts";
import { invariant, toMessage } from "../../base/errors.ts";
import { parkWhenAsked } from "../../base/flow/park-thread.ts";
import { openSqlite } from "../../base/sqlite/sqlite.ts";

import { openStore, toRows } from "../store/sqlite/sqlite-store.ts";
import { WriteLock } from "../store/sqlite/write-lock.ts";
import { makeOutbox } from "../webhooks/outbox.ts";
import { openGeoDatabase } from "./geo-database.ts";
import type { Note } from "./note.ts";
import { Places } from "./places.ts";
import { makeStorage } from "./storage.ts";

export interface StorageInput {
  readonly file: string;
  /** Memory of the store's lock. */
  readonly lock: SharedArrayBuffer;
  /** See `park-thread.ts`. */
  readonly parking: SharedArrayBuffer;
  readonly key: string;
  readonly geoDatabase: string | undefined;
  /** Whether webhooks get reports. */
  readonly isReporting: boolean;
}

export type StorageRequest =
  /** `notes` are JSON: structured cloning would take longer than storing them. */
  | { readonly kind: "save"; readonly mark: string; readonly notes: string }
  /** `die`: for tests. */
  | { readonly kind: "start" | "poke" | "rollUp" | "close" | "die" };

export type StorageAnswer =
  | { readonly id: number; readonly fault?: string }
  | { readonly about: object; readonly trouble: string };

const port = parentPort;
invariant(port !== null, "this file must run in a thread");
const post = (answer: StorageAnswer): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage(answer);
};

const { file, lock, parking, key, geoDatabase, isReporting } = workerData as StorageInput;
parkWhenAsked(port, parking);
const database = geoDatabase === undefined ? undefined : await openGeoDatabase(geoDatabase);
const store = openStore(file);
store.lock = new WriteLock(lock);
const reader = openSqlite(file);
const storage = makeStorage({
  store,
  clock: systemClock,
  log: { error: (about, trouble) => post({ about, trouble }) },
  places: new Places(database),
  outbox: makeOutbox(isReporting),
  key,
  reader: toRows(reader),
});

async function answer(request: StorageRequest): Promise<void> {
  if (request.kind === "save") {
    await storage.save(JSON.parse(request.notes) as Note[], request.mark);
  } else if (request.kind === "rollUp") await storage.rollUp();
  else if (request.kind === "poke") storage.poke();
  else if (request.kind === "close") {
    await storage.close();
    reader.close();
    await store.close();
  }
}

port.on("message", (request: StorageRequest & { readonly id: number }) => {
  const { id } = request;
  if (request.kind === "die") process.exit(1);
  answer(request)
    .then(
      () => post({ id }),
      (error: unknown) => post({ id, fault: toMessage(error) }),
    )
    .finally(() => {
      if (request.kind === "close") port.close();
    });
});
