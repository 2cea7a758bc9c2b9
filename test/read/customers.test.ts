/** Lists as customers send them, written by other programs (docs/spec/jobs.md section 4). */
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { failureOf, makeSource, readAll, type ColumnSpec } from "./make-source.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const SHOP: Record<string, ColumnSpec> = {
  EAN: { type: "gtin", required: true },
  Artikel: { required: true },
  Preis: { type: "number" },
  Rabatt: {},
  "Verfügbar ab": { type: "date" },
  Link: { type: "url" },
};

describe("a price list of openpyxl", () => {
  it("has its header below a title and a note; numbers, days and links are as people see them", async () => {
    const { source, values } = await readAll(makeSource(fixture("openpyxl-shop.xlsx"), SHOP));
    expect(source.detected).toMatchObject({ sheet: "Produkte", headerLine: 4 });
    expect(source.detected.otherSheets).toBeUndefined();
    expect(values[0]).toEqual({
      EAN: "09506000134352",
      Artikel: "Bergkäse",
      Preis: "12.9",
      Rabatt: "12.5%",
      "Verfügbar ab": "2026-12-01",
      Link: "https://shop.example/1?from=list#buy",
    });
    expect(values[2]).toMatchObject({ EAN: "09506000134352", Preis: "1234.5", Rabatt: "100.0%" });
  });

  it("reports every bad cell with its row, and the totals below", async () => {
    const { rows } = await readAll(makeSource(fixture("openpyxl-shop.xlsx"), SHOP));
    const told = rows.flatMap(({ line, problems }) =>
      problems.map(({ message, where }) => `${line} ${where?.column}: ${message}`),
    );
    expect(told).toEqual([
      '6 EAN: must be a GTIN of 8, 12, 13 or 14 digits, got "95060001343"',
      '8 EAN: must be a GTIN with a right check digit (6 at the end), got "12300000000000"',
      '8 Verfügbar ab: must be a date, got "demnächst"',
      '8 Link: must be a URL, got "shop.example/4"',
      expect.stringMatching(/^9 EAN: must be written out, without scientific notation/u),
      expect.stringMatching(/^10 EAN: must have a result, but its formula was never calculated/u),
      expect.stringMatching(
        /^11 EAN: must hold its text or nothing, but holds what spreadsheets write for an error/u,
      ),
      "13 EAN: must not be empty",
      "13 Artikel: must not be empty",
      expect.stringMatching(/^13 Preis: must have a result, but its formula was never/u),
    ]);
  });

  it("warns of hidden parts; the hidden sheet is read when it is named", async () => {
    const all = await readAll(makeSource(fixture("openpyxl-shop.xlsx"), SHOP));
    const messages = all.source.warnings.map(({ message }) => message).join("\n");
    expect(messages).toContain("1 hidden row is read like the others");
    expect(messages).toContain("column D is hidden");
    const shown = { skipHiddenRows: true };
    const { rows } = await readAll(makeSource(fixture("openpyxl-shop.xlsx"), SHOP, shown));
    expect(rows).toHaveLength(all.rows.length - 1);
    const old = await readAll(makeSource(fixture("openpyxl-shop.xlsx"), {}, { sheet: "Alt" }));
    expect(old.values).toEqual([{ EAN: "1" }]);
  });
});

describe("a table of pandas", () => {
  const COLUMNS: Record<string, ColumnSpec> = {
    site: { required: true },
    n: { type: "integer" },
    gtin: { type: "gtin" },
    day: { type: "date" },
    ok: { type: "boolean" },
    url: { type: "url", required: true },
  };

  it.each(["pandas.csv", "pandas-utf16.csv", "pandas.xlsx"])(
    "%s: numbers that gaps made decimals, an index without header, empty cells",
    async (name) => {
      const { values, problems } = await readAll(makeSource(fixture(name), COLUMNS));
      const url = "https://a.example/1";
      expect(values.map(({ "column 1": _index, "": _other, ...row }) => row)).toEqual([
        { site: "A", n: "1", gtin: "09506000134352", day: "2026-01-01", ok: "true", url },
        { site: "B", n: "", gtin: "09506000134352", day: "2026-02-03", ok: "false", url },
        { site: "", n: "3", gtin: "", day: "", ok: "", url },
      ]);
      expect(problems).toEqual(["must not be empty"]);
    },
  );
});

describe("columns that a list doesn't have", () => {
  it("are reported with the headers found", async () => {
    const columns = { EAN: { required: true }, Preise: { required: true } };
    const error = await failureOf(makeSource(fixture("openpyxl-shop.xlsx"), columns));
    expect(error.message).toContain('"Preise" is missing; it has: EAN, Artikel, Preis, Rabatt');
    expect(error.hint).toContain('did you mean "Preis"?');
  });
});
