import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { writeSheetMap, type SheetMapCell } from "../../src/pack/sheet-map.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();

function* cells(count: number): Generator<SheetMapCell> {
  for (let i = 0; i < count; i += 1) {
    const page = Math.floor(i / 4) + 1;
    const row = (Math.floor(i / 2) % 2) + 1;
    const payloadSha256 = sha256(`https://e.com/${i}`);
    yield { page, row, column: (i % 2) + 1, key: `k "${i}"\n`, payloadSha256 };
  }
}

test("names every cell with its row and the hash of its payload", async () => {
  const file = scratch("sheet-map.json");
  const volumes = [
    { file: "a.pdf", sha256: "f".repeat(64), pages: 2, cells: stream(cells(5)) },
    { file: "a-2.pdf", sha256: "e".repeat(64), pages: 1, cells: cells(1) },
    { file: "empty.pdf", sha256: "d".repeat(64), pages: 0, cells: [] },
  ];
  await writeSheetMap(file, { job: "tables \u2028", sheet: "a4-4up", volumes: stream(volumes) });
  const map = JSON.parse(readFileSync(file, "utf8"));
  expect(map).toMatchObject({ version: 1, job: "tables \u2028", sheet: "a4-4up" });
  expect(map.volumes.map((volume: { cells: unknown[] }) => volume.cells.length)).toEqual([5, 1, 0]);
  expect(map.volumes[0]).toMatchObject({ file: "a.pdf", sha256: "f".repeat(64), pages: 2 });
  expect(map.volumes[0].cells[4]).toEqual({
    page: 2,
    row: 1,
    column: 1,
    key: 'k "4"\n',
    payloadSha256: sha256("https://e.com/4"),
  });
});

test("no volumes, and the same bytes twice", async () => {
  const map = { job: "j", sheet: "s", volumes: [] };
  const one = await writeSheetMap(scratch("1.json"), map);
  const two = await writeSheetMap(scratch("2.json"), map);
  expect(two.sha256).toBe(one.sha256);
  expect(JSON.parse(readFileSync(one.file, "utf8")).volumes).toEqual([]);
});
