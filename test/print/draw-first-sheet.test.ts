/** What is looked at before a run is what the run prints: the same bytes, from fewer records. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  drawFirstSheet,
  drawOneLabel,
  firstSheetNeeds,
} from "../../src/print/draw/draw-first-sheet.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { writeSheets, type SheetOptions, type SheetRecord } from "../../src/print/sheets.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { ownSheet } from "./make-art.ts";

const folder = mkdtempSync(path.join(tmpdir(), "first-sheet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let options: SheetOptions;
beforeAll(async () => {
  options = {
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "Shelves",
    createdAt: "2026-11-20T10:00:00Z",
    slug: { job: "shelves", input: "shelves.csv", inputHash: "9f86d081", rehearsal: true },
    marks: ["crop"],
  };
});

const records = Array.from({ length: 60 }, (_, n): SheetRecord => ({
  key: `A-${n}`,
  payload: `https://example.com/${n}`,
  level: "M",
  caption: [`Shelf ${n}`],
}));

describe("the first sheet", () => {
  it.each<[string, Partial<SheetOptions>, number]>([
    ["row by row", {}, 24],
    ["from a part-used sheet", { start: 7 }, 18],
    ["with copies side by side", { copies: 5 }, 5],
    ["with copies in series", { copies: 2, copyOrder: "series" }, 10_000],
    ["the last row first", { reverse: true, corner: "bottom-right" }, 10_000],
    ["through the cut pile", { order: "cut-and-stack" }, 10_000],
    ["with a back", { back: { label: undefined, background: undefined, flip: "long-edge" } }, 24],
  ])("%s: the bytes that are printed", async (name, changes, least) => {
    const job = { ...options, ...changes, count: records.length };
    const file = path.join(folder, `${name}.pdf`);
    await writeSheets(job, records, file, { only: new Set([1]) });
    const needs = firstSheetNeeds(job);
    const looked = await drawFirstSheet(job, records.slice(0, needs));
    expect(needs).toBeGreaterThanOrEqual(Math.min(least, records.length));
    expect(Buffer.from(looked.bytes).equals(readFileSync(file))).toBe(true);
  });
});

it("knows the labels that are gone from a part-used sheet", async () => {
  const job = { ...options, start: 4, corner: "top-right" } as const;
  const { used, cells } = await drawFirstSheet(job, records.slice(0, 1));
  expect(used.map(({ x, y }) => [x, y])).toEqual([
    [139.25, 12.9],
    [73.25, 12.9],
    [7.25, 12.9],
  ]);
  expect([cells[0]?.row, cells[0]?.column]).toEqual([2, 3]);
});

describe("one label", () => {
  it("shows the part of the sheet where it lies", async () => {
    const [record] = records.slice(3);
    const looked = await drawOneLabel(
      { ...options, start: 5 },
      { record: record as SheetRecord, row: 3 },
    );
    const [view] = looked.views;
    const [cell] = looked.cells;
    expect([cell?.row, cell?.column, cell?.key]).toEqual([2, 2, "A-3"]);
    expect(view?.x).toBeCloseTo((cell?.label.x ?? 0) - 2);
    expect(view?.y).toBeCloseTo((cell?.label.y ?? 0) - 2);
    expect(view?.width).toBeCloseTo(67.5);
    expect(view?.height).toBeCloseTo(37.9);
    const pdf = await openRenderer(looked.bytes);
    const { rgba, width, height } = await pdf.paint(0, { width: 675, height: 379 });
    // As a scan reads it: each colour as grey as it is bright.
    const [colors, greys] = [await pdf.paintLong(0, 300), await pdf.greyLong(0, 300)];
    const lumaAt = (at: number): number =>
      (306 * colors.rgba[at]! + 601 * colors.rgba[at + 1]! + 117 * colors.rgba[at + 2]! + 512) >>
      10;
    expect([greys.width, greys.height]).toEqual([colors.width, colors.height]);
    expect([...greys.data]).toEqual(Array.from(greys.data, (_, at) => lumaAt(at * 4)));
    pdf.close();
    expect([width, height, rgba.length]).toEqual([675, 379, 675 * 379 * 4]);
    // The code's upper left eye begins with its dark edge; around the label is white paper.
    const at = (xMm: number, yMm: number): number =>
      rgba[(Math.round(yMm * 10) * width + Math.round(xMm * 10)) * 4] ?? -1;
    const code = {
      x: (cell?.code.x ?? 0) - (view?.x ?? 0),
      y: (cell?.code.y ?? 0) - (view?.y ?? 0),
    };
    expect([at(code.x + 0.3, code.y + 0.3), at(1, 1)]).toEqual([expect.any(Number), 255]);
    expect(at(code.x + 0.3, code.y + 0.3)).toBeLessThan(60);
  });

  it("never looks beyond the page, as on a roll that its labels fill", async () => {
    const roll = { page: null, roll: 50, label: [50, 30], gutter: [0, 2], margin: null } as const;
    const sheet = ownSheet({ ...roll, columns: 1, rows: 1 });
    const [record] = records;
    const { views } = await drawOneLabel(
      { ...options, sheet, marks: [] },
      { record: record as SheetRecord, row: 0 },
    );
    expect(views).toEqual([{ x: 0, y: 0, width: 50, height: 32 }]);
  });
});
