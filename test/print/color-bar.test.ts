import { sayPressWarning } from "../../src/base/shapes/press-warning.ts";
import { describe, expect, it } from "vitest";

import { colorBar } from "../../src/print/draw/color-bar.ts";
import { cropMarks, registrationPlaces } from "../../src/print/draw/marks.ts";
import { makePageFrame } from "../../src/print/layout/page-frame.ts";
import { listSheets, loadSheet } from "../../src/print/layout/sheet-files.ts";
import { slugBand } from "../../src/print/draw/slug.ts";
import { planSheets } from "../../src/print/sheets.ts";

describe("the colour bar", () => {
  it("is five shades of black in one row, solid first", async () => {
    const sheet = await loadSheet("a4-24up-63.5x33.9");
    const frame = makePageFrame(sheet, true, 600);
    const bar = colorBar(sheet, frame);
    expect(bar.map(({ shares }) => shares)).toEqual([[1], [0.75], [0.5], [0.25], [0.1]]);
    for (const [i, patch] of bar.entries()) {
      expect(patch.width).toBeCloseTo(5, 9);
      expect(patch.x).toBeCloseTo((bar[0]?.x ?? 0) + i * 5, 9);
    }
  });

  it.each([1, 3, 8])(
    "keeps clear of trim, marks and slug on every sheet, with a bleed of %d mm",
    async (bleedMm) => {
      for (const sheet of await listSheets()) {
        const frame = makePageFrame(sheet, true, undefined, bleedMm);
        const [first, ...rest] = colorBar(sheet, frame);
        if (first === undefined) continue;
        const right = first.x + first.width * (rest.length + 1);
        const top = first.y + first.height;
        expect(top).toBeLessThanOrEqual(frame.margins.bottom - bleedMm);
        expect(first.y).toBeGreaterThan((slugBand(sheet, frame)?.bottomMm ?? 0) + 6 / 2.83);
        expect(first.x).toBeGreaterThanOrEqual(frame.margins.left);
        expect(right).toBeLessThanOrEqual(frame.margins.left + frame.trimWidthMm);
        const hit = cropMarks(sheet, frame).filter(
          ({ x1, y1, y2 }) =>
            x1 > first.x - 0.5 && x1 < right + 0.5 && Math.min(y1, y2) < top && y1 > first.y,
        );
        expect([sheet.name, hit]).toEqual([sheet.name, []]);
        const target = registrationPlaces(sheet, frame)[1]?.x ?? 0;
        expect(target + 2.5 < first.x || target - 2.5 > right).toBe(true);
      }
    },
  );

  it("is left out with a warning where cuts leave no room", async () => {
    const base = await loadSheet("a4-24up-63.5x33.9");
    const label = { ...base.label, widthMm: 9, heightMm: 33.9 };
    const sheet = { ...base, label, columns: 20, perSheet: 160, leftMm: 15, pitchXMm: 9 };
    expect(colorBar({ ...sheet, columns: 22, leftMm: 6 }, makePageFrame(sheet, true, 600))).toEqual(
      [],
    );
    const options = {
      sheet: { ...sheet, columns: 22, leftMm: 6 },
      title: "x",
      createdAt: "2026-01-01T00:00:00Z",
      slug: { job: "x", input: "", inputHash: "", rehearsal: false },
      marks: ["bar"],
    } as const;
    expect(planSheets(options, { count: 1, maxVersion: 1 }).press.map(sayPressWarning)).toEqual([
      "the colour bar is left out: there is no room between the crop marks",
    ]);
  });
});
