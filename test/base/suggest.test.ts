import { describe, expect, it } from "vitest";

import { didYouMean, suggest } from "../../src/base/text/suggest.ts";

const FIELDS = ["source", "code", "output", "display_name", "file_name", "integer", "number"];

describe("suggest", () => {
  it.each([
    ["soruce", "source"],
    ["Source", "source"],
    ["outptu", "output"],
    ["displayName", "display_name"],
    ["display-name", "display_name"],
    ["filename", "file_name"],
    ["int", "integer"],
    ["cod", "code"],
    ["coed", "code"],
  ])("%s means %s", (word, expected) => expect(suggest(word, FIELDS)).toBe(expected));

  it.each(["xyz", "a", "", "schedule", "in", "q".repeat(10_000)])("nothing is near %j", (word) => {
    expect(suggest(word, FIELDS)).toBeUndefined();
  });

  it("takes the nearest, and the first of equals", () => {
    expect(suggest("table2", ["table10", "table1", "table"])).toBe("table1");
    expect(suggest("x", [])).toBeUndefined();
  });

  it("lists what is known when nothing is near", () => {
    expect(didYouMean("tabel", ["site", "table"])).toBe('did you mean "table"?');
    expect(didYouMean("zzz", ["site", "table"])).toBe("known: site, table");
    expect(didYouMean("zzz", ["Night, dark", "Classic"])).toBe('known: "Night, dark", Classic');
    expect(didYouMean("zzz", [])).toBe("");
  });
});
