import type { Clock } from "../base/clock.ts";
import { AppError } from "../base/errors.ts";

/** So many sends in a row must go wrong before the run pauses. */
const PATIENCE = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After this long without one good answer the job stops (exit 5); the state keeps everything. */
const GIVE_UP_MS = 15 * 60_000;

/**
 * Circuit breaker: when nothing answers as it should, the run pauses with a message instead of
 * putting row after row in doubt.
 */
export class Trouble {
  readonly #clock: Clock;
  readonly #waiting: (message: string) => void;
  #inARow = 0;
  #goodAtMs: number;
  #pause: Promise<void> | undefined;

  constructor(clock: Clock, waiting: (message: string) => void) {
    this.#clock = clock;
    this.#waiting = waiting;
    this.#goodAtMs = clock.monotonicMs();
  }

  good(): void {
    this.#inARow = 0;
    this.#goodAtMs = this.#clock.monotonicMs();
  }

  bad(): void {
    this.#inARow += 1;
  }

  /** Resolves at once while things go well; else after a pause that all senders share. */
  async calm(signal: AbortSignal): Promise<void> {
    if (this.#inARow < PATIENCE) return;
    if (this.#clock.monotonicMs() - this.#goodAtMs > GIVE_UP_MS) {
      throw new AppError(
        "server-unavailable",
        `the server must answer, got ${this.#inARow} failures in a row over ${GIVE_UP_MS / 60_000} minutes`,
        { hint: "run the same command again when the server is back; finished rows are skipped" },
      );
    }
    const pauseMs = Math.min(
      FIRST_PAUSE_MS * 2 ** Math.min(this.#inARow - PATIENCE, 10),
      LONGEST_PAUSE_MS,
    );
    this.#pause ??= this.#rest(pauseMs, signal);
    await this.#pause;
  }

  async #rest(pauseMs: number, signal: AbortSignal): Promise<void> {
    this.#waiting(
      `the server does not answer as it should (${this.#inARow} times in a row); next try in ${Math.ceil(pauseMs / 1000)} s`,
    );
    await this.#clock.sleep(pauseMs, signal);
    this.#pause = undefined;
  }
}
