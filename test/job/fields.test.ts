import { describe, expect, it } from "vitest";

import { parseDuration } from "../../src/base/time/duration.ts";
import { color, duration, parsePercent, percent, whole } from "../../src/job/shapes/fields.ts";

const passes = (
  schema: { safeParse(value: unknown): { success: boolean } },
  value: unknown,
): boolean => schema.safeParse(value).success;

describe("times", () => {
  it.each([
    ["250ms", 250],
    ["0s", 0],
    ["1.5s", 1500],
    ["120s", 120_000],
    ["2m", 120_000],
    ["1h", 3_600_000],
    ["1d", 86_400_000],
  ])("%s", (text, ms) => {
    expect(passes(duration, text)).toBe(true);
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "120", "-1s", "1 s", "s", "1.s", "1w", "1s "])("not %j", (text) => {
    expect(passes(duration, text)).toBe(false);
  });
});

describe("shares", () => {
  it.each([
    ["2%", 0.02],
    ["0%", 0],
    ["100%", 1],
    ["12.5%", 0.125],
    ["2,5 %", 0.025],
  ])("%s", (text, share) => {
    expect(passes(percent("must be a share"), text)).toBe(true);
    expect(parsePercent(text)).toBeCloseTo(share, 10);
  });

  it.each(["101%", "2", "%", "-1%", "2 5%", "1e1%"])("not %j", (text) => {
    expect(passes(percent("must be a share"), text)).toBe(false);
  });
});

describe("colours and numbers", () => {
  it.each(["#111111", "#ABC", "{{ colour }}", "#{{ hex }}"])(
    "%s is a colour or gives one",
    (text) => {
      expect(passes(color, text)).toBe(true);
    },
  );

  it.each(["#11", "red", "111111", "#gggggg", ""])("%j is refused", (text) => {
    expect(passes(color, text)).toBe(false);
  });

  it("whole numbers have both ends", () => {
    const schema = whole(1, 3);
    expect([0, 1, 3, 4, 1.5, "2", Number.NaN].map((value) => passes(schema, value))).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(schema.safeParse(9).error?.issues[0]?.message).toBe(
      "must be a whole number from 1 to 3",
    );
  });
});
