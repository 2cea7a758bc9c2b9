import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { checkCron, nextRunMs, runsBetween } from "../../src/base/time/cron.ts";
import { isTimeZone } from "../../src/base/time/zoned-time.ts";

const berlin = (cron: string) => ({ cron, timezone: "Europe/Berlin" });
const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number | undefined): string => new Date(ms ?? Number.NaN).toISOString();

describe("a cron expression (docs/spec/jobs.md section 1, schedule)", () => {
  it.each(["0 3 1 * *", "*/15 9-17 * * MON-FRI", "@daily", "0 7 L * *", "0 7 * * 7"])(
    "%s is taken",
    (cron) => expect(checkCron(cron)).toBeUndefined(),
  );

  it.each(["", "61 * * * *", "0 0 3 1 * *", "tomorrow", "0 3 1 *"])("%j is refused", (cron) =>
    expect(checkCron(cron)).toMatch(/must be five fields/u),
  );

  it.each([
    ["61 1 * * *", "with its minute of 0 to 59"],
    ["1 24 * * *", "with its hour of 0 to 23"],
    ["1 1 * 13 *", "with its month of 1 to 12"],
    ["1 1 * * Foo", "with its weekday of 0 to 7"],
    ["*/0 * * * *", "with steps of its minute like */2"],
    ["0 9-17/ * * *", "with steps of its hour like */2"],
    ["61/2 * * * *", "with its minute of 0 to 59"],
    ["0 0 * * 1#6", "with 1 to 5 behind the # of its weekday"],
    ["0 0 * * 8#2", "with its weekday of 0 to 7"],
    ["0 0 1#2 * *", "with its day of 1 to 31"],
  ])("%s: the wrong field is named", (cron, part) => {
    expect(checkCron(cron)).toBe(
      `must be five fields (minute hour day month weekday) like "0 3 1 * *", ${part}`,
    );
  });

  it("one that never comes is refused", () => {
    expect(checkCron("0 3 30 2 *")).toBe("must name a moment that comes");
  });

  it("a time zone must be known", () => {
    expect(isTimeZone("Europe/Berlin")).toBe(true);
    expect(isTimeZone("Europe/Atlantis")).toBe(false);
  });
});

const next = (from: string): string => iso(nextRunMs(berlin("0 3 1 * *"), at(from)));

describe("daylight saving time", () => {
  it("keeps the hour on the wall, summer and winter", () => {
    expect(next("2026-06-30T12:00:00Z")).toBe("2026-07-01T01:00:00.000Z");
    expect(next("2026-11-30T12:00:00Z")).toBe("2026-12-01T02:00:00.000Z");
  });

  it("a time that spring leaves out comes right after the gap, once", () => {
    const runs = runsBetween(berlin("30 2 * * *"), {
      fromMs: at("2026-03-28T12:00:00Z"),
      toMs: at("2026-03-29T12:00:00Z"),
      most: 10,
    });
    expect(iso(nextRunMs(berlin("30 2 * * *"), at("2026-03-28T12:00:00Z")))).toBe(
      "2026-03-29T01:00:00.000Z",
    );
    expect(runs.map(iso)).toEqual(["2026-03-29T01:00:00.000Z"]);
  });

  it("a time that autumn has twice comes once, an hourly one every hour", () => {
    const span = { fromMs: at("2026-10-24T22:00:00Z"), toMs: at("2026-10-25T04:00:00Z"), most: 99 };
    expect(runsBetween(berlin("30 2 * * *"), span).map(iso)).toEqual(["2026-10-25T00:30:00.000Z"]);
    expect(runsBetween(berlin("30 * * * *"), span)).toHaveLength(6);
  });
});

it("looking back finds exactly what looking ahead does, in any zone and season", () => {
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
  const crons = ["0 3 1 * *", "30 2 * * *", "*/20 * * * *", "15 1,2,3 * * 0", "0 0 13 * 5"];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...crons),
      fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2027-12-31T00:00:00Z") }),
      fc.integer({ min: 1, max: 2 * 86_400_000 }),
      (timezone, cron, fromMs, lengthMs) => {
        const toMs = fromMs + lengthMs;
        const ahead: number[] = [];
        for (let ms = nextRunMs({ cron, timezone }, fromMs); ms !== undefined && ms <= toMs;) {
          ahead.push(ms);
          ms = nextRunMs({ cron, timezone }, ms);
        }
        const back = runsBetween({ cron, timezone }, { fromMs, toMs, most: 1000 });
        expect(back.toReversed()).toEqual(ahead);
      },
    ),
    { numRuns: 25 },
  );
});
