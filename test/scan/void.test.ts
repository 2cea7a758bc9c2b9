/** Labels of void codes on sheets that are scanned: none of them may ship. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { printJob, toPixels, type PrintedCell, type PrintedJob } from "./printed-job.ts";
import { blot, paint, scanPage } from "./scanner.ts";

const DPI = 100;

let job: PrintedJob;
beforeAll(async () => {
  job = await printJob(4);
  await job.run("void", "job.yaml", "--key", "K2", "--yes");
});
afterAll(() => job.close());

const cellOf = (key: string): PrintedCell => job.cells.find((one) => one.key === key)!;

const readSpoiled = (): string => readFileSync(path.join(job.folder, "out/spoiled.csv"), "utf8");

/** The sheet with one label spoiled, as `name`. */
async function spoil(name: string, key: string, how: "blot" | "white"): Promise<void> {
  const page = await job.page(1, DPI);
  const image = { ...page, data: Uint8Array.from(page.data) };
  const { label, code } = cellOf(key);
  const { left, top, width } = toPixels(code, DPI);
  if (how === "white") paint(image, toPixels(label, DPI), 255);
  else blot(image, { x: left + width / 2, y: top + width / 2, radius: width * 0.3 }, 20);
  writeFileSync(path.join(job.folder, name), await scanPage(image, { dpi: DPI }));
}

test("a void code that is read well is void, not good, and must not ship", async () => {
  const { code, out } = await job.run("scan", "job.yaml", "out/shelves.pdf");
  expect(out).toContain("shelves.pdf page 1: 3 of 4 labels good, 1 void");
  expect(out).toContain('void, must not ship: shelves.pdf page 1, row 1, column 2: line 3, "K2"');
  expect(out).toContain("→ take the void labels off the sheets, and throw them away");
  expect(out).not.toContain("--spoiled");
  expect(code).toBe(3);
  const { out: json } = await job.run("scan", "job.yaml", "out/shelves.pdf", "--json");
  expect(JSON.parse(json)).toMatchObject({
    labels: { good: 3, damaged: 0, missing: 0, outside: 0, void: 1 },
    sheets: [{ labels: { good: 3, void: 1 } }],
    spoiled: [],
    void: [{ key: "K2", line: 3, row: 1, column: 2, state: "void", reason: "must not ship" }],
    next: null,
  });
  expect(readSpoiled()).toContain("3,K2,K2,shelves.pdf,1,1,2,void,must not ship,out/shelves.pdf,");
});

test("a damaged label of a void code is void; spoiled ones beside it are replaced alone", async () => {
  await spoil("damaged.png", "K2", "blot");
  const damaged = await job.run("scan", "job.yaml", "damaged.png");
  expect(damaged.out).toContain("3 of 4 labels good, 1 void");
  expect(damaged.out).toMatch(/void, must not ship: its code can't be read: .* "K2"$/mu);
  await spoil("other.png", "K3", "blot");
  const other = await job.run("scan", "job.yaml", "other.png");
  expect(other.out).toContain("2 of 4 labels good, 1 damaged, 1 void");
  const replaced = await job.run("replace", "job.yaml", "--spoiled");
  expect(replaced.out).toContain("1 label on 1 page printed again");
  expect(replaced.out).not.toContain("void or printed again already");
});

test("where a void label was taken off its sheet, nothing is left to do", async () => {
  await spoil("taken-off.png", "K2", "white");
  const { code, out } = await job.run("scan", "job.yaml", "taken-off.png");
  expect(out).toContain("3 of 4 labels good, 1 void");
  expect(out).toMatch(/void, and nothing is printed there: .* "K2"$/mu);
  expect(out).not.toContain("→");
  expect(code).toBe(0);
});
