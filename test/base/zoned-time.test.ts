import { expect, it } from "vitest";

import { dateFormat, zoneOffsetMs } from "../../src/base/time/zoned-time.ts";

it("a date format is made once: each takes memory outside of the heap", () => {
  const options = { month: "long", timeZone: "UTC" } as const;
  expect(dateFormat("de", options)).toBe(dateFormat("de", { ...options }));
  expect(dateFormat("de", options)).not.toBe(dateFormat("fr", options));
  expect(dateFormat("de", options).format(0)).toBe("Januar");
});

it("a zone's offset follows its summer time", () => {
  expect(zoneOffsetMs("Europe/Berlin", Date.parse("2026-07-01T00:00:00Z"))).toBe(2 * 3_600_000);
  expect(zoneOffsetMs("Europe/Berlin", Date.parse("2026-12-01T00:00:00Z"))).toBe(3_600_000);
  expect(zoneOffsetMs("Asia/Kolkata", 0)).toBe(5.5 * 3_600_000);
});
