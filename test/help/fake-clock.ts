/** A clock that tests move on by hand: they never sleep. */
import type { Clock } from "../../src/base/time/clock.ts";

export interface FakeClock extends Clock {
  /** Moves time on, waking every sleeper whose moment has come, in order. */
  advance(ms: number): Promise<void>;
  /** Sleepers that wait now. */
  readonly waiting: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Lets everything that a woken sleeper set off run to its next wait. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * A clock that only moves on request. `startMs` is its first wall time; `quiet` resolves once all
 * started work waits again.
 */
export function fakeClock(startMs = Date.UTC(2026, 0, 1), quiet = settle): FakeClock {
  let now = startMs;
  let sleepers: Sleeper[] = [];
  return {
    nowMs: () => now,
    monotonicMs: () => now - startMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true || ms <= 0) {
          resolve();
          return;
        }
        const stop = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          resolve();
        };
        const wake = (): void => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        const sleeper: Sleeper = { atMs: now + ms, wake };
        sleepers.push(sleeper);
        signal?.addEventListener("abort", stop, { once: true });
      }),
    async advance(ms) {
      const end = now + ms;
      await quiet();
      for (;;) {
        const next = sleepers.toSorted((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined || next.atMs > end) break;
        now = next.atMs;
        sleepers = sleepers.filter((other) => other !== next);
        next.wake();
        await quiet();
      }
      now = end;
      await quiet();
    },
    get waiting() {
      return sleepers.length;
    },
  };
}
