import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { Turns, type Turn } from "../../src/service/http/turns.ts";

const rules = { bytes: 30, bytesOfOne: 20, mostWaiting: 1000, mostWaitingOfOne: 1000 };
const never = new AbortController().signal;
/** Lets everything that was set off run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it("never gives out more than allowed, in all or to one, and each its turn in the end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat({ max: 25 })), { maxLength: 40 }),
      async (works) => {
        const turns = new Turns(rules);
        const held: { key: string; bytes: number; turn: Turn }[] = [];
        const sum = (key?: string) =>
          held
            .filter((one) => key === undefined || one.key === key)
            .reduce((all, one) => all + one.bytes, 0);
        const all = works.map(async ([key, asked]) => {
          const turn = await turns.take(key, asked, never);
          if (turn === undefined) throw new Error("turned away");
          held.push({ key, bytes: Math.min(asked, rules.bytesOfOne), turn });
          expect(sum()).toBeLessThanOrEqual(rules.bytes);
          expect(sum(key)).toBeLessThanOrEqual(rules.bytesOfOne);
        });
        const begun = Promise.all(all).then(({ length }) => length);
        for (let round = 0; round < 2 * works.length + 2; round += 1) {
          await settle();
          const one = held.shift();
          one?.turn.end();
          one?.turn.end();
        }
        expect(await begun).toBe(works.length);
        const last = turns.tryTake("d", rules.bytesOfOne);
        expect(last).toBeDefined();
      },
    ),
    { numRuns: 40 },
  );
});

describe("turns", () => {
  const few = { bytes: 10, bytesOfOne: 6, mostWaiting: 2, mostWaitingOfOne: 1 };

  it("turn work away when too much waits already, in all or of one sender", async () => {
    const turns = new Turns(few);
    const [a, b] = [turns.tryTake("a", 6), turns.tryTake("b", 4)];
    const [first, second] = [turns.take("a", 6, never), turns.take("c", 6, never)];
    expect(await turns.take("a", 1, never)).toBeUndefined();
    expect(await turns.take("d", 1, never)).toBeUndefined();
    a?.end();
    b?.end();
    expect(await first).toBeDefined();
    expect(turns.isWanted("z")).toBe(true);
    (await first)?.end();
    expect(await second).toBeDefined();
    expect(turns.isWanted("z")).toBe(false);
  });

  it("let a short one pass a long one, and give the long one less than it wants at most", async () => {
    const turns = new Turns(few);
    const a = turns.tryTake("a", 6);
    const long = turns.take("b", 99, never);
    expect(turns.tryTake("c", 4)).toBeDefined();
    a?.end();
    const turn = await long;
    expect(turn?.grow(1)).toBe(false);
    turn?.end();
    expect(turn?.grow(1)).toBe(false);
    expect(turns.tryTake("d", 6)).toBeDefined();
  });

  it("are not kept for work that stops waiting", async () => {
    const turns = new Turns(few);
    const stop = new AbortController();
    const a = turns.tryTake("a", 6);
    const gone = turns.take("a", 6, stop.signal);
    stop.abort();
    expect(await gone).toBeUndefined();
    a?.end();
    expect(turns.tryTake("a", 6)).toBeDefined();
    expect(await turns.take("a", 6, stop.signal)).toBeUndefined();
  });

  it("are wanted by every sender with a share left, and by their own", async () => {
    const turns = new Turns({ ...few, bytesOfOne: 10 });
    turns.tryTake("a", 10);
    void turns.take("b", 1, never);
    expect([turns.isWanted("a"), turns.isWanted("b")]).toEqual([true, true]);
    const own = new Turns(few);
    own.tryTake("a", 6);
    void own.take("a", 1, never);
    expect([own.isWanted("a"), own.isWanted("b")]).toEqual([true, false]);
  });
});
