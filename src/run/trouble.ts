import type { Clock } from "../base/time/clock.ts";
import { AppError } from "../base/errors.ts";

/** So many sends in a row must go wrong before the run pauses. */
const FAILURES = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After this long without one good answer the job stops (exit 5); the state keeps everything. */
const PATIENCE_MS = 15 * 60_000;
/** So many 429 in a row over that time are no longer a rate limit. */
const CLOSED_DOORS = 4;

/**
 * Circuit breaker: when no answer is as it should be, the run pauses with a message, before row
 * after row is in doubt.
 */
export class Trouble {
  readonly #clock: Clock;
  readonly #waiting: (message: string) => void;
  readonly #patienceMs: number;
  #inARow = 0;
  #limitedInARow = 0;
  #goodAtMs: number;
  #pause: Promise<void> | undefined;

  constructor(clock: Clock, waiting: (message: string) => void, patienceMs = PATIENCE_MS) {
    this.#clock = clock;
    this.#waiting = waiting;
    this.#patienceMs = patienceMs;
    this.#goodAtMs = clock.monotonicMs();
  }

  good(): void {
    this.#inARow = 0;
    this.#limitedInARow = 0;
    this.#goodAtMs = this.#clock.monotonicMs();
  }

  /** The first failure after good times starts the patience: the time before was no trouble. */
  bad(): void {
    if (this.#inARow === 0) this.#goodAtMs = this.#clock.monotonicMs();
    this.#inARow += 1;
  }

  /** A 429. Throws `rate-limited` when nothing else comes any more. */
  limited(): void {
    if (this.#limitedInARow === 0) this.#goodAtMs = this.#clock.monotonicMs();
    this.#limitedInARow += 1;
    if (this.#limitedInARow < CLOSED_DOORS || this.#badMs < this.#patienceMs) return;
    throw new AppError(
      "rate-limited",
      `the server must take creates again, got ${this.#limitedInARow} times 429 in a row over ${this.#badWords}`,
      { hint: "others may be using the same token; run again later, or set run.share" },
    );
  }

  /** Resolves at once while things go well; else after a pause that all senders share. */
  async calm(signal: AbortSignal): Promise<void> {
    if (this.#inARow < FAILURES) return;
    if (this.#badMs > this.#patienceMs) {
      throw new AppError(
        "server-unavailable",
        `the server must answer, got ${this.#inARow} failures in a row over ${this.#badWords}`,
        { hint: "run the same command again when the server is back; finished rows are skipped" },
      );
    }
    const pauseMs = Math.min(
      FIRST_PAUSE_MS * 2 ** Math.min(this.#inARow - FAILURES, 10),
      LONGEST_PAUSE_MS,
      this.#patienceMs,
    );
    this.#pause ??= this.#rest(pauseMs, signal);
    await this.#pause;
  }

  get #badMs(): number {
    return this.#clock.monotonicMs() - this.#goodAtMs;
  }

  get #badWords(): string {
    const seconds = Math.round(this.#badMs / 1000);
    return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
  }

  async #rest(pauseMs: number, signal: AbortSignal): Promise<void> {
    this.#waiting(
      `the server doesn't answer creates as it should (${this.#inARow} creates in a row), trying the next one in ${Math.ceil(pauseMs / 1000)} s`,
    );
    await this.#clock.sleep(pauseMs, signal);
    this.#pause = undefined;
  }
}
