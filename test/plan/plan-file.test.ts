import { describe, expect, it } from "vitest";

import {
  ActionsHash,
  checkPlan,
  formatPlanFile,
  parsePlanFile,
  type PlanFacts,
} from "../../src/plan/plan-file.ts";
import type { Planned } from "../../src/plan/planner.ts";
import type { PlanSummary } from "../../src/plan/tally.ts";

const FACTS: PlanFacts = { job: "j", server: "embedded", inputSha256: "i", actionsSha256: "a" };

const summary = { creates: 3, writes: 4 } as unknown as PlanSummary;

describe("a saved plan", () => {
  it("is read back as it was written", () => {
    const text = formatPlanFile(FACTS, "makeready test", summary);
    expect(parsePlanFile(text, "plan.json")).toMatchObject(FACTS);
    expect(JSON.parse(text)).toMatchObject({ makeready_plan: 1, counts: { creates: 3 } });
    expect(() =>
      checkPlan(parsePlanFile(text, "plan.json"), FACTS, { file: "plan.json", hint: "" }),
    ).not.toThrow();
  });

  it.each([
    ["job", "another job"],
    ["server", "server is another"],
    ["inputSha256", "spreadsheet has changed"],
    ["actionsSha256", "manifest or the state has changed"],
  ] as const)("is stale when %s differs", (fact, says) => {
    const now = { ...FACTS, [fact]: "other" };
    expect(() => checkPlan(FACTS, now, { file: "plan.json", hint: "" })).toThrow(
      expect.objectContaining({
        code: "plan-stale",
        message: expect.stringContaining(says) as string,
      }),
    );
  });

  it.each(["", "{", "[]", "null", '{"makeready_plan":1}', '{"job":"j"}'])(
    "must be one: %j is not",
    (text) => {
      expect(() => parsePlanFile(text, "p")).toThrow(
        expect.objectContaining({ code: "bad-usage" }),
      );
    },
  );

  it("of a newer makeready is refused", () => {
    const text = JSON.stringify({ ...FACTS, makeready_plan: 2 });
    expect(() => parsePlanFile(text, "p")).toThrow(expect.objectContaining({ code: "plan-stale" }));
  });
});

const hash = (...lines: number[]): string => {
  const actions = new ActionsHash();
  for (const line of lines) {
    const bad = { line, cells: {}, problems: [] };
    actions.add({ good: false, bad } satisfies Planned);
  }
  return actions.hex();
};

it("the hash of actions depends on the rows and their order", () => {
  expect(hash(1, 2)).toBe(hash(1, 2));
  expect(new Set([hash(), hash(1), hash(2), hash(1, 2), hash(2, 1)]).size).toBe(5);
});
