import { expect, it } from "vitest";

import { TextNumbers } from "../../src/base/flow/text-numbers.ts";
import * as fc from "../help/property.ts";

it("answers what a map answers", () => {
  const pair = fc.tuple(fc.string({ maxLength: 3 }), fc.nat({ max: 2 ** 32 - 2 }));
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 200 }), fc.string({ maxLength: 3 }), (pairs, other) => {
      const numbers = new TextNumbers();
      for (const [text, number] of pairs) numbers.set(text, number);
      const map = new Map(pairs);
      for (const text of [...map.keys(), other]) {
        expect(numbers.get(text)).toBe(map.get(text));
        expect(numbers.has(text)).toBe(map.has(text));
      }
    }),
  );
});

it("grows without losing a text", () => {
  const numbers = new TextNumbers();
  for (let n = 0; n < 20_000; n += 1) numbers.set(`row ${n}`, n);
  const wrong = Array.from({ length: 20_000 }, (_, n) => n).filter(
    (n) => numbers.get(`row ${n}`) !== n || numbers.has(`row -${n}`),
  );
  expect(wrong).toEqual([]);
});
