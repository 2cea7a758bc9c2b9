import type { Clock } from "../base/clock.ts";
import type { Client } from "../client/client.ts";

/** What the server dates differs from its own `Date` by more than this: then what it dates counts. */
const SAME_CLOCK_MS = 30_000;

/**
 * The clock by which the server dates its codes: its `Date` where it sends one, else what its codes
 * say. Never this machine's as long as there is another: that one may be wrong by hours, and an
 * intent that seems younger than its code would have it made twice.
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

  /** It is `serverMs` or later: the best that is known where no answer carries a date. */
  setAtLeast(serverMs: number): void {
    this.#offsetMs = serverMs - this.#clock.monotonicMs();
  }

  /** The server dated a code so, just now. By how much that differs from what was taken for its time, ms. */
  created(createdMs: number): number {
    const offMs = createdMs - this.nowMs();
    if (!(Math.abs(offMs) > SAME_CLOCK_MS)) return 0;
    this.setAtLeast(createdMs);
    return offMs;
  }
}
