/**
 * The yardstick of docs/spec/engine.md section 2.4, in virtual time. `bench/pace.ts` prints the
 * whole table.
 */
import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { simulate, type Simulated, type Simulation } from "./simulate.ts";

/** Every phase with everything: `npm run test:pace`. */
const IS_LONG = process.env["PACE"] === "all";
const PHASES = [0, 15_000, 30_000, 45_000, 55_000];
const SOME = [0, 30_000, 55_000];
const FEW = [15_000, 45_000];
const ONE = [45_000];

/** Only windows of the wall have a phase; for the others a run is one of some random ones. */
const isOfWall = ({ windows = "wall" }: Partial<Simulation>): boolean => windows === "wall";

const known = new Map<string, Promise<Simulated>>();

/** The same simulation has the same end: one that several promises are about runs once. */
function simulateOnce(wanted: Simulation): Promise<Simulated> {
  // By default, a server uses draft 06.
  const facts = Object.entries({ headers: "06", ...wanted });
  const key = JSON.stringify(facts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const run = known.get(key) ?? simulate(wanted);
  known.set(key, run);
  return run;
}

async function overPhases(
  change: Partial<Simulation> = {},
  phases: readonly number[] = isOfWall(change) ? SOME : FEW,
): Promise<Simulated[]> {
  const runs: Simulated[] = [];
  for (const phaseMs of IS_LONG ? PHASES : phases) {
    const seed = phaseMs + 1;
    runs.push(await simulateOnce({ writes: 600, windows: "wall", phaseMs, seed, ...change }));
  }
  return runs;
}

/** Half as many writes, where each window of five shows what each of ten does. */
const overHalf: typeof overPhases = (change, phases) =>
  overPhases({ writes: IS_LONG ? 600 : 300, ...change }, phases);

const overS = (run: Simulated): number => run.writesDoneS - run.boundS;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe("600 writes and 600 reads at 60 and 120 a minute", () => {
  it.each(["06", "07", "08"] as const)(
    "keep within 3 s of the bound without a single 429, headers of draft %s",
    async (headers) => {
      // The names of headers don't move windows.
      for (const run of await overPhases({ headers }, headers === "06" ? PHASES : FEW)) {
        expect(run.limited).toBe(0);
        expect(overS(run)).toBeGreaterThan(0);
        expect(overS(run)).toBeLessThan(3);
      }
    },
  );

  it("stand beside another client, and leave it something", async () => {
    const runs = await overPhases({ othersPerMinute: 20 });
    // What the other one takes costs one window more.
    expect(mean(runs.map(overS))).toBeLessThan(70);
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

  it("are not held back by a server that has no limits, when that is known", async () => {
    const run = await simulate({ writes: 600, windows: "none", client: { limits: "none" } });
    expect(run.writesDoneS).toBeLessThan((600 / 8) * 0.25);
  });

  it("are held to the documented limit by a server that says nothing, when nothing is known", async () => {
    const run = await simulate({ writes: 600, windows: "none" });
    expect(run.writesDoneS).toBeGreaterThan(9 * 60);
  });
});

const forms = ["06", "06-mixed", "07", "08"] as const;
const kinds = ["wall", "first-request", "sliding"] as const;

describe("the limits are used to the full (docs/spec/design.md promise 2)", () => {
  it.each(kinds.flatMap((windows) => forms.map((headers) => [windows, headers] as const)))(
    "%s windows, headers of draft %s: 99 of 100 writes of all full windows, no 429, 1.02 of the least time",
    async (windows, headers) => {
      const over = windows === "first-request" ? overHalf : overPhases;
      const runs = over({ windows, headers }, isOfWall({ windows }) ? FEW : ONE);
      for (const run of await runs) {
        expect(run.limited).toBe(0);
        expect(run.used).toBeGreaterThanOrEqual(0.99);
        expect(run.makespan).toBeLessThanOrEqual(1.02);
      }
    },
  );

  it("a reset given as a date, by a clock that is a day off, costs no more than its whole seconds", async () => {
    for (const skewMs of [-86_400_000, 3_600_000]) {
      for (const run of await overHalf({ headers: "06-epoch", skewMs }, FEW)) {
        expect(run.limited).toBe(0);
        expect(run.makespan).toBeLessThanOrEqual(1.02);
      }
    }
  });

  it("6,000 writes are within a thousandth of the least time", async () => {
    const [run] = await overPhases({ writes: 6_000 }, [30_000]);
    expect(run?.limited).toBe(0);
    expect(run?.makespan).toBeLessThanOrEqual(1.001);
  });
});

describe("another client on the token: never more than one 429 a window (docs/spec/engine.md section 2.4)", () => {
  it.each([5, 20, 40, 55])("that tries %i writes a minute", async (othersPerMinute) => {
    for (const windows of ["wall", "first-request"] as const) {
      for (const run of await overHalf({ windows, othersPerMinute }, FEW)) {
        expect(run.mostLimited).toBeLessThanOrEqual(1);
        expect(run.used).toBeGreaterThanOrEqual(0.99);
      }
    }
  });

  it.each(
    (["seconds", "date", "none"] as const).flatMap((retryAfter) =>
      forms.map((headers) => [retryAfter, headers] as const),
    ),
  )("Retry-After as %s, headers of draft %s, a clock an hour off", async (retryAfter, headers) => {
    const change = { retryAfter, headers, othersPerMinute: 20, skewMs: 3_600_000 };
    for (const run of await overHalf(change, ONE)) {
      expect(run.mostLimited).toBeLessThanOrEqual(1);
    }
  });

  it("and answers that take a second and a half", async () => {
    for (const run of await overHalf({ othersPerMinute: 20, latencyMs: 1_500 })) {
      expect(run.mostLimited).toBeLessThanOrEqual(1);
    }
  });

  it("and windows that slide: a few a minute, while others take what comes free", async () => {
    for (const run of await overHalf({ othersPerMinute: 20, windows: "sliding" })) {
      expect(run.mostLimited).toBeLessThanOrEqual(8);
      expect(run.used).toBeGreaterThanOrEqual(0.98);
    }
  });

  it("and no headers but Retry-After: as many as were under way at the first closed door, then one a window", async () => {
    for (const run of await overHalf({ othersPerMinute: 20, headers: "none" })) {
      expect(run.mostLimited).toBeLessThanOrEqual(8);
      expect(run.limited).toBeLessThan(8 + 12);
    }
  });
});

describe("a server that rounds its seconds down", () => {
  it("is learned by one 429 of each class", async () => {
    for (const windows of ["wall", "first-request"] as const) {
      for (const run of await overHalf({ rounding: "down", windows }, FEW)) {
        expect(run.limited).toBeLessThanOrEqual(2);
        expect(run.makespan).toBeLessThanOrEqual(1.02);
      }
    }
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
      { numRuns: IS_LONG ? 300 : 40, seed: 20261120 },
    );
  });
});
