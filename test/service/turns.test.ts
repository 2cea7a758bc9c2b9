import * as fc from "../help/property.ts";
import { expect, it } from "vitest";

import { Turns } from "../../src/service/turns.ts";

const rules = { most: 3, mostOfOne: 2, mostWaiting: 5 };

it("never lets more run than allowed, in all or of one, and runs each once, in order of each sender", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { maxLength: 40 }),
      async (works) => {
        const turns = new Turns({ ...rules, mostWaiting: 1000 });
        const running: string[] = [];
        const started: string[] = [];
        const ends: (() => void)[] = [];
        const all = works.map(([key, fails], index) =>
          turns
            .take(key, async () => {
              running.push(key);
              started.push(`${key}${index}`);
              expect(running.length).toBeLessThanOrEqual(rules.most);
              expect(running.filter((one) => one === key).length).toBeLessThanOrEqual(2);
              await new Promise<void>((end) => ends.push(end));
              running.splice(running.indexOf(key), 1);
              if (fails) throw new Error("failed");
              return index;
            })
            .catch(() => index),
        );
        let ended = 0;
        const settled = Promise.all(all).then((results) => ({ results }));
        for (let round = 0; round < 4 * works.length + 4; round += 1) {
          await Promise.resolve();
          ends[ended]?.();
          if (ended < ends.length) ended += 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect((await settled).results).toEqual(works.map((_, index) => index));
        for (const key of ["a", "b", "c"]) {
          const order = started
            .filter((one) => one.startsWith(key))
            .map((one) => Number(one.slice(1)));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        }
      },
    ),
    { numRuns: 40 },
  );
});

it("turns away those who would wait behind too many", async () => {
  const turns = new Turns({ most: 1, mostOfOne: 1, mostWaiting: 1 });
  const ends: (() => void)[] = [];
  const first = turns.take("a", () => new Promise<void>((end) => ends.push(end)));
  const second = turns.take("b", async () => "second");
  expect(await turns.take("c", async () => "third")).toBeUndefined();
  ends[0]?.();
  expect(await Promise.all([first, second])).toEqual([undefined, "second"]);
  expect(await turns.take("c", async () => "third")).toBe("third");
});
