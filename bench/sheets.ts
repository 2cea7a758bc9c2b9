/**
 * Sheets of 24 codes on A4, version 3 at level Q (docs/spec/print.md section 13): CPU and bytes per
 * code and memory of writing, compared with a PNG per code in pdf-lib and pdfkit, and CPU of
 * proving. Each contender runs in its own process, in turns, to measure its own memory.
 *
 * npx tsx bench/sheets.ts
 */
import { spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";

import { PDFDocument } from "pdf-lib";
import pdfkit from "pdfkit";

import { mmToPt } from "../src/base/shapes/units.ts";
import { cellBox, type LabelSheet } from "../src/print/layout/label-sheet.ts";
import { loadSheet } from "../src/print/layout/sheet-files.ts";
import { type SheetOptions, type SheetRecord, writeSheets } from "../src/print/sheets.ts";
import { resolveDesign } from "../src/qr/draw/design.ts";
import { encodeQr } from "../src/qr/encode/encode.ts";
import { openQrEngine } from "../src/qr/engine.ts";
import { verifySheets } from "../src/verify/verify.ts";

/** 37 modules of 8 pixels: 300 dpi at 25 mm. */
const PNG_PX = 296;
const CODE_MM = 25;

const payloadOf = (i: number): string =>
  `https://qr.example/${((i * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, "0")}`;

function makeRecords(count: number, caption: boolean): SheetRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    key: `row-${i}`,
    payload: payloadOf(i),
    level: "Q" as const,
    caption: caption ? [`Harbour kitchen - ${i}`] : [],
  }));
}

const toOptions = (sheet: LabelSheet, caption: boolean): SheetOptions => ({
  sheet,
  title: "Bench",
  createdAt: "2026-01-01T00:00:00Z",
  slug: { job: "bench", input: "bench.csv", inputHash: "0".repeat(64), rehearsal: false },
  marks: ["crop"],
  deviceDpi: 600,
  captionLines: caption ? 2 : 0,
});

interface Job {
  readonly count: number;
  readonly sheet: LabelSheet;
  readonly file: string;
}

const ours =
  (caption: boolean) =>
  async ({ count, sheet, file }: Job): Promise<number> => {
    const { volumes } = await writeSheets(
      toOptions(sheet, caption),
      makeRecords(count, caption),
      file,
    );
    return volumes.reduce((sum, { bytes }) => sum + bytes, 0);
  };

/** Draws a PNG for each code, as people do without vectors; answers its place on its page. */
async function* drawPngs({ count, sheet }: Job) {
  const engine = await openQrEngine();
  const design = resolveDesign({ errorCorrection: "Q" });
  for (let i = 0; i < count; i += 1) {
    const at = i % sheet.perSheet;
    const box = cellBox(sheet, Math.floor(at / sheet.columns), at % sheet.columns);
    const png = await engine.png(payloadOf(i), design, { widthPx: PNG_PX });
    yield { png, box, isFirst: at === 0 };
  }
}

async function pdfLib(job: Job): Promise<number> {
  const document = await PDFDocument.create();
  const { widthMm, heightMm } = job.sheet.page;
  let page = document.addPage([mmToPt(widthMm), mmToPt(heightMm)]);
  let isUsed = false;
  for await (const { png, box, isFirst } of drawPngs(job)) {
    if (isFirst && isUsed) page = document.addPage([mmToPt(widthMm), mmToPt(heightMm)]);
    isUsed = true;
    const side = mmToPt(CODE_MM);
    page.drawImage(await document.embedPng(png), {
      x: mmToPt(box.x),
      y: mmToPt(heightMm - box.y - CODE_MM),
      width: side,
      height: side,
    });
  }
  const bytes = await document.save();
  await writeFile(job.file, bytes);
  return bytes.length;
}

