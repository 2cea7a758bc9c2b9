/** A data folder that stops being writable under a running service, and is again later. */
import type { Clock } from "../../base/clock.ts";
import { findDiskFault } from "../../base/disk-error.ts";
import { toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";

/** How often trouble is told that goes on. */
const TELL_MS = 10_000;
/** When a sender may try again. */
const RETRY_S = 30;

export const CANT_STORE = "The service can't store anything right now. Please try again later.";
/** Headers of an answer (503) that says so. */
export const cantStoreHeaders = { "retry-after": String(RETRY_S), "cache-control": "no-store" };

export class DiskWatch {
  readonly #parts: { readonly log: Log; readonly clock: Clock };
  #toldMs: number | undefined;

  constructor(parts: { readonly log: Log; readonly clock: Clock }) {
    this.#parts = parts;
  }

  /** True when the error came of the disk: the log then tells what to do, now and then. */
  takes(error: unknown): boolean {
    const fault = findDiskFault(error);
    if (fault === undefined) return false;
    const { log, clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (this.#toldMs === undefined || nowMs - this.#toldMs >= TELL_MS) {
      this.#toldMs = nowMs;
      log.error(
        { ...fault, error: toMessage(error) },
        `nothing can be stored, because ${fault.reason}: free some space, or make the data folder writable; writing then goes on by itself, and visits are led on meanwhile`,
      );
    }
    return true;
  }

  /** False from the first write that the disk refused to the next one that it took. */
  get takesWrites(): boolean {
    return this.#toldMs === undefined;
  }

  /** Something was stored. */
  stored(): void {
    if (this.#toldMs === undefined) return;
    this.#toldMs = undefined;
    this.#parts.log.info({}, "the data folder can be written again");
  }
}
