/**
 * A whole job beside a script of other people's parts that leaves the same files: an SVG and a PNG
 * per code, sheets of 24 labels on A4, one ZIP; with and without reading every code back. Processor
 * time over all threads, wall time and peak memory; each run is a process of its own, in turns.
 * makeready makes every code through the API of its own service besides, exactly once, and never
 * leaves the proof out.
 *
 *     npm run bench -- job [rows [rounds]]
 */
import { spawnSync } from "node:child_process";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

import { PDFiumLibrary } from "@hyzyla/pdfium";
import { ZipArchive } from "archiver";
import pdfkit from "pdfkit";
import encodeQrPart from "qr";
import qrcode from "qrcode";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes, type ReaderOptions } from "zxing-wasm/reader";

import type * as SqliteModule from "../src/base/sqlite.ts";
import type * as ZipModule from "../src/pack/zip.ts";
import type * as SheetFilesModule from "../src/print/layout/sheet-files.ts";
import type * as SheetsModule from "../src/print/sheets.ts";
import type * as DesignModule from "../src/qr/draw/design.ts";
import type * as QrEngineModule from "../src/qr/engine.ts";
import type * as ProofPoolModule from "../src/verify/proof-pool.ts";
import type * as VerifyModule from "../src/verify/verify.ts";
import type { SheetOptions } from "../src/print/sheets.ts";
import type { PictureClaim } from "../src/verify/prover.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROGRAM = path.join(ROOT, "dist/cli/main.js");
const COLUMNS = 3;
const PER_SHEET = 24;
const MM = 72 / 25.4;
/** Labels of 63.5 x 33.9 mm, from the left and upper edge of A4. */
const LABEL = { width: 63.5, height: 33.9, pitchX: 66, left: 7.25, top: 12.9 };
const CODE_MM = 26;
const PNG_PX = 1000;
const PROOF_DPI = 300;

const toPayload = (row: number): string => `https://example.com/table/${row + 1}`;

const toManifest = (design: string): string => `version: 1
name: bench
kind: codes
source: { file: rows.csv, key: [number] }
code: { type: Link, dynamic: true, qr_data: "{{ target }}", display_name: "{{ number }}", design: ${design} }
output:
  dir: out
  files: [svg, png]
  file_name: "{{ number }}"
  zip: { name: all.zip }
  sheets: { sheet: a4-24up-63.5x33.9, name: sheets.pdf, caption: "{{ number }}", marks: [crop], device_dpi: 600 }
`;

function writeJob(folder: string, rows: number, design: string): void {
  const lines = Array.from({ length: rows }, (_, row) => `T-${row + 1},${toPayload(row)}\n`);
  writeFileSync(path.join(folder, "rows.csv"), `number,target\n${lines.join("")}`);
  writeFileSync(path.join(folder, "job.yaml"), toManifest(design));
}

/** Where the code of a row stands, mm from the page's left and upper edge. */
function placeOf(row: number): { page: number; x: number; y: number } {
  const at = row % PER_SHEET;
  return {
    page: Math.floor(row / PER_SHEET),
    x: LABEL.left + (at % COLUMNS) * LABEL.pitchX + 2,
    y: LABEL.top + Math.floor(at / COLUMNS) * LABEL.height + (LABEL.height - CODE_MM) / 2,
  };
}

/** A module of the built program, which runs as the program does. */
const built = <Module>(file: string): Promise<Module> =>
  import(pathToFileURL(path.join(ROOT, "dist", file)).href) as Promise<Module>;

const ROWS_PER_COMMIT = 64;

/**
 * The parts of makeready, each called for each row, and nothing between them: no service, no requests, no
 * plan, no states of rows, no report. What a whole job takes beyond this is what holds it together.
 */
