import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it } from "vitest";

import { type BoxMm, contains, overlaps } from "../../src/print/layout/box.ts";
import {
  moduleMm,
  placeCode,
  type SizeRule,
  zoneModules,
} from "../../src/print/layout/code-size.ts";
import { offGridPx } from "../../src/print/layout/device-grid.ts";
import { captionBox, defaultSafeMm, layoutLabel } from "../../src/print/layout/label-layout.ts";
import { cellBox, type LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { makePageFrame, toPageBoxes, toPageX, toPageY } from "../../src/print/layout/page-frame.ts";
import { listSheets } from "../../src/print/layout/sheet-files.ts";
import { sizeOfVersion } from "../../src/qr/encode/tables.ts";

let sheets: readonly LabelSheet[] = [];
beforeAll(async () => {
  sheets = await listSheets();
});

const anyRule = fc.record({
  dpi: fc.constantFrom(undefined, 203, 300, 600, 1200, 2400),
  version: fc.integer({ min: 1, max: 12 }),
  captionLines: fc.integer({ min: 0, max: 3 }),
  hasMarks: fc.boolean(),
  wanted: fc.constantFrom<Partial<SizeRule>>({}, { xDimensionMm: 0.4 }, { qrSizeMm: 15 }),
});

interface Placed {
  readonly safe: BoxMm;
  readonly zone: BoxMm;
  readonly symbol: BoxMm;
  readonly room: BoxMm | undefined;
  readonly origin: readonly [number, number];
  readonly xMm: number;
}

function place(
  sheet: LabelSheet,
  {
    dpi,
    version,
    captionLines,
    hasMarks,
    wanted,
  }: {
    dpi: number | undefined;
    version: number;
    captionLines: number;
    hasMarks: boolean;
    wanted: Partial<SizeRule>;
  },
): Placed | undefined {
  const layout = layoutLabel(sheet, defaultSafeMm(sheet), captionLines);
  const frame = makePageFrame(sheet, hasMarks, dpi);
  const cell = cellBox(sheet, sheet.rows - 1, sheet.columns - 1);
  const size = sizeOfVersion(version);
  const rule = { ...wanted, dpi };
  const fixed = wanted.xDimensionMm !== undefined || wanted.qrSizeMm !== undefined;
  const reserved = fixed
    ? zoneModules(size) * moduleMm(rule, size, layout.codeSideMm)
    : layout.codeSideMm;
  const placed =
    reserved > layout.codeSideMm
      ? undefined
      : placeCode({ layout, cell, frame, rule }, size, reserved);
  if (placed === undefined) return undefined;
  const room = captionBox(layout, reserved);
  return {
    ...placed,
    safe: { ...layout.safe, x: cell.x + layout.safe.x, y: cell.y + layout.safe.y },
    room: room === undefined ? undefined : { ...room, x: cell.x + room.x, y: cell.y + room.y },
    origin: [
      toPageX(frame, placed.symbol.x),
      toPageY(frame, placed.symbol.y + placed.symbol.height),
    ],
  };
}

describe("placing codes", () => {
  it("keeps code and quiet zone in the safe area, clear of the caption, on the grid, on every sheet", () => {
    let count = 0;
    fc.assert(
      fc.property(fc.nat(), anyRule, (index, given) => {
        const sheet = sheets[index % sheets.length];
        const placed = sheet === undefined ? undefined : place(sheet, given);
        if (placed === undefined) return;
        count += 1;
        const { safe, zone, symbol, room, origin, xMm } = placed;
        expect(contains(safe, zone, 1e-6)).toBe(true);
        expect(zone.width).toBeCloseTo(zoneModules(sizeOfVersion(given.version)) * xMm, 6);
        expect(symbol.x - zone.x).toBeCloseTo(4 * xMm, 6);
        // The grid may push the zone by up to a pixel towards the caption; the gap of 1 mm takes that.
        const text = room === undefined || room.width === 0 || room.height === 0 ? undefined : room;
        expect(text !== undefined && overlaps(zone, text, 1e-6)).toBe(false);
        const { dpi = 1 } = given;
        const off =
          given.dpi === undefined
            ? 0
            : Math.max(...[xMm, ...origin].map((mm) => offGridPx(mm, dpi)));
        expect(off).toBeLessThan(1e-4);
      }),
      { numRuns: 2000 },
    );
    expect(count).toBeGreaterThan(800);
  });

  it("fills the square when nothing is wanted: one more pixel would not fit", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(300, 600, 1200), (index, dpi) => {
        const sheet = sheets[index % sheets.length];
        if (sheet === undefined) return;
        const layout = layoutLabel(sheet, defaultSafeMm(sheet), 0);
        const placed = place(sheet, {
          dpi,
          version: 3,
          captionLines: 0,
          hasMarks: false,
          wanted: {},
        });
        const next = ((placed?.xMm ?? 0) + (2 * 25.4) / dpi) * zoneModules(29);
        expect(next).toBeGreaterThan(layout.codeSideMm);
      }),
    );
  });

  it("answers undefined when the code is larger than the label", () => {
    const sheet = sheets.find(({ name }) => name === "avery-5167");
    if (sheet === undefined) throw new Error("sheet is missing");
    const layout = layoutLabel(sheet, 1.6, 0);
    const frame = makePageFrame(sheet, false, 600);
    const input = {
      layout,
      cell: cellBox(sheet, 0, 0),
      frame,
      rule: { xDimensionMm: 2, dpi: 600 },
    };
    expect(placeCode(input, 29, 74)).toBeUndefined();
  });
});

