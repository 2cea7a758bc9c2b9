/** The yardstick of engine.md 2.4, in virtual time. `bench/pace.ts` prints the whole table. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { simulate, type Simulated, type Simulation } from "./simulate.ts";

const PHASES = [0, 15_000, 30_000, 45_000, 55_000];

async function overPhases(change: Partial<Simulation> = {}): Promise<Simulated[]> {
  const runs: Simulated[] = [];
  for (const phaseMs of PHASES) {
    const seed = phaseMs + 1;
    runs.push(await simulate({ writes: 600, windows: "wall", phaseMs, seed, ...change }));
  }
  return runs;
}

const overS = (run: Simulated): number => run.writesDoneS - run.boundS;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe("600 writes and 600 reads at 60 and 120 a minute", () => {
  it.each(["06", "07", "08"] as const)(
    "keep within 3 s of the bound without a single 429, headers of draft %s",
    async (headers) => {
      for (const run of await overPhases({ headers })) {
        expect(run.limited).toBe(0);
        expect(overS(run)).toBeGreaterThan(0);
        expect(overS(run)).toBeLessThan(3);
      }
    },
  );

  it("use at least 99 % of the windows' writes", async () => {
    const run = await simulate({ writes: 600, windows: "wall" });
    expect(run.boundS / run.writesDoneS).toBeGreaterThan(0.99);
  });

  it("stand beside another client with few 429s, and leave it something", async () => {
    const runs = await overPhases({ othersPerMinute: 20 });
    // What the other one takes costs one window more.
    expect(mean(runs.map(overS))).toBeLessThan(70);
    expect(mean(runs.map((run) => run.limited))).toBeLessThan(5);
    expect(Math.min(...runs.map((run) => run.othersDone))).toBeGreaterThan(0);
  });

  it("leave others their part with a share", async () => {
    const runs = await overPhases({ othersPerMinute: 20, client: { share: 0.8 } });
    for (const run of runs) {
      expect(run.limited).toBe(0);
      expect(run.othersDone).toBeGreaterThan(run.othersTried / 2);
    }
  });

  it.each(["first-request", "sliding"] as const)(
    "fit windows that are %s, without a 429",
    async (windows) => {
      for (const run of await overPhases({ windows })) {
        expect(run.limited).toBe(0);
        expect(run.writesDoneS).toBeLessThan(550);
      }
    },
  );

  it.each(["wall", "first-request", "sliding"] as const)(
    "need no headers: %s windows see no 429 from the log of receive times",
    async (windows) => {
      for (const run of await overPhases({ windows, headers: "none" })) {
        expect(run.limited).toBe(0);
        expect(run.writesDoneS).toBeLessThan(610);
      }
    },
  );

  it("learn a server that rounds its seconds down after one window", async () => {
    for (const run of await overPhases({ rounding: "down" })) {
      expect(run.limited).toBeLessThan(25);
      expect(overS(run)).toBeLessThan(4);
    }
  });

  it("are not held back by a server that has no limits, when that is known", async () => {
    const run = await simulate({ writes: 600, windows: "none", client: { limits: "none" } });
    expect(run.writesDoneS).toBeLessThan((600 / 8) * 0.25);
  });

  it("are held to the documented limit by a server that says nothing, when nothing is known", async () => {
    const run = await simulate({ writes: 600, windows: "none" });
    expect(run.writesDoneS).toBeGreaterThan(9 * 60);
  });
});

describe("any server with headers", () => {
  it("never refuses a client that is alone on its token", async () => {
    const simulations = fc.record({
      windows: fc.constantFrom("wall", "first-request"),
      headers: fc.constantFrom("06", "07", "08"),
      phaseMs: fc.integer({ min: 0, max: 59_999 }),
      latencyMs: fc.integer({ min: 1, max: 3_000 }),
      writes: fc.integer({ min: 1, max: 250 }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      limits: fc.record({
        write: fc.integer({ min: 1, max: 90 }),
        read: fc.integer({ min: 1, max: 150 }),
      }),
      client: fc.record({ concurrency: fc.integer({ min: 1, max: 32 }) }),
    });
    await fc.assert(
      fc.asyncProperty(simulations, async (simulation) => {
        expect((await simulate(simulation as Simulation)).limited).toBe(0);
      }),
      { numRuns: 60, seed: 20261120 },
    );
  });
});