async function makeWithOwnParts(folder: string, rows: number, proves: boolean): Promise<void> {
  const { openQrEngine } = await built<typeof QrEngineModule>("qr/engine.js");
  const { resolveDesign } = await built<typeof DesignModule>("qr/draw/design.js");
  const { openSqlite } = await built<typeof SqliteModule>("base/sqlite.js");
  const { writeZip } = await built<typeof ZipModule>("pack/zip.js");
  const { loadSheet } = await built<typeof SheetFilesModule>("print/layout/sheet-files.js");
  const { writeSheets } = await built<typeof SheetsModule>("print/sheets.js");
  const engine = await openQrEngine();
  const design = resolveDesign({ errorCorrection: "M" });
  const db = openSqlite(path.join(folder, "state.db"));
  db.exec("CREATE TABLE rows (key TEXT PRIMARY KEY, payload TEXT)");
  const all = Array.from({ length: rows }, (_, row) => ({
    key: `T-${row + 1}`,
    payload: toPayload(row),
  }));
  for (let from = 0; from < rows; from += ROWS_PER_COMMIT) {
    const some = all.slice(from, from + ROWS_PER_COMMIT);
    for (const { key, payload } of some) {
      writeFileSync(path.join(folder, `${key}.svg`), engine.svg(payload, design));
      const png = await engine.png(payload, design, { widthPx: PNG_PX });
      writeFileSync(path.join(folder, `${key}.png`), png);
    }
    db.transaction(() => {
      for (const { key, payload } of some) db.run("INSERT INTO rows VALUES (?, ?)", key, payload);
    }, "full");
  }
  db.close();
  const options: SheetOptions = {
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "Bench",
    createdAt: "2026-01-01T00:00:00Z",
    slug: { job: "bench", input: "rows.csv", inputHash: "0".repeat(64), rehearsal: false },
    marks: ["crop"],
    deviceDpi: 600,
    captionLines: 1,
  };
  const records = all.map(({ key, payload }) => ({
    key,
    payload,
    level: "M" as const,
    caption: [key],
  }));
  const pdf = path.join(folder, "sheets.pdf");
  const { volumes, cells } = await writeSheets(options, records, pdf);
  const files = all.flatMap(({ key, payload }) =>
    ["svg", "png"].map((format) => {
      const name = `${key}.${format}`;
      return { key, name, file: path.join(folder, name), payload };
    }),
  );
  const entries = files.map(({ name, file }) => ({ name, path: file }));
  await writeZip(path.join(folder, "all.zip"), entries, {
    createdAt: new Date("2026-01-01T00:00:00Z"),
  });
  if (proves) await proveOwnParts({ options, volumes, cells }, files);
}

async function proveOwnParts(
  sheets: Parameters<typeof VerifyModule.verifySheets>[0],
  files: readonly PictureClaim[],
): Promise<void> {
  const { verifySheets } = await built<typeof VerifyModule>("verify/verify.js");
  const { sharedProver } = await built<typeof ProofPoolModule>("verify/proof-pool.js");
  const prover = sharedProver();
  const { pictures: each } = prover.portions({ pictures: files.length });
  const parts = Array.from({ length: Math.ceil(files.length / each) }, (_, at) =>
    files.slice(at * each, (at + 1) * each),
  );
  const found = await Promise.all(
    parts.map((pictures) => prover.pictures({ pictures, among: files.length })),
  );
  const { decoded } = await verifySheets(sheets);
  const flaws = found.flat().filter((flaw) => flaw !== undefined);
  if (flaws.length > 0 || decoded !== sheets.cells.length)
    throw new Error(`all must be proven, got ${decoded} labels and ${flaws.length} bad pictures`);
}

