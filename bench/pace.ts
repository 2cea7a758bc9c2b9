/**
 * Pace of the client against simulated servers, in virtual time: `npx tsx bench/pace.ts`. Nothing
 * really waits; the same seeds give the same figures. Means and worst values are over 12 phases of
 * the server's windows. Limits: 60 writes and 120 reads a minute.
 */
import { simulate, type Simulated, type Simulation } from "../test/client/simulate.ts";

const PHASES = 12;
const PHASE_MS = 60_000 / PHASES;

interface Summary {
  readonly doneS: number;
  readonly overS: number;
  readonly worstOverS: number;
  readonly limited: number;
  readonly othersDone: number;
  /** Least over the phases. */
  readonly used: number;
  /** Worst over the phases. */
  readonly makespan: number;
  readonly mostLimited: number;
}

async function overPhases(simulation: Simulation): Promise<Summary> {
  const runs: Simulated[] = [];
  for (let phase = 0; phase < PHASES; phase += 1) {
    runs.push(await simulate({ ...simulation, phaseMs: phase * PHASE_MS, seed: phase + 1 }));
  }
  const mean = (pick: (run: Simulated) => number): number =>
    runs.reduce((sum, run) => sum + pick(run), 0) / runs.length;
  return {
    doneS: mean((run) => run.writesDoneS),
    overS: mean((run) => run.writesDoneS - run.boundS),
    worstOverS: Math.max(...runs.map((run) => run.writesDoneS - run.boundS)),
    limited: mean((run) => run.limited),
    othersDone: mean((run) => run.othersDone),
    used: Math.min(...runs.map((run) => run.used)),
    makespan: Math.max(...runs.map((run) => run.makespan)),
    mostLimited: Math.max(...runs.map((run) => run.mostLimited)),
  };
}

const base: Simulation = { writes: 600, windows: "wall" };

const strategies: readonly (readonly [string, Partial<Simulation>])[] = [
  ["budget, headers of draft 06", {}],
  ["budget, draft 07", { headers: "07" }],
  ["budget, draft 08", { headers: "08" }],
  ["budget, seconds rounded down", { rounding: "down" }],
  ["budget, share 0.9", { client: { share: 0.9 } }],
  ["budget, share 0.8", { client: { share: 0.8 } }],
  ["log of receive times, no headers", { headers: "none" }],
  ["the same, not even Retry-After", { headers: "none", retryAfter: "none" }],
];

const lengths: readonly (readonly [string, Partial<Simulation>])[] = [
  ["6,000 writes", { writes: 6_000 }],
  ["latency 1.5 s, 8 at a time", { latencyMs: 1_500 }],
  ["latency 1.5 s, 16 at a time", { latencyMs: 1_500, client: { concurrency: 16 } }],
  ["latency 1.5 s, other client", { latencyMs: 1_500, othersPerMinute: 20 }],
  ["4 at a time", { client: { concurrency: 4 } }],
];

const yardsticks: readonly (readonly [string, Partial<Simulation>])[] = [
  ["wall-aligned", {}],
  ["from the first request", { windows: "first-request" }],
  ["sliding", { windows: "sliding" }],
  ["mixed-case names", { headers: "06-mixed" }],
  ["reset as a moment, clock a day off", { headers: "06-epoch", skewMs: 86_400_000 }],
  ["seconds rounded down", { rounding: "down" }],
  ["other client, 20 a minute", { othersPerMinute: 20 }],
  [
    "the same, Retry-After as a date, clock an hour off",
    { othersPerMinute: 20, retryAfter: "date", skewMs: 3_600_000 },
  ],
  ["the same, no Retry-After", { othersPerMinute: 20, retryAfter: "none" }],
  ["the same, windows from the first request", { othersPerMinute: 20, windows: "first-request" }],
  ["the same, sliding windows", { othersPerMinute: 20, windows: "sliding" }],
  ["the same, latency 1.5 s", { othersPerMinute: 20, latencyMs: 1_500 }],
  ["the same, no headers", { othersPerMinute: 20, headers: "none" }],
  ["other client, 55 a minute", { othersPerMinute: 55 }],
];

/** The worst of 12 phases for each: a promise must hold even there. */
async function printYardsticks(): Promise<void> {
  console.log(
    "\n| 600 writes, worst of 12 phases | full windows used | time over the least | 429s in one window |\n|---|---|---|---|",
  );
  for (const [name, change] of yardsticks) {
    const { used, makespan, mostLimited } = await overPhases({ ...base, ...change });
    console.log(
      `| ${name} | ${(used * 100).toFixed(1)} % | ${makespan.toFixed(3)} | ${mostLimited} |`,
    );
  }
}

async function main(): Promise<void> {
  console.log("600 writes + 600 reads, 150 ms mean latency, 8 at a time, mean of 12 phases");
  console.log(
    "| | s over the bound: mean / worst, 429s | other client: s / 429s / its writes | from first request: s / 429s | sliding: s / 429s |",
  );
  console.log("|---|---|---|---|---|");
  for (const [name, change] of strategies) {
    const alone = await overPhases({ ...base, ...change });
    const beside = await overPhases({ ...base, ...change, othersPerMinute: 20 });
    const first = await overPhases({ ...base, ...change, windows: "first-request" });
    const sliding = await overPhases({ ...base, ...change, windows: "sliding" });
    console.log(
      `| ${name} | ${alone.overS.toFixed(1)} / ${alone.worstOverS.toFixed(1)}, ${alone.limited.toFixed(1)} ` +
        `| ${beside.doneS.toFixed(0)} / ${beside.limited.toFixed(1)} / ${beside.othersDone.toFixed(0)} ` +
        `| ${first.doneS.toFixed(0)} / ${first.limited.toFixed(1)} ` +
        `| ${sliding.doneS.toFixed(0)} / ${sliding.limited.toFixed(1)} |`,
    );
  }
  await printYardsticks();
  console.log("\n| wall-aligned windows | s over the bound: mean / worst | 429s |\n|---|---|---|");
  for (const [name, change] of lengths) {
    const { overS, worstOverS, limited } = await overPhases({ ...base, ...change });
    console.log(
      `| ${name} | ${overS.toFixed(1)} / ${worstOverS.toFixed(1)} | ${limited.toFixed(1)} |`,
    );
  }
}

await main();
