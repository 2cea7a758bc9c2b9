import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  backOf,
  corners,
  countSheets,
  type ImpositionOptions,
  isStackMode,
  makeImposition,
  orderModes,
  type Place,
} from "../../src/print/imposition.ts";

const anyJob = fc
  .record({
    rows: fc.integer({ min: 1, max: 9 }),
    columns: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 1, max: 400 }),
    mode: fc.constantFrom(...orderModes),
    reverse: fc.boolean(),
    corner: fc.constantFrom(...corners),
    startAt: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
  .map(({ startAt, ...job }): ImpositionOptions => {
    return {
      ...job,
      start: isStackMode(job.mode) ? 1 : 1 + Math.floor(startAt * job.rows * job.columns),
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
        for (let cell = 0; cell < job.rows * job.columns; cell += 1) {
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