/** A matrix with its quiet zone, a square for each module. */
function toSvg(modules: readonly (readonly boolean[])[]): string {
  const side = modules.length;
  const data = modules.flatMap((line, y) =>
    line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path d="${data.join("")}"/></svg>`;
}

interface Pictures {
  readonly svg: string;
  readonly png: Buffer;
}

type Draw = (payload: string) => Promise<Pictures>;

/** In place of an encoder: the parts of makeready itself. */
const OWN = "own";

/** Two well-known ways to a code's pictures. */
const encoders: Readonly<Record<string, Draw>> = {
  qrcode: async (payload) => ({
    svg: await qrcode.toString(payload, { type: "svg", errorCorrectionLevel: "M", margin: 4 }),
    png: await qrcode.toBuffer(payload, { errorCorrectionLevel: "M", margin: 4, width: PNG_PX }),
  }),
  qr: async (payload) => {
    const svg = toSvg(encodeQrPart(payload, "raw", { ecc: "medium", border: 4 }));
    const image = sharp(Buffer.from(svg)).resize(PNG_PX, PNG_PX, { kernel: "nearest" });
    return { svg, png: await image.flatten({ background: "#fff" }).png().toBuffer() };
  },
};

async function makeWithParts(folder: string, rows: number, draw: Draw): Promise<void> {
  const pdf = new pdfkit({ size: "A4", margin: 0, autoFirstPage: false });
  const pdfDone = pipeline(pdf, createWriteStream(path.join(folder, "sheets.pdf")));
  const zip = new ZipArchive({ zlib: { level: 6 } });
  const zipDone = pipeline(zip, createWriteStream(path.join(folder, "all.zip")));
  for (let row = 0; row < rows; row += 1) {
    const { svg, png } = await draw(toPayload(row));
    const { page, x, y } = placeOf(row);
    if (row === page * PER_SHEET) pdf.addPage();
    pdf.image(png, x * MM, y * MM, { width: CODE_MM * MM, height: CODE_MM * MM });
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

/** Reads every picture and every label again. */
async function proveParts(folder: string, rows: number): Promise<void> {
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

interface Figures {
  readonly cpu: number;
  readonly wall: number;
  readonly mb: number;
}

/** Tells what a process took when it ends. */
const PROBE = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from "node:fs";
  const begun = performance.now();
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    const cpu = (user + system) / 1e6;
    const mb = Math.round(process.resourceUsage().maxRSS / 1024);
    const wall = (performance.now() - begun) / 1000;
    writeFileSync(process.env.BENCH_FIGURES, JSON.stringify({ cpu, wall, mb }));
  });
`)}`;

function measure(folder: string, args: readonly string[]): Figures {
  const file = path.join(folder, "figures.json");
  const { status, stderr } = spawnSync(process.execPath, ["--import", PROBE, ...args], {
    cwd: folder,
    env: { ...process.env, BENCH_FIGURES: file },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return JSON.parse(readFileSync(file, "utf8")) as Figures;
}

type Contender = (folder: string, rows: number) => Figures;

const runProgram =
  (design: string, command = "run"): Contender =>
  (folder, rows) => {
    writeJob(folder, rows, design);
    const made = measure(folder, [PROGRAM, "run", "job.yaml", "--yes"]);
    return command === "run" ? made : measure(folder, [PROGRAM, command, "job.yaml"]);
  };

const runParts =
  (encoder: string, ...more: string[]): Contender =>
  (folder, rows) =>
    measure(folder, [
      "--import",
      import.meta.resolve("tsx"),
      fileURLToPath(import.meta.url),
      "--in",
      folder,
      String(rows),
      encoder,
      ...more,
    ]);

const PLAIN = "{ error_correction: M }";
const STYLED = "{ error_correction: Q, primary_color: '#113355', pattern: Circles }";

/** Without exactly once, PDF/X, states and reports, the others do less than makeready in each row. */
const contenders: Readonly<Record<string, Contender>> = {
  "makeready, every code read back": runProgram(PLAIN),
  "makeready, styled, every code read back": runProgram(STYLED),
  "makeready, verify of the finished job": runProgram(PLAIN, "verify"),
  "makeready's own parts alone, every code read back": runParts(OWN, "--prove"),
  "makeready's own parts alone": runParts(OWN),
  "qrcode + pdfkit + archiver": runParts("qrcode"),
  "the same + pdfium + zxing-wasm, every code read back": runParts("qrcode", "--prove"),
  "qr + sharp + pdfkit + archiver": runParts("qr"),
  "the same + pdfium + zxing-wasm, read back": runParts("qr", "--prove"),
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function compare(rows: number, rounds: number): void {
  const all = new Map<string, Figures[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-bench-job-"));
      mkdirSync(folder, { recursive: true });
      try {
        all.get(name)?.push(run(folder, rows));
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  }
  const of = (name: string, what: keyof Figures): number =>
    median((all.get(name) ?? []).map((figures) => figures[what]));
  const [ours = ""] = Object.keys(contenders);
  console.log(`${rows} rows, median of ${rounds}; ${os.cpus().length} x ${os.cpus()[0]?.model}`);
  console.log("| | s of processor time | the first takes so many times | s | peak MB |");
  console.log("|---|---|---|---|---|");
  for (const name of Object.keys(contenders)) {
    const cpu = of(name, "cpu");
    const ratio = (of(ours, "cpu") / cpu).toFixed(2);
    console.log(
      `| ${name} | ${cpu.toFixed(1)} | ${ratio} | ${of(name, "wall").toFixed(1)} | ${of(name, "mb")} |`,
    );
  }
}

const [first, second, third = "", encoder = "", last] = process.argv.slice(2);
if (first === "--in") {
  const folder = second ?? "";
  const draw = encoders[encoder];
  const proves = last === "--prove";
  if (encoder === OWN) await makeWithOwnParts(folder, Number(third), proves);
  else if (draw === undefined) throw new Error(`encoder must be known, got ${encoder}`);
  else {
    await makeWithParts(folder, Number(third), draw);
    if (proves) await proveParts(folder, Number(third));
  }
} else {
  if (!existsSync(PROGRAM)) throw new Error("the program must be built: npm run build");
  compare(Number(first ?? 1000), Number(second ?? 3));
}
