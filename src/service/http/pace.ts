/** How fast the other side of a connection sends or takes bytes, and who is too slow. */
import type { Clock } from "../../base/clock.ts";

/** What counts as "lately". */
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

  /** Fewer bytes a second since the start, `graceMs` not counted. */
  isBelow(bytesPerS: number, graceMs: number, nowMs: number): boolean {
    return nowMs - this.#startMs - graceMs > (this.#total * 1000) / bytesPerS;
  }

  /** Fewer bytes a second in the last one or two windows; nobody is in the first. */
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

/** Looks through what is under way every few seconds, as long as there is anything. */
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
