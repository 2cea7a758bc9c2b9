import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { beforeAll, describe, expect, it } from "vitest";

import { corners, isStackMode, orderModes } from "../../src/print/layout/imposition.ts";
import type { LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { copyOrders } from "../../src/print/layout/repeat-records.ts";
import { spareLabels } from "../../src/print/sheet-job.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import {
  planSheets,
  type SheetOptions,
  type SheetRecord,
  writeSheets,
} from "../../src/print/sheets.ts";
import { box, makeArt, makeCode } from "../print/make-art.ts";
import { verifySheets } from "../../src/verify/verify.ts";

let base: LabelSheet;
let folder = "";
beforeAll(async () => {
  base = await loadSheet("a4-24up-63.5x33.9");
  folder = await mkdtemp(path.join(tmpdir(), "orders-"));
});

const anyJob = fc
  .record({
    rows: fc.integer({ min: 1, max: 8 }),
    columns: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 14 }),
    order: fc.constantFrom(...orderModes),
    reverse: fc.boolean(),
    corner: fc.constantFrom(...corners),
    copies: fc.integer({ min: 1, max: 3 }),
    copyOrder: fc.constantFrom(...copyOrders),
    overs: fc.double({ min: 0, max: 0.5, noNaN: true }),
    spareLabels: fc.constantFrom(...spareLabels),
    volumeCodes: fc.integer({ min: 1, max: 40 }),
    flip: fc.constantFrom(undefined, "long-edge", "short-edge"),
    pages: fc.constantFrom("interleaved", "fronts-first"),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    spared: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
  .map(({ at, spared, ...job }) => {
    const cells = job.rows * job.columns;
    const spares = job.order === "stack-by-column" ? 0 : Math.floor(spared * cells);
    const start = isStackMode(job.order) ? 1 : 1 + Math.floor(at * (cells - spares));
    return { ...job, spares, start };
  });

type Job = typeof anyJob extends fc.Arbitrary<infer T> ? T : never;

/** A grid of any size in the middle of the page. */
function makeOptions({ rows, columns, count: _count, flip, ...order }: Job): SheetOptions {
  const { label, pitchXMm, pitchYMm, page } = base;
  const width = (columns - 1) * pitchXMm + label.widthMm;
  const height = (rows - 1) * pitchYMm + label.heightMm;
  return {
    ...order,
    back: flip && { flip, label: makeArt(makeCode(box(5, 5, 24, 24))) },
    sheet: {
      ...base,
      rows,
      columns,
      perSheet: rows * columns,
      leftMm: (page.widthMm - width) / 2,
      topMm: (page.heightMm - height) / 2,
    },
    title: "Orders",
    createdAt: "2026-11-20T10:00:00Z",
    slug: { job: "orders", input: "x.csv", inputHash: "00", rehearsal: false },
    marks: ["crop", "registration", "bar"],
    dieLine: {},
    deviceDpi: 600,
    captionLines: 1,
  };
}

const makeRecords = (count: number): SheetRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    key: `r${i}`,
    payload: `https://qr.example/${i}`,
    level: "M",
    caption: [`Row ${i}`],
  }));

describe("sheets filled in any order", () => {
  it("are as many as planned, every cell is used once, and all rules and codes hold", async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(anyJob, async (job) => {
        const options = makeOptions(job);
        const { count } = job;
        const plan = planSheets(options, { count, maxVersion: 2 });
        expect(plan.problems).toEqual([]);
        n += 1;
        const written = await writeSheets(
          options,
          makeRecords(count),
          path.join(folder, `${n}.pdf`),
        );
        const { volumes, cells } = written;
        const sides = job.flip === undefined ? 1 : 2;
        expect(volumes.reduce((sum, { pages }) => sum + pages, 0)).toBe(plan.sheets * sides);
        expect(volumes).toHaveLength(plan.volumes);
        const places = cells.map(
          ({ sheet, side = "front", row, column }) => `${sheet}/${side}/${row}/${column}`,
        );
        expect(new Set(places).size).toBe(places.length);
        expect(places.length).toBe(plan.labels * sides);
        expect(volumes.reduce((sum, { labels }) => sum + labels, 0)).toBe(plan.labels);
        const proof = await verifySheets({ options, volumes, cells });
        expect(proof.findings).toEqual([]);
        expect(proof.decoded).toBe(cells.length);
      }),
      { numRuns: 20 },
    );
  });
});
