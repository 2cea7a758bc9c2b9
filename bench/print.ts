/**
 * Sheets: CPU per code, bytes per code and memory of writing and of proving, at 1,000 and 10,000
 * codes of version 3 at level Q, 24 on A4. `node --expose-gc --import tsx bench/print.ts`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { loadSheet } from "../src/print/sheet-files.ts";
import { type SheetOptions, type SheetRecord, writeSheets } from "../src/print/sheets.ts";
import { encodeQr } from "../src/qr/encode.ts";
import { verifySheets } from "../src/verify/verify.ts";

function makeRecords(count: number, caption: boolean): SheetRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    key: `row-${i}`,
    payload: `https://qr.example/${((i * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, "0")}`,
    level: "Q" as const,
    caption: caption ? [`Harbour kitchen - ${i}`] : [],
  }));
}

async function measure<T>(
  work: () => Promise<T>,
): Promise<{ result: T; cpuUs: number; growthMb: number }> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return { result, cpuUs: user + system, growthMb: (process.memoryUsage().rss - before) / 2 ** 20 };
}

async function run(count: number, caption: boolean, folder: string): Promise<void> {
  const records = makeRecords(count, caption);
  const options: SheetOptions = {
    sheet: await loadSheet("a4-24up-63.5x33.9"),
    title: "Bench",
    createdAt: "2026-01-01T00:00:00Z",
    slug: { job: "bench", input: "bench.csv", inputHash: "0".repeat(64), rehearsal: false },
    marks: ["crop"],
    deviceDpi: 600,
    captionLines: caption ? 2 : 0,
  };
  const encoding = await measure(async () => {
    for (const { payload } of records) encodeQr(payload, { level: "Q" });
  });
  const writing = await measure(async () =>
    writeSheets(options, records, path.join(folder, "bench.pdf")),
  );
  const { volumes, cells } = writing.result;
  const bytes = volumes.reduce((sum, volume) => sum + volume.bytes, 0);
  const line = [
    `${count} codes${caption ? " with captions" : ""}:`,
    `${(writing.cpuUs / count).toFixed(0)} us/code (of it encoding ${(encoding.cpuUs / count).toFixed(0)}),`,
    `${(bytes / count).toFixed(0)} bytes/code, RSS +${writing.growthMb.toFixed(0)} MB,`,
  ];
  const proving = await measure(async () => verifySheets({ options, volumes, cells }));
  line.push(
    `proof ${(proving.cpuUs / count / 1000).toFixed(2)} ms/code, ${proving.result.decoded} decoded`,
  );
  console.log(line.join(" "));
}

const folder = await mkdtemp(path.join(tmpdir(), "makeready-bench-"));
try {
  await run(100, true, folder);
  for (const count of [1000, 10_000])
    for (const caption of [false, true]) await run(count, caption, folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
