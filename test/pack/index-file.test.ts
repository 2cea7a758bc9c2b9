import { readFileSync } from "node:fs";

import { parse } from "csv-parse/sync";
import exceljs from "exceljs";
import { expect, test } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { writeIndexCsv, writeIndexXlsx, type IndexRow } from "../../src/pack/index-file.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();
const createdAt = new Date("2026-11-20T00:00:00Z");
const HEADER = [
  "key",
  "line",
  "display_name",
  "folder",
  "id",
  "short_link",
  "destination",
  "type",
  "files",
  "zip",
  "sheet_file",
  "sheet",
  "row",
  "column",
  "sha256",
  "state",
];

const full: IndexRow = {
  key: "North/1",
  line: 2,
  displayName: "=cmd|'/C calc'!A0",
  folder: "Tables/North",
  id: "9f86d081-884c-4d65-9a2f-eaa0c55ad015",
  shortLink: "http://127.0.0.1:8787/ab2cdefg",
  destination: 'https://example.com/?a=1&b="2"',
  type: "Link",
  files: ["artwork/north-1.svg", "artwork/north-1.png"],
  sha256: ["a".repeat(64), "b".repeat(64)],
  zip: "tables-north.zip",
  sheetFile: "tables-north.pdf",
  sheet: 1,
  row: 3,
  column: 2,
  state: "done",
};

const failed: IndexRow = {
  key: "North/2",
  line: 3,
  displayName: "Tisch 2, außen",
  folder: undefined,
  id: undefined,
  shortLink: undefined,
  destination: undefined,
  type: "Text",
  files: [],
  sha256: [],
  state: "failed",
};

test("index.csv has one line per row under a fixed header", async () => {
  const file = scratch("index.csv");
  const written = await writeIndexCsv(file, stream([full, failed]));
  const bytes = readFileSync(file);
  expect(written).toEqual({ file, bytes: bytes.length, sha256: sha256(bytes) });
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const records: string[][] = parse(bytes, { bom: true });
  expect(records[0]).toEqual(HEADER);
  expect(records[1]).toEqual([
    "North/1",
    "2",
    "'=cmd|'/C calc'!A0",
    "Tables/North",
    full.id,
    full.shortLink,
    full.destination,
    "Link",
    "artwork/north-1.svg | artwork/north-1.png",
    "tables-north.zip",
    "tables-north.pdf",
    "1",
    "3",
    "2",
    `${"a".repeat(64)} | ${"b".repeat(64)}`,
    "done",
  ]);
  expect(records[2]?.join("|")).toBe("North/2|3|Tisch 2, außen|||||Text||||||||failed");
});

test("index.xlsx is the same table, numbers as numbers", async () => {
  const file = scratch("index.xlsx");
  await writeIndexXlsx(file, [full, failed], { createdAt });
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(file);
  const sheet = workbook.getWorksheet("Index");
  expect(sheet?.getRow(1).values).toEqual([undefined, ...HEADER]);
  expect(sheet?.getCell("B2").value).toBe(2);
  expect(sheet?.getCell("C2").value).toBe("=cmd|'/C calc'!A0");
  expect(sheet?.getCell("L2").value).toBe(1);
  expect(sheet?.getCell("P3").value).toBe("failed");
});

test("index.xlsx has a column of pictures in front where it is to have them", async () => {
  const file = scratch("pictures.xlsx");
  const png = new Uint8Array([1, 2, 3]);
  const rows = [{ ...full, picture: { png, width: 9, height: 9 } }, failed];
  await writeIndexXlsx(file, rows, { createdAt, hasPictures: true });
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(file);
  const sheet = workbook.getWorksheet("Index");
  expect(sheet?.getRow(1).values).toEqual([undefined, "picture", ...HEADER]);
  expect(sheet?.getCell("B3").value).toBe("North/2");
  expect(sheet?.getImages().map(({ range }) => range.tl.nativeRow)).toEqual([1]);
  expect(new Uint8Array(workbook.getImage(0).buffer ?? new ArrayBuffer())).toEqual(png);
});

test("both are the same bytes on a second run", async () => {
  const hashes = await Promise.all(
    [1, 2].map(async (n) => [
      (await writeIndexCsv(scratch(`${n}.csv`), [full, failed])).sha256,
      (await writeIndexXlsx(scratch(`${n}.xlsx`), [full, failed], { createdAt })).sha256,
    ]),
  );
  expect(hashes[1]).toEqual(hashes[0]);
});
