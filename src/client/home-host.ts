import type { Breaker } from "./breaker.ts";
import { TransportFailure, type FailureReason } from "./wire.ts";

/** The host was not reached at all: it, or the network, is away. */
const unreached: ReadonlySet<FailureReason> = new Set(["refused", "connect-timeout", "dns"]);

/** Sends a request for a file to the API's own host. */
export type AskHome = <Answer>(
  send: () => Promise<Answer>,
  signal: AbortSignal | undefined,
) => Promise<Answer>;

/**
 * While the API's own host is away, requests for files there wait with the patience for the API:
 * the files are not to blame. Throws `server-unavailable` when it is used up.
 */
export function makeAskHome(breaker: Breaker): AskHome {
  return async (send, signal) => {
    for (;;) {
      const pass = await breaker.pass(signal);
      try {
        const answer = await send();
        breaker.report(pass, "good");
        return answer;
      } catch (error) {
        const isAway = error instanceof TransportFailure && unreached.has(error.reason);
        breaker.report(pass, isAway ? "bad" : "none", 0, isAway ? error.message : "");
        if (!isAway || !breaker.isOpen) throw error;
      }
    }
  };
}
