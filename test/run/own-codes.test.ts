/**
 * docs/spec/engine.md section 1.6, rebuild: codes that the state does not know are found by their
 * markers.
 */
import { describe, expect, it } from "vitest";

import { FaultSimulation, toSchedule, type Schedule } from "./fault-simulation.ts";

const makeSimulation = (changes: Partial<Schedule> = {}): FaultSimulation =>
  new FaultSimulation({
    ...toSchedule(1),
    rows: 6,
    copies: 2,
    faultShare: 0,
    lives: [],
    concurrency: 2,
    marker: true,
    server: {},
    ...changes,
  });

describe("with run.marker (docs/spec/engine.md section 1.6)", () => {
  it("a state that was lost is made again from the server's list, without a single create", async () => {
    const simulation = makeSimulation();
    await simulation.life();
    const { writes, creates } = simulation.api;
    simulation.loseState();
    await simulation.life();
    expect(simulation.api.creates).toBe(creates);
    // The folders are asked for: their ids were lost too.
    expect(simulation.api.writes - writes).toBe(2);
    expect(simulation.states()).toEqual({ done: 6 });
    expect((await simulation.run()).faults).toEqual([]);
  });

  it("a state that was lost in mid-run goes on with what is missing", async () => {
    const simulation = makeSimulation({ lives: [9] });
    await expect(simulation.life(9)).rejects.toThrow("died");
    simulation.loseState();
    await simulation.life();
    expect(simulation.api.creates).toBe(6);
    expect((await simulation.run()).faults).toEqual([]);
  });

  it("a state that was put back from an older copy makes nothing twice", async () => {
    const simulation = makeSimulation();
    await expect(simulation.life(8)).rejects.toThrow("died");
    const putBack = simulation.copyState();
    await simulation.life();
    putBack();
    await simulation.life();
    expect(simulation.api.creates).toBe(6);
    expect((await simulation.run()).faults).toEqual([]);
  });

  it("a destination that changed since is changed on the code that was taken back", async () => {
    const simulation = makeSimulation({ copies: 1 });
    await simulation.life();
    for (const code of simulation.api.live) code.fields["qr_data"] = "https://old.example/";
    simulation.loseState();
    await simulation.life();
    expect(simulation.api.creates).toBe(6);
    expect(simulation.said.filter((line) => line.startsWith("changed"))).toHaveLength(6);
    for (const { body, fields } of simulation.api.live) {
      expect(fields["qr_data"]).toBe(body["qr_data"]);
      expect(fields["display_name"]).toBe(body["display_name"]);
    }
  });

  it("the first run of a job reads no list for it", async () => {
    const simulation = makeSimulation();
    await simulation.life();
    // The probe of the list, nothing else.
    expect(simulation.api.reads).toBe(1);
  });
});

describe("without run.marker", () => {
  it("codes of a lost state can't be distinguished from others: they are left alone", async () => {
    const simulation = makeSimulation({ marker: false });
    await simulation.life();
    simulation.loseState();
    await simulation.life();
    expect(simulation.api.live).toHaveLength(12);
  });
});
