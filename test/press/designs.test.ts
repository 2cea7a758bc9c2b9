/** Every built-in design, with and without a logo, under other people's programs: `npm run test:press`. */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { inksOfDesigns } from "../../src/print/art/design-inks.ts";
import { makeSheetJob } from "../../src/print/sheet-job.ts";
import { type SheetOptions, type SheetRecord, writeSheets } from "../../src/print/sheets.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { normalizeLogo } from "../../src/qr/png/raster.ts";
import { readBuiltInTemplates } from "../../src/service/designs/built-in.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { cellPart } from "../../src/verify/proof/prove-pages.ts";
import { ownSheet } from "../print/make-art.ts";
import { engines, has, inkShare, paintedColors, render, run, separate } from "./tools.ts";

const isAsked = process.env["PRESS"] === "1";
const standards = ["PDF/X-4", "PDF/X-1a:2003"] as const;
type Standard = (typeof standards)[number];

/** All of them lie on one sheet. */
const sheet = ownSheet({ page: "A3", label: [45, 45], gutter: [2, 2] });
const TEAL = { cmyk: [0.9, 0.2, 0.4, 0.3], spot: "Brand Teal", tint: 1 } as const;

async function print(standard: Standard) {
  const logo = await normalizeLogo(
    await readFile(new URL("../../templates/logos/winter.png", import.meta.url)),
  );
  const templates = await readBuiltInTemplates();
  const designs = templates.flatMap(({ design: { logo: _none, ...own } }) => [
    resolveDesign(own),
    resolveDesign({ ...own, logo }),
  ]);
  const teal = designs.find(({ frame }) => frame === "swirl")?.primaryColor ?? "";
  const base: SheetOptions = {
    sheet,
    standard,
    title: "Designs",
    createdAt: "2026-01-01T00:00:00Z",
    slug: { job: "designs", input: "designs.csv", inputHash: "0".repeat(64), rehearsal: false },
    marks: ["crop", "registration", "bar"],
    deviceDpi: 600,
    isDefaultDpi: true,
    print: "designed",
    artworkInks: { [teal.toLowerCase()]: TEAL },
  };
  const options = { ...base, designInks: await inksOfDesigns(base, designs) };
  const records = designs.map((design, i): SheetRecord => ({
    key: String(i + 1),
    payload: `https://qr.example/table-${i + 1}`,
    level: design.errorCorrection,
    caption: [],
    design,
  }));
  const file = path.join(await mkdtemp(path.join(tmpdir(), "designs-")), "designs.pdf");
  const written = await writeSheets(options, records, file);
  return { options, records, written, file };
}

const jobs = new Map<Standard, Awaited<ReturnType<typeof print>>>();
const jobOf = (standard: Standard) => jobs.get(standard) as Awaited<ReturnType<typeof print>>;

describe.runIf(isAsked)("every built-in design on one sheet", () => {
  beforeAll(async () => {
    for (const standard of standards) jobs.set(standard, await print(standard));
  });

  it.skipIf(!has("qpdf")).each(standards)("qpdf --check is clean: %s", (standard) => {
    const { file, written } = jobOf(standard);
    expect(run("qpdf", ["--check", file])).toContain("No syntax or stream encoding errors");
    expect(new Set(written.cells.map(({ page }) => page))).toEqual(new Set([1]));
  });

  it.skipIf(!has("gs")).each(standards)("tiffsep: the inks of the job alone: %s", (standard) => {
    const plates = [...separate(jobOf(standard).file, 100)].filter(
      ([, plate]) => inkShare(plate) > 0,
    );
    expect(plates.map(([name]) => name).toSorted()).toEqual([
      "Black",
      "Brand Teal",
      "Cyan",
      "Magenta",
      "Yellow",
    ]);
  });

  it.skipIf(!has("mutool")).each(standards)(
    "mutool trace: no colour but CMYK and the named ink: %s",
    (standard) => {
      const spaces = [...paintedColors(jobOf(standard).file)].map((color) => color.split(" ")[0]);
      const own = spaces.filter(
        (space) => space !== "DeviceCMYK" && !/^(?:Separation|DeviceN)\(/u.test(space ?? ""),
      );
      expect(own).toEqual([]);
    },
  );

  for (const engine of engines) {
    it.skipIf(!has(engine)).each(standards)(`${engine} reads every code: %s`, async (standard) => {
      const { options, records, written, file } = jobOf(standard);
      // At 300 dpi, without smoothing, Ghostscript leaves too little of small triangles.
      const dpi = 600;
      const image = render(engine, file, dpi);
      const decoder = await loadDecoder();
      const { margins } = makeSheetJob(options).frame;
      const px = (mm: number): number => Math.round((mm * dpi) / 25.4);
      const lost = written.cells.filter(({ key, code }) => {
        const by = 2;
        const at = { left: px(margins.left + code.x - by), top: px(margins.top + code.y - by) };
        const size = { width: px(code.width + 2 * by), height: px(code.height + 2 * by) };
        const [found] = decoder.decodeGrey(image, cellPart(image, { ...at, ...size }));
        return found?.text !== records[Number(key) - 1]?.payload;
      });
      expect(lost.map(({ key }) => key)).toEqual([]);
      expect(written.cells).toHaveLength(32);
    });
  }
});
