/** The yardstick of docs/spec/engine.md section 1.8: its faults, and what they may cost. */
import { expect, it } from "vitest";

import { seededRandom } from "../client/virtual-clock.ts";
import type { CreateFault } from "../help/hostile-api.ts";
import { FaultSimulation, toSchedule } from "./fault-simulation.ts";

/** `npm run test:faults` is the long way. */
const ROWS = process.env["FAULT_RUNS"] === undefined ? 800 : 2_000;

/** Fault -> how often, of 100 creates (docs/spec/engine.md section 1.8). */
const MIX: readonly (readonly [CreateFault, number])[] = [
  ["drop-before", 3],
  ["drop-after", 3],
  ["502-before", 2],
  ["502-after", 2],
  ["late", 1],
];

it("the standard mix of faults costs no create beyond those that the server never committed", async () => {
  const random = seededRandom(20_261_121);
  let lost = 0;
  const pickFault = (): CreateFault | undefined => {
    let place = random() * 100;
    for (const [fault, share] of MIX) {
      place -= share;
      if (place >= 0) continue;
      if (fault.endsWith("before")) lost += 1;
      return fault;
    }
    return undefined;
  };
  const simulation = new FaultSimulation(
    {
      ...toSchedule(1),
      rows: ROWS,
      copies: 1,
      faultShare: 0,
      lives: [],
      concurrency: 8,
      marker: false,
      server: {},
    },
    { createFault: pickFault, lateMs: 1_500 },
  );
  const ended = await simulation.run();
  expect(ended.faults).toEqual([]);
  expect(ended.deaths).toBe(0);
  // The probe of the first create aside, what was sent twice had not been made: never more.
  expect(ended.creates - ROWS).toBe(lost);
  // At most 1.05 writes per code.
  expect(ended.creates / ROWS).toBeLessThanOrEqual(1.05);
  // Reads: the lists of the lane and of the audit, and the links of adopted codes.
  expect(simulation.api.reads).toBeLessThan(ROWS / 10);
  if (process.env["FAULT_RUNS"] !== undefined) {
    const perCode = ended.creates / ROWS;
    const floor = 1 + lost / ROWS;
    const acted = (ended.creates - lost) / ROWS;
    const { reads } = simulation.api;
    process.stdout.write(`${JSON.stringify({ rows: ROWS, perCode, floor, acted, reads })}\n`);
  }
});
