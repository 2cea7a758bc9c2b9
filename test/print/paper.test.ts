import path from "node:path";

import { describe, expect, it } from "vitest";

import type { OwnSheet } from "../../src/base/shapes/own-sheet.ts";
import { cropMarks, registrationPlaces } from "../../src/print/draw/marks.ts";
import { makeOwnSheet } from "../../src/print/layout/own-sheet.ts";
import { makePageFrame, toPageBoxes } from "../../src/print/layout/page-frame.ts";
import { planSheets } from "../../src/print/sheets.ts";
import { loadJobSheet } from "../../src/pipeline/stages/sheet-options.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { verifySheets } from "../../src/verify/verify.ts";
import { makePressJob } from "../verify/press.ts";
import { box, makeArt, makeCode, toOwnSheet } from "./make-art.ts";

const own = (changes: Partial<OwnSheet>): OwnSheet =>
  toOwnSheet({ page: "SRA3", label: [70, 37], gutter: [0, 0], margin: null, ...changes });

type Wish = Parameters<typeof loadJobSheet>[0];
const load = (changes: Partial<Wish>) =>
  loadJobSheet(
    {
      sheet: own({}),
      paper: null,
      marks: ["crop", "registration", "bar"],
      bleedMm: null,
      back: null,
      ...changes,
    },
    process.cwd(),
  );

const toMm = (points: readonly number[]): number[] =>
  points.map((pt) => Math.round((pt / 72) * 254) / 10);

