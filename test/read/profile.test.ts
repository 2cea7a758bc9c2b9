import { describe, expect, it } from "vitest";

import { profileSource, type ColumnProfile } from "../../src/read/rows/profile.ts";
import { openSource } from "../../src/read/source.ts";
import { makeSource, writeFile } from "./make-source.ts";
import { makeXlsx, number, row } from "./make-xlsx.ts";

async function profile(content: string | Uint8Array): Promise<Record<string, ColumnProfile>> {
  const source = await openSource(
    makeSource(writeFile(typeof content === "string" ? "p.csv" : "p.xlsx", content)),
  );
  try {
    const lines: number[] = [];
    const found = await profileSource(source, (row) => lines.push(row.line));
    expect(lines.length).toBeGreaterThan(0);
    return Object.fromEntries(found.map((one) => [one.column, one]));
  } finally {
    await source.close();
  }
}

const column = (cells: readonly string[]): string =>
  ["c,n", ...cells.map((c, n) => `${c},${n}`)].join("\n");

describe("what a column looks like", () => {
  it.each([
    ["gtin", ["9506000134352", "96385074"]],
    ["integer", ["1", "2", "007"]],
    ["number", ["1.5", "2", "-0.25"]],
    ["date", ["2026-11-20", "20.11.2026"]],
    ["date", ["2026-11-20 00:00:00", "2026-11-21T00:00"]],
    // A column of dates would leave the time out.
    ["text", ["2026-11-20 18:00", "2026-11-21 06:30"]],
    // Its digits are a GTIN-8.
    ["date", ["2026-01-01"]],
    ["url", ["https://a.example/", "http://b.example/x"]],
    ["email", ["a@b.example", "c@d.example"]],
    ["boolean", ["yes", "no"]],
    ["text", ["a", "1", "2"]],
    ["text", ["", ""]],
  ])("%s: %j", async (type, cells) => {
    expect((await profile(column(cells)))["c"]?.type).toBe(type);
  });

  it("is what nearly all cells are; the others are reported with their line", async () => {
    const cells = Array.from({ length: 19 }, (_, n) => `https://a.example/${n}`);
    const { c } = await profile(column([...cells, "htp://b.example"]));
    expect(c).toMatchObject({
      type: "url",
      filled: 20,
      oddCount: 1,
      odd: [{ line: 21, text: "htp://b.example", rule: "must be a URL" }],
      examples: ["https://a.example/0", "https://a.example/1", "https://a.example/2"],
    });
  });

  it("shows numbers that lost digits as the file has them, and names no rows by them", async () => {
    const book = makeXlsx({
      sheets: [
        {
          rows:
            row(1, ["ean", "n"]) +
            row(2, [number("12345678901234567000"), "a"]) +
            row(3, [number("12345678901234568000"), "b"]),
        },
      ],
    });
    const { ean, n } = await profile(book);
    expect(ean).toMatchObject({
      type: "text",
      examples: ["12345678901234567000", "12345678901234568000"],
      isUnique: false,
      misses: 2,
    });
    expect(n?.isUnique).toBe(true);
  });

  it("takes the links of a column of addresses, as its type does", async () => {
    const addresses = Array.from({ length: 19 }, (_, at) => `https://a.example/${at}`);
    const shown = [...addresses, "Shop link"];
    const book = makeXlsx({
      sheets: [
        {
          rows: row(1, ["url"]) + shown.map((text, at) => row(at + 2, [text])).join(""),
          after: '<hyperlinks><hyperlink ref="A21" r:id="r1"/></hyperlinks>',
          links: { r1: "https://a.example/shop" },
        },
      ],
    });
    expect((await profile(book))["url"]).toMatchObject({ type: "url", odd: [], oddCount: 0 });
  });

  it("shows which columns name their rows", async () => {
    const { c, n } = await profile(column(["a", "b", "a"]));
    expect([c?.isUnique, n?.isUnique]).toEqual([false, true]);
    expect((await profile(column(["a", "", "b"])))["c"]?.isUnique).toBe(false);
  });
});
