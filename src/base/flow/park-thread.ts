/**
 * Threads that use SQLite are parked before their process exits. Torn down inside a call of SQLite,
 * they would abort the whole process: exit code 134 instead of its own.
 */
import type { MessagePort, Worker } from "node:worker_threads";

const PARK = "park";
/** A thread that is busy for longer is torn down all the same. */
const MOST_MS = 1000;

/** Memory in which a thread says that it is parked; part of its `workerData`. */
export const makeParking = (): SharedArrayBuffer => new SharedArrayBuffer(4);

/** Parks the thread when this process exits, in whatever way. */
export function parkAtExit(worker: Worker, parking: SharedArrayBuffer): void {
  const park = (): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage(PARK);
    Atomics.wait(new Int32Array(parking), 0, 0, MOST_MS);
  };
  process.on("exit", park);
  worker.once("exit", () => process.off("exit", park));
}

/** In the thread, before its other listeners: waits for the end where no call of SQLite runs. */
export function parkWhenAsked(port: MessagePort, parking: SharedArrayBuffer): void {
  const flag = new Int32Array(parking);
  port.on("message", (message: unknown) => {
    if (message !== PARK) return;
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    Atomics.wait(flag, 0, 1);
  });
}
