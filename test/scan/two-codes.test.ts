/** Labels with two codes, as table tents: one piece of paper each, in every figure. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { ScanResult } from "../../src/pipeline/scan-back/scan-back.ts";
import type { Reconciliation } from "../../src/pipeline/units/reconcile.ts";
import { printJob, toPixels, type PrintedCell, type PrintedJob } from "./printed-job.ts";
import { paint, scanPage } from "./scanner.ts";

const DPI = 120;

let job: PrintedJob;
beforeEach(async () => {
  job = await printJob(3, {
    sheet:
      'a4-4up-105x148.5, label: { template: table-tent, texts: { title: Shelf, table: "{{ key }}", call: Scan } }',
  });
});
afterEach(() => {
  job.close();
  rmSync(job.folder, { recursive: true, force: true });
});

const boxesOf = (key: string): PrintedCell[] => job.cells.filter((cell) => cell.key === key);

/** Scans the sheet with these boxes white. */
async function scanWithout(
  boxes: readonly PrintedCell["code"][],
): Promise<ScanResult & { readonly left: number }> {
  const drawn = await job.page(1, DPI);
  const image = { ...drawn, data: Uint8Array.from(drawn.data) };
  for (const box of boxes) paint(image, toPixels(box, DPI), 255);
  writeFileSync(path.join(job.folder, "scan.png"), await scanPage(image, { dpi: DPI }));
  const { out } = await job.run("scan", "job.yaml", "scan.png", "--json");
  return JSON.parse(out) as ScanResult & { left: number };
}

async function reconcile(): Promise<Reconciliation> {
  const { out } = await job.run("reconcile", "job.yaml", "--json");
  return JSON.parse(out) as Reconciliation;
}

describe("labels with two codes", () => {
  test("count once, are printed again once, and add up", async () => {
    expect(boxesOf("K2")).toHaveLength(2);
    const found = await scanWithout(boxesOf("K2").map(({ label }) => label));
    expect(found).toMatchObject({
      labels: { good: 2, damaged: 0, missing: 1, outside: 0, void: 0 },
      sheets: [{ labels: { good: 2, missing: 1 } }],
      spoiled: [{ key: "K2", state: "missing", reason: "nothing is printed there" }],
      left: 1,
    });
    const list = path.join(job.folder, "out/spoiled.csv");
    const lines = readFileSync(list, "utf8").split("\r\n");
    expect(lines).toHaveLength(3);
    // As an older makeready listed it.
    writeFileSync(list, [lines[0], lines[1], lines[1], ""].join("\r\n"));
    expect(await reconcile()).toMatchObject({ fates: { good: 2, damaged: 1 } });
    const again = await job.run("replace", "job.yaml", "--spoiled", "--yes");
    expect(again.out).toContain("1 label on 1 page printed again");
    expect(await reconcile()).toMatchObject({
      issued: { rows: 3, reprinted: 1 },
      fates: { good: 3, spoiled: 1, damaged: 0, void: 0 },
      discrepancies: [],
    });
    const twice = await job.run("replace", "job.yaml", "--spoiled", "--yes");
    expect(twice.out).toContain("nothing is left to replace");
  });

  test("are damaged where one of their codes is", async () => {
    const [one] = boxesOf("K3");
    const found = await scanWithout(one === undefined ? [] : [one.code]);
    expect(found.labels).toMatchObject({ good: 2, damaged: 1, missing: 0 });
    expect(found.spoiled).toMatchObject([
      { key: "K3", state: "damaged", reason: "1 of its 2 codes: nothing is printed there" },
    ]);
  });
});
