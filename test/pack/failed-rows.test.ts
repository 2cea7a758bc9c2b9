import { readFileSync } from "node:fs";

import { parse } from "csv-parse/sync";
import exceljs from "exceljs";
import { describe, expect, test } from "vitest";

import { writeFailedCsv, writeFailedXlsx, type FailedRow } from "../../src/pack/failed-rows.ts";
import { makeScratch } from "./scratch.ts";

const scratch = makeScratch();

async function readBack(header: string[], rows: FailedRow[]): Promise<string[][]> {
  const file = scratch("failed-rows.csv");
  expect(await writeFailedCsv(file, { header, rows })).toMatchObject({ file });
  return parse(readFileSync(file), { bom: true });
}

describe("writeFailedCsv", () => {
  test("keeps the columns and adds where and why", async () => {
    const records = await readBack(
      ["Site", "Link"],
      [
        { cells: ["Nörd", "htp://x"], line: 78, reasons: ['"Link" must be a URL, got "htp://x"'] },
        { cells: ["", "=1+1"], line: 80, reasons: ["Site is missing", "Link must be a URL"] },
      ],
    );
    expect(records).toEqual([
      ["Site", "Link", "line", "reason"],
      ["Nörd", "htp://x", "78", '"Link" must be a URL, got "htp://x"'],
      ["", "'=1+1", "80", "Site is missing; Link must be a URL"],
    ]);
  });

  test("short rows are filled, the surplus of long ones is named", async () => {
    const records = await readBack(
      ["a", "b"],
      [
        { cells: ["1"], line: 2, reasons: ["short"] },
        { cells: ["1", "2", "3", ""], line: 3, reasons: ["long"] },
      ],
    );
    expect(records[1]).toEqual(["1", "", "2", "short"]);
    expect(records[2]).toEqual(["1", "2", "3", 'long; cells beyond the header: ["3",""]']);
  });

  test("the source's own columns of these names stay what they are", async () => {
    const row = { cells: ["A7", "late", "x"], line: 9, reasons: ["bad"] };
    const [header] = await readBack(["Line ", "REASON", "reason-2"], [row]);
    expect(header).toEqual(["Line ", "REASON", "reason-2", "line-2", "reason-3"]);
  });
});

const cellsOf = (sheet: exceljs.Worksheet, row: number): unknown[] =>
  (sheet.getRow(row).values as unknown[]).slice(1);

describe("writeFailedXlsx", () => {
  const createdAt = new Date("2026-11-20T00:00:00Z");

  async function openSheet(header: string[], rows: FailedRow[], sheetName?: string) {
    const file = scratch("failed-rows.xlsx");
    await writeFailedXlsx(file, { header, rows }, { createdAt, sheetName });
    const book = new exceljs.Workbook();
    await book.xlsx.readFile(file);
    const [sheet] = book.worksheets;
    if (sheet === undefined) throw new Error("no worksheet");
    return sheet;
  }

  test("has the rows and columns of the CSV, below a frozen header", async () => {
    const header = ["Site", "Nr", "line"];
    const rows = [
      { cells: ["Nörd", "0012", "x"], line: 78, reasons: ["must be a URL", "must not be empty"] },
      { cells: ["a", "b", "c", "d"], line: 80, reasons: ["long"] },
    ];
    const sheet = await openSheet(header, rows);
    const records = await readBack(header, rows);
    expect([1, 2, 3].map((row) => cellsOf(sheet, row).map(String))).toEqual(records);
    expect(sheet.getCell("D2").value).toBe(78);
    expect(sheet.name).toBe("Failed rows");
    expect(sheet.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
  });

  test("cells of the source are text, whatever they look like or become", async () => {
    const texts = ["0012", "=1+1", "'=1+1", "1e5", "TRUE", "@SUM(A1)"];
    const sheet = await openSheet(texts, [{ cells: texts, line: 2, reasons: ["bad"] }]);
    expect(cellsOf(sheet, 2).slice(0, texts.length)).toEqual(texts);
    for (let at = 1; at <= texts.length; at += 1) {
      const cell = sheet.getRow(2).getCell(at);
      expect([cell.type, cell.formula, cell.numFmt]).toEqual([
        exceljs.ValueType.String,
        undefined,
        "@",
      ]);
    }
  });

  test("columns are as wide as what stands in them, within reason", async () => {
    const rows = [{ cells: ["x".repeat(20), "y".repeat(500), "z"], line: 2, reasons: ["bad"] }];
    const sheet = await openSheet(["a", "b", "c"], rows);
    expect([1, 2, 3, 4, 5].map((at) => sheet.getColumn(at).width)).toEqual([22, 48, 10, 10, 80]);
  });

  test("says which cells a workbook can't hold whole", async () => {
    const cells = ["x".repeat(40_000), "a\u0001b", "fine"];
    const rows = [{ cells, line: 2, reasons: ["bad"] }];
    const sheet = await openSheet(["long", "odd", "ok"], rows);
    expect(cellsOf(sheet, 2).at(-1)).toBe(
      'bad; a workbook can\'t hold all of "long", "odd": see failed-rows.csv',
    );
    expect((await readBack(["long", "odd", "ok"], rows))[1]?.at(-1)).toBe("bad");
  });

  test("names its worksheet as the job's, so that it can be fed back", async () => {
    const rows = [{ cells: ["x"], line: 2, reasons: ["bad"] }];
    expect((await openSheet(["a"], rows, "Tables")).name).toBe("Tables");
  });
});
