import { expect, it } from "vitest";

import type { ToldCode } from "../../src/api/code.ts";
import type { RunContext } from "../../src/run/context.ts";
import { fillItems } from "../../src/run/fill.ts";

const whole: ToldCode = {
  id: "a",
  display_name: "table 1",
  qr_type: "Link",
  qr_data: "https://a.example",
  dynamic: true,
  created: "2026-01-01T00:00:00Z",
  folder: null,
};
const context = { state: { journal: { holds: () => false } }, maker: {} } as unknown as RunContext;

it("codes of which a list leaves nothing out are compared with no row", async () => {
  let compared = 0;
  const mayBe = (): boolean => {
    compared += 1;
    return true;
  };
  const { folder: _left, ...part } = whole;
  const items = [whole, { ...whole, id: "b" }];
  expect(await fillItems(context, items, { sinceMs: 0, mayBe })).toEqual(items);
  expect(compared).toBe(0);
  await expect(fillItems(context, [part], { sinceMs: 0, mayBe })).rejects.toMatchObject({
    code: "answer-unusable",
  });
  expect(compared).toBe(2);
});
