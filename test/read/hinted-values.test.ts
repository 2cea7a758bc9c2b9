/** What a hint says to type is accepted as it stands there, with the meaning that the hint gives it. */
import { describe, expect, it, test } from "vitest";

import type { ColumnType } from "../../src/job/job.ts";
import { cellTypes } from "../../src/read/cells/cell-types.ts";
import * as fc from "../help/property.ts";
import { makeSource, readAll, writeFile, type ColumnSpec } from "./make-source.ts";

/** Texts that a hint gives to type. */
const hinted = (hint: string): string[] =>
  [...hint.matchAll(/(?:\bwrite|(?<=\d )or|, as in|like) (\S*[\d:]\S*?)(?=,? |,?$)/gu)].map(
    ([, text = ""]) => text,
  );

const readColumn = (cells: readonly string[], rule: ColumnSpec) =>
  readAll(
    makeSource(writeFile("n.csv", `a;n\n${cells.map((c) => `x;${c}\n`).join("")}`), { n: rule }),
  );

const hintsOf = async (cells: readonly string[], rule: ColumnSpec): Promise<readonly string[]> =>
  (await readColumn(cells, rule)).rows.flatMap(({ problems }) =>
    problems.map(({ hint = "" }) => hint),
  );

describe("a number that can be read in two ways", () => {
  const cases: [ColumnType, string, readonly (readonly [typed: string, means: number])[]][] = [
    [
      "number",
      "1.234",
      [
        ["1234", 1234],
        ["1.2340", 1.234],
      ],
    ],
    [
      "number",
      "1,234",
      [
        ["1234", 1234],
        ["1,2340", 1.234],
      ],
    ],
    [
      "number",
      "-2.500",
      [
        ["-2500", -2500],
        ["-2.5000", -2.5],
      ],
    ],
    [
      "number",
      "1.000",
      [
        ["1000", 1000],
        ["1.0000", 1],
      ],
    ],
    [
      "integer",
      "1,000",
      [
        ["1000", 1000],
        ["1", 1],
      ],
    ],
    ["integer", "1.234", [["1234", 1234]]],
  ];
  // With nothing else in the column, with decimals of both kinds, and with another doubtful number.
  const others = [[], ["1.5", "2,5"], ["7.000"], ["7,000"]];

  it.each(cases)("%s %s is accepted as its hint says", async (type, text, readings) => {
    for (const beside of others) {
      const whole = type === "integer" ? beside.filter((cell) => cell.endsWith("000")) : beside;
      const [hint = ""] = await hintsOf([text, ...whole], { type });
      expect(hinted(hint)).toEqual(readings.map(([typed]) => typed));
      for (const [typed, means] of readings) {
        const { rows } = await readColumn([typed, ...whole], { type });
        expect(rows[0]?.problems).toEqual([]);
        expect(Number(rows[0]?.values["n"])).toBe(means);
      }
    }
  });

  it("is one by the column's own decimal mark, without a change in the spreadsheet", async () => {
    const cells = ["1.000", "1.234", "2,500"];
    const [hint = ""] = await hintsOf(cells, { type: "number" });
    expect(hint).toContain('decimal: "." or decimal: "," in source.columns');
    const valuesBy = async (decimal: "." | ",", type: ColumnType) =>
      (await readColumn(cells, { type, decimal })).values.map(({ n }) => n);
    expect(await valuesBy(".", "number")).toEqual(["1.000", "1.234", "2500"]);
    expect(await valuesBy(",", "number")).toEqual(["1000", "1234", "2.500"]);
    expect((await readColumn(["1.000"], { type: "integer", decimal: "," })).values[0]?.["n"]).toBe(
      "1000",
    );
    // What cells show otherwise does not count against it, and what is clear stays as it is.
    const mixed = await readColumn(["1.234", "3,5"], { type: "number", decimal: "." });
    expect(mixed.values.map(({ n }) => n)).toEqual(["1.234", "3.5"]);
    expect(mixed.problems).toEqual([]);
  });
});

describe("an address", () => {
  it.each([
    ["shop.example/ohne schema", "https://shop.example/ohne%20schema"],
    ["www.a.example/x", "https://www.a.example/x"],
    ["https://a.example/x y", "https://a.example/x%20y"],
  ])("%s: %s", (text, wanted) => {
    const found = cellTypes.url(text);
    expect(hinted(typeof found === "string" ? "" : (found.hint ?? ""))).toEqual([wanted]);
    expect(cellTypes.url(wanted)).toBe(wanted);
  });
});

test("whatever a cell holds: what its hint gives to type is accepted", () => {
  const types = fc.constantFrom<ColumnType>("url", "date", "gtin", "integer", "number");
  const pieces = fc.constantFrom(
    ..."www. a.example shop /x %  \t \u00a0 \u200b ? # : https:// 02/03/2026 1.234 1,000 - + 12".split(
      " ",
    ),
    " ",
  );
  const texts = fc
    .oneof(
      fc.array(pieces, { minLength: 1, maxLength: 6 }).map((all) => all.join("")),
      fc.string({ minLength: 1 }).map((text) => `www.a.example/${text}`),
    )
    .map((text) => text.trim())
    .filter((text) => text !== "");
  fc.assert(
    fc.property(types, texts, (type, text) => {
      const found = cellTypes[type](text);
      if (typeof found === "string") return;
      for (const typed of hinted(found.hint ?? ""))
        expect([typed, typeof cellTypes[type](typed)]).toEqual([typed, "string"]);
    }),
    { numRuns: 3000 },
  );
});

test("the check digit that a refused GTIN is said to need is accepted", () => {
  const bodies = fc.stringMatching(/^(?:\d{8}|\d{12}|\d{13}|\d{14})$/u);
  fc.assert(
    fc.property(bodies, (digits) => {
      const found = cellTypes.gtin(digits);
      if (typeof found === "string") return;
      const [, last = ""] = /\((\d) at the end\)/u.exec(found.rule) ?? [];
      expect(typeof cellTypes.gtin(`${digits.slice(0, -1)}${last}`)).toBe("string");
    }),
  );
});
