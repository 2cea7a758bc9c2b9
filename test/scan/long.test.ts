/**
 * 10,000 labels on simulated scans, one in a hundred spoiled at random: every spoiled one is named, no good
 * one is. `SCAN_LABELS=10000` asks for all; a few sheets otherwise.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import type { ScanResult } from "../../src/pipeline/scan-back/scan-back.ts";
import type { GreyImage } from "../../src/qr/read/decode.ts";
import { printJob, type PrintedCell, toPixels } from "./printed-job.ts";
import { blot, makeRandom, paint, scanPage, type Scanning } from "./scanner.ts";

const LABELS = Number(process.env["SCAN_LABELS"] ?? 24);
const SEED = Number(process.env["SCAN_SEED"] ?? 22);
/** Of a hundred. */
const SPOILED = process.env["SCAN_LABELS"] === undefined ? 4 : 1;

type Random = () => number;

/** Spoils a label so that no reader could mend it: an eye gone, half of it gone, all of it, or blotted. */
function spoil(
  image: GreyImage,
  cell: PrintedCell,
  { dpi, random }: { dpi: number; random: Random },
): void {
  const { left, top, width } = toPixels(cell.code, dpi);
  const kind = Math.floor(random() * 4);
  const grey = random() < 0.5 ? 0 : 255;
  if (kind === 0) paint(image, toPixels(cell.label, dpi), 255);
  if (kind === 1) paint(image, { left, top: top + width * 0.4, width, height: width * 0.6 }, grey);
  if (kind === 2)
    blot(image, { x: left + width / 2, y: top + width / 2, radius: width * 0.33 }, grey);
  if (kind === 3) {
    // Two eyes, so that it can't be found at all.
    paint(image, { left, top, width: width * 0.35, height: width }, grey);
  }
}

/** What every sheet has and no label dies of: a nozzle that was out, a speck beside the codes. */
function wear(image: GreyImage, random: Random, dpi: number): void {
  const line = Math.max(1, Math.round(dpi / 250));
  const at = random() * image.height;
  paint(image, { left: 0, top: at, width: image.width, height: line }, 255);
  for (let speck = 0; speck < 30; speck += 1) {
    const place = { x: random() * image.width, y: random() * image.height };
    blot(image, { ...place, radius: random() * (dpi / 150) }, 30);
  }
}

const RESOLUTIONS = [200, 300, 400, 600];

function makeScanning(random: Random, seed: number): Scanning & { dpi: number } {
  const isPhoto = random() < 0.15;
  const dpi = RESOLUTIONS[Math.floor(random() * (isPhoto ? 2 : 4))] ?? 300;
  return {
    dpi: isPhoto ? 300 : dpi,
    turn: 90 * Math.floor(random() * 4) + (random() * 6 - 3),
    blur: 0.3 + random() * 0.6,
    noise: random() * 30,
    perspective: isPhoto ? random() * 0.06 : 0,
    seed,
    ...(random() < 0.7 ? { jpeg: 60 } : {}),
  };
}

test(`${LABELS} labels: every spoiled one is named, no good one is`, async () => {
  const random = makeRandom(SEED);
  const job = await printJob(LABELS);
  const spoiled: string[] = [];
  const files: string[] = [];
  for (let page = 1; page <= job.pageCount; page += 1) {
    const how = makeScanning(random, SEED + page);
    const drawn = await job.page(page, how.dpi);
    const image = { ...drawn, data: Uint8Array.from(drawn.data) };
    wear(image, random, how.dpi);
    for (const cell of job.cells.filter((one) => one.page === page)) {
      if (random() * 100 >= SPOILED) continue;
      spoiled.push(cell.key);
      spoil(image, cell, { dpi: how.dpi, random });
    }
    const file = `scan-${page}`;
    writeFileSync(path.join(job.folder, file), await scanPage(image, how));
    files.splice(Math.floor(random() * files.length), 0, file);
  }
  const { out, err } = await job.run("scan", "job.yaml", ...files, "--json");
  job.close();
  expect(err).toBe("");
  const result = JSON.parse(out) as ScanResult;
  expect(result.empty).toEqual([]);
  expect(result.unseen).toEqual([]);
  expect(result.strays).toEqual([]);
  const found = result.spoiled.map(({ key, picture, reason }) => ({ key, picture, reason }));
  expect(found.filter(({ key }) => !spoiled.includes(key))).toEqual([]);
  expect(spoiled.filter((key) => !found.some((one) => one.key === key))).toEqual([]);
  expect(result.outside).toEqual([]);
  expect(spoiled.length).toBeGreaterThan(0);
});
