/** Labels of every sort under other people's programs: `npm run test:press`. */
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { makeSheetJob } from "../../src/print/sheet-job.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { openQrEngine } from "../../src/qr/engine.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { cellPart } from "../../src/verify/proof/prove-pages.ts";
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
} from "../print/make-art.ts";
import { makePressJob, type PressJob } from "../verify/press.ts";
import { engines, has, inkShare, paintedColors, render, run, separate } from "./tools.ts";

const isAsked = process.env["PRESS"] === "1";

const sheet = ownSheet({ label: [63.5, 33.9] });
const coded = makeArt(makeCode(box(3, 3, 27, 27)), makeText(0, box(32, 5, 28, 20)));
const twice = makeArt(makeCode(box(3, 3, 27, 27)), makeCode(box(33, 3, 27, 27)));

const TINT = { cmyk: [0.1, 0, 0.2, 0], spot: null, tint: 1 } as const;

const sorts = {
  labels: { label: everything, dieLine: {}, marks: ["crop"] },
  "labels in PDF/X-1a": { label: everything, standard: "PDF/X-1a:2003" },
  duplex: { label: coded, back: { label: coded, flip: "long-edge" } },
  "two codes": { label: twice },
  drawn: { artwork: "server", artworkInks: { "#1a237e": BLUE } },
  styled: { codeStyle: { pattern: "Circles", eyes: "Rounded", ink: BLUE, eyeInk: BLUE } },
  finished: {
    label: makeArt(
      makeShape("box", box(-2, -2, 67.5, 37.9), { fill: TINT }),
      makeCode(box(3, 3, 27, 27)),
    ),
    white: { spot: "White", area: "label", chokeMm: 0.2 },
    varnish: { spot: "Varnish", area: "around-codes", chokeMm: 0 },
    marks: ["crop", "registration", "bar"],
    dieLine: {},
  },
} as const satisfies Record<string, Partial<SheetOptions>>;

/** Plates that marks must stand on. */
const inksOf = {
  labels: ["Cyan", "Magenta", "Black", GOLD.spot ?? ""],
  finished: ["Cyan", "Yellow", "Black", "White", "Varnish"],
};
type Sort = keyof typeof sorts;
const names = Object.keys(sorts) as Sort[];
/** What programs without overprint show: white covers what it lies on. */
const seen = names.filter((name) => name !== "finished");

const jobs = new Map<Sort, PressJob>();
const jobOf = (name: Sort): PressJob => jobs.get(name) as PressJob;
const fileOf = (name: Sort): string => path.join(jobOf(name).folder, "t.pdf");

