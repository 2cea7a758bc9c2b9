import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { ScanResult } from "../../src/pipeline/scan-back.ts";
import { printJob, type PrintedCell, type PrintedJob, toPixels } from "./printed-job.ts";
import { blot, paint, scanPage, type Scanning } from "./scanner.ts";

const DPI = 200;

let job: PrintedJob;
beforeAll(async () => {
  job = await printJob(30);
});
afterAll(() => job.close());

/** A page with labels blotted out or left white, as a file in the job's folder. */
async function scanOf(
  name: string,
  number: number,
  {
    blotted = [],
    white = [],
    ...how
  }: Scanning & { blotted?: readonly PrintedCell[]; white?: readonly PrintedCell[] } = {},
): Promise<string> {
  const page = await job.page(number, how.dpi ?? DPI);
  const image = { ...page, data: Uint8Array.from(page.data) };
  for (const cell of blotted) {
    const { left, top, width } = toPixels(cell.code, how.dpi ?? DPI);
    blot(image, { x: left + width / 2, y: top + width / 2, radius: width * 0.3 }, 20);
  }
  for (const cell of white) paint(image, toPixels(cell.label, how.dpi ?? DPI), 255);
  writeFileSync(path.join(job.folder, name), await scanPage(image, { dpi: DPI, ...how }));
  return name;
}

const onPage = (page: number): PrintedCell[] => job.cells.filter((cell) => cell.page === page);
const pick = (page: number, at: number): PrintedCell => onPage(page)[at] as PrintedCell;

async function scanJson(...images: string[]): Promise<ScanResult & { code: number; next: string }> {
  const { code, out, err } = await job.run("scan", "job.yaml", ...images, "--json");
  expect(err).toBe("");
  return { ...(JSON.parse(out) as ScanResult & { next: string }), code };
}

const keysOf = (labels: readonly { key: string }[]): string[] => labels.map(({ key }) => key);

describe("makeready scan", () => {
  test("a straight scan of a good sheet: every label is good, nothing to print again", async () => {
    const name = await scanOf("good.png", 1);
    const { code, out } = await job.run("scan", "job.yaml", name);
    expect(out).toContain("good.png: shelves.pdf page 1: 24 of 24 labels good");
    expect(out).toContain("not scanned: shelves.pdf page 2");
    expect(out).not.toContain("reprint");
    expect(code).toBe(0);
    const file = readFileSync(path.join(job.folder, "out/spoiled.csv"), "utf8");
    expect(file).toBe("\ufeffline,key,caption,file,page,row,column,state,reason,picture\r\n");
  });

  test("damaged and missing labels are named, listed, and printed again by the command shown", async () => {
    const [damaged, missing] = [pick(1, 7), pick(1, 20)];
    const name = await scanOf("spoiled.png", 1, { blotted: [damaged], white: [missing] });
    const { code, out } = await job.run("scan", "job.yaml", name);
    expect(code).toBe(3);
    expect(out).toContain("22 of 24 labels good, 1 damaged, 1 missing");
    expect(out).toContain(
      `damaged: shelves.pdf page 1, row ${damaged.row}, column ${damaged.column}: line ${damaged.line}, "${damaged.key}"`,
    );
    const file = readFileSync(path.join(job.folder, "out/spoiled.csv"), "utf8").split("\r\n");
    expect(file).toHaveLength(4);
    expect(file[1]).toContain(`${damaged.line},${damaged.key},`);
    expect(file[2]).toContain(",missing,nothing is printed there,spoiled.png");
    const next = /→ .*: makeready (.*)\n/u.exec(out)?.[1]?.split(" ") ?? [];
    expect(next).toEqual([
      "sheets",
      "reprint",
      "job.yaml",
      "--key",
      damaged.key,
      "--key",
      missing.key,
    ]);
    const again = await job.run(...next);
    expect(again.code).toBe(0);
    expect(again.out).toContain("2 codes on 1 page printed again, 2 read back");
  });

  test("sheets in any order and orientation, one twice, askew and noisy", async () => {
    const [first, second] = [pick(1, 0), pick(2, 2)];
    const scans = await Promise.all([
      scanOf("a.jpg", 2, { blotted: [second], turn: 182.4, blur: 0.7, noise: 20, jpeg: 60 }),
      scanOf("b.tif", 1, { white: [first], turn: 88, format: "tiff" }),
      scanOf("c.webp", 2, { blotted: [second], turn: 273, format: "webp" }),
    ]);
    const result = await scanJson(...scans);
    expect(keysOf(result.spoiled)).toEqual([first.key, second.key]);
    expect(result.labels).toEqual({ good: 28, damaged: 1, missing: 1, outside: 0 });
    expect(result.unseen).toEqual([]);
    expect(result.sheets.map(({ page, isDouble }) => [page, isDouble])).toEqual([
      [2, false],
      [1, false],
      [2, true],
    ]);
    expect(result.sheets.map(({ lie }) => [lie.quarter, Math.round(lie.turn * 10) / 10])).toEqual([
      [180, 2.4],
      [90, -2],
      [270, 3],
    ]);
    expect(result.code).toBe(3);
  });
});
