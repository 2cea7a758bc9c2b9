/** Sheets of every sample job, separated by Ghostscript: `npm run test:press`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";

import { isRowJob } from "../../src/kinds/any-job.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeShop } from "../flow/seed.ts";
import { type Grey, has, run, separate } from "./tools.ts";

const isAsked = process.env["PRESS"] === "1";
const DPI = 100;

/** The one sample without sheets is the one whose design has a colour: here it has posters with all marks. */
const POSTERS = `
  sheets: { sheet: { page: A3, label: [260, 380], gutter: 0, margin: 15 }, caption: "{{ town }}", marks: [crop, registration, bar], die_line: true }
`;

/** Rows of samples that are looked at: more give more sheets that look the same. */
const ROWS = 30;

function shorten(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".csv"))) {
    const file = path.join(folder, name);
    const lines = readFileSync(file, "latin1").split("\n");
    writeFileSync(file, lines.slice(0, ROWS).join("\n"), "latin1");
  }
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const toBox = ({ x, y, width, height }: Record<"x" | "y" | "width" | "height", number>): Box => [
  x,
  y,
  x + width,
  y + height,
];

async function boxesOf(file: string): Promise<Record<"media" | "bleed" | "trim", Box>> {
  const [page] = (await PDFDocument.load(readFileSync(file))).getPages();
  if (page === undefined) throw new Error(`${file} must have a page`);
  return {
    media: toBox(page.getMediaBox()),
    bleed: toBox(page.getBleedBox()),
    trim: toBox(page.getTrimBox()),
  };
}

const holds = (outer: Box, inner: Box): boolean =>
  outer.every((edge, i) => (i < 2 ? edge <= (inner[i] ?? 0) : edge >= (inner[i] ?? 0)));

const px = (pt: number): number => (pt * DPI) / 72;

/** True where a plate has ink: on all of the page, or only beyond the bleed. */
function isInked({ data, width, height }: Grey, [left, bottom, right, top]: Box, media: Box) {
  let [anywhere, beyond] = [false, false];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (data[y * width + x] === 255) continue;
      anywhere = true;
      const [atX, atY] = [x + px(media[0]), px(media[3]) - y];
      // A pixel at the edge belongs to both sides.
      const isOut =
        atX + 2 < px(left) || atX - 2 > px(right) || atY + 2 < px(bottom) || atY - 2 > px(top);
      if (isOut) beyond = true;
    }
  }
  return { anywhere, beyond };
}

const names = readdirSync("jobs").map((name) => path.parse(name).name);

describe.runIf(isAsked && has("gs") && has("qpdf"))("sheets of the sample jobs", () => {
  it.each(names)("%s: marks stand on every plate in use but the cut", async (name) => {
    const shop = makeShop();
    const manifest = shop.job(name);
    if (name === "poster-codes")
      writeFileSync(manifest, readFileSync(manifest, "utf8").trimEnd() + POSTERS);
    shorten(path.join(shop.root, "samples"));
    const job = await loadJob(manifest, { env: {} });
    if (!isRowJob(job) || job.output.sheets === null) return;
    const ended = await runInProcess(["run", manifest]);
    expect([0, 3], ended.err).toContain(ended.code);
    const files = readdirSync(job.output.dir).filter((file) => file.endsWith(".pdf"));
    expect(files.length).toBeGreaterThan(0);
    const { marks } = job.output.sheets;
    for (const file of files.slice(0, 2).map((one) => path.join(job.output.dir, one))) {
      expect(run("qpdf", ["--check", file])).toContain("No syntax or stream encoding errors");
      const { media, bleed, trim } = await boxesOf(file);
      expect([holds(media, bleed), holds(bleed, trim)]).toEqual([true, true]);
      for (const [plate, pixels] of separate(file, DPI)) {
        const { anywhere, beyond } = isInked(pixels, bleed, media);
        const isCut = plate === "CutContour";
        const wanted = anywhere && !isCut && marks.length > 0;
        expect([plate, beyond]).toEqual([plate, wanted]);
      }
    }
    if (name === "poster-codes")
      expect(
        [...separate(path.join(job.output.dir, files[0] ?? ""), DPI)]
          .filter(([, one]) => one.data.some((value) => value < 255))
          .map(([plate]) => plate)
          .toSorted(),
      ).toEqual(["Black", "CutContour", "Cyan", "Magenta"]);
  });
});