describe.runIf(isAsked)("labels of every sort", () => {
  beforeAll(async () => {
    const engine = await openQrEngine();
    const design = resolveDesign({
      errorCorrection: "Q",
      pattern: "Circles",
      eyeStyle: "Leaf",
      primaryColor: "#1a237e",
    });
    const svgOf = (payload: string): string => engine.svg(payload, design);
    for (const name of names)
      jobs.set(name, await makePressJob({ sheet, ...sorts[name] }, 14, svgOf));
  });

  it.skipIf(!has("qpdf")).each(names)("qpdf --check is clean: %s", (name) => {
    expect(run("qpdf", ["--check", fileOf(name)])).toContain("No syntax or stream encoding errors");
  });

  it.skipIf(!has("gs"))("tiffsep: named inks and die lines have plates of their own", () => {
    const plates = separate(fileOf("labels"), 150);
    expect(new Set(plates.keys())).toEqual(
      new Set(["Cyan", "Magenta", "Yellow", "Black", "CutContour", GOLD.spot]),
    );
    for (const [name, plate] of plates) {
      if (name !== "Yellow") expect([name, inkShare(plate) > 0.001]).toEqual([name, true]);
    }
  });

  it.skipIf(!has("gs")).each(["labels", "finished"] as const)(
    "tiffsep: marks stand on every plate but that of the cut: %s",
    (name) => {
      const { options } = jobOf(name);
      const { frame } = makeSheetJob(options);
      const rows = Math.floor(((frame.margins.top - frame.bleedMm) * 150) / 25.4) - 2;
      const inked: Record<string, boolean> = {};
      for (const [plate, { data, width }] of separate(fileOf(name), 150))
        inked[plate] = data.subarray(0, rows * width).some((value) => value < 255);
      const plates = [...new Set(Object.values(inksOf[name]).flat())];
      const other = Object.keys(inked).filter((plate) => !plates.includes(plate));
      expect(plates.map((plate) => [plate, inked[plate]])).toEqual(
        plates.map((plate) => [plate, true]),
      );
      expect(other.map((plate) => [plate, inked[plate]])).toEqual(
        other.map((plate) => [plate, false]),
      );
      expect(other).toContain("CutContour");
    },
  );

  it.skipIf(!has("gs"))(
    "tiffsep: white and varnish knock nothing out, black leaves the tint whole",
    () => {
      const job = jobOf("finished");
      const plates = separate(fileOf("finished"), 300);
      const { margins } = makeSheetJob(job.options).frame;
      const { code } = job.written.cells[0] ?? { code: box(0, 0, 0, 0) };
      const at = (plate: string): number[] => {
        const { data, width } = plates.get(plate) ?? { data: new Uint8Array(), width: 0 };
        const [x, y, side] = [margins.left + code.x, margins.top + code.y, code.width].map((mm) =>
          Math.round((mm * 300) / 25.4),
        ) as [number, number, number];
        const seen = new Set<number>();
        for (let row = y + 1; row < y + side - 1; row += 1)
          for (const value of data.subarray(row * width + x + 1, row * width + x + side - 1))
            seen.add(value);
        return [...seen];
      };
      expect(at("White")).toEqual([0]);
      expect(at("Varnish")).toEqual([255]);
      expect(at("Cyan")).toHaveLength(1);
      expect(at("Cyan")[0]).toBeLessThan(255);
      expect(at("Black").length).toBeGreaterThan(1);
    },
  );

  it.skipIf(!has("mutool")).each(names)("mutool trace: inks of the job only, %s", (name) => {
    const allowed = [
      /^DeviceCMYK 0 0 0 1$/u,
      /^DeviceCMYK 1 0?\.7\d* 0 0?\.1\d*$/u,
      /^DeviceCMYK 0?\.1\d* 0 0?\.2\d* 0$/u,
      /^Separation\(DeviceCMYK,(?:CutContour|PANTONE 871 C|White|Varnish)\) 1$/u,
      // Marks, and the fields of the colour bar.
      /^DeviceN\(\d,DeviceCMYK,(?:Cyan,)?(?:Magenta,)?(?:Yellow,)?Black[^)]*\) [\d. ]+$/u,
    ];
    const colors = [...paintedColors(fileOf(name))];
    expect(colors.filter((color) => !allowed.some((rule) => rule.test(color)))).toEqual([]);
    expect(colors.length).toBeGreaterThan(0);
  });

  for (const engine of engines) {
    it
      .skipIf(!has(engine))
      .each(seen.flatMap((name) => [300, 600].map((dpi) => [name, dpi] as const)))(
      `${engine} reads every code of its first page: %s at %i dpi`,
      async (name, dpi) => {
        const job = jobOf(name);
        const image = render(engine, fileOf(name), dpi);
        const decoder = await loadDecoder();
        const { margins } = makeSheetJob(job.options).frame;
        const px = (mm: number): number => Math.round((mm * dpi) / 25.4);
        const payloads = new Map(job.records.map(({ key, payload }) => [key, payload]));
        const lost: string[] = [];
        for (const { page, key, part, code } of job.written.cells) {
          if (page !== 1) continue;
          const by = 4;
          const size = { width: px(code.width + 2 * by), height: px(code.height + 2 * by) };
          const [left, top] = [px(margins.left + code.x - by), px(margins.top + code.y - by)];
          const found = decoder.decodeGrey(image, cellPart(image, { left, top, ...size }));
          if (found[0]?.text !== payloads.get(key)) lost.push(`${key} ${part ?? 1}`);
        }
        expect(lost).toEqual([]);
      },
    );
  }
});
