import { expect, it } from "vitest";

import { ListOrder } from "../../src/run/list-order.ts";

const NEW_MS = Date.UTC(2026, 0, 2);
const OLD_MS = Date.UTC(2026, 0, 1);

function toOrder(times: readonly number[]): ListOrder {
  const order = new ListOrder();
  for (const time of times) order.see(time);
  return order;
}

it("a list that shows a new code first and then goes from old to new is not newest first", () => {
  const rising = Array.from({ length: 60 }, (_, second) => OLD_MS + second * 1000);
  expect(toOrder([NEW_MS, ...rising]).isPast(NEW_MS - 1000)).toBe(false);
});

it("creates at the same time may stand in any order", () => {
  const falling = Array.from({ length: 60 }, (_, n) => NEW_MS - n * 1000 + (n % 2) * 9000);
  expect(toOrder(falling).isNewestFirst).toBe(true);
});
