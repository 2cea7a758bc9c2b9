import { describe, expect, it } from "vitest";

import { contains, overlaps } from "../../src/print/layout/box.ts";
import { captionBox, codeSquare, layoutLabel } from "../../src/print/layout/label-layout.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob } from "../verify/press.ts";

const places = ["beside", "below", "above"] as const;
const stocks = ["avery-l7159", "avery-l7651", "avery-l7165"];

describe("where captions stand (docs/labels.md)", () => {
  it.each(stocks)("%s: code and caption lie apart, inside the safe area", async (name) => {
    const sheet = await loadSheet(name, process.cwd());
    for (const captionPlace of places) {
      const layout = layoutLabel(sheet, 1.6, 2, { captionPlace, captionLinePt: 7 });
      const code = codeSquare(layout, layout.codeSideMm);
      const caption = captionBox(layout, layout.codeSideMm);
      if (caption === undefined) throw new Error("a caption must have room");
      expect(contains(layout.safe, code, 1e-6)).toBe(true);
      expect(contains(layout.safe, caption, 1e-6)).toBe(true);
      expect(overlaps(code, caption, 1e-6)).toBe(false);
      const [first, second] = captionPlace === "above" ? [caption, code] : [code, caption];
      if (captionPlace === "beside") expect(second.x).toBeGreaterThan(first.x + first.width - 1e-6);
      else expect(second.y).toBeGreaterThan(first.y + first.height - 1e-6);
    }
  });

  it("defaults look as before", async () => {
    const sheet = await loadSheet("avery-l7159", process.cwd());
    expect(layoutLabel(sheet, 1.6, 2, {})).toEqual(layoutLabel(sheet, 1.6, 2));
    expect(layoutLabel(sheet, 1.6, 2, { captionPlace: "below", captionLinePt: 8 })).toEqual(
      layoutLabel(sheet, 1.6, 2, { captionPlace: "below" }),
    );
  });

  it("a code over or under its caption is aligned with it", async () => {
    const sheet = await loadSheet("avery-l7159", process.cwd());
    const { safe } = layoutLabel(sheet, 1.6, 2);
    const leftOf = (captionAlign?: "left" | "center" | "right"): number =>
      codeSquare(layoutLabel(sheet, 1.6, 2, { captionPlace: "above", captionAlign }), 15).x;
    expect(leftOf("left")).toBeCloseTo(safe.x, 6);
    expect(leftOf("right")).toBeCloseTo(safe.x + safe.width - 15, 6);
    expect(leftOf("center")).toBe(leftOf());
  });

  it.each(places)(
    "captions %s of their codes are proven, however they are aligned",
    async (place) => {
      for (const captionAlign of ["left", "center", "right"] as const) {
        const changes = { captionPlace: place, captionAlign, captionPt: 7, captionLinePt: 7 };
        const { options, written } = await makePressJob(
          { ...changes, captionBold: "first-line" },
          3,
        );
        const { volumes, cells } = written;
        const proof = await verifySheets({ options, volumes, cells, workers: 1 });
        expect(proof.findings).toEqual([]);
        expect(proof.decoded).toBe(3);
      }
    },
  );
});
