import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { makeFaces, safeLayout, scaleArt } from "../../src/print/fonts/face.ts";
import { backOf, makeImposition, orderModes } from "../../src/print/layout/imposition.ts";
import { cellBox, checkSheet, type LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { makeOwnSheet } from "../../src/print/layout/own-sheet.ts";
import { box, makeArt, makeCode, makeShape, makeText, toOwnSheet } from "./make-art.ts";

const anySheet: fc.Arbitrary<LabelSheet> = fc
  .record({
    label: fc.tuple(fc.integer({ min: 20, max: 90 }), fc.integer({ min: 15, max: 90 })),
    gutter: fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 10 })),
    margin: fc.integer({ min: 0, max: 15 }),
    page: fc.constantFrom("A4", "A3", "SRA3", "Letter"),
    offX: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ offX, ...changes }) => {
    const sheet = makeOwnSheet(toOwnSheet(changes));
    // Real stock is not always centred.
    return { ...sheet, leftMm: Math.max(0, sheet.leftMm - offX), measured: true };
  });

describe("backs (docs/spec/print.md section 8)", () => {
  it("lie exactly behind their fronts, in every order, off centre, too", () => {
    fc.assert(
      fc.property(
        anySheet,
        fc.constantFrom(...orderModes),
        fc.constantFrom("long-edge" as const, "short-edge" as const),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        (sheet, mode, flip, count, reverse) => {
          const options = { sheet, back: { flip } };
          const [front, back] = makeFaces(options, safeLayout(options, 0));
          expect(front?.sheet).toBe(sheet);
          if (back === undefined) throw new Error("there must be a back");
          const { rows, columns, page } = sheet;
          const placeOf = makeImposition({ rows, columns, count, mode, reverse });
          const seen = new Set<string>();
          for (let n = 0; n < count; n += 1) {
            const place = placeOf(n);
            const behind = backOf(place, sheet, flip);
            expect(backOf(behind, sheet, flip)).toEqual(place);
            seen.add(`${behind.sheet}/${behind.row}/${behind.column}`);
            const a = cellBox(sheet, place.row, place.column);
            const b = cellBox(back.sheet, behind.row, behind.column);
            const turned =
              flip === "long-edge"
                ? { ...b, x: page.widthMm - b.x - b.width }
                : { ...b, y: page.heightMm - b.y - b.height };
            expect(turned.x).toBeCloseTo(a.x, 3);
            expect(turned.y).toBeCloseTo(a.y, 3);
          }
          expect(seen.size).toBe(count);
        },
      ),
    );
  });

  it("without a label hold no code, and a label without one leaves it to the other side", () => {
    const sheet = makeOwnSheet(toOwnSheet());
    const options = { sheet, back: { flip: "long-edge" as const } };
    const faces = makeFaces(options, safeLayout(options, 2));
    expect(faces.map(({ rooms }) => rooms.length)).toEqual([1, 0]);
    const label = makeArt(makeText(0, box(5, 5, 20, 10)));
    const back = { flip: "long-edge" as const, label: makeArt(makeCode(box(5, 5, 30, 30))) };
    const turned = makeFaces({ sheet, label, back }, safeLayout({ sheet, label }, 2));
    expect(turned.map(({ rooms }) => rooms.length)).toEqual([0, 1]);
  });
});

describe("scaleArt", () => {
  it("fills labels of any size; codes and texts stay in the safe area", () => {
    const art = {
      ...makeArt(
        makeCode(box(2, 2, 21, 21)),
        makeText(0, box(25, 2, 23, 21), { sizePt: 10, leastPt: 6 }),
        makeShape("box", box(0, 0, 50, 25), { stroke: null, fill: null, radius: 2 }),
      ),
      size: { width: 50, height: 25 },
    };
    fc.assert(
      fc.property(anySheet, (sheet) => {
        const { safe } = safeLayout({ sheet }, 0);
        const { items } = scaleArt(art, sheet, safe);
        for (const item of items) {
          if (item.kind !== "code" && item.kind !== "text") continue;
          expect(item.at.x).toBeGreaterThanOrEqual(safe.x - 1e-3);
          expect(item.at.y).toBeGreaterThanOrEqual(safe.y - 1e-3);
          expect(item.at.x + item.at.width).toBeLessThanOrEqual(safe.x + safe.width + 1e-3);
          expect(item.at.y + item.at.height).toBeLessThanOrEqual(safe.y + safe.height + 1e-3);
          if (item.kind === "text") expect(item.style.leastPt).toBeLessThanOrEqual(6);
        }
        const whole = items[2];
        expect(whole?.kind === "box" ? whole.at.width : 0).toBeCloseTo(sheet.label.widthMm, 2);
      }),
    );
  });

  it("leaves art alone that names no size", () => {
    const art = makeArt(makeCode(box(2, 2, 21, 21)));
    const sheet = makeOwnSheet(toOwnSheet());
    expect(scaleArt(art, sheet, safeLayout({ sheet }, 0).safe)).toBe(art);
  });
});

describe("makeOwnSheet (docs/spec/print.md section 11)", () => {
  it("keeps every check of label sheets, whatever fits", () => {
    fc.assert(
      fc.property(anySheet, (sheet) => {
        expect(checkSheet(sheet)).toEqual([]);
      }),
    );
  });

  it("makes pages of a roll that continue each other", () => {
    const sheet = makeOwnSheet(
      toOwnSheet({ page: null, roll: 160, label: [74, 40], gutter: [4, 3], margin: 3, rows: 6 }),
    );
    expect(sheet.page).toMatchObject({ widthMm: 160, heightMm: 258 });
    expect(sheet).toMatchObject({ columns: 2, rows: 6, topMm: 1.5, leftMm: 4, stock: "labels" });
  });

  it.each([
    ["a roll has none", { roll: 108, label: [54, 25] as const }, [2, 1]],
    ["a roll of labels as wide", { roll: 62, label: [62, 29] as const }, [1, 1]],
    ["a label of a whole page", { page: "A4", label: [210, 297] as const }, [1, 1]],
    ["strips from edge to edge", { page: "A4", label: [210, 74] as const }, [1, 4]],
    ["a label with room around it", { page: "A4", label: [60, 40] as const }, [3, 7]],
    ["rows that are told", { page: "A4", label: [60, 292] as const, rows: 1 }, [3, 1]],
  ] as const)(
    "refuses nothing because of the default margin: %s",
    (_, changes, [columns, rows]) => {
      const sheet = makeOwnSheet(toOwnSheet({ gutter: [0, 0], margin: null, ...changes }));
      expect(sheet).toMatchObject({ columns, rows });
    },
  );

  it("names a margin that is in the way", () => {
    const roll = toOwnSheet({ roll: 62, label: [60, 29], margin: 3 });
    expect(() => makeOwnSheet(roll)).toThrow(
      "labels of 60 x 29 mm must fit roll (62 x 33 mm) with a margin of 3 mm, got 0 x 1 of them",
    );
    expect(() => makeOwnSheet({ ...roll, roll: 50, margin: null })).toThrow(
      "must fit roll (50 x 33 mm), got 0 x 1",
    );
  });

  it.each([
    [{ label: [300, 40] as const }, /must fit A4/u],
    [{ columns: 9 }, /must fit A4/u],
    [{ roll: 50 }, /must fit roll/u],
  ])("refuses %j", (changes, message) => {
    expect(() => makeOwnSheet(toOwnSheet(changes))).toThrow(message);
    // What follows from it is no fault of its own.
    expect(() => makeOwnSheet(toOwnSheet(changes))).toThrow(
      expect.objectContaining({ problems: [] }) as Error,
    );
  });
});
