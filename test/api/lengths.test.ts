/** Every text of a request has a length, and what is longer is not looked at any further. */
import { describe, expect, it } from "vitest";
import type { z } from "zod";

import { endpoints } from "../../src/api/endpoints.ts";
import { stringUpTo } from "../../src/api/fields.ts";

interface Found {
  readonly at: string;
  readonly shape: z.core.$ZodType;
}

const isShape = (value: unknown): value is z.core.$ZodType =>
  typeof value === "object" && value !== null && "_zod" in value;

/** The shapes that a shape is made of, however it holds them. */
function* partsOf(value: unknown, at: string): Generator<Found> {
  if (isShape(value)) yield { at, shape: value };
  else if (Array.isArray(value)) for (const each of value) yield* partsOf(each, at);
}

function* stringsIn({ at, shape }: Found): Generator<Found> {
  const { def } = shape._zod;
  if (def.type === "string") yield { at, shape };
  const fields = def.type === "object" ? Object.entries((def as z.core.$ZodObjectDef).shape) : [];
  const parts = [
    ...fields.flatMap(([name, field]) => [...partsOf(field, `${at}.${name}`)]),
    ...Object.values(def).flatMap((value) => [...partsOf(value, at)]),
  ];
  for (const part of parts) yield* stringsIn(part);
}

/** True when the first check of a string is its length, and the others wait for it. */
function isMeasuredFirst(shape: z.core.$ZodType): boolean {
  const first = shape._zod.def.checks?.[0]?._zod.def;
  return first?.check === "max_length" && first.abort === true;
}

const sent = Object.entries(endpoints).flatMap(([name, endpoint]) => [
  ...("body" in endpoint ? partsOf(endpoint.body, `${name} body`) : []),
  ...("query" in endpoint ? partsOf(endpoint.query, `${name} query`) : []),
]);
const strings = sent.flatMap((part) => [...stringsIn(part)]);

describe("the texts of requests", () => {
  it("are found", () => {
    expect(strings.length).toBeGreaterThan(100);
    expect(strings.map(({ at }) => at)).toContain("createCode body.display_name");
  });

  it("are measured first", () => {
    expect(strings.filter(({ shape }) => !isMeasuredFirst(shape)).map(({ at }) => at)).toEqual([]);
  });
});

/** How often a string is looked at besides its length. */
function countLooks(text: string): number {
  let looks = 0;
  const shape = stringUpTo(10, { type: "Must be a string", long: "Must be short" })
    .refine(() => (looks += 1) > 0)
    .transform((value) => {
      looks += 1;
      return value;
    });
  shape.safeParse(text);
  return looks;
}

describe("a string that is too long", () => {
  it("is looked at by no other check", () => {
    expect([countLooks("a".repeat(10)), countLooks("a".repeat(11))]).toEqual([2, 0]);
  });
});
