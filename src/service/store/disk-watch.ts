/**
 * Notices when the data folder can't be written any more or the database is away, and when it is
 * back.
 */
import type { Clock } from "../../base/time/clock.ts";
import { findDiskFault } from "../../base/files/disk-error.ts";
import { toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { StoreAway } from "./postgres/store-away.ts";

/** How often continuing trouble is logged. */
const TELL_MS = 10_000;
/** When a sender may try again. */
const RETRY_S = 30;

/** The answer while the database is away. */
export const CANT_ASK = "The service can't reach its database right now. Please try again later.";
export const CANT_STORE = "The service can't store anything right now. Please try again later.";
/** Headers of the 503 with such an answer. */
export const cantStoreHeaders = { "retry-after": String(RETRY_S), "cache-control": "no-store" };

export class DiskWatch {
  readonly #parts: { readonly log: Log; readonly clock: Clock };
  #toldMs: number | undefined;
  #relief = "";

  constructor(parts: { readonly log: Log; readonly clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * The words for the sender when the disk or the connection to the database caused the error; the
   * log then says from time to time what to do. Undefined for any other error.
   */
  takes(error: unknown): string | undefined {
    if (error instanceof StoreAway && error.isFull) {
      this.#relief = "the database takes writes again";
      this.#tell(
        { error: toMessage(error) },
        "nothing can be stored, because the disk of the database is full: free some space there; writing then goes on by itself, and visits are led on meanwhile",
      );
      return CANT_STORE;
    }
    if (error instanceof StoreAway) {
      this.#relief = "the database can be reached again";
      this.#tell(
        { error: toMessage(error) },
        "the database can't be reached: start it, or look at the network; all goes on by itself then, and visits of known codes are led on meanwhile",
      );
      return CANT_ASK;
    }
    const fault = findDiskFault(error);
    if (fault === undefined) return undefined;
    this.#relief = "the data folder can be written again";
    this.#tell(
      { ...fault, error: toMessage(error) },
      `nothing can be stored, because ${fault.reason}: free some space, or make the data folder writable; writing then goes on by itself, and visits are led on meanwhile`,
    );
    return CANT_STORE;
  }

  #tell(about: object, trouble: string): void {
    const { log, clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (this.#toldMs !== undefined && nowMs - this.#toldMs < TELL_MS) return;
    this.#toldMs = nowMs;
    log.error(about, trouble);
  }

  /** False from the first write that failed on the disk to the next one that succeeded. */
  get takesWrites(): boolean {
    return this.#toldMs === undefined;
  }

  /** Something was stored. */
  stored(): void {
    if (this.#toldMs === undefined) return;
    this.#toldMs = undefined;
    this.#parts.log.info({}, this.#relief);
  }
}
