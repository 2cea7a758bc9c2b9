/**
 * What other people's programs say of our sheets: `npm run test:press`. Each test is skipped by
 * name where its program is missing (Debian: qpdf, ghostscript, mupdf-tools, poppler-utils). Not
 * part of `npm test`: the programs are not npm packages, and pages at 2400 dpi take a while.
 */
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import type { LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { cellPart } from "../../src/verify/proof/prove-pages.ts";
import { makePressJob, type PressJob } from "../verify/press.ts";
import {
  engines,
  type Grey,
  has,
  inkShare,
  paintedColors,
  render,
  run,
  separate,
} from "./tools.ts";

const isAsked = process.env["PRESS"] === "1";
const standards = ["PDF/X-4", "PDF/X-1a:2003"] as const;

/** 24 codes on A4 with everything that may stand beside them. */
const full: Partial<SheetOptions> = { marks: ["crop", "registration", "bar"], dieLine: {} };
const fileOf = ({ folder }: PressJob): string => path.join(folder, "t.pdf");

/** One label on a page of its own, so that 2400 dpi fit into memory. */
const small: LabelSheet = {
  name: "one",
  title: "One label",
  stock: "labels",
  page: { name: "small", widthMm: 40, heightMm: 40 },
  label: { shape: "rectangle", widthMm: 30, heightMm: 30, cornerRadiusMm: 0 },
  columns: 1,
  rows: 1,
  perSheet: 1,
  leftMm: 5,
  topMm: 5,
  pitchXMm: 30,
  pitchYMm: 30,
  sameAs: [],
  origin: "test",
  status: "verified",
  note: "",
};

/** The first code of a job, its matrix, and where it lies on a page without marks. */
function firstCode({ records, written }: PressJob) {
  const [record] = records;
  const [cell] = written.cells;
  if (record === undefined || cell === undefined) throw new Error("the job must have a code");
  return { matrix: encodeQr(record.payload, { level: record.level }), cell };
}

const report = (line: string): void => void process.stdout.write(`${line}\n`);

describe.runIf(isAsked)("structure", () => {
  it.skipIf(!has("qpdf")).each(standards)("qpdf --check is clean: %s", async (standard) => {
    const { dieLine: _, ...plain } = full;
    for (const changes of [
      { ...plain, standard },
      { ...full, standard },
    ]) {
      const said = run("qpdf", ["--check", fileOf(await makePressJob(changes, 30))]);
      expect(said).toContain("No syntax or stream encoding errors");
    }
  });
});

describe.runIf(isAsked)("colour", () => {
  it.skipIf(!has("gs"))(
    "tiffsep: codes on Black alone, the die line on its own plate",
    async () => {
      const job = await makePressJob(full, 24);
      const plates = separate(fileOf(job), 150);
      const shares = [...plates].map(([name, plate]) => [name, inkShare(plate)] as const);
      report(shares.map(([name, share]) => `${name} ${(share * 100).toFixed(2)} %`).join(", "));
      expect(new Set(plates.keys())).toEqual(
        new Set(["Cyan", "Magenta", "Yellow", "Black", "CutContour"]),
      );
      // Inside its cut every label is on Black alone.
      const { cell } = firstCode(job);
      const dots = 150 / 25.4;
      const label = {
        width: Math.round(cell.label.width * dots) - 4,
        height: Math.round(cell.label.height * dots) - 4,
      };
      for (const name of ["Cyan", "Magenta", "Yellow", "CutContour"]) {
        const plate = plates.get(name) as Grey;
        for (const { label: place } of job.written.cells) {
          const [x, y] = [(10 + place.x) * dots + 2, (10 + place.y) * dots + 2].map(Math.round);
          expect([name, inkShare(crop(plate, { left: x ?? 0, top: y ?? 0, ...label }))]).toEqual([
            name,
            0,
          ]);
        }
      }
      expect(inkShare(plates.get("Black") as Grey)).toBeGreaterThan(0.02);
      expect(inkShare(plates.get("CutContour") as Grey)).toBeGreaterThan(0.001);
    },
  );

  it.skipIf(!has("mutool")).each(standards)(
    "mutool trace: allowed colours only, %s",
    async (standard) => {
      const plain = paintedColors(fileOf(await makePressJob({ standard }, 24)));
      expect(plain).toEqual(new Set(["DeviceCMYK 0 0 0 1"]));
      const colors = paintedColors(
        fileOf(await makePressJob({ ...full, standard, marks: ["crop"] }, 24)),
      );
      report([...colors].join(", "));
      for (const color of colors) {
        expect(color).toMatch(/^(?:DeviceCMYK 0 0 0 1|Separation\(DeviceCMYK,CutContour\) 1)$/u);
      }
      expect(colors.size).toBe(2);
    },
  );
});

/** A part of other programs' pixels. */
function crop(image: Grey, box: Parameters<typeof cellPart>[1]): Grey {
  const { left, top, width, height } = cellPart(image, box);
  const at = (i: number): number =>
    (top + Math.floor(i / width)) * image.width + left + (i % width);
  const data = Uint8Array.from({ length: width * height }, (_, i) => image.data[at(i)] ?? 255);
  return { width, height, data };
}

describe.runIf(isAsked)("every cell decodes", () => {
  let job: PressJob;
  beforeAll(async () => {
    job = await makePressJob({ marks: ["crop"] }, 24);
  });

  for (const engine of engines) {
    it.skipIf(!has(engine)).each([300, 600])(`${engine} at %i dpi: 24 of 24`, async (dpi) => {
      const image = render(engine, fileOf(job), dpi);
      const decoder = await loadDecoder();
      const px = (mm: number): number => Math.round((mm * dpi) / 25.4);
      const read: (string | undefined)[] = [];
      for (const { label } of job.written.cells) {
        const size = { width: px(label.width), height: px(label.height) };
        const place = { left: px(10 + label.x), top: px(10 + label.y), ...size };
        read.push(decoder.decodeGrey(image, cellPart(image, place))[0]?.text);
      }
      expect(read).toEqual(job.records.map(({ payload }) => payload));
    });

    it.skipIf(!has(engine)).each([300, 600])(
      `${engine} at %i dpi, off the grid: no pixel inside the ink is lighter (seams)`,
      async (dpi) => {
        const odd = await makePressJob(
          { sheet: small, marks: [], deviceDpi: undefined, qrSizeMm: 17.3, captionLines: 0 },
          1,
        );
        const { interior, light } = countSeams(odd, render(engine, fileOf(odd), dpi), dpi);
        report(`${engine} ${dpi} dpi: ${light} of ${interior} interior pixels lighter`);
        expect(interior).toBeGreaterThan(5_000);
        expect(light).toBe(0);
      },
    );
  }
});

/** Pixels whose surroundings are dark modules too, and how many of them are not fully dark. */
function countSeams(job: PressJob, image: Grey, dpi: number): { interior: number; light: number } {
  const { matrix, cell } = firstCode(job);
  const dots = dpi / 25.4;
  const [left, top, unit] = [cell.code.x * dots, cell.code.y * dots, cell.xMm * dots];
  const isInk = (x: number, y: number): boolean => {
    const [column, row] = [Math.floor((x - left) / unit), Math.floor((y - top) / unit)];
    const isInside = column >= 0 && row >= 0 && column < matrix.size && row < matrix.size;
    return isInside && isDark(matrix, column, row);
  };
  const black = image.data.reduce((least, grey) => Math.min(least, grey), 255);
  let [interior, light] = [0, 0];
  const reach = [-0.6, 0.5, 1.6];
  for (let y = Math.ceil(top); y < top + cell.code.height * dots; y += 1) {
    for (let x = Math.ceil(left); x < left + cell.code.width * dots; x += 1) {
      if (!reach.every((dx) => reach.every((dy) => isInk(x + dx, y + dy)))) continue;
      interior += 1;
      if ((image.data[y * image.width + x] ?? 255) > black) light += 1;
    }
  }
  return { interior, light };
}

describe.runIf(isAsked)("on the device grid", () => {
  it.skipIf(!has("gs")).each([300, 600, 1200, 2400])(
    "Ghostscript at %i dpi: every module its pixels, 0 % ink gain",
    async (dpi) => {
      const job = await makePressJob(
        { sheet: small, marks: [], deviceDpi: dpi, xDimensionMm: 0.396, captionLines: 0 },
        1,
      );
      const { matrix, cell } = firstCode(job);
      const image = render("gs", fileOf(job), dpi);
      const unit = Math.round((cell.xMm * dpi) / 25.4);
      expect(unit).toBe(Math.ceil((0.396 * dpi) / 25.4 - 1e-9));
      // The origin is a grid point counted from the page's lower left corner.
      const left = Math.round((cell.code.x * dpi) / 25.4);
      const bottom = Math.round(((40 - cell.code.y - cell.code.height) * dpi) / 25.4);
      const top = image.height - bottom - matrix.size * unit;
      let [wanted, inked, wrong] = [0, 0, 0];
      for (let y = 0; y < matrix.size * unit; y += 1) {
        for (let x = 0; x < matrix.size * unit; x += 1) {
          const isInk = (image.data[(top + y) * image.width + left + x] ?? 255) < 128;
          const isWanted = isDark(matrix, Math.floor(x / unit), Math.floor(y / unit));
          wanted += Number(isWanted);
          inked += Number(isInk);
          wrong += Number(isInk !== isWanted);
        }
      }
      const all = image.data.reduce((sum, grey) => sum + Number(grey < 128), 0);
      report(
        `${dpi} dpi: X ${cell.xMm.toFixed(4)} mm = ${unit} px, ink gain ${(((inked - wanted) / wanted) * 100).toFixed(2)} %`,
      );
      expect([inked, wrong, all]).toEqual([wanted, 0, wanted]);
    },
  );
});

it.runIf(isAsked)("names what it could not ask", () => {
  const missing = ["qpdf", ...engines].filter((program) => !has(program));
  if (missing.length > 0) report(`skipped, not installed: ${missing.join(", ")}`);
  expect(missing.length).toBeLessThan(4);
});

it("has a sheet that the loader would take too", async () => {
  expect(Object.keys(small).toSorted()).toEqual(
    Object.keys(await loadSheet("a4-24up-63.5x33.9")).toSorted(),
  );
});
