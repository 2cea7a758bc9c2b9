import type { RequestClass } from "../api/limits.ts";
import type { Clock } from "../base/time/clock.ts";
import type { Log } from "../base/log.ts";
import { guard, watch, type Breaker } from "./breaker.ts";
import type { Budget } from "./budget.ts";
import { pace, type Pace } from "./pace.ts";
import { retry } from "./retry.ts";
import type { Send, Waiting } from "./send.ts";
import type { Transport } from "./wire.ts";

export interface StackParts {
  readonly transport: Transport;
  readonly budgets: Readonly<Record<RequestClass, Budget>>;
  readonly breaker: Breaker;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log | undefined;
  readonly onWaiting: ((waiting: Waiting) => void) | undefined;
}

export interface Stack {
  /** For requests that may be repeated at will. */
  readonly repeat: Send;
  /** For creates, and for callers that repeat by themselves: sent exactly once. */
  readonly once: Send;
  readonly stats: Pace["stats"];
}

/** All layers between a client method and the network, from the inside out. */
export function stack(parts: StackParts): Stack {
  const { transport, breaker, clock } = parts;
  const paced = pace((request) => transport.send(request), parts);
  return {
    repeat: log(retry(guard(paced.send, breaker, clock), parts), parts),
    once: log(watch(paced.send, breaker, clock), parts),
    stats: paced.stats,
  };
}

/** One line per request: its name, its result, its time. Never a header, never a body. */
function log(send: Send, { log: to, clock }: Pick<StackParts, "log" | "clock">): Send {
  if (to === undefined) return send;
  return async (request) => {
    const startMs = clock.monotonicMs();
    const line = (): object => ({
      request: request.label,
      ms: Math.round(clock.monotonicMs() - startMs),
    });
    try {
      const answer = await send(request);
      to.debug({ ...line(), status: answer.status }, "answered");
      return answer;
    } catch (error) {
      to.warn({ ...line(), error: error instanceof Error ? error.message : "" }, "failed");
      throw error;
    }
  };
}
