import { beforeEach, describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { Trouble } from "../../src/run/trouble.ts";

const MINUTE = 60_000;
const { signal } = new AbortController();

let clock: FakeClock;
let said: string[];

beforeEach(() => {
  clock = fakeClock();
  said = [];
});

const makeTrouble = (patienceMs?: number): Trouble =>
  new Trouble(clock, (message) => said.push(message), patienceMs);

async function calm(trouble: Trouble): Promise<number> {
  const startMs = clock.monotonicMs();
  const progress = { isOver: false };
  const waiting = trouble.calm(signal).finally(() => {
    progress.isOver = true;
  });
  waiting.catch(() => undefined);
  while (!progress.isOver) await clock.advance(500);
  await waiting;
  return clock.monotonicMs() - startMs;
}

function fail(trouble: Trouble, times: number): void {
  for (let n = 0; n < times; n += 1) trouble.bad();
}

describe("trouble", () => {
  it("is not reported for a few failures", async () => {
    const trouble = makeTrouble();
    fail(trouble, 3);
    await trouble.calm(signal);
    expect(said).toEqual([]);
  });

  it("pauses for longer each time, up to a minute, and says so", async () => {
    const trouble = makeTrouble();
    fail(trouble, 4);
    const first = await calm(trouble);
    fail(trouble, 1);
    const second = await calm(trouble);
    fail(trouble, 20);
    const last = await calm(trouble);
    expect(first).toBeLessThan(second);
    expect(second).toBeLessThan(last);
    expect(last).toBeLessThanOrEqual(61_000);
    expect(said[0]).toContain("creates in a row), trying the next one in 1 s");
  });

  it("ends with the first good answer", async () => {
    const trouble = makeTrouble();
    fail(trouble, 10);
    trouble.good();
    await trouble.calm(signal);
    expect(said).toEqual([]);
  });

  it("is too much after the patience, counted from the first failure", async () => {
    const trouble = makeTrouble();
    await clock.advance(60 * MINUTE);
    fail(trouble, 4);
    await calm(trouble);
    await clock.advance(16 * MINUTE);
    await expect(trouble.calm(signal)).rejects.toMatchObject({
      code: "server-unavailable",
      exitCode: 5,
    });
  });

  it("with a short patience pauses no longer than that", async () => {
    const trouble = makeTrouble(2_000);
    fail(trouble, 30);
    expect(await calm(trouble)).toBeLessThanOrEqual(2_500);
  });

  it("of closed doors takes both many of them and time", async () => {
    const trouble = makeTrouble();
    for (let n = 0; n < 30; n += 1) trouble.limited();
    await clock.advance(16 * MINUTE);
    expect(() => trouble.limited()).toThrow(expect.objectContaining({ code: "rate-limited" }));
    trouble.good();
    expect(() => trouble.limited()).not.toThrow();
  });
});
