import type { Clock } from "../../base/time/clock.ts";

export interface Stopwatch {
  /** Runs a stage and remembers how long it took. */
  time<T>(name: string, work: () => Promise<T>): Promise<T>;
  readonly stages: readonly { readonly name: string; readonly seconds: number }[];
  /** Since the watch was made. */
  readonly seconds: number;
}

export function makeStopwatch(clock: Clock): Stopwatch {
  const startedMs = clock.monotonicMs();
  const stages: { name: string; seconds: number }[] = [];
  return {
    stages,
    async time(name, work) {
      const from = clock.monotonicMs();
      try {
        return await work();
      } finally {
        stages.push({ name, seconds: (clock.monotonicMs() - from) / 1000 });
      }
    },
    get seconds() {
      return (clock.monotonicMs() - startedMs) / 1000;
    },
  };
}
