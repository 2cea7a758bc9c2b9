import { expect, it } from "vitest";

import { WriteLock } from "../../src/service/store/sqlite/write-lock.ts";

it("gives turns in the order in which they were asked for, over all its ends", async () => {
  const one = new WriteLock();
  const ends = [one, new WriteLock(one.memory)];
  const turns: number[] = [];
  let inside = 0;
  const taking = Array.from({ length: 20 }, async (_, n) => {
    const end = ends[n % 2] ?? one;
    await end.take();
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    turns.push(n);
    inside -= 1;
    end.leave();
  });
  await Promise.all(taking);
  expect(turns).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

it("lets everybody through once it is broken", async () => {
  const here = new WriteLock();
  const dead = new WriteLock(here.memory);
  await dead.take();
  const waiting = here.take();
  here.break();
  await waiting;
  here.leave();
  await here.take();
  expect(new Int32Array(here.memory)[0]).toBe(3);
});
