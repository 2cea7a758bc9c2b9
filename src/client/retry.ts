import type { Clock } from "../base/time/clock.ts";
import { isUnusable } from "./answer.ts";
import type { Breaker } from "./breaker.ts";
import { readLimits } from "./limit-headers.ts";
import type { ApiRequest, Send } from "./send.ts";
import { TransportFailure, type FailureReason, type WireAnswer } from "./wire.ts";

export interface RetryOptions {
  readonly clock: Clock;
  readonly breaker: Pick<Breaker, "isOpen">;
  /** From 0 to below 1; spreads the waits. */
  readonly random: () => number;
  /** Most failed sends of a request. Default 6. */
  readonly attempts?: number | undefined;
  /** No attempt starts later than this after the first. Default 5 min. */
  readonly budgetMs?: number | undefined;
  /** Most 429s in a row. Default 20. */
  readonly maxLimited?: number | undefined;
}

const ATTEMPTS = 6;
const BUDGET_MS = 5 * 60_000;
const MAX_LIMITED = 20;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

type Result = { readonly answer: WireAnswer } | { readonly failure: TransportFailure };

/**
 * `good`: goes to the caller. `limited`: was not done; is sent again without costing an attempt.
 * `again`: costs an attempt.
 */
type Judgement = "good" | "limited" | "again";

/** Failures that another attempt would meet again. */
const hopeless: ReadonlySet<FailureReason> = new Set(["invalid", "tls", "too-long"]);

/** Statuses besides 5xx that are worth another attempt: the request came too slowly or too early. */
const passing: ReadonlySet<number> = new Set([408, 425]);
/** 5xx that aren't worth another attempt. */
const lasting: ReadonlySet<number> = new Set([501, 505]);

/**
 * Sends an idempotent request until there is a final answer, with full jitter between attempts and
 * never before `Retry-After`. A 429 costs no attempt: the pace holds the request back and sends it
 * first. While the breaker is open, failures don't count either: its patience ends the wait. When
 * attempts are used up, the last answer is returned or the last failure thrown.
 */
export function retry(send: Send, options: RetryOptions): Send {
  const { clock, breaker } = options;
  const { attempts = ATTEMPTS, budgetMs = BUDGET_MS, maxLimited = MAX_LIMITED } = options;
  return async (request) => {
    const startMs = clock.monotonicMs();
    let failed = 0;
    let limited = 0;
    for (;;) {
      const result = await trySend(send, limited > 0 ? { ...request, front: true } : request);
      const judgement = judge(request, result);
      if (judgement === "good") return unwrap(result);
      if (judgement === "limited") {
        limited += 1;
        if (limited >= maxLimited) return unwrap(result);
        continue;
      }
      limited = 0;
      if (breaker.isOpen) continue;
      failed += 1;
      const delayMs = toDelayMs(result, failed, options);
      const isLate = clock.monotonicMs() + delayMs - startMs > budgetMs;
      if (failed >= attempts || isLate) return unwrap(result);
      await clock.sleep(delayMs, request.waitSignal);
      request.waitSignal?.throwIfAborted();
    }
  };
}

async function trySend(send: Send, request: ApiRequest): Promise<Result> {
  try {
    return { answer: await send(request) };
  } catch (error) {
    if (error instanceof TransportFailure) return { failure: error };
    throw error;
  }
}

function unwrap(result: Result): WireAnswer {
  if ("failure" in result) throw result.failure;
  return result.answer;
}

function judge(request: ApiRequest, result: Result): Judgement {
  if ("failure" in result) return hopeless.has(result.failure.reason) ? "good" : "again";
  const { answer } = result;
  if (answer.status === 429) return "limited";
  const isPassing = answer.status >= 500 ? !lasting.has(answer.status) : passing.has(answer.status);
  return isPassing || isUnusable(request, answer) ? "again" : "good";
}

/** A random time from 0 to a ceiling that doubles, but not before the server's `Retry-After`. */
function toDelayMs(result: Result, failed: number, { clock, random }: RetryOptions): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1));
  const askedMs =
    "answer" in result ? readLimits(result.answer.headers, clock.nowMs()).retryAfterMs : undefined;
  return Math.max(random() * ceilingMs, askedMs ?? 0);
}
