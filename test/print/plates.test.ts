import { createHash } from "node:crypto";

import { describe, expect, it } from "vitest";

import { colorBar } from "../../src/print/draw/color-bar.ts";
import { platesOf } from "../../src/print/draw/plates.ts";
import { makePageFrame } from "../../src/print/layout/page-frame.ts";
import { makeSheetJob, type SheetOptions } from "../../src/print/sheet-job.ts";
import { openPdfFile } from "../../src/verify/pdf/pdf-file.ts";
import { checkRules } from "../../src/verify/rules/rules.ts";
import { makeFileContext, readPages } from "../../src/verify/rules/sheet-context.ts";
import { makePressJob, type PressJob, spoilContent } from "../verify/press.ts";
import {
  BLUE,
  box,
  everything,
  GOLD,
  makeArt,
  makeCode,
  makeShape,
  makeText,
  ownSheet,
} from "./make-art.ts";

const sheet = ownSheet({ label: [63.5, 33.9] });
const marks = ["crop", "registration", "bar"] as const;
const coded = makeArt(makeCode(box(3, 3, 27, 27)), makeText(0, box(32, 5, 28, 20)));

async function check(job: PressJob, bytes = job.bytes) {
  const file = await openPdfFile(bytes);
  const { options, written } = job;
  return checkRules(
    makeFileContext({ file, name: "t.pdf", volume: 1, options, cells: written.cells }),
  );
}

/** Colours that the first page of a side paints its lines in. */
async function strokesOf(job: PressJob, page = 1) {
  const file = await openPdfFile(job.bytes);
  const { options, written } = job;
  const context = makeFileContext({ file, name: "t", volume: 1, options, cells: written.cells });
  const found = [...readPages(context)][page - 1];
  const strokes = found?.content.painted.filter(({ kind }) => kind === "stroke") ?? [];
  return {
    found,
    colors: new Set(strokes.map(({ ink }) => `${ink.space} ${ink.values.join(" ")}`)),
  };
}

function of(changes: Partial<SheetOptions>, side = 0): string[] {
  const options = { sheet, title: "x", createdAt: "", marks, ...changes } as SheetOptions;
  const job = makeSheetJob(options);
  const face = job.faces[side];
  return face === undefined ? [] : platesOf(job, face).map(({ name }) => name);
}

describe("plates of a side", () => {
  it("are those of its inks, process inks first, without the ink that is cut", () => {
    expect(of({})).toEqual(["Black"]);
    expect(of({ label: coded })).toEqual(["Black"]);
    expect(of({ label: everything })).toEqual(["Cyan", "Magenta", "Black", GOLD.spot]);
    const codeStyle = { pattern: "Original", eyes: "Square", ink: BLUE, eyeInk: BLUE } as const;
    expect(of({ codeStyle })).toEqual(["Cyan", "Magenta", "Black"]);
    expect(of({ label: everything, dieLine: { spot: "pantone 871 c" } })).not.toContain(GOLD.spot);
  });

  it("of a back are its own", () => {
    const back = { label: coded, flip: "long-edge" } as const;
    expect(of({ label: everything, back }, 1)).toEqual(["Black"]);
  });
});

