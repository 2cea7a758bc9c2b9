import { describe, expect, it } from "vitest";

import { addDays, startOfDay, toDay } from "../../src/base/time/zoned-time.ts";
import { lastDays, toWindows } from "../../src/plan/scan-window.ts";

const berlin = (iso: string) => ({ nowMs: Date.parse(iso), timeZone: "Europe/Berlin" });

const start = (zone: string, day: string): string => new Date(startOfDay(zone, day)).toISOString();

describe("days of a time zone", () => {
  it("begin at midnight on the wall, summer and winter", () => {
    expect(start("Europe/Berlin", "2026-07-01")).toBe("2026-06-30T22:00:00.000Z");
    expect(start("Europe/Berlin", "2026-12-01")).toBe("2026-11-30T23:00:00.000Z");
    expect(start("Asia/Kolkata", "2026-12-01")).toBe("2026-11-30T18:30:00.000Z");
    expect(toDay("Europe/Berlin", Date.parse("2026-11-30T23:30:00Z"))).toBe("2026-12-01");
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  });
});

describe("windows of a report (docs/spec/jobs.md section 1, report)", () => {
  it("days: today and the days before; the time before ends at the same hour", () => {
    const { current, previous } = toWindows(
      { days: 7, start: null, end: null, compare: "previous" },
      berlin("2026-11-23T06:00:00Z"),
    );
    expect(current).toEqual({
      start: "2026-11-16T23:00:00.000Z",
      end: "2026-11-23T06:00:00.000Z",
      says: "2026-11-17 to 2026-11-23",
    });
    expect(previous).toMatchObject({
      start: "2026-11-09T23:00:00.000Z",
      end: "2026-11-16T06:00:00.000Z",
    });
  });

  it("start and end take both days in; the time before is as long", () => {
    const { current, previous } = toWindows(
      { days: null, start: "2026-01-01", end: "2026-03-31", compare: "previous" },
      { nowMs: 0, timeZone: "UTC" },
    );
    expect(current).toEqual({
      start: "2026-01-01T00:00:00.000Z",
      end: "2026-04-01T00:00:00.000Z",
      says: "2026-01-01 to 2026-03-31",
    });
    expect(previous).toMatchObject({ start: "2025-10-03T00:00:00.000Z", end: current.start });
  });

  it("start alone goes on until now; without compare there is nothing before", () => {
    const now = berlin("2026-11-23T06:00:00Z");
    const { current, previous } = toWindows(
      { days: null, start: "2026-11-20T10:00:00Z", end: null, compare: "none" },
      now,
    );
    expect(current).toMatchObject({
      start: "2026-11-20T10:00:00.000Z",
      end: "2026-11-23T06:00:00.000Z",
    });
    expect(previous).toBeNull();
    expect(lastDays(1, now).says).toBe("2026-11-23");
  });
});
