import { describe, expect, it } from "vitest";

import { toNamedScans } from "../../src/kinds/report/named-scans.ts";

describe("lists of scan analytics, whose elements are not shown (docs/spec/api.md section 2.7)", () => {
  it.each([
    ["our own", [{ date: "2026-01-01", scans: 3, unique_scans: 2 }], "2026-01-01", 3, 2],
    ["by name", [{ name: "Berlin", scans: 3, unique_scans: 2 }], "Berlin", 3, 2],
    ["other fields", [{ id: 7, country: "DE", count: 3 }], "DE", 3, 0],
    ["counts before names", [{ unique: 2, total: "3", os: "iOS" }], "iOS", 3, 2],
    ["pairs", [["2026-01-01", 3]], "2026-01-01", 3, 0],
    ["an object", { "2026-01-01": 3 }, "2026-01-01", 3, 0],
  ])("%s", (_name, list, name, scans, uniqueScans) => {
    expect(toNamedScans(list)).toEqual([{ name, scans, uniqueScans }]);
  });

  it.each([[null], [undefined], ["none"], [3], [[1, null]]])("%j is empty", (list) => {
    expect(toNamedScans(list)).toEqual([]);
  });
});
