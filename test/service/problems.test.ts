import { describe, expect, it } from "vitest";
import { z } from "zod";

import { parseOrRefuse } from "../../src/service/http/problems.ts";
import { Refusal } from "../../src/service/http/reply.ts";

function refusalOf(shape: z.ZodType, value: unknown): unknown {
  try {
    parseOrRefuse(shape, value);
  } catch (error) {
    if (error instanceof Refusal) return [error.reply.status, error.reply.body];
    throw error;
  }
  return "taken";
}

const Text = z.string({ error: "Must be a string" });

describe("parseOrRefuse", () => {
  it("answers the value without unknown fields", () => {
    expect(parseOrRefuse(z.object({ a: Text }), { a: "x", b: 1 })).toEqual({ a: "x" });
  });

  it.each<[string, z.ZodType, unknown, unknown]>([
    ["a missing field", z.object({ a: Text }), {}, { a: ["This field is required."] }],
    ["a wrong one", z.object({ a: Text }), { a: 5 }, { a: ["Must be a string, got 5."] }],
    ["null", z.object({ a: Text }), { a: null }, { a: ["Must be a string, got null."] }],
    [
      "an object, not shown",
      z.object({ a: Text }),
      { a: { secret: 1 } },
      { a: ["Must be a string."] },
    ],
    [
      "a long value, cut",
      z.object({ a: z.literal("b", { error: "Must be b" }) }),
      { a: "x".repeat(500) },
      { a: [`Must be b, got "${"x".repeat(59)}….`] },
    ],
    [
      "a long value, cut between characters",
      z.object({ a: z.literal("b", { error: "Must be b" }) }),
      { a: `${"x".repeat(58)}${"\u{1F600}".repeat(9)}` },
      { a: [`Must be b, got "${"x".repeat(58)}….`] },
    ],
    [
      "the whole",
      z.object({}).refine(() => false, { error: "Wrong" }),
      {},
      { non_field_errors: ["Wrong."] },
    ],
    [
      "no object",
      z.array(Text, { error: "Must be a list" }),
      5,
      { non_field_errors: ["Must be a list, got 5."] },
    ],
    [
      "an item",
      z.array(z.object({ a: Text })),
      [{ a: "x" }, {}],
      { "1": { a: ["This field is required."] } },
    ],
    [
      "several of one field",
      z.object({
        a: Text.min(3, { error: "Must be long" }).regex(/^b/u, { error: "Must begin with b" }),
      }),
      { a: "x" },
      { a: ['Must be long, got "x".', 'Must begin with b, got "x".'] },
    ],
  ])("names %s", (_, shape, value, body) => {
    expect(refusalOf(shape, value)).toEqual([400, body]);
  });
});

it("places a message about a field and one about something in it side by side", () => {
  const shape = z.object({ a: z.object({ b: Text }) }).superRefine(
    (_, context) => {
      context.addIssue({ code: "custom", path: ["a"], message: "Whole is wrong" });
    },
    { when: () => true },
  );
  expect(refusalOf(shape, { a: { b: 1 } })).toEqual([
    400,
    { a: { b: ["Must be a string, got 1."], non_field_errors: ["Whole is wrong."] } },
  ]);
});
