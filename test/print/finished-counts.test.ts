import * as fc from "../help/property.ts";
import { expect, it } from "vitest";

import type { LabelCounts } from "../../src/print/art/art-texts.ts";
import { LyingLabels, type LyingCode } from "../../src/print/draw/finished-counts.ts";
import {
  backOf,
  corners,
  countSheets,
  isStackMode,
  makeImposition,
  orderModes,
  type Place,
  spareCells,
} from "../../src/print/layout/imposition.ts";
import { copyOrders, repeatRecords } from "../../src/print/layout/repeat-records.ts";
import {
  layoutOf,
  makeSheetJob,
  type SheetJob,
  sheetOf,
  volumeCapacity,
} from "../../src/print/sheet-job.ts";
import { ownSheet } from "./make-art.ts";

const base = makeSheetJob({
  sheet: ownSheet(),
  title: "counted",
  createdAt: "2026-01-01T00:00:00.000Z",
  slug: { job: "counted", input: "", inputHash: "", rehearsal: false },
  marks: [],
});

const anyJob = fc
  .record({
    rows: fc.integer({ min: 1, max: 5 }),
    columns: fc.integer({ min: 1, max: 4 }),
    order: fc.constantFrom(...orderModes),
    reverse: fc.boolean(),
    corner: fc.constantFrom(...corners),
    startAt: fc.double({ min: 0, max: 0.999, noNaN: true }),
    spared: fc.double({ min: 0, max: 0.999, noNaN: true }),
    sheetsPerVolume: fc.integer({ min: 1, max: 4 }),
    copyOrder: fc.constantFrom(...copyOrders),
    overs: fc.constantFrom(0, 0.3),
  })
  .map(
    ({ rows, columns, startAt, spared, reverse, corner, copyOrder, overs, ...job }): SheetJob => {
      const cells = rows * columns;
      const spares = job.order === "stack-by-column" ? 0 : Math.floor(spared * cells);
      const start = isStackMode(job.order) ? 1 : 1 + Math.floor(startAt * (cells - spares));
      return {
        ...base,
        ...job,
        spares,
        spareLabels: "repeat",
        start,
        sheet: { ...base.sheet, rows, columns, perSheet: cells },
        repeats: { copies: 1, copyOrder, overs },
        options: { ...base.options, reverse, corner, back: { flip: "long-edge" } },
      };
    },
  );

interface Lying {
  readonly row: number;
  readonly counts: LabelCounts;
  readonly codes: LyingCode[];
}

/** Every label as docs/spec/print.md section 8 lays it, front and back, spare cells with the first ones. */
async function layAll(job: SheetJob, copies: readonly number[]): Promise<Lying[]> {
  const records = copies.map((_, row) => row);
  const all: { record: number; row: number; copy: number }[] = [];
  for await (const one of repeatRecords(records, job.repeats, (row) => copies[row] ?? 0))
    all.push(one);
  const lying: Lying[] = [];
  let sheetsBefore = 0;
  for (let volume = 1; lying.length < all.length; volume += 1) {
    const own = all.slice(lying.length, lying.length + volumeCapacity(job, volume - 1));
    const layout = layoutOf(job, volume, own.length);
    const placeOf = makeImposition(layout);
    const toCodes = (place: Place): LyingCode[] => {
      const at = { volume, sheet: sheetsBefore + place.sheet + 1 };
      const back = backOf(place, job.sheet, "long-edge");
      return [
        { ...at, row: place.row + 1, column: place.column + 1 },
        { ...at, row: back.row + 1, column: back.column + 1, side: "back" },
      ];
    };
    const labels = own.map(({ row, copy }, n): Lying => {
      const place = placeOf(n);
      const sheet = sheetsBefore + place.sheet;
      const counts = { label: lying.length + n, row, copy, sheet };
      return { row, counts, codes: toCodes(place) };
    });
    for (let sheet = 0; sheet < countSheets(layout); sheet += 1) {
      const onIt = labels.filter(({ counts }) => counts.sheet === sheetsBefore + sheet);
      for (const [nth, cell] of spareCells(layout).entries())
        onIt[nth]?.codes.push(...toCodes({ sheet, ...cell }));
    }
    lying.push(...labels);
    sheetsBefore += countSheets(layout);
  }
  return lying;
}

const own = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 25 });

it("numbers follow from where labels lie, whichever order rows are known in", async () => {
  await fc.assert(
    fc.asyncProperty(anyJob, own, fc.boolean(), async (job, copies, isBackwards) => {
      const lying = await layAll(job, copies);
      const rows = copies.map((_, row) => row);
      const order = isBackwards ? rows.toReversed() : rows;
      const labels = new LyingLabels(job);
      for (const row of order)
        labels.add(lying.flatMap((one) => (one.row === row ? one.codes : [])).toReversed());
      const found = labels.finish();
      expect(found?.isInOrder).toBe(!isBackwards || rows.length === 1);
      expect(found).toMatchObject({
        labels: lying.length,
        rows: rows.length,
        sheets: Math.max(...lying.map(({ counts }) => counts.sheet)) + 1,
      });
      for (const [at, row] of order.entries()) {
        const wanted = lying.flatMap((one) => (one.row === row ? [one.counts] : []));
        expect(found?.of(at)).toEqual(wanted);
      }
      for (const { counts, codes } of lying) {
        for (const code of codes) expect(found?.labelAt(code)).toBe(counts.label);
        expect(sheetOf(job, counts.label, lying.length)).toBe(counts.sheet);
      }
    }),
  );
});

const at = (row: number): LyingCode => ({ volume: 1, sheet: 1, row, column: 1 });
const finish = (...rows: readonly (readonly LyingCode[])[]) => {
  const labels = new LyingLabels(base);
  for (const cells of rows) labels.add(cells);
  return labels.finish();
};

it("numbers are unknown where a label lies elsewhere, twice, or is missing", () => {
  const second: LyingCode = { ...at(1), column: 2 };
  expect(finish([at(1)], [second])?.labels).toBe(2);
  expect(finish([second])).toBeUndefined();
  expect(finish([at(1)], [at(1)])).toBeUndefined();
  expect(finish([at(1)], [at(6)])).toBeUndefined();
});
