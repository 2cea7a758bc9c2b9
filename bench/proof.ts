/**
 * The cost of proving one code: all of them decoded, or a sample decoded and every module of all
 * compared (docs/spec/print.md section 12.3). Processor time of this process, in turns, medians.
 *
 * npm run bench -- proof [codes [rounds]]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { loadSheet } from "../src/print/layout/sheet-files.ts";
import { type SheetOptions, writeSheets } from "../src/print/sheets.ts";
import { compareModules } from "../src/verify/pixels/compare-modules.ts";
import { loadDecoder } from "../src/qr/read/load-decoder.ts";
import { provePages } from "../src/verify/proof/prove-pages.ts";
import { proveSheets } from "../src/verify/proof/prove-sheets.ts";
import type { Prover } from "../src/verify/proof/prover.ts";
import { openRenderer } from "../src/verify/pixels/render.ts";

const A4_MM = { width: 210, height: 297 };
/** The first resolution at which a page is looked at. */
const PX_PER_MODULE = 5;

const options: SheetOptions = {
  sheet: await loadSheet("a4-24up-63.5x33.9"),
  title: "Bench",
  createdAt: "2026-01-01T00:00:00Z",
  slug: { job: "bench", input: "rows.csv", inputHash: "0".repeat(64), rehearsal: false },
  marks: [],
  deviceDpi: 600,
};

/** In this thread: other threads would hide the cost. */
const here: Prover = {
  portions: () => ({ atOnce: 1, pictures: 1 }),
  pages: ({ file: _file, sha256: _hash, hidden: _hidden, among: _among, ...task }) =>
    provePages(task),
  pictures: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

async function micros(calls: number, run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const [codes = 2400, rounds = 5] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-bench-proof-"));
try {
  const records = Array.from({ length: codes }, (_, i) => ({
    key: String(i),
    payload: `https://qr.example/${1_000_000 + i}`,
    level: "Q" as const,
    caption: [`No. ${i}`],
  }));
  const file = path.join(folder, "sheets.pdf");
  const { volumes, cells } = await writeSheets(options, records, file);
  const texts = new Map(records.map(({ key, payload }) => [key, payload]));
  const counts = { decoded: 0, compared: 0 };
  const prove = async (sampled: boolean): Promise<void> => {
    const proof = await proveSheets({
      options,
      volumes,
      cells,
      prover: here,
      texts: sampled ? texts : undefined,
    });
    if (proof.findings.length > 0 || proof.decoded + proof.compared !== codes)
      throw new Error("all must be proven");
    if (sampled) Object.assign(counts, { decoded: proof.decoded, compared: proof.compared });
  };

  const decoder = await loadDecoder();
  const document = await openRenderer(readFileSync(volumes[0]?.file ?? ""));
  const first = cells.filter(({ page, volume }) => page === 1 && volume === 1);
  const pxPerMm = PX_PER_MODULE / (first[0]?.xMm ?? 1);
  const px = (mm: number): number => mm * pxPerMm;
  const page = {
    width: Math.round(px(A4_MM.width)),
    height: Math.round(px(A4_MM.height)),
  };
  const image = await document.render(0, page);
  const decode = (): void => {
    for (const { label } of first) {
      const part = {
        left: Math.round(px(label.x)),
        top: Math.round(px(label.y)),
        width: Math.round(px(label.width)),
        height: Math.round(px(label.height)),
      };
      if (decoder.decodeGrey(image, part, { tryHarder: false, max: 2 }).length !== 1)
        throw new Error("each must be read");
    }
  };
  const compare = (): void => {
    for (const { code, xMm, key } of first) {
      const size = Math.round(code.width / xMm);
      const [left, top, width, height] = [code.x, code.y, code.width, code.height].map(px) as [
        number,
        number,
        number,
        number,
      ];
      const { kind } = compareModules(
        image,
        { left, top, width, height, size },
        texts.get(key) ?? "",
      );
      if (kind !== "same") throw new Error("each must be the same");
    }
  };
  const many = Math.ceil(codes / first.length);
  const repeat = async (run: () => unknown): Promise<void> => {
    for (let i = 0; i < many; i += 1) await run();
  };
  const entries: readonly (readonly [string, number, () => Promise<void>])[] = [
    ["proof of the sheets, every code decoded", codes, () => prove(false)],
    ["the same, sampled", codes, () => prove(true)],
    [
      "its share of a page rendered",
      many * first.length,
      () => repeat(() => document.render(0, page)),
    ],
    ["a label decoded", many * first.length, () => repeat(decode)],
    ["the modules of a code compared", many * first.length, () => repeat(compare)],
  ];
  const found = entries.map((): number[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [i, [, calls, run]] of entries.entries()) {
      const took = await micros(calls, run);
      if (round > 0) found[i]?.push(took);
    }
  }
  document.close();
  console.log(`${codes} codes, median of ${rounds}; ${os.cpus().length} x ${os.cpus()[0]?.model}`);
  console.log(`sampled: ${counts.decoded} decoded, ${counts.compared} only compared`);
  console.log("| | us of processor time a code |");
  console.log("|---|---|");
  for (const [i, [name]] of entries.entries())
    console.log(`| ${name} | ${median(found[i] ?? []).toFixed(0)} |`);
} finally {
  rmSync(folder, { recursive: true });
}
