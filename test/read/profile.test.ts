import { describe, expect, it } from "vitest";

import { profileSource, type ColumnProfile } from "../../src/read/profile.ts";
import { openSource } from "../../src/read/source.ts";
import { makeSource, writeFile } from "./make-source.ts";

async function profile(content: string): Promise<Record<string, ColumnProfile>> {
  const source = await openSource(makeSource(writeFile("p.csv", content)));
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

  it("shows which columns name their rows", async () => {
    const { c, n } = await profile(column(["a", "b", "a"]));
    expect([c?.isUnique, n?.isUnique]).toEqual([false, true]);
    expect((await profile(column(["a", "", "b"])))["c"]?.isUnique).toBe(false);
  });
});
