/**
 * Stores scans in batches, after the answer has been sent (docs/spec/design.md promise 9). When scans
 * come faster than the store takes them, answers wait for it.
 */
import type { Clock } from "../../base/time/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { Ids } from "../../base/ids/ids.ts";
import type { Log } from "../../base/log.ts";

import type { Note, Visit } from "./note.ts";
import type { ScanStorage } from "./storage.ts";

export const FLUSH_MS = 100;
/** Most scans of one transaction, so that other writers don't wait long. */
const MAX_BATCH = 2000;
/** Most scans that are kept while the store takes nothing. */
const MAX_WAITING = 200_000;
/** The same for texts of their senders, which can be of any length. */
const MAX_WAITING_CHARACTERS = 100_000_000;
/** No visitor waits longer: even when the store is stuck, codes lead on. */
const MOST_HELD_MS = 1000;
/** How often continuing trouble is logged. */
const TELL_MS = 10_000;

interface RecorderParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly storage: Pick<ScanStorage, "save">;
  /** When the process is killed, at most the scans answered in this time are lost. Default 100 ms. */
  readonly flushMs?: number | undefined;
  /** Called when scans were stored. */
  readonly onStored?: (() => void) | undefined;
  /** Most scans that wait. Default 200,000. */
  readonly maxWaiting?: number | undefined;
}

const countCharacters = ({ sender: { ip, userAgent, hints = [] } }: Visit): number =>
  hints.reduce((sum, hint) => sum + hint.length, ip.length + userAgent.length);

export interface Recorded {
  readonly id: string;
  /** What its answer must wait for; undefined = nothing. Never rejects. */
  readonly held: Promise<void> | undefined;
}

/** An answer that waits until this many scans are stored. */
interface Held {
  readonly number: number;
  readonly sinceMs: number;
  readonly release: () => void;
}

export class ScanRecorder {
  readonly #parts: RecorderParts;
  readonly #flushMs: number;
  readonly #waitMs: number;
  readonly #maxWaiting: number;
  readonly #close = new AbortController();
  #hurry = new AbortController();
  #waiting: Note[] = [];
  #characters = 0;
  /** Since when the oldest waiting scan waits, or earlier. */
  #sinceMs = 0;
  /**
   * Since when the oldest answered scan waits; the next one is the same for the batch being written.
   */
  #answeredMs: number | undefined;
  #writtenMs: number | undefined;
  /** Scans recorded and scans stored, since the start. */
  #noted = 0;
  #stored = 0;
  /** When the store last took a batch. */
  #storedMs = -Infinity;
  /** The store takes nothing now: no answer waits for it. */
  #isAway = false;
  #held: Held[] = [];
  #isLookingAfter = false;
  #lost = 0;
  #lostEver = 0;
  #toldMs = -Infinity;
  #running: Promise<void> | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);

  constructor(parts: RecorderParts) {
    this.#parts = parts;
    // Half of the interval to gather, half to write.
    this.#flushMs = parts.flushMs ?? FLUSH_MS;
    this.#waitMs = this.#flushMs / 2;
    this.#maxWaiting = parts.maxWaiting ?? MAX_WAITING;
  }

