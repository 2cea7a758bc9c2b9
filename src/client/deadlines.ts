/** Deadlines of exchanges that are under way. */
import type { Clock } from "../base/clock.ts";

export interface Late {
  late(): void;
}

/** Who may wait for how long: one timer for all, since nearly nobody is ever late. */
export class Deadlines {
  readonly #clock: Clock;
  /** Monotonic, ms. */
  readonly #ends = new Map<Late, number>();
  #alarm: { readonly atMs: number; readonly off: AbortController } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `late` after so long, unless it is set anew or forgotten before. */
  set(who: Late, ms: number): void {
    const atMs = this.#clock.monotonicMs() + ms;
    this.#ends.set(who, atMs);
    if (this.#alarm === undefined || atMs < this.#alarm.atMs) void this.#wait(atMs);
  }

  forget(who: Late): void {
    this.#ends.delete(who);
    if (this.#ends.size > 0) return;
    this.#alarm?.off.abort("nobody waits");
    this.#alarm = undefined;
  }

  async #wait(atMs: number): Promise<void> {
    this.#alarm?.off.abort("set anew");
    const alarm = { atMs, off: new AbortController() };
    this.#alarm = alarm;
    const sleepMs = Math.max(0, Math.ceil(atMs - this.#clock.monotonicMs()));
    await this.#clock.sleep(sleepMs, alarm.off.signal);
    if (this.#alarm !== alarm) return;
    this.#alarm = undefined;
    // Timers may ring a part of a millisecond early.
    const nowMs = Math.max(this.#clock.monotonicMs(), atMs);
    for (const [who, endMs] of this.#ends) if (endMs <= nowMs) who.late();
    if (this.#ends.size > 0 && this.#alarm === undefined)
      void this.#wait(Math.min(...this.#ends.values()));
  }
}