describe("marks of jobs in several inks (docs/spec/print.md section 10)", () => {
  it.each(["PDF/X-4", "PDF/X-1a:2003"] as const)("stand on every plate, %s", async (standard) => {
    const job = await makePressJob({ sheet, label: everything, marks, dieLine: {}, standard }, 5);
    const { found, colors } = await strokesOf(job);
    expect([...colors]).toContain("M 1 1 1 1");
    expect(found?.inkSets.get("M")).toEqual(["Cyan", "Magenta", "Black", GOLD.spot]);
    expect(await check(job)).toEqual([]);
  });

  it("of two sides stand on the plates of each", async () => {
    const back = { label: coded, flip: "long-edge" } as const;
    const job = await makePressJob({ sheet, label: everything, back, marks }, 5);
    expect((await strokesOf(job, 1)).found?.inkSets.size).toBe(1);
    expect((await strokesOf(job, 2)).found?.inkSets.size).toBe(0);
    expect(await check(job)).toEqual([]);
  });

  it("on black alone, on too few plates or in tints are found", async () => {
    const job = await makePressJob({ sheet, label: everything, marks }, 5);
    const black = await spoilContent(job.bytes, (content) =>
      content.replaceAll("/M CS 1 1 1 1 SCN", "0 0 0 1 K"),
    );
    expect((await check(job, black)).map(({ message }) => message)).toContain(
      "marks must be solid on every plate",
    );
    const bare = await spoilContent(black, (content) =>
      content.replaceAll(/\/M cs [\d. ]+ scn [\d. ]+ re f/gu, ""),
    );
    expect((await check(job, bare)).map(({ message }) => message)).toContain(
      "marks must stand on every plate, got none on Cyan",
    );
    const faint = await spoilContent(job.bytes, (content) =>
      content.replaceAll("/M CS 1 1 1 1 SCN", "/M CS 1 0 1 1 SCN"),
    );
    expect((await check(job, faint)).map(({ rule }) => rule)).toContain("marks");
  });

  it("of black jobs are the same bytes as ever", async () => {
    const job = await makePressJob({ marks }, 26);
    const digest = createHash("sha256").update(job.bytes).digest("hex");
    expect(digest.slice(0, 16)).toBe("69bbecef6fa061c6");
  });
});

describe("the colour bar of several inks", () => {
  const four = [
    { name: "Cyan", cmyk: [1, 0, 0, 0] },
    { name: "Magenta", cmyk: [0, 1, 0, 0] },
    { name: "Yellow", cmyk: [0, 0, 1, 0] },
    { name: "Black", cmyk: [0, 0, 0, 1] },
    { name: "PANTONE 871 C", cmyk: [0, 0.2, 0.6, 0.3] },
  ] as const;
  const bar = (widthMm: number) => {
    const label = { ...sheet.label, widthMm };
    const pitchXMm = widthMm + 4;
    const columns = Math.floor(210 / pitchXMm);
    const narrow = { ...sheet, label, pitchXMm, columns, leftMm: 2 };
    return colorBar(narrow, makePageFrame(narrow, true, undefined), four);
  };

  it("has each ink solid, its tints, and the overprints of process inks", () => {
    const shares = bar(63.5).map((patch) => patch.shares.join(" "));
    for (let i = 0; i < 5; i += 1) {
      const alone = (share: number) =>
        [0, 1, 2, 3, 4].map((at) => (at === i ? share : 0)).join(" ");
      expect(shares).toEqual(expect.arrayContaining([alone(1), alone(0.5), alone(0.25)]));
    }
    for (const overprint of ["1 1 0 0 0", "1 0 1 0 0", "0 1 1 0 0", "1 1 1 0 0"])
      expect(shares).toContain(overprint);
    expect(new Set(shares).size).toBe(shares.length);
  });

  it("leaves out tints first and never a solid where there is little room", () => {
    const narrow = bar(24).map(({ shares }) => shares);
    expect(narrow.length).toBeGreaterThanOrEqual(5);
    expect(narrow.length).toBeLessThan(bar(63.5).length);
    expect(narrow.slice(0, 5).every((shares) => Math.max(...shares) === 1)).toBe(true);
    expect(bar(9)).toEqual([]);
  });

  it("is on the plates that images and pages in CMYK need", async () => {
    const job = await makePressJob(
      {
        sheet,
        label: makeArt(
          makeShape("box", box(40, 5, 9, 9), { fill: BLUE }),
          makeCode(box(3, 3, 27, 27)),
        ),
        marks,
      },
      5,
    );
    expect(await check(job)).toEqual([]);
  });
});