  /** Never throws. The scan is stored with the next flush. */
  record(visit: Visit): Recorded {
    const { ids, clock } = this.#parts;
    const id = ids.uuid();
    if (this.#waiting.length >= this.#maxWaiting || this.#characters >= MAX_WAITING_CHARACTERS) {
      this.#lost += 1;
      this.#lostEver += 1;
      return { id, held: undefined };
    }
    this.#characters += countCharacters(visit);
    this.#waiting.push({ id, timeMs: clock.nowMs(), ...visit });
    this.#noted += 1;
    const nowMs = clock.monotonicMs();
    if (this.#running === undefined) {
      this.#sinceMs = nowMs;
      this.#running = this.#run();
    }
    // Aborting again would make an error with its stack each time.
    if (this.#waiting.length >= MAX_BATCH && !this.#hurry.signal.aborted) this.#hurry.abort();
    return { id, held: this.#hold(nowMs) };
  }

  /**
   * An answer waits when an answered scan has been unstored for longer than the interval; else it is
   * sent at once.
   */
  #hold(nowMs: number): Promise<void> | undefined {
    const oldestMs = this.#writtenMs ?? this.#answeredMs ?? nowMs;
    if (this.#isAway || nowMs - oldestMs < this.#flushMs) {
      this.#answeredMs ??= nowMs;
      return undefined;
    }
    const number = this.#noted;
    const held = new Promise<void>((release) => {
      this.#held.push({ number, sinceMs: nowMs, release });
    });
    if (!this.#isLookingAfter) void this.#lookAfterHeld();
    return held;
  }

  /** Releases answers that waited long enough; all of them, if the store took nothing meanwhile. */
  async #lookAfterHeld(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#close;
    this.#isLookingAfter = true;
    for (let [first] = this.#held; first !== undefined && !signal.aborted; [first] = this.#held) {
      await clock.sleep(first.sinceMs + MOST_HELD_MS - clock.monotonicMs(), signal);
      const nowMs = clock.monotonicMs();
      if (this.#held[0] !== first || signal.aborted) continue;
      if (this.#storedMs >= first.sinceMs)
        this.#release(({ sinceMs }) => nowMs - sinceMs >= MOST_HELD_MS);
      else this.#giveUp("scans wait for a store that takes none");
    }
    this.#isLookingAfter = false;
  }

  /** Waiting answers are in the order in which they came. */
  #release(mayGo: (held: Held) => boolean): void {
    const kept = this.#held.findIndex((held) => !mayGo(held));
    const released = this.#held.splice(0, kept === -1 ? this.#held.length : kept);
    if (released.some(({ number }) => number > this.#stored))
      this.#answeredMs ??= this.#parts.clock.monotonicMs();
    for (const { release } of released) release();
  }

  /** No answer waits until the store takes scans again. */
  #giveUp(trouble: string, error?: unknown): void {
    this.#isAway = true;
    this.#release(() => true);
    this.#tell(trouble, error);
  }

  /** Scans that are not stored yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Scans that could not be stored since the start. */
  get lost(): number {
    return this.#lostEver;
  }

  /** Resolves when everything recorded so far was stored, or could not be. */
  async flush(): Promise<void> {
    let batches = Math.ceil(this.#waiting.length / MAX_BATCH);
    // The batch that is being written counts too.
    while ((await this.#write()) && batches > 1) batches -= 1;
  }

  async close(): Promise<void> {
    this.#close.abort();
    this.#hurry.abort();
    await this.#running;
    let isStored = true;
    while (isStored && this.#waiting.length > 0) isStored = await this.#write();
    const lost = this.#lost + this.#waiting.length;
    if (lost > 0) this.#parts.log.error({ lost }, "scans were lost: they could not be stored");
  }

  /** Stores what waits, every `#waitMs`, until nothing does. */
  async #run(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#close;
    while (this.#waiting.length > 0 && !signal.aborted) {
      const waitedMs = clock.monotonicMs() - this.#sinceMs;
      await clock.sleep(Math.max(0, this.#waitMs - waitedMs), this.#hurry.signal);
      if (!signal.aborted) this.#hurry = new AbortController();
      await this.#write();
    }
    this.#running = undefined;
  }

  /** Stores a batch after the current one; false when it could not be stored. */
  #write(): Promise<boolean> {
    this.#writing = this.#writing.then(() => this.#writeNext());
    return this.#writing;
  }

  async #writeNext(): Promise<boolean> {
    const { storage, onStored, clock } = this.#parts;
    this.#sinceMs = clock.monotonicMs();
    const batch = this.#waiting.splice(0, MAX_BATCH);
    if (batch.length === 0) return true;
    this.#writtenMs = this.#answeredMs;
    if (this.#waiting.length === 0) this.#answeredMs = undefined;
    try {
      await storage.save(batch);
    } catch (error) {
      // Their answers were sent long ago: the scans are stored with the next ones.
      this.#waiting = [...batch, ...this.#waiting];
      this.#answeredMs = this.#writtenMs ?? this.#answeredMs;
      this.#writtenMs = undefined;
      this.#giveUp("scans could not be stored yet", error);
      return false;
    }
    this.#writtenMs = undefined;
    if (this.#waiting.length === 0) this.#answeredMs = undefined;
    this.#stored += batch.length;
    this.#storedMs = clock.monotonicMs();
    this.#isAway = false;
    this.#release(({ number }) => number <= this.#stored);
    for (const note of batch) this.#characters -= countCharacters(note);
    if (this.#lost > 0) this.#tell("scans were lost: more came than could be stored");
    onStored?.();
    return true;
  }

  #tell(trouble: string, error?: unknown): void {
    const { log, clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#toldMs < TELL_MS) return;
    this.#toldMs = nowMs;
    const reason = error === undefined ? {} : { error: toMessage(error) };
    log.error({ scans: this.#waiting.length, lost: this.#lost, ...reason }, trouble);
    this.#lost = 0;
  }
}
