import { describe, expect, it } from "vitest";

import { ActivityQuery } from "../../src/api/scan.ts";
import { endMoment, startMoment } from "../../src/api/window.ts";
import { parseMoment } from "../../src/base/time/moment.ts";

const utc = (text: string): number => Date.parse(text);

describe("parseMoment", () => {
  it.each([
    ["2026-11-20", "2026-11-20T00:00:00Z"],
    ["2026-11-20T08:30", "2026-11-20T08:30:00Z"],
    ["2026-11-20T08:30:15Z", "2026-11-20T08:30:15Z"],
    ["2026-11-20T08:30:15.25Z", "2026-11-20T08:30:15.250Z"],
    ["2026-11-20 08:30:15", "2026-11-20T08:30:15Z"],
    ["2026-11-20T08:30:15+02:00", "2026-11-20T06:30:15Z"],
    ["2026-11-20T08:30:15-0330", "2026-11-20T12:00:15Z"],
    ["2024-02-29", "2024-02-29T00:00:00Z"],
  ])("%s", (text, expected) => {
    expect(parseMoment(text)).toBe(utc(expected));
  });

  it.each([
    "",
    "today",
    "20.11.2026",
    "2026-11",
    "2026-13-01",
    "2026-02-29",
    "2026-11-31",
    "2026-11-20T25:00",
    "2026-11-20T08",
    "20261120",
    "1700000000",
    "2026-11-20T08:30:15+99:00",
    "2026-11-20T08:30:15 02:00",
  ])("refuses %j", (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});

it("takes an unescaped + of a query, which arrives as a space", () => {
  expect(startMoment.parse("2026-11-20T08:30:15 02:00")).toBe(utc("2026-11-20T06:30:15Z"));
  expect(startMoment.parse("2026-11-20 08:30")).toBe(utc("2026-11-20T08:30:00Z"));
});

it("takes the whole day of an end that is a mere date", () => {
  const [noon, midnight] = [utc("2026-11-20T12:00:00Z"), utc("2026-11-20T00:00:00Z")];
  expect(startMoment.parse("2026-11-20")).toBe(midnight);
  const next = utc("2026-11-21T00:00:00Z");
  expect(endMoment.parse("2026-11-20")).toEqual({ ms: midnight, afterMs: next });
  expect(endMoment.parse("2026-11-20T12:00:00Z")).toEqual({ ms: noon, afterMs: noon });
});

it.each<[start: string, end: string, isRight: boolean]>([
  ["2026-11-20", "2026-11-20", true],
  ["2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z", true],
  ["2026-11-20", "2026-11-19", false],
  ["2026-11-20", "2026-11-18", false],
  ["2026-11-20T00:00:01Z", "2026-11-20T00:00:00Z", false],
])(
  "docs/spec/api.md section 4.1: a window must not end before it begins: %s to %s",
  (start, end, isRight) => {
    const found = ActivityQuery.safeParse({ start, end });
    expect(found.error?.issues.map(({ path }) => path)).toEqual(isRight ? undefined : [["end"]]);
  },
);
