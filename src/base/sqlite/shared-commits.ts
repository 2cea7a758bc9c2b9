import { toMessage } from "../errors.ts";
import type { Durability, Sqlite } from "./sqlite.ts";

interface Waiting {
  readonly work: () => void;
  readonly durability: Durability;
  readonly reject: (error: Error) => void;
  readonly resolve: () => void;
}

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(toMessage(error));

/**
 * Changes that arrive in the same turn of the event loop share one commit: one sync of the disk for
 * all. If one of them throws, the commit is undone, and each is committed alone.
 */
export class SharedCommits {
  readonly #db: Sqlite;
  #waiting: Waiting[] = [];

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Runs `work` soon; resolves with its result once that is committed, rejects with what it threw. */
  add<T>(work: () => T, durability: Durability = "normal"): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      let result: T;
      this.#waiting.push({
        work: () => {
          result = work();
        },
        durability,
        resolve: () => resolve(result),
        reject,
      });
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (this.#commit(batch) === undefined) return;
    for (const one of batch) {
      const error = this.#commit([one]);
      if (error !== undefined) one.reject(toError(error));
    }
  }

  /**
   * The thrown error, with nothing kept; undefined when everything is committed and all have their
   * results.
   */
  #commit(batch: readonly Waiting[]): unknown {
    const isFull = batch.some(({ durability }) => durability === "full");
    try {
      this.#db.transaction(
        () => {
          for (const { work } of batch) work();
        },
        isFull ? "full" : "normal",
      );
    } catch (error) {
      return error;
    }
    for (const { resolve } of batch) resolve();
    return undefined;
  }
}
