import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it } from "vitest";

import { type CaptionFont, loadCaptionFont } from "../../src/print/fonts/font.ts";
import { cropMarks, cutPositions, registrationPlaces } from "../../src/print/draw/marks.ts";
import { makePageFrame } from "../../src/print/layout/page-frame.ts";
import { listSheets, loadSheet } from "../../src/print/layout/sheet-files.ts";
import {
  placeSlug,
  REHEARSAL_TEXT,
  slugBand,
  type SlugFacts,
  slugLines,
  spansOf,
} from "../../src/print/draw/slug.ts";

let font: CaptionFont;
beforeAll(async () => {
  font = await loadCaptionFont();
});

const facts: SlugFacts = {
  job: "table-codes",
  date: "2026-11-20",
  sheetNumber: 2,
  sheetCount: 7,
  volume: 1,
  side: "front",
  rows: [["north/25", "north/48"]],
  sheetName: "a4-24up-63.5x33.9",
  xWantedMm: undefined,
  xMm: [0.7197, 0.7197],
  deviceDpi: 600,
  calibration: undefined,
  input: "tables.csv",
  inputHash: "9f86d081884c7d659a2feaa0c55ad015",
  rehearsal: false,
};

describe("cut positions", () => {
  it("stand once where two labels share a cut, twice with a gutter", () => {
    expect(cutPositions(10, 30, 30, 3)).toEqual([10, 40, 70, 100]);
    expect(cutPositions(10, 32, 30, 2)).toEqual([10, 40, 42, 72]);
  });

  it("ascend strictly whatever the grid", () => {
    const grid = fc.tuple(
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.double({ min: 1, max: 80, noNaN: true }),
      fc.double({ min: 0, max: 9, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
    );
    fc.assert(
      fc.property(grid, ([first, size, gutter, count]) => {
        const cuts = cutPositions(first, size + gutter, size, count);
        for (const [i, cut] of cuts.entries()) expect(cut).toBeGreaterThan(cuts[i - 1] ?? -1);
        expect(cuts.length).toBeGreaterThanOrEqual(count + 1);
        expect(cuts.length).toBeLessThanOrEqual(2 * count);
      }),
    );
  });
});

describe("crop marks", () => {
  it("stand outside the bleed, on the page, two for each cut", async () => {
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const frame = makePageFrame(sheet, true, 600);
    const lines = cropMarks(sheet, frame);
    expect(lines).toHaveLength(2 * (6 + 9));
    const { left, bottom } = frame.margins;
    for (const { x1, y1, x2, y2 } of lines) {
      expect(Math.hypot(x2 - x1, y2 - y1)).toBeCloseTo(5, 9);
      for (const [x, y] of [
        [x1, y1],
        [x2, y2],
      ] as const) {
        const outside =
          x <= left - 3 + 1e-9 ||
          x >= left + 210 + 3 - 1e-9 ||
          y <= bottom - 3 + 1e-9 ||
          y >= bottom + 297 + 3 - 1e-9;
        expect(outside).toBe(true);
        expect(Math.min(x, y)).toBeGreaterThan(0);
      }
    }
  });
});

describe("registration targets", () => {
  it("stand in the middle of each side where no crop mark is near, and clear of every crop mark", async () => {
    for (const sheet of await listSheets()) {
      const frame = makePageFrame(sheet, true, 600);
      const crop = cropMarks(sheet, frame);
      const places = registrationPlaces(sheet, frame);
      expect(places).toHaveLength(4);
      // Very small labels leave no gap between the marks of their cuts.
      const tight = Math.min(sheet.label.widthMm, sheet.label.heightMm) < 7;
      for (const { x, y } of tight ? [] : places) {
        const touching = crop.filter(
          ({ x1, y1, x2, y2 }) =>
            Math.min(x1, x2) < x + 2.5 &&
            Math.max(x1, x2) > x - 2.5 &&
            Math.min(y1, y2) < y + 2.5 &&
            Math.max(y1, y2) > y - 2.5,
        );
        expect([sheet.name, touching]).toEqual([sheet.name, []]);
      }
    }
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const [above] = registrationPlaces(sheet, makePageFrame(sheet, true, 600));
    expect(above?.x).toBeCloseTo(10 + 105, 9);
  });
});

const rowsOf = (...rows: number[]): string | undefined =>
  /rows .*$/u.exec(
    slugLines({ ...facts, rows: spansOf(rows.map((row) => ({ row, key: `k${row}` }))) })[0] ?? "",
  )?.[0];

describe("the slug", () => {
  it("says what the sheet is", () => {
    expect(slugLines(facts)).toEqual([
      "table-codes · 2026-11-20 · sheet 2 of 7 · volume 1 · front · rows north/25 - north/48",
      "a4-24up-63.5x33.9 · X 0.7197 mm at 600 dpi · tables.csv 9f86d081884c",
    ]);
  });

  it("names exactly the rows of a sheet: copies again, overs, stacks and labels printed again", () => {
    expect(rowsOf(4, 5, 6)).toBe("rows k4 - k6");
    expect(rowsOf(4)).toBe("rows k4 - k4");
    expect(rowsOf(2, 3, 1, 2, 3)).toBe("rows k1 - k3");
    expect(rowsOf(8, 9, 0, 1)).toBe("rows k0 - k1, k8 - k9");
    expect(rowsOf(2, 2, 9, 9)).toBe("rows k2, k9");
    expect(rowsOf(0, 10, 20, 30)).toBe("rows k0, k10, k20, k30");
    expect(rowsOf(0, 10, 20, 30, 40, 50)).toBe("rows k0, k10, k20, …, k50");
  });

  it("keeps names that are written from the right apart from what stands beside them", () => {
    const [first = ""] = slugLines({ ...facts, job: "مطعم البحر", rows: [["ش", "north/48"]] });
    expect(first).toMatch(/^\u2068مطعم البحر\u2069 · 2026-11-20 · .*rows \u2068ش\u2069 - north/u);
  });

  it("begins with the rehearsal notice", () => {
    expect(slugLines({ ...facts, rehearsal: true })[0]).toMatch(
      new RegExp(`^${REHEARSAL_TEXT} · table-codes`, "u"),
    );
  });

  it("names the requested X and a span of sizes", () => {
    expect(
      slugLines({
        ...facts,
        xWantedMm: 0.396,
        xMm: [0.4, 0.5],
        deviceDpi: undefined,
        sheetCount: undefined,
      }),
    ).toEqual([
      expect.stringContaining("sheet 2 · volume"),
      expect.stringContaining("X 0.4000 to 0.5000 mm (wanted 0.396) ·"),
    ]);
  });

  it("shrinks, then cuts visibly, and shows what the font lacks as ?", async () => {
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const band = slugBand(sheet, makePageFrame(sheet, true, 600));
    if (band === undefined) throw new Error("plain paper has a margin");
    const wide = {
      ...facts,
      job: "Ж".repeat(90),
      rows: [["W".repeat(90), "北京"]] as const,
      input: "W".repeat(200),
    };
    const [first, second] = placeSlug(wide, { ...band, widthMm: 100 }, font);
    expect(first?.sizePt).toBeGreaterThanOrEqual(4);
    expect(first?.text).toMatch(/…$/u);
    for (const line of [first, second])
      expect(font.widthPt(line?.text ?? "", line?.sizePt ?? 9)).toBeLessThanOrEqual(
        (100 * 72) / 25.4,
      );
    expect(placeSlug({ ...facts, rows: [["north/25", "北京"]] }, band, font)[0]?.text).toMatch(
      /north\/25 - \?\?$/u,
    );
  });

  it("goes into the margin of pre-cut stock, and is left out without a margin", async () => {
    const roomy = await loadSheet("avery-5160");
    expect(slugBand(roomy, makePageFrame(roomy, false, 600))?.bottomMm).toBeLessThan(12.7 - 2);
    const full = await loadSheet("zweckform-3474");
    expect(slugBand(full, makePageFrame(full, false, 600))).toBeUndefined();
  });
});
