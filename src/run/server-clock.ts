import type { Clock } from "../base/time/clock.ts";
import type { Client } from "../client/client.ts";

/**
 * When the server's dates of codes differ from its own `Date` by more than this, the dates of codes
 * count.
 */
const SAME_CLOCK_MS = 30_000;

/**
 * The clock by which the server dates its codes: its `Date` header, else the dates of its codes.
 * This machine's clock is the last resort: it may be wrong by hours, and if an intent seems younger
 * than its code, the code is made twice.
 */
export class ServerClock {
  readonly #clock: Clock;
  readonly #client: Pick<Client, "serverNowMs">;
  #offsetMs: number | undefined;

  constructor(clock: Clock, client: Pick<Client, "serverNowMs">) {
    this.#clock = clock;
    this.#client = client;
  }

  nowMs(): number {
    if (this.#offsetMs !== undefined) {
      return Math.round(this.#clock.monotonicMs() + this.#offsetMs);
    }
    return this.#client.serverNowMs() ?? Math.round(this.#clock.nowMs());
  }

  /** The server's time is `serverMs` or later: used where no answer carries a date. */
  setAtLeast(serverMs: number): void {
    this.#offsetMs = serverMs - this.#clock.monotonicMs();
  }

  /**
   * Takes the server's date of a code that was made just now. Returns how far it is from the
   * assumed time, ms.
   */
  created(createdMs: number): number {
    const offMs = createdMs - this.nowMs();
    if (!(Math.abs(offMs) > SAME_CLOCK_MS)) return 0;
    this.setAtLeast(createdMs);
    return offMs;
  }
}
