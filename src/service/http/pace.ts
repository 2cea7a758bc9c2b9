/** How fast the other end of a connection sends or reads bytes, and whether it is too slow. */
import type { Clock } from "../../base/time/clock.ts";

/** "Lately" means windows of this length. */
const WINDOW_MS = 5000;
const LOOK_MS = 5000;

interface Span {
  readonly sinceMs: number;
  bytes: number;
}

export class Pace {
  readonly #startMs: number;
  #total = 0;
  #before: Span | undefined;
  #now: Span;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#now = { sinceMs: nowMs, bytes: 0 };
  }

  add(bytes: number, nowMs: number): void {
    this.#move(nowMs);
    this.#total += bytes;
    this.#now.bytes += bytes;
  }

  /** Slower than this since the start, `graceMs` not counted. */
  isBelow(bytesPerS: number, graceMs: number, nowMs: number): boolean {
    return nowMs - this.#startMs - graceMs > (this.#total * 1000) / bytesPerS;
  }

  /** Slower than this in the last one or two windows; never true in the first. */
  isBelowLately(bytesPerS: number, nowMs: number): boolean {
    this.#move(nowMs);
    if (this.#before === undefined) return false;
    const bytes = this.#before.bytes + this.#now.bytes;
    return (bytes * 1000) / (nowMs - this.#before.sinceMs) < bytesPerS;
  }

  #move(nowMs: number): void {
    if (nowMs - this.#now.sinceMs < WINDOW_MS) return;
    this.#before = this.#now;
    this.#now = { sinceMs: nowMs, bytes: 0 };
  }
}

/** Checks what is under way every few seconds, as long as there is anything. */
export class Watch<Thing> {
  readonly #clock: Clock;
  readonly #look: (thing: Thing) => void;
  readonly #things = new Set<Thing>();
  readonly #stop = new AbortController();
  #isLooking = false;

  constructor(clock: Clock, look: (thing: Thing) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  add(thing: Thing): void {
    this.#things.add(thing);
    if (!this.#isLooking && !this.#stop.signal.aborted) void this.#lookOn();
  }

  delete(thing: Thing): void {
    this.#things.delete(thing);
  }

  /** What is under way now. */
  get things(): readonly Thing[] {
    return [...this.#things];
  }

  stop(): void {
    this.#stop.abort();
  }

  async #lookOn(): Promise<void> {
    this.#isLooking = true;
    while (this.#things.size > 0 && !this.#stop.signal.aborted) {
      await this.#clock.sleep(LOOK_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) break;
      for (const thing of this.things) this.#look(thing);
    }
    this.#isLooking = false;
  }
}