describe("layouts", () => {
  it("put the caption where the code keeps more room", () => {
    const names = ["a4-24up-63.5x33.9", "avery-3274.1", "dymo-30252"];
    const found = names.flatMap((name) => sheets.filter((sheet) => sheet.name === name));
    expect(found.map((sheet) => layoutLabel(sheet, 1.6, 2).arrangement)).toEqual([
      "side",
      "below",
      "below",
    ]);
  });

  it("stay inside a round label's outline", () => {
    const sheet = sheets.find(({ name }) => name === "avery-5293");
    if (sheet === undefined) throw new Error("sheet is missing");
    const { safe } = layoutLabel(sheet, 1.6, 1);
    const radius = sheet.label.widthMm / 2;
    for (const x of [safe.x, safe.x + safe.width]) {
      for (const y of [safe.y, safe.y + safe.height])
        expect(Math.hypot(x - radius, y - radius)).toBeLessThanOrEqual(radius - 1.6 + 1e-9);
    }
  });
});

describe("page frames", () => {
  it("grow for marks, never change the trimmed size, and nest", () => {
    for (const sheet of sheets) {
      const { media, bleed, trim } = toPageBoxes(makePageFrame(sheet, true, 600));
      const [left = 0, , right = 0] = trim;
      expect(right - left).toBeCloseTo((sheet.page.widthMm * 72) / 25.4, 2);
      for (const [i, sign] of [1, 1, -1, -1].entries()) {
        const [outer = 0, middle = 0, inner = 0] = [media[i], bleed[i], trim[i]];
        expect((middle - outer) * sign).toBeGreaterThan(1);
        expect((inner - middle) * sign).toBeGreaterThan(1);
      }
    }
  });

  it("are whole pixels wide and high when there is a grid", () => {
    // Paper is as large as it is.
    for (const sheet of sheets.filter(({ paper }) => paper === undefined)) {
      for (const dpi of [203, 600, 2400]) {
        const { media } = toPageBoxes(makePageFrame(sheet, true, dpi));
        for (const pt of media) expect(offGridPx((pt * 25.4) / 72, dpi)).toBeLessThan(0.02);
      }
    }
  });

  it("are the sheet itself without marks", () => {
    for (const sheet of sheets) {
      const { media, trim } = toPageBoxes(makePageFrame(sheet, false, 600));
      expect(media).toEqual(trim);
    }
  });
});
