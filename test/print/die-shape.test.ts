import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import type { OwnSheet } from "../../src/base/shapes/own-sheet.ts";
import { newOnSheets } from "../../src/print/draw/edition.ts";
import { overshootMm, safeBox, safeSquareMm } from "../../src/print/layout/die-shape.ts";
import type { LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { planSheets, type SheetOptions } from "../../src/print/sheets.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob, proveJob } from "../verify/press.ts";
import { box, makeArt, makeCode, makeText, ownSheet } from "./make-art.ts";

const own = (changes: Partial<OwnSheet>): LabelSheet =>
  ownSheet({ label: [40, 40], gutter: [6, 6], ...changes });

/** Distance of a point from a circle's edge, measured from its middle: the long way round. */
const insideCircle = (diameter: number, x: number, y: number): number =>
  diameter / 2 - Math.hypot(x - diameter / 2, y - diameter / 2);

const prove = (changes: Partial<SheetOptions>, count = 5) => proveJob(changes, count);

const plan = (changes: Partial<SheetOptions> & { sheet: LabelSheet }) =>
  planSheets(
    {
      title: "x",
      createdAt: "2026-01-01T00:00:00Z",
      slug: { job: "x", input: "", inputHash: "", rehearsal: false },
      marks: [],
      ...changes,
    },
    { count: 1, maxVersion: 3 },
  );

describe("the safe area of dies (docs/spec/print.md section 3)", () => {
  it("holds its box and its square, in every shape", () => {
    const label = fc.record({
      shape: fc.constantFrom("rectangle" as const, "round" as const, "oval" as const),
      widthMm: fc.integer({ min: 12, max: 150 }),
      heightMm: fc.integer({ min: 12, max: 150 }),
      share: fc.double({ min: 0, max: 0.5, noNaN: true }),
      safeMm: fc.double({ min: 0, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(label, ({ share, safeMm, ...rest }) => {
        const heightMm = rest.shape === "round" ? rest.widthMm : rest.heightMm;
        const cornerRadiusMm = share * Math.min(rest.widthMm, heightMm);
        const die = { ...rest, heightMm, cornerRadiusMm };
        const side = safeSquareMm(die, safeMm);
        const square = box((die.widthMm - side) / 2, (heightMm - side) / 2, side, side);
        expect(overshootMm(die, safeMm, safeBox(die, safeMm))).toBeLessThan(1e-6);
        expect(overshootMm(die, safeMm, square)).toBeLessThan(1e-6);
        const { width, height } = safeBox(die, safeMm);
        expect(side).toBeGreaterThanOrEqual(Math.min(width, height) - 1e-6);
        // Nothing larger fits: one tenth more and it runs out.
        const more = side + 0.1;
        const larger = box((die.widthMm - more) / 2, (heightMm - more) / 2, more, more);
        expect(overshootMm(die, safeMm, larger)).toBeGreaterThan(0);
      }),
    );
  });

  it.each([
    ["by its radius", own({ radius: 20 })],
    ["by its shape", own({ shape: "round" })],
  ])("a round label %s keeps code and quiet zone clear of the cut", async (_name, sheet) => {
    for (const captionLines of [0, 2]) {
      const { job, proof } = await prove({ sheet, captionLines, dieLine: {}, marks: ["crop"] });
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(5);
      for (const { label, code, xMm } of job.written.cells) {
        const [left, top] = [code.x - label.x - 4 * xMm, code.y - label.y - 4 * xMm];
        const side = code.width + 8 * xMm;
        for (const [x, y] of [
          [left, top],
          [left + side, top],
          [left, top + side],
          [left + side, top + side],
        ])
          expect(insideCircle(40, x ?? 0, y ?? 0)).toBeGreaterThan(3 - 0.01);
      }
    }
  });

  it("ovals and stadiums take larger codes than the box inside of them", async () => {
    const stadium = own({ label: [60, 30], radius: 15 });
    const { job, proof } = await prove({ sheet: stadium, captionLines: 0, dieLine: {}, safeMm: 2 });
    expect(proof.findings).toEqual([]);
    const { code, xMm } = job.written.cells[0] ?? { code: box(0, 0, 0, 0), xMm: 0 };
    expect(code.width + 8 * xMm).toBeGreaterThan(24);
    const oval = await prove({ sheet: own({ label: [60, 40], shape: "oval" }), dieLine: {} });
    expect(oval.proof.findings).toEqual([]);
    expect(oval.proof.decoded).toBe(5);
  });

  it("the plan says in millimetres what doesn't fit", () => {
    const sheet = own({ shape: "round" });
    const out = plan({ sheet, label: makeArt(makeCode(box(8, 4, 26, 26))) });
    expect(out.problems.map(({ message }) => message).join()).toMatch(
      /must stay 3 mm inside of the label's outline, got 8, 4, 26, 26: a corner runs 4\.26 mm too far out/u,
    );
    expect(plan({ sheet, label: makeArt(makeCode(box(8.2, 8.2, 23.6, 23.6))) }).problems).toEqual(
      [],
    );
    // Wide and low in the middle of a circle: inside it, though outside of the greatest square.
    const low = makeArt(makeCode(box(8.2, 8.2, 23.6, 20)), makeText(0, box(11, 30.5, 18, 3)));
    expect(plan({ sheet, label: low }).problems).toEqual([]);
  });

  it("is found out of by the proof", async () => {
    const sheet = own({});
    const job = await makePressJob({ sheet, captionLines: 0 }, 2);
    const round = {
      ...job.options,
      sheet: { ...sheet, label: { ...sheet.label, cornerRadiusMm: 20 } },
    };
    const { volumes, cells } = job.written;
    const proof = await verifySheets({ options: round, volumes, cells, workers: 1 });
    expect(new Set(proof.findings.map(({ rule }) => rule))).toEqual(new Set(["safe-area"]));
  });

  it("small corners change nothing, large ones change the fingerprint", async () => {
    const base = { title: "x", createdAt: "", marks: [] } as unknown as SheetOptions;
    expect(await newOnSheets({ ...base, sheet: own({ radius: 3 }) }, 1)).toEqual([]);
    expect(await newOnSheets({ ...base, sheet: own({ radius: 20 }) }, 1)).toEqual(["corners"]);
    expect(safeBox(own({ radius: 3 }).label, 3)).toEqual(box(3, 3, 34, 34));
    expect(() => own({ label: [40, 30], shape: "round" })).toThrow(/measures must agree/u);
  });
});

it("margins that hold no slug line are no missing margins in its warning", () => {
  const { warnings } = plan({ sheet: own({ label: [40, 57], gutter: [0, 0], margin: 5 }) });
  const says = "has no room above or below its labels for the slug line; it is left out";
  expect(warnings.join()).toContain(says);
});
