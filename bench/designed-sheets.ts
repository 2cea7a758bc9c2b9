/**
 * Codes as they were designed, on sheets of 24 on A4 (docs/spec/print.md section 7): CPU and bytes per
 * code for plain, coloured, framed and with a logo, beside pdf-lib and pdfkit drawing the same paths.
 * Rounds are interleaved; the least of each counts.
 *
 *     npx tsx bench/designed-sheets.ts
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";

import { PDFDocument, rgb } from "pdf-lib";
import pdfkit from "pdfkit";

import { parseHexColor } from "../src/base/color/color.ts";
import { mmToPt } from "../src/base/shapes/units.ts";
import { inksOfDesigns } from "../src/print/art/design-inks.ts";
import { cellBox, type LabelSheet } from "../src/print/layout/label-sheet.ts";
import { loadSheet } from "../src/print/layout/sheet-files.ts";
import { type SheetOptions, type SheetRecord, writeSheets } from "../src/print/sheets.ts";
import { type Design, resolveDesign } from "../src/qr/draw/design.ts";
import { drawCode } from "../src/qr/draw/drawing.ts";
import { openTextShaper, type TextShaper } from "../src/qr/draw/text.ts";
import { labelFonts } from "../src/qr/engine.ts";
import { normalizeLogo } from "../src/qr/png/raster.ts";

const COUNT = 120;
const ROUNDS = 2;
const CODE_MM = 25;

const payloadOf = (i: number): string =>
  `https://qr.example/${((i * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, "0")}`;

interface Job {
  readonly design: Design;
  readonly sheet: LabelSheet;
  readonly file: string;
  readonly shaper: TextShaper;
}

async function ours({ design, sheet, file }: Job): Promise<number> {
  const options: SheetOptions = {
    sheet,
    title: "Bench",
    createdAt: "2026-01-01T00:00:00Z",
    slug: { job: "bench", input: "bench.csv", inputHash: "0".repeat(64), rehearsal: false },
    marks: ["crop"],
    deviceDpi: 600,
    isDefaultDpi: true,
    captionLines: 0,
    print: "designed",
  };
  const designInks = await inksOfDesigns(options, [design]);
  const inked = designInks.length === 0 ? options : { ...options, designInks };
  const { errorCorrection: level } = design;
  const records = Array.from({ length: COUNT }, (_, i): SheetRecord => {
    return { key: `row-${i}`, payload: payloadOf(i), level, caption: [], design };
  });
  const { volumes } = await writeSheets(inked, records, file);
  return volumes.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The same paths, code by code, as they are drawn for screens. */
function* drawings({ design, sheet, shaper }: Job) {
  for (let i = 0; i < COUNT; i += 1) {
    const at = i % sheet.perSheet;
    const box = cellBox(sheet, Math.floor(at / sheet.columns), at % sheet.columns);
    const drawing = drawCode(payloadOf(i), design, shaper);
    const unit = mmToPt(CODE_MM / Math.max(drawing.width, drawing.height));
    yield { drawing, box, unit, isFirst: at === 0 };
  }
}

const logoBytes = (href: string): Buffer =>
  Buffer.from(href.slice(href.indexOf(",") + 1), "base64");

async function pdfLib(job: Job): Promise<number> {
  const document = await PDFDocument.create();
  const { widthMm, heightMm } = job.sheet.page;
  let page = document.addPage([mmToPt(widthMm), mmToPt(heightMm)]);
  let picture: Awaited<ReturnType<typeof document.embedPng>> | undefined;
  for (const { drawing, box, unit, isFirst } of drawings(job)) {
    if (isFirst && box.y < 50) page = document.addPage([mmToPt(widthMm), mmToPt(heightMm)]);
    const [x, y] = [mmToPt(box.x), mmToPt(heightMm - box.y)];
    for (const layer of drawing.layers) {
      const { r, g, b } = parseHexColor(layer.fill);
      const color = rgb(r / 255, g / 255, b / 255);
      page.drawSvgPath(layer.path, { x, y, scale: unit, color });
    }
    if (drawing.logo === undefined) continue;
    const { logo } = drawing;
    picture ??= await document.embedPng(logoBytes(logo.href));
    const [width, height] = [logo.width * unit, logo.height * unit];
    const at = { x: x + logo.x * unit, y: y - logo.y * unit - height };
    page.drawImage(picture, { ...at, width, height });
  }
  const bytes = await document.save();
  await writeFile(job.file, bytes);
  return bytes.length;
}

async function pdfKit(job: Job): Promise<number> {
  const document = new pdfkit({ autoFirstPage: false, size: "A4" });
  const out = document.pipe(createWriteStream(job.file));
  for (const { drawing, box, unit, isFirst } of drawings(job)) {
    if (isFirst) document.addPage();
    document.save().translate(mmToPt(box.x), mmToPt(box.y)).scale(unit);
    for (const { fill, path: data } of drawing.layers) document.path(data).fill(fill);
    const { logo } = drawing;
    if (logo !== undefined)
      document.image(logo.href, logo.x, logo.y, { width: logo.width, height: logo.height });
    document.restore();
  }
  document.end();
  await finished(out);
  return (await stat(job.file)).size;
}

const contenders = { makeready: ours, "pdf-lib": pdfLib, pdfkit: pdfKit } as const;

const logo = await normalizeLogo(
  await readFile(new URL("../templates/logos/winter.png", import.meta.url)),
);
const blue = { primaryColor: "#0a3d62" } as const;
const card = { ...blue, frame: "card", text: "SCAN ME" } as const;
const designs = {
  plain: {},
  coloured: { ...blue, eyeStyle: "Leaf" },
  "coloured, squares": { ...blue, pattern: "Squares" },
  "coloured, circles": { ...blue, pattern: "Circles" },
  framed: card,
  "framed, polkadot": { ...blue, frame: "polkadot" },
  "with logo": { ...blue, logo },
  "framed, with logo": { ...card, logo },
} as const;

const shaper = await openTextShaper({
  fonts: await Promise.all(labelFonts.map((file) => readFile(file))),
});
const sheet = await loadSheet("a4-24up-63.5x33.9");
const folder = await mkdtemp(path.join(tmpdir(), "bench-"));
console.log(`${COUNT} codes, the least of ${ROUNDS} rounds: us and bytes a code`);
for (const [name, input] of Object.entries(designs)) {
  const job = { design: resolveDesign(input), sheet, shaper, file: path.join(folder, "x.pdf") };
  const least = new Map<string, { us: number; bytes: number }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [who, write] of Object.entries(contenders)) {
      const before = process.cpuUsage();
      const bytes = await write(job);
      const { user, system } = process.cpuUsage(before);
      const us = (user + system) / COUNT;
      const known = least.get(who);
      if (known === undefined || us < known.us) least.set(who, { us, bytes: bytes / COUNT });
    }
  }
  const cells = [...least].map(
    ([who, { us, bytes }]) => `${who} ${us.toFixed(0)} us ${bytes.toFixed(0)} B`,
  );
  console.log(`${name.padEnd(20)} ${cells.join(" · ")}`);
}
await rm(folder, { recursive: true });
shaper.close();
