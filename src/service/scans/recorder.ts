/** Writes scans in batches, after the answer has gone out (design.md section 3, promise 9). */
import type { Clock } from "../../base/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";

import type { Sender } from "../senders.ts";
import type { Store } from "../store/store.ts";
import type { Note, ScanWriter } from "./save-scans.ts";

/** A visit of a short link or a Digital Link. */
export interface Visit {
  readonly codeId: string;
  readonly sender: Sender;
  /** Its report waits this long, for a position that the visitor may still tell. */
  readonly holdMs?: number;
}

export const FLUSH_MS = 100;
/** One transaction takes at most this many, so that other writers don't wait long. */
const MAX_BATCH = 2000;
/** More than this can't be kept while the store takes nothing: about 100 MB. */
const MAX_WAITING = 200_000;

interface RecorderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly writer: ScanWriter;
  /** At most what was answered in this time is lost when the process is killed. Default 100 ms. */
  readonly flushMs?: number | undefined;
  /** Called when scans were stored. */
  readonly onStored?: ((scans: number) => void) | undefined;
}

export class ScanRecorder {
  readonly #parts: RecorderParts;
  readonly #waitMs: number;
  #stop = new AbortController();
  #closed = false;
  #waiting: Note[] = [];
  #flushing: Promise<void> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    // Half of the interval to gather, half to write.
    this.#waitMs = (parts.flushMs ?? FLUSH_MS) / 2;
  }

  /** Never waits, never throws; answers the scan's id. It is in the store after the next flush. */
  record(visit: Visit): string {
    const { ids, clock } = this.#parts;
    const note = { id: ids.uuid(), timeMs: clock.nowMs(), ...visit };
    this.#waiting.push(note);
    this.#flushing ??= this.#flushSoon();
    // Aborting makes an error with its stack, each time.
    if (this.#waiting.length >= MAX_BATCH && !this.#stop.signal.aborted) this.#stop.abort();
    return note.id;
  }

  /** Resolves when everything recorded so far was stored, or could not be. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!(await this.#write(this.#waiting.splice(0, MAX_BATCH)))) return;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort();
    await this.#flushing;
    await this.flush();
  }

  async #flushSoon(): Promise<void> {
    await this.#parts.clock.sleep(this.#waitMs, this.#stop.signal);
    if (!this.#closed) this.#stop = new AbortController();
    await this.flush();
    this.#flushing = undefined;
    if (this.#waiting.length > 0 && !this.#closed) this.#flushing = this.#flushSoon();
  }

  async #write(batch: readonly Note[]): Promise<boolean> {
    const { store, log, writer, onStored } = this.#parts;
    try {
      await store.write(() => writer.save(batch), "normal");
    } catch (error) {
      writer.forget();
      // The answers are long gone: the scans are tried again with the next ones.
      this.#waiting.unshift(...batch);
      const lost = this.#waiting.splice(0, Math.max(0, this.#waiting.length - MAX_WAITING));
      log.error(
        { scans: this.#waiting.length, lost: lost.length, error: toMessage(error) },
        "scans could not be stored yet",
      );
      return false;
    }
    onStored?.(batch.length);
    return true;
  }
}
