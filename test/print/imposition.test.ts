import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { contains, overlaps } from "../../src/print/layout/box.ts";
import { type Face, makeFaces, safeLayout } from "../../src/print/fonts/face.ts";
import {
  backOf,
  corners,
  countSheets,
  type ImpositionOptions,
  isStackMode,
  makeImposition,
  orderModes,
  type Place,
  spareCells,
} from "../../src/print/layout/imposition.ts";
import { cellBox, type LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { ownSheet } from "./make-art.ts";

const anyJob = fc
  .record({
    rows: fc.integer({ min: 1, max: 9 }),
    columns: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 1, max: 400 }),
    mode: fc.constantFrom(...orderModes),
    reverse: fc.boolean(),
    corner: fc.constantFrom(...corners),
    startAt: fc.double({ min: 0, max: 0.999, noNaN: true }),
    spared: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
  .map(({ startAt, spared, ...job }): ImpositionOptions => {
    const cells = job.rows * job.columns;
    const spares = job.mode === "stack-by-column" ? 0 : Math.floor(spared * cells);
    return {
      ...job,
      spares,
      start: isStackMode(job.mode) ? 1 : 1 + Math.floor(startAt * (cells - spares)),
    };
  });

const places = (job: ImpositionOptions): Place[] =>
  Array.from({ length: job.count }, (_, n) => makeImposition(job)(n));
const name = ({ sheet, row, column }: Place): string => `${sheet}/${row}/${column}`;

describe("imposition", () => {
  it("puts every record into a cell of its own on the sheets it counts", () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const all = places(job);
        expect(new Set(all.map(name)).size).toBe(job.count);
        for (const { sheet, row, column } of all) {
          expect(sheet >= 0 && sheet < countSheets(job)).toBe(true);
          expect(row >= 0 && row < job.rows && column >= 0 && column < job.columns).toBe(true);
        }
      }),
    );
  });

  it("leaves the spare cells of every sheet free, the last ones of its order", () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const spare = spareCells(job).map(({ row, column }) => `${row}/${column}`);
        expect(new Set(spare).size).toBe(job.spares ?? 0);
        for (const { row, column } of places(job)) expect(spare).not.toContain(`${row}/${column}`);
      }),
    );
    const grid = { rows: 2, columns: 3, count: 4, spares: 2 };
    expect(spareCells({ ...grid, mode: "rows" })).toEqual([
      { row: 1, column: 1 },
      { row: 1, column: 2 },
    ]);
    expect(spareCells({ ...grid, mode: "columns", corner: "bottom-right" })).toEqual([
      { row: 1, column: 0 },
      { row: 0, column: 0 },
    ]);
  });

  it("fills sheets one after the other, without a hole but the used cells", () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const perSheet = new Map<number, number>();
        for (const { sheet } of places(job)) perSheet.set(sheet, (perSheet.get(sheet) ?? 0) + 1);
        const cells = job.rows * job.columns - (job.spares ?? 0);
        expect(perSheet.size <= countSheets(job)).toBe(true);
        for (const filled of perSheet.values()) expect(filled <= cells).toBe(true);
        if (isStackMode(job.mode)) return;
        const full = [...perSheet].filter(([sheet]) => sheet > 0 && sheet < countSheets(job) - 1);
        for (const [, filled] of full) expect(filled).toBe(cells);
      }),
    );
  });

  it("undoes itself when reversed twice", () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const forward = places({ ...job, reverse: false }).map(name);
        expect(
          places({ ...job, reverse: true })
            .map(name)
            .toReversed(),
        ).toEqual(forward);
      }),
    );
  });

  it("makes piles that ascend without gaps when cut and stacked", () => {
    fc.assert(
      fc.property(anyJob, (job) => {
        const plain = {
          ...job,
          start: 1,
          mode: "cut-and-stack",
          reverse: false,
          corner: "top-left",
        } as const;
        const piles = new Map<string, number[]>();
        places(plain).forEach(({ row, column }, n) => {
          const pile = `${row}/${column}`;
          piles.set(pile, [...(piles.get(pile) ?? []), n]);
        });
        let next = 0;
        for (let cell = 0; cell < job.rows * job.columns - (job.spares ?? 0); cell += 1) {
          for (const n of piles.get(`${Math.floor(cell / job.columns)}/${cell % job.columns}`) ??
            []) {
            expect(n).toBe(next);
            next += 1;
          }
        }
        expect(next).toBe(job.count);
      }),
    );
  });

  it("keeps each lane of a slit roll in order", () => {
    const job = { rows: 2, columns: 3, count: 11, mode: "stack-by-column" } as const;
    expect(places(job).slice(0, 5).map(name)).toEqual([
      "0/0/0",
      "0/1/0",
      "1/0/0",
      "1/1/0",
      "0/0/1",
    ]);
  });

  it.each([
    ["rows", ["0/0/0", "0/0/1", "0/1/0", "0/1/1", "1/0/0"]],
    ["columns", ["0/0/0", "0/1/0", "0/0/1", "0/1/1", "1/0/0"]],
    ["cut-and-stack", ["0/0/0", "1/0/0", "0/0/1", "1/0/1", "0/1/0"]],
  ] as const)("fills 2 x 2 in %s", (mode, expected) => {
    expect(places({ rows: 2, columns: 2, count: 5, mode }).map(name)).toEqual(expected);
  });

  it("starts in the middle of a part-used sheet, on the first sheet only", () => {
    const job = { rows: 2, columns: 2, count: 4, mode: "rows", start: 4 } as const;
    expect(places(job).map(name)).toEqual(["0/1/1", "1/0/0", "1/0/1", "1/1/0"]);
    expect(countSheets(job)).toBe(2);
  });

  it("refuses a start position with a stack mode as its own mistake", () => {
    expect(() =>
      makeImposition({ rows: 2, columns: 2, count: 4, mode: "cut-and-stack", start: 2 }),
    ).toThrow(/start position/u);
  });

  it("refuses spare cells with lanes as its own mistake", () => {
    expect(() =>
      makeImposition({ rows: 2, columns: 2, count: 4, mode: "stack-by-column", spares: 1 }),
    ).toThrow(/spare cells/u);
  });

  it("finds the front again behind the back of its back, for every place", () => {
    fc.assert(
      fc.property(anyJob, fc.constantFrom("long-edge", "short-edge"), (job, flip) => {
        for (const place of places(job)) {
          expect(backOf(backOf(place, job, flip), job, flip)).toEqual(place);
        }
      }),
    );
  });

  it("lays the back behind the front", () => {
    const front = { sheet: 0, row: 1, column: 0 };
    expect(backOf(front, { rows: 4, columns: 3 }, "long-edge")).toEqual({
      sheet: 0,
      row: 1,
      column: 2,
    });
    expect(backOf(front, { rows: 4, columns: 3 }, "short-edge")).toEqual({
      sheet: 0,
      row: 2,
      column: 0,
    });
  });

  it("makes no sheets of no records", () => {
    expect(countSheets({ rows: 2, columns: 2, count: 0, start: 3 })).toBe(0);
  });
});

