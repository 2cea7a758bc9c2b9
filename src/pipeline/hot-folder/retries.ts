/** When orders that could not be run are tried again: ever more seldom. */
import type { Clock } from "../../base/time/clock.ts";

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;

interface Retry {
  readonly atMs: number;
  readonly waitMs: number;
  readonly isRefused: boolean;
}

export class Retries {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #known = new Map<string, Retry>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  isDue(name: string): boolean {
    return (this.#known.get(name)?.atMs ?? 0) <= this.#clock.monotonicMs();
  }

  /** True for an order that goes on once somebody has acted. */
  isRefused(name: string): boolean {
    return this.#known.get(name)?.isRefused === true;
  }

  later(name: string, isRefused: boolean): void {
    const before = this.#known.get(name)?.waitMs ?? FIRST_WAIT_MS / 2;
    const waitMs = Math.min(before * 2, LONGEST_WAIT_MS);
    this.#known.set(name, { atMs: this.#clock.monotonicMs() + waitMs, waitMs, isRefused });
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}
