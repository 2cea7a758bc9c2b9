import { describe, expect, it } from "vitest";

import { planVolumes, toZipFinder } from "../../src/pipeline/stages/zip-places.ts";
import type { ZipFile } from "../../src/pipeline/stages/stage.ts";
import type { ListedRow } from "../../src/state/row.ts";

const zip = (file: string, more: Partial<ZipFile> = {}): ZipFile => ({
  file,
  entries: 4,
  bytes: 100,
  sha256: "0",
  ...more,
});
const row = (group: string | null, fileBase: string): ListedRow =>
  ({ placing: { zip: group, fileBase, sheets: null, caption: [] } }) as unknown as ListedRow;

describe("the archive of a row", () => {
  const find = toZipFinder([
    zip("a.zip", { group: "a.zip", lastName: "Z" }),
    zip("a-2.zip", { group: "a.zip", lastName: "z" }),
    zip("a-3.zip", { group: "a.zip", lastName: "é" }),
    zip("b.zip"),
  ]);

  it.each([
    ["A", "a.zip"],
    ["Z", "a.zip"],
    ["a", "a-2.zip"],
    ["zz", "a-3.zip"],
    ["é", "a-3.zip"],
    ["ü", "a-3.zip"],
  ])("%j of a group in three archives is %s: sorted by bytes, as the state does", (base, file) => {
    expect(find(row("a.zip", base))).toBe(file);
  });

  it("is the group's own where there is one, also of a state that knows no volumes", () => {
    expect(find(row("b.zip", "x"))).toBe("b.zip");
    expect(find(row("c.zip", "x"))).toBe("c.zip");
    expect(find(row(null, "x"))).toBeUndefined();
  });
});

describe("the plan says into how many archives a group goes", () => {
  it.each([
    [9999, 2, []],
    [10_000, 2, [{ name: "a.zip", count: 2, last: "a-2.zip" }]],
    [19_998, 1, []],
    [100_000, 2, [{ name: "a.zip", count: 11, last: "a-11.zip" }]],
    [100_000, 0, []],
  ])("%i rows of %i files", (rows, files, volumes) => {
    expect(planVolumes([{ name: "a.zip", rows }], files)).toEqual(volumes);
  });
});
