import type { Clock } from "../base/time/clock.ts";
import { readDate } from "./limit-headers.ts";
import type { Transport } from "./wire.ts";

/**
 * The server's wall clock, from its answers' `Date` and our monotonic clock. This machine's clock
 * may be wrong by hours, and things on the server have the server's dates.
 */
export class ServerTime {
  readonly #clock: Clock;
  #offsetMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined until an answer had a date. */
  nowMs(): number | undefined {
    if (this.#offsetMs === undefined) return undefined;
    return Math.round(this.#clock.monotonicMs() + this.#offsetMs);
  }

  /** The same transport; every answer of the API's origin sets the clock. */
  watch(transport: Transport, origin: string): Transport {
    return {
      close: () => transport.close(),
      send: async (request) => {
        const answer = await transport.send(request);
        const isApi = new URL(request.url).origin === origin;
        const serverMs = isApi ? readDate(answer.headers.get("date")) : undefined;
        if (serverMs !== undefined) this.#offsetMs = serverMs - this.#clock.monotonicMs();
        return answer;
      },
    };
  }
}