async function pdfKit(job: Job): Promise<number> {
  const document = new pdfkit({ autoFirstPage: false, size: "A4" });
  const out = document.pipe(createWriteStream(job.file));
  for await (const { png, box, isFirst } of drawPngs(job)) {
    if (isFirst) document.addPage();
    const place = { width: mmToPt(CODE_MM) };
    document.image(Buffer.from(png), mmToPt(box.x), mmToPt(box.y), place);
  }
  document.end();
  await finished(out);
  return (await stat(job.file)).size;
}

const contenders: Readonly<Record<string, (job: Job) => Promise<number>>> = {
  makeready: ours(false),
  "makeready, captions": ours(true),
  "pdf-lib, PNG": pdfLib,
  "pdfkit, PNG": pdfKit,
};

interface Figures {
  readonly cpuUs: number;
  readonly bytes: number;
  /** Memory growth of a process that had loaded everything and written one page. */
  readonly growthMb: number;
}

async function measureHere(name: string, count: number): Promise<Figures> {
  const contender = contenders[name];
  if (contender === undefined) throw new Error(`no contender ${name}`);
  const folder = await mkdtemp(path.join(tmpdir(), "makeready-bench-"));
  try {
    const job = { sheet: await loadSheet("a4-24up-63.5x33.9"), file: path.join(folder, "x.pdf") };
    await contender({ ...job, count: 24 });
    const before = process.memoryUsage().rss;
    const start = process.cpuUsage();
    const bytes = await contender({ ...job, count });
    const { user, system } = process.cpuUsage(start);
    const growthMb = (process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20;
    return { cpuUs: (user + system) / count, bytes: bytes / count, growthMb };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function measure(name: string, count: number): Figures {
  const script = fileURLToPath(import.meta.url);
  const args = ["--import", "tsx", script, name, String(count)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  try {
    return JSON.parse(stdout) as Figures;
  } catch {
    throw new Error(stderr);
  }
}

const median = (values: readonly Figures[]): Figures =>
  values.toSorted((a, b) => a.cpuUs - b.cpuUs)[Math.floor(values.length / 2)] as Figures;

/** One table: all in turns, `rounds` times; the others are compared with the first. */
function compare(count: number, names: readonly string[], rounds: number): void {
  const found = new Map(names.map((name) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) found.get(name)?.push(measure(name, count));
  }
  console.log(`\n${count.toLocaleString("en")} codes`);
  const reference = median(found.get(names[0] ?? "") ?? []);
  for (const [name, figures] of found) {
    const { cpuUs, bytes, growthMb } = median(figures);
    const parts = [
      `${cpuUs.toFixed(0)} us/code (${(cpuUs / reference.cpuUs).toFixed(1)} x)`,
      `${bytes.toFixed(0)} bytes/code (${(bytes / reference.bytes).toFixed(1)} x)`,
      `memory +${growthMb.toFixed(0)} MB`,
    ];
    console.log(`  ${name.padEnd(22)}${parts.join(", ")}`);
  }
}

async function measureProof(count: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "makeready-bench-"));
  try {
    const options = toOptions(await loadSheet("a4-24up-63.5x33.9"), true);
    const records = makeRecords(count, true);
    const { volumes, cells } = await writeSheets(options, records, path.join(folder, "x.pdf"));
    const start = process.cpuUsage();
    const { decoded } = await verifySheets({ options, volumes, cells });
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000 / count;
    console.log(`\nproof: ${ms.toFixed(2)} ms/code, ${decoded} of ${count} decoded`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [name, count] = process.argv.slice(2);
if (name !== undefined && count !== undefined) {
  console.log(JSON.stringify(await measureHere(name, Number(count))));
} else {
  const encoding = process.cpuUsage();
  for (let i = 0; i < 10_000; i += 1) encodeQr(payloadOf(i), { level: "Q" });
  const { user, system } = process.cpuUsage(encoding);
  console.log(`encoding alone: ${((user + system) / 10_000).toFixed(0)} us/code`);
  compare(1000, Object.keys(contenders), 3);
  compare(10_000, ["makeready", "makeready, captions"], 3);
  compare(50_000, ["makeready"], 1);
  await measureProof(1000);
}
