import type { Clock } from "../base/time/clock.ts";
import { AppError } from "../base/errors.ts";
import { toWords } from "./answer.ts";
import { readLimits } from "./limit-headers.ts";
import type { ApiRequest, Send, Waiting } from "./send.ts";
import { TransportFailure, type WireAnswer } from "./wire.ts";

export interface BreakerOptions {
  readonly clock: Clock;
  readonly onWaiting?: ((waiting: Waiting) => void) | undefined;
  /** Failures in a row, over all requests, that start a pause. Default 5. */
  readonly threshold?: number | undefined;
  /** How long a server that has answered before may be away. Default 10 min. */
  readonly patienceMs?: number | undefined;
  /**
   * How long a server that never answered may be away. Default 30 s: the address is probably wrong.
   */
  readonly firstPatienceMs?: number | undefined;
}

const THRESHOLD = 5;
export const PATIENCE_MS = 10 * 60_000;
const FIRST_PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** The right to try. `isProbe`: the one request that finds out whether the server is back. */
export interface Pass {
  readonly isProbe: boolean;
}

export type Verdict = "good" | "bad" | "none";

/**
 * When the server doesn't answer any more, all requests pause together, so that none uses up its
 * attempts. After a pause one of them goes first; its result decides for all. Pauses double from 1
 * s to 60 s. When the patience is used up, every request throws `server-unavailable`.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #firstBadMs: number | undefined;
  #isOpen = false;
  #isProbing = false;
  #openUntil = 0;
  /** The last failure, in words for people. */
  #why = "";
  #pauseMs = FIRST_PAUSE_MS;
  #hasAnswered = false;
  /** Waiting requests, to be woken early. */
  readonly #waiting = new Set<() => void>();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** True while requests pause. Failures then don't count against a request. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the request may be tried. Throws `server-unavailable`, or the signal's reason. */
  async pass(signal?: AbortSignal): Promise<Pass> {
    for (;;) {
      signal?.throwIfAborted();
      if (!this.#isOpen) return { isProbe: false };
      this.#checkPatience();
      const waitMs = this.#openUntil - this.#options.clock.monotonicMs();
      if (waitMs <= 0 && !this.#isProbing) {
        this.#isProbing = true;
        return { isProbe: true };
      }
      await this.#pause(waitMs, signal);
    }
  }

  /** Exactly once per pass. `none`: the request was never tried. */
  report(pass: Pass, verdict: Verdict, retryAfterMs = 0, why = ""): void {
    if (verdict === "bad") this.#why = why === "" ? "" : `: ${why}`;
    if (verdict === "good") this.#close();
    else if (verdict === "bad") this.#count(pass, retryAfterMs);
    if (pass.isProbe) this.#isProbing = false;
    if (pass.isProbe || verdict === "good") this.#wake();
  }

  #close(): void {
    this.#hasAnswered = true;
    this.#failures = 0;
    this.#firstBadMs = undefined;
    this.#isOpen = false;
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  #count(pass: Pass, retryAfterMs: number): void {
    const now = this.#options.clock.monotonicMs();
    this.#firstBadMs ??= now;
    this.#failures += 1;
    // Requests sent before the pause say nothing new.
    if (this.#isOpen && !pass.isProbe) return;
    if (!this.#isOpen && this.#failures < (this.#options.threshold ?? THRESHOLD)) return;
    if (this.#isOpen) this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2);
    this.#isOpen = true;
    const pauseMs = Math.max(this.#pauseMs, retryAfterMs);
    this.#openUntil = now + pauseMs;
    this.#options.onWaiting?.({
      reason: "server",
      untilMs: this.#options.clock.nowMs() + pauseMs,
      message: `the server doesn't answer as it should (${this.#failures} times in a row${this.#why}), trying again in ${Math.ceil(pauseMs / 1000)} s`,
    });
  }

  #checkPatience(): void {
    const { clock, patienceMs = PATIENCE_MS, firstPatienceMs = FIRST_PATIENCE_MS } = this.#options;
    const patience = this.#hasAnswered ? patienceMs : firstPatienceMs;
    const awayMs = clock.monotonicMs() - (this.#firstBadMs ?? clock.monotonicMs());
    if (awayMs < patience) return;
    throw new AppError(
      "server-unavailable",
      `the server must answer, got ${this.#failures} failures in a row over ${Math.round(awayMs / 1000)} s${this.#why}`,
      { hint: "run the same command again when the server is back; finished rows are skipped" },
    );
  }

  /** Waits until the pause is over, the probe is back, or the signal. */
  async #pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const off = new AbortController();
    const stop = (): void => off.abort();
    this.#waiting.add(stop);
    signal?.addEventListener("abort", stop, { once: true });
    // While a probe is under way, only its result ends the pause.
    const sleepMs = waitMs > 0 ? Math.min(Math.ceil(waitMs), PATIENCE_MS) : MAX_PAUSE_MS;
    await this.#options.clock.sleep(sleepMs, off.signal);
    signal?.removeEventListener("abort", stop);
    this.#waiting.delete(stop);
  }

  #wake(): void {
    for (const stop of this.#waiting) stop();
  }
}

/** Gateways use these when they can't reach the server; a plain 500 is an answer. */
const isOutage = (status: number): boolean => status >= 502;

/** With the server's own words: they say what its operator has to do. */
function sayOutage(request: ApiRequest, answer: WireAnswer): string {
  const words = toWords(request, answer);
  return `status ${answer.status}${words === "" ? "" : `, ${words}`}`;
}

/** Lets requests through when the breaker does, and reports their results to it. */
export function guard(send: Send, breaker: Breaker, clock: Clock): Send {
  return async (request) =>
    watched(send, { breaker, clock, pass: await breaker.pass(request.waitSignal) })(request);
}

/** Reports results to the breaker without holding requests back: for creates, which are sent once. */
export function watch(send: Send, breaker: Breaker, clock: Clock): Send {
  return watched(send, { breaker, clock, pass: { isProbe: false } });
}

interface Watching {
  readonly breaker: Breaker;
  readonly clock: Clock;
  readonly pass: Pass;
}

function watched(send: Send, { breaker, clock, pass }: Watching): Send {
  return async (request) => {
    try {
      const answer = await send(request);
      const { retryAfterMs } = readLimits(answer.headers, clock.nowMs());
      const { status } = answer;
      const isBad = isOutage(status);
      const why = isBad ? sayOutage(request, answer) : "";
      breaker.report(pass, isBad ? "bad" : "good", retryAfterMs, why);
      return answer;
    } catch (error) {
      const isNetwork = error instanceof TransportFailure && error.reason !== "invalid";
      breaker.report(pass, isNetwork ? "bad" : "none", 0, isNetwork ? error.message : "");
      throw error;
    }
  };
}
