/** A script from other people's parts that makes the same files as a job of makeready. */
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { PDFiumLibrary } from "@hyzyla/pdfium";
import { ZipArchive } from "archiver";
import pdfkit from "pdfkit";
import encodeQrPart from "qr";
import qrcode from "qrcode";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes, type ReaderOptions } from "zxing-wasm/reader";

import { CODE_MM, MM, PER_SHEET, placeOf, PNG_PX, PROOF_DPI, toPayload } from "./sheet.ts";

/** A matrix with its quiet zone, a square for each module. */
function toSvg(modules: Modules): string {
  const side = modules.length;
  const data = modules.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path d="${data.join("")}"/></svg>`;
}

type Modules = readonly (readonly boolean[])[];

interface Pictures {
  readonly svg: string;
  readonly png: Buffer;
  /** With its quiet zone. */
  readonly modules: Modules;
}

type Draw = (payload: string) => Promise<Pictures>;

const QUIET = 4;

/** The matrix of node-qrcode with a quiet zone. */
function toModules(payload: string): Modules {
  const { modules } = qrcode.create(payload, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * QUIET;
  const isInside = (at: number): boolean => at >= QUIET && at < side - QUIET;
  return Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (__, x) =>
      isInside(x) && isInside(y) ? modules.get(y - QUIET, x - QUIET) === 1 : false,
    ),
  );
}

/** Two well-known ways to a code's pictures. */
export const encoders: Readonly<Record<string, Draw>> = {
  qrcode: async (payload) => ({
    svg: await qrcode.toString(payload, { type: "svg", errorCorrectionLevel: "M", margin: QUIET }),
    png: await qrcode.toBuffer(payload, {
      errorCorrectionLevel: "M",
      margin: QUIET,
      width: PNG_PX,
    }),
    modules: toModules(payload),
  }),
  qr: async (payload) => {
    const modules = encodeQrPart(payload, "raw", { ecc: "medium", border: QUIET });
    const svg = toSvg(modules);
    const image = sharp(Buffer.from(svg)).resize(PNG_PX, PNG_PX, { kernel: "nearest" });
    const png = await image.flatten({ background: "#fff" }).png().toBuffer();
    return { svg, png, modules };
  },
};

type Page = InstanceType<typeof pdfkit>;

/** As vectors, like makeready: one fill, a rectangle for each run of dark modules. */
function drawCode(
  pdf: Page,
  modules: Modules,
  at: { readonly x: number; readonly y: number },
): void {
  const px = (CODE_MM * MM) / modules.length;
  for (const [y, line] of modules.entries()) {
    let from = -1;
    for (let x = 0; x <= line.length; x += 1) {
      const isDark = line[x] === true;
      if (isDark && from < 0) from = x;
      if (isDark || from < 0) continue;
      pdf.rect(at.x * MM + from * px, at.y * MM + y * px, (x - from) * px, px);
      from = -1;
    }
  }
  pdf.fill("black");
}

export async function makeWithParts(folder: string, rows: number, draw: Draw): Promise<void> {
  const pdf = new pdfkit({ size: "A4", margin: 0, autoFirstPage: false });
  const pdfDone = pipeline(pdf, createWriteStream(path.join(folder, "sheets.pdf")));
  const zip = new ZipArchive({ zlib: { level: 6 } });
  const zipDone = pipeline(zip, createWriteStream(path.join(folder, "all.zip")));
  for (let row = 0; row < rows; row += 1) {
    const { svg, png, modules } = await draw(toPayload(row));
    const { page, x, y } = placeOf(row);
    if (row === page * PER_SHEET) pdf.addPage();
    drawCode(pdf, modules, { x, y });
    pdf.fontSize(8).text(`T-${row + 1}`, (x + CODE_MM + 1) * MM, (y + CODE_MM / 2) * MM);
    const base = path.join(folder, `T-${row + 1}`);
    writeFileSync(`${base}.svg`, svg);
    writeFileSync(`${base}.png`, png);
    zip.append(svg, { name: `T-${row + 1}.svg` });
    zip.append(png, { name: `T-${row + 1}.png`, store: true });
  }
  pdf.end();
  await Promise.all([pdfDone, zip.finalize(), zipDone]);
}

type Picture = Parameters<typeof readBarcodes>[0];

const OPTIONS: ReaderOptions = { formats: ["QRCode"], maxNumberOfSymbols: 1, tryHarder: false };

async function mustSay(payload: string, input: Picture): Promise<void> {
  const [quick] = await readBarcodes(input, OPTIONS);
  const found = quick ?? (await readBarcodes(input, { ...OPTIONS, tryHarder: true }))[0];
  if (found?.text !== payload) throw new Error(`code must say ${payload}, got ${found?.text}`);
}

const px = (mm: number): number => Math.round((mm * PROOF_DPI) / 25.4);

/** Reads every picture and every label back. */
export async function proveParts(folder: string, rows: number): Promise<void> {
  const resolve = createRequire(import.meta.url).resolve;
  const wasm = new Uint8Array(readFileSync(resolve("zxing-wasm/reader/zxing_reader.wasm"))).buffer;
  await prepareZXingModule({ overrides: { wasmBinary: wasm }, fireImmediately: true });
  for (let row = 0; row < rows; row += 1) {
    const base = path.join(folder, `T-${row + 1}`);
    await mustSay(toPayload(row), readFileSync(`${base}.png`));
    const drawn = sharp(`${base}.svg`).resize(300).flatten({ background: "#fff" });
    await mustSay(toPayload(row), await drawn.png({ compressionLevel: 1 }).toBuffer());
  }
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(readFileSync(path.join(folder, "sheets.pdf")));
  for (const page of document.pages()) {
    const { data, width, height } = await page.render({ scale: PROOF_DPI / 72, render: "bitmap" });
    const image = sharp(data, { raw: { width, height, channels: 4 } });
    const first = page.number * PER_SHEET;
    for (let row = first; row < Math.min(rows, first + PER_SHEET); row += 1) {
      const { x, y } = placeOf(row);
      const box = { left: px(x), top: px(y), width: px(CODE_MM), height: px(CODE_MM) };
      const cell = await image.clone().extract(box).raw().toBuffer();
      const pixels = new Uint8ClampedArray(cell);
      await mustSay(toPayload(row), { data: pixels, ...box } as Picture);
    }
  }
  document.destroy();
}
