import type { Clock } from "../base/clock.ts";

/**
 * The server's time as far as its answers tell it, carried on by the monotonic clock. Before the
 * first answer it is this machine's.
 */
export class ServerClock {
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offsetMs = clock.nowMs() - clock.monotonicMs();
  }

  nowMs(): number {
    return Math.round(this.#clock.monotonicMs() + this.#offsetMs);
  }

  /** A time that the server named in an answer that came just now. */
  seen(serverMs: number): void {
    if (Number.isFinite(serverMs)) this.#offsetMs = serverMs - this.#clock.monotonicMs();
  }
}
