import type { Clock } from "../../src/base/time/clock.ts";

export interface VirtualClock extends Clock {
  /** Lets time pass as fast as it can until the work is done. Fails when nothing will wake it. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly atMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/** So many turns of the event loop in a row are needed at most between two waits for time: commits take one each. */
const TURNS = 4;

/** Of work that commits nothing: one lets everything run that waits for promises. */
export const WITHOUT_COMMITS = 1;

/** Lets everything run that waits for promises and commits, not for time. */
const pass = async (turns: number): Promise<void> => {
  for (let left = turns; left > 0; left -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** Work that waits for turns of the event loop, not for time, gets so many of them. */
const IDLE_TURNS = 50;

const START_MS = Date.UTC(2026, 0, 1);

/** Virtual time for whole simulations: nothing is waited for, every event takes one turn. */
export function virtualClock(turns = TURNS): VirtualClock {
  let now = 0;
  let order = 0;
  const heap: Sleeper[] = [];
  const isBefore = (a: Sleeper, b: Sleeper): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  const push = (sleeper: Sleeper): void => {
    // Few sleepers at a time: a sorted array beats a heap.
    let place = heap.length;
    while (place > 0 && isBefore(sleeper, heap[place - 1] as Sleeper)) place -= 1;
    heap.splice(place, 0, sleeper);
  };
  return {
    nowMs: () => START_MS + now,
    monotonicMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true || ms <= 0) {
          resolve();
          return;
        }
        const sleeper = { atMs: now + ms, order: (order += 1), wake: resolve };
        push(sleeper);
        signal?.addEventListener(
          "abort",
          () => {
            const place = heap.indexOf(sleeper);
            if (place !== -1) heap.splice(place, 1);
            resolve();
          },
          { once: true },
        );
      }),
    async run(work) {
      let isDone = false;
      let idle = 0;
      const settled = work.then(
        () => (isDone = true),
        () => (isDone = true),
      );
      for (;;) {
        await pass(turns);
        if (isDone) break;
        const next = heap.shift();
        if (next === undefined) {
          idle += 1;
          if (idle > IDLE_TURNS) throw new Error("nothing sleeps and the work is not done");
          continue;
        }
        idle = 0;
        now = next.atMs;
        next.wake();
      }
      await settled;
      return work;
    },
  };
}

/** A small seeded generator (mulberry32): simulations must not depend on luck. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
