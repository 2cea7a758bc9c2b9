import exceljs from "exceljs";
import { describe, expect, test } from "vitest";

import { makeColumnName } from "../../src/pack/column-name.ts";
import { writeXlsx, type XlsxCell } from "../../src/pack/xlsx.ts";
import { readZip } from "./read-zip.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();
const createdAt = new Date("2026-11-20T00:00:00Z");
const columns = [
  { header: "text", width: 20 },
  { header: "n", width: 8 },
];

async function readBack(file: string): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(file);
  return workbook;
}

async function roundTrip(name: string, rows: XlsxCell[][]): Promise<exceljs.Worksheet> {
  const file = scratch(name);
  await writeXlsx(file, { name: "Index", columns, rows: stream(rows) }, { createdAt });
  const sheet = (await readBack(file)).worksheets[0];
  if (sheet === undefined) throw new Error("no worksheet");
  return sheet;
}

describe("writeXlsx", () => {
  test("is read back by another program: text, numbers, gaps, bold frozen header", async () => {
    const sheet = await roundTrip("plain.xlsx", [
      ["Café ☕ <&> \"q\" 'a'", 7],
      [undefined, -1.5],
      ["  spaces \n lines\ttab ", undefined],
      ["\u05e9\u05d5\u05dc\u05d7\u05df", 0],
    ]);
    expect(sheet.name).toBe("Index");
    expect(sheet.getCell("A1").value).toBe("text");
    expect(sheet.getCell("A1").font.bold).toBe(true);
    expect(sheet.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
    expect(sheet.autoFilter).toBe("A1:B5");
    expect(sheet.getColumn(1).width).toBe(20);
    expect(sheet.getCell("A2").value).toBe("Café ☕ <&> \"q\" 'a'");
    expect(sheet.getCell("B2").value).toBe(7);
    expect(sheet.getCell("A3").value).toBeNull();
    expect(sheet.getCell("B3").value).toBe(-1.5);
    expect(sheet.getCell("A4").value).toBe("  spaces \n lines\ttab ");
    expect(sheet.getCell("B5").value).toBe(0);
  });

  test("a formula stays text", async () => {
    const sheet = await roundTrip("formula.xlsx", [['=HYPERLINK("http://evil","x")', 1]]);
    expect(sheet.getCell("A2").type).toBe(exceljs.ValueType.String);
    expect(sheet.getCell("A2").formula).toBeUndefined();
  });

  test("what XML or Excel can't hold is left out or written around", async () => {
    const sheet = await roundTrip("hostile.xlsx", [
      ["a\u0000b\u0008c\uffff]]>", 1],
      ["lone \ud800 half", 2],
      ["_x0041_ and _x000D_", 3],
      ["x".repeat(40_000), 4],
    ]);
    expect(sheet.getCell("A2").value).toBe("abc]]>");
    expect(sheet.getCell("A3").value).toBe("lone \ufffd half");
    expect(sheet.getCell("A5").text.length).toBe(32_767);
    const { entries } = readZip(scratch("hostile.xlsx"));
    const xml = entries.find(({ name }) => name === "xl/worksheets/sheet1.xml");
    expect(xml?.data.toString()).toContain("_x005F_x0041_ and _x005F_x000D_");
  });

  test("goes on to the next worksheet when one is full", async () => {
    const file = scratch("long.xlsx");
    const rows = Array.from({ length: 25 }, (_, i) => [`row ${i}`, i]);
    const table = { name: "A very long name of a worksheet: [x]", columns, rows };
    await writeXlsx(file, table, { createdAt, maxRows: 10 });
    const { worksheets } = await readBack(file);
    expect(worksheets.map(({ name, rowCount }) => [name, rowCount])).toEqual([
      ["A very long name of a worksheet", 11],
      ["A very long name of a workshe 2", 11],
      ["A very long name of a workshe 3", 6],
    ]);
    expect(worksheets[2]?.getCell("A2").value).toBe("row 20");
  });

  test("exactly full makes no empty worksheet, none at all makes one", async () => {
    const full = scratch("full.xlsx");
    const rows = Array.from({ length: 10 }, (_, i) => ["x", i]);
    await writeXlsx(full, { name: "I", columns, rows }, { createdAt, maxRows: 5 });
    expect((await readBack(full)).worksheets.length).toBe(2);
    const none = scratch("none.xlsx");
    await writeXlsx(none, { name: "I", columns, rows: [] }, { createdAt });
    expect((await readBack(none)).worksheets.map((sheet) => sheet.rowCount)).toEqual([1]);
  });

  test("pictures lie within their cells, in their proportions, and are dated as all parts", async () => {
    const png = new Uint8Array([0x89, 0x50]);
    const rows: XlsxCell[][] = [
      [{ png, width: 200, height: 200 }, "square"],
      [undefined, "none"],
      [{ png, width: 100, height: 200 }, "high"],
    ];
    const file = scratch("pictures.xlsx");
    const wide = [{ header: "picture", width: 15 }, ...columns.slice(0, 1)];
    const table = { name: "I", columns: wide, rows: stream(rows), hasPictures: true };
    const { sha256 } = await writeXlsx(file, table, { createdAt });
    const [sheet] = (await readBack(file)).worksheets;
    const places = sheet?.getImages().map(({ range: { tl, br } }) => [
      [tl.nativeCol, tl.nativeRow, tl.nativeColOff / 9525, tl.nativeRowOff / 9525],
      [br.nativeCol, br.nativeRow, br.nativeColOff / 9525, br.nativeRowOff / 9525],
    ]);
    expect(places).toEqual([
      [
        [0, 1, 5, 5],
        [0, 1, 101, 101],
      ],
      [
        [0, 3, 5, 5],
        [0, 3, 53, 101],
      ],
    ]);
    expect(sheet?.getCell("B4").value).toBe("high");
    expect(sheet?.getRow(2).height).toBeCloseTo(79.5);
    const { entries } = readZip(file);
    expect(entries.filter(({ name }) => name.endsWith(".png")).length).toBe(2);
    const [streamed] = readZip(scratch("plain.xlsx")).entries;
    expect(new Set(entries.map(({ dosTime }) => dosTime))).toEqual(new Set([streamed?.dosTime]));
    const again = await writeXlsx(scratch("again.xlsx"), { ...table, rows }, { createdAt });
    expect(again.sha256).toBe(sha256);
  });

  test("same table, same bytes", async () => {
    const rows = Array.from({ length: 450 }, (_, i) => [`row ${i}`, i]);
    const one = await writeXlsx(scratch("1.xlsx"), { name: "I", columns, rows }, { createdAt });
    const table = { name: "I", columns, rows: stream(rows) };
    const two = await writeXlsx(scratch("2.xlsx"), table, { createdAt });
    expect(two.sha256).toBe(one.sha256);
  });
});

test.each([
  [0, "A"],
  [25, "Z"],
  [26, "AA"],
  [51, "AZ"],
  [52, "BA"],
  [701, "ZZ"],
  [702, "AAA"],
  [16_383, "XFD"],
])("column %i is %s", (index, name) => {
  expect(makeColumnName(index)).toBe(name);
});
