import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import exceljs from "exceljs";
import { afterAll, expect, test } from "vitest";

import { PLAIN_SOURCE } from "../../src/job/job.ts";
import { findFullestSheet } from "../../src/read/files/fullest-sheet.ts";
import { openXlsx } from "../../src/read/xlsx/xlsx.ts";

const folder = mkdtempSync(path.join(tmpdir(), "fullest-sheet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Rows = readonly (readonly (string | number)[])[];

async function find(
  sheets: Readonly<Record<string, Rows>>,
  open?: typeof openXlsx,
): Promise<string | undefined> {
  const book = new exceljs.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name);
    for (const row of rows) sheet.addRow([...row]);
  }
  const file = path.join(folder, "book.xlsx");
  writeFileSync(file, new Uint8Array(await book.xlsx.writeBuffer()));
  return findFullestSheet({ ...PLAIN_SOURCE, file }, open);
}

const list = (count: number, width = 3): Rows => [
  Array.from({ length: width }, (_, at) => `Spalte ${at + 1}`),
  ...Array.from({ length: count }, (_, n) => Array.from({ length: width }, () => `x${n}`)),
];
const words = (count: number): Rows => Array.from({ length: count }, (_, n) => [`Hinweis ${n}`]);

test.each([
  ["a long cover", { Deckblatt: words(8), Daten: list(4) }, "Daten"],
  ["an empty first sheet", { Leer: [], Daten: list(1) }, "Daten"],
  ["a list of choices behind", { Daten: list(20), Auswahl: list(9, 1) }, "Daten"],
  [
    "figures without a header",
    { Zahlen: Array.from({ length: 9 }, (_, n) => [n, n, n]), Daten: list(2) },
    "Daten",
  ],
  ["two of a size", { Januar: list(3), Februar: list(3) }, "Januar"],
  ["nothing but covers", { A: [], B: [] }, "A"],
] as const)("%s", async (_, sheets, name) => {
  expect(await find(sheets)).toBe(name);
});

test("a workbook of many sheets is opened once", async () => {
  let opened = 0;
  const names = Array.from({ length: 12 }, (_, n) => `Blatt ${n}`);
  const sheets = Object.fromEntries(names.map((name, n) => [name, list(n === 7 ? 9 : 3)]));
  const counted: typeof openXlsx = (...given) => {
    opened += 1;
    return openXlsx(...given);
  };
  expect(await find(sheets, counted)).toBe("Blatt 7");
  expect(opened).toBe(1);
});

test("one sheet, or a CSV file, is no choice", async () => {
  expect(await find({ Daten: list(2) })).toBeUndefined();
  const file = path.join(folder, "list.csv");
  writeFileSync(file, "a,b\n1,2\n");
  expect(await findFullestSheet({ ...PLAIN_SOURCE, file })).toBeUndefined();
});