describe("marks inside the press sheet (docs/spec/print.md section 10)", () => {
  it("page: SRA3 is the paper: the block moves in until all marks lie on it", async () => {
    for (const label of [
      [70, 37],
      [70, 100],
      [63, 63],
      [100, 60],
      [19, 19],
    ] as const) {
      const sheet = await load({ sheet: own({ label, gutter: [4, 4], margin: 1 }) });
      const frame = makePageFrame(sheet, true, undefined);
      const { media, bleed, trim } = toPageBoxes(frame);
      expect(toMm(media)).toEqual([0, 0, 320, 450]);
      expect(Math.min(bleed[0] ?? 0, bleed[1] ?? 0)).toBeGreaterThan(0);
      for (const [i, edge] of trim.entries()) {
        const inside = i < 2 ? edge - (bleed[i] ?? 0) : (bleed[i] ?? 0) - edge;
        expect((inside / 72) * 25.4).toBeCloseTo(3, 2);
      }
      const places = [
        ...cropMarks(sheet, frame).flatMap(({ x1, y1, x2, y2 }) => [
          [x1, y1],
          [x2, y2],
        ]),
        ...registrationPlaces(sheet, frame).map(({ x, y }) => [x, y]),
      ];
      for (const [x = -1, y = -1] of places) {
        expect(x).toBeGreaterThanOrEqual(2 - 1e-9);
        expect(x).toBeLessThanOrEqual(318 + 1e-9);
        expect(y).toBeGreaterThanOrEqual(9 - 1e-9);
        expect(y).toBeLessThanOrEqual(448 + 1e-9);
      }
    }
  });

  it("without marks, and for finished sizes, pages are what they were", async () => {
    expect(await load({ marks: [] })).toEqual(makeOwnSheet(own({})));
    expect(await load({ sheet: own({ page: "A4" }) })).toEqual(makeOwnSheet(own({ page: "A4" })));
    const { media } = toPageBoxes(
      makePageFrame(makeOwnSheet(own({ page: "A4" })), true, undefined),
    );
    expect(toMm(media)).toEqual([0, 0, 230, 324]);
  });

  it("paper holds a page, a sheet by name, or as many labels as fit", async () => {
    const page = await load({ sheet: own({ page: "A4" }), paper: "SRA3" });
    expect(page.page).toMatchObject({ widthMm: 210, heightMm: 297 });
    const named = await load({ sheet: "a4-24up-63.5x33.9", paper: "SRA3" });
    expect([named.page.widthMm, named.paper?.name]).toEqual([210, "SRA3"]);
    // The labels alone fit the paper with their marks, its margins don't.
    const tight = await load({ sheet: "a4-24up-63.5x33.9", paper: [220, 310] });
    expect([tight.page.widthMm, tight.leftMm, tight.topMm]).toEqual([195.5, 0, 0]);
    const many = await load({ sheet: own({ page: null }), paper: [330, 480] });
    expect(many.columns * 70).toBeLessThanOrEqual(310);
    expect(many.rows).toBe(12);
  });

  it("the plan says in millimetres what doesn't fit", async () => {
    const sheet = await load({ sheet: own({ columns: 5, rows: 12 }) });
    const slug = { job: "x", input: "", inputHash: "", rehearsal: false };
    const options = {
      sheet,
      title: "x",
      createdAt: "2026-01-01T00:00:00Z",
      slug,
      marks: ["crop"],
    } as const;
    const { problems } = planSheets(options, { count: 1, maxVersion: 1 });
    expect(problems.map(({ message }) => message)).toEqual([
      "sheet must be such that its labels and marks fit SRA3 (320 x 450 mm), got 50.0 mm too much across and 21.0 mm down",
    ]);
  });

  it("a page that grows says what paper it takes", async () => {
    const slug = { job: "x", input: "", inputHash: "", rehearsal: false };
    const base = { title: "x", createdAt: "2026-01-01T00:00:00Z", slug, marks: ["crop"] } as const;
    const warn = async (changes: Partial<Wish>) =>
      planSheets(
        { ...base, sheet: await load(changes) },
        { count: 1, maxVersion: 1 },
      ).warnings.join();
    expect(await warn({ sheet: own({ page: "A4" }) })).toContain(
      "with its marks the page is 230 x 324 mm",
    );
    expect(await warn({})).not.toContain("with its marks");
  });

  it.each([
    ["A4", "paper: A3"],
    ["A3", "paper: SRA3"],
    ["Letter", "paper: Tabloid"],
    [[400, 300], "paper: [420, 327]"],
  ] as const)("a page of %s that grows names paper that it fits", async (page, named) => {
    const slug = { job: "x", input: "", inputHash: "", rehearsal: false };
    const base = { title: "x", createdAt: "2026-01-01T00:00:00Z", slug, marks: ["crop"] } as const;
    const sheet = own({ page });
    const plan = async (paper: Wish["paper"]) =>
      planSheets({ ...base, sheet: await load({ sheet, paper }) }, { count: 1, maxVersion: 1 });
    expect((await plan(null)).warnings.join()).toContain(`(${named})`);
    const text = named.slice("paper: ".length);
    const paper = text.startsWith("[") ? (JSON.parse(text) as [number, number]) : text;
    const followed = await plan(paper);
    expect(followed.problems).toEqual([]);
    expect(followed.warnings.join()).not.toContain("with its marks");
  });

  it.each(["long-edge", "short-edge"] as const)(
    "finished files keep every rule, backs %s",
    async (flip) => {
      const label = makeArt(makeCode(box(3, 3, 28, 28)));
      const sheet = await load({
        sheet: own({ gutter: [4, 6] }),
        back: { label: null, background: null, flip },
      });
      const back = { label, flip };
      const marks = ["crop", "registration", "bar"] as const;
      const job = await makePressJob(
        { sheet, label, back, marks, dieLine: {}, deviceDpi: 1200 },
        60,
      );
      const { volumes, cells } = job.written;
      const proof = await verifySheets({ options: job.options, volumes, cells, workers: 1 });
      expect(proof.findings).toEqual([]);
      expect(proof.decoded).toBe(120);
      const file = await openPdfFile(job.bytes);
      const trim = file.pages[0]?.box("TrimBox") ?? [];
      // Turned over, a back lies behind its front.
      if (flip === "short-edge")
        expect((trim[1] ?? 0) + (trim[3] ?? 0)).toBeCloseTo((450 / 25.4) * 72, 1);
      expect((trim[0] ?? 0) + (trim[2] ?? 0)).toBeCloseTo((320 / 25.4) * 72, 1);
      expect(path.extname(volumes[0]?.file ?? "")).toBe(".pdf");
    },
  );
});
