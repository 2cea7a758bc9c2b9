import { expect, it } from "vitest";

import { FaultSimulation, toSchedule } from "./fault-simulation.ts";

/** A sample for every day; `npm run test:faults` goes through thousands. */
const RUNS = Number(process.env["FAULT_RUNS"] ?? 60);
const FIRST = Number(process.env["FAULT_SEED"] ?? 1);

it(`ends with one code per row, whatever happens (${RUNS} schedules)`, async () => {
  const wrong: unknown[] = [];
  const sum = { codes: 0, creates: 0, deaths: 0, limited: 0 };
  for (let seed = FIRST; seed < FIRST + RUNS; seed += 1) {
    const schedule = toSchedule(seed);
    const simulation = new FaultSimulation(schedule);
    const ended = await simulation.run().catch((error: unknown) => ({
      faults: [String(error instanceof Error ? error.stack : error)],
      creates: 0,
      deaths: 0,
      limited: 0,
    }));
    sum.codes += schedule.rows;
    sum.creates += ended.creates;
    sum.deaths += ended.deaths;
    sum.limited += ended.limited;
    if (ended.faults.length > 0) wrong.push(JSON.stringify({ ...schedule, wrong: ended.faults }));
  }
  const isByHand = process.env["FAULT_RUNS"] !== undefined;
  if (isByHand)
    process.stdout.write(`${JSON.stringify({ runs: RUNS, ...sum, wrong: wrong.length })}\n`);
  expect(wrong).toEqual([]);
});