const anySheet = fc
  .record({
    rows: fc.integer({ min: 1, max: 9 }),
    columns: fc.integer({ min: 1, max: 6 }),
    widthMm: fc.double({ min: 10, max: 90, noNaN: true }),
    heightMm: fc.double({ min: 10, max: 90, noNaN: true }),
    gutterX: fc.double({ min: 0, max: 8, noNaN: true }),
    gutterY: fc.double({ min: 0, max: 8, noNaN: true }),
    leftMm: fc.double({ min: 0, max: 12, noNaN: true }),
    topMm: fc.double({ min: 0, max: 12, noNaN: true }),
    spareMm: fc.double({ min: 0, max: 12, noNaN: true }),
  })
  .map((grid): LabelSheet => {
    const { rows, columns, widthMm, heightMm, leftMm, topMm, spareMm } = grid;
    const pitchXMm = widthMm + grid.gutterX;
    const pitchYMm = heightMm + grid.gutterY;
    return {
      ...ownSheet({ label: [20, 20], gutter: [0, 0], margin: 5, columns: 1, rows: 1 }),
      rows,
      columns,
      perSheet: rows * columns,
      label: { shape: "rectangle", widthMm, heightMm, cornerRadiusMm: 0 },
      pitchXMm,
      pitchYMm,
      leftMm,
      topMm,
      page: {
        name: "own",
        widthMm: leftMm + (columns - 1) * pitchXMm + widthMm + spareMm,
        heightMm: topMm + (rows - 1) * pitchYMm + heightMm + spareMm,
      },
    };
  });

describe("labels on their sheets, in every order (docs/spec/print.md section 8)", () => {
  it("never overlap, lie inside the sheet, and have their backs behind them", () => {
    fc.assert(
      fc.property(
        anySheet,
        anyJob,
        fc.constantFrom("long-edge", "short-edge"),
        (sheet, job, flip) => {
          const { rows, columns } = sheet;
          const cells = rows * columns - Math.min(job.spares ?? 0, rows * columns - 1);
          const fitted = { ...job, rows, columns, count: Math.min(job.count, 60) };
          const spares = isStackMode(job.mode) && job.spares === 0 ? 0 : rows * columns - cells;
          const order = { ...fitted, spares, start: Math.min(job.start ?? 1, cells) };
          const trim = { x: 0, y: 0, width: sheet.page.widthMm, height: sheet.page.heightMm };
          const back = makeFaces({ sheet, back: { flip } }, safeLayout({ sheet }, 0)).find(
            ({ side }) => side === "back",
          ) as Face;
          const bySheet = new Map<number, Place[]>();
          for (const place of places(order))
            bySheet.set(place.sheet, [...(bySheet.get(place.sheet) ?? []), place]);
          for (const placed of bySheet.values()) {
            const boxes = placed.map(({ row, column }) => cellBox(sheet, row, column));
            for (const [i, box] of boxes.entries()) {
              expect(contains(trim, box)).toBe(true);
              expect(boxes.some((other, k) => k > i && overlaps(box, other))).toBe(false);
              const behind = backOf(placed[i] as Place, sheet, flip);
              const turned = cellBox(back.sheet, behind.row, behind.column);
              const isLong = flip === "long-edge";
              const x = isLong ? trim.width - turned.x - turned.width : turned.x;
              const y = isLong ? turned.y : trim.height - turned.y - turned.height;
              expect(Math.abs(x - box.x) + Math.abs(y - box.y)).toBeLessThan(1e-3);
            }
          }
        },
      ),
    );
  });
});
