/** Spoiled labels of a scan, after a run has made their sheets anew: each is replaced once. */
import { appendFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { embeddedPort } from "../../src/service/embedded/embedded.ts";
import type { RowJob } from "../../src/kinds/any-job.ts";
import type { SpoiledLabel } from "../../src/pack/spoiled-labels.ts";
import { openJob } from "../../src/pipeline/open.ts";
import { findSpoiledLeft, type SpoiledLeft } from "../../src/pipeline/units/spoiled-left.ts";
import type { Reconciliation } from "../../src/pipeline/units/reconcile.ts";
import { frozenClock, runInProcess, type InProcess } from "../flow/in-process.ts";
import { printJob, toPixels, type PrintedJob } from "./printed-job.ts";
import { paint, scanPage } from "./scanner.ts";

const DPI = 100;
const REPLACE = ["replace", "job.yaml", "--spoiled", "--yes"] as const;

let job: PrintedJob;
/** Each command runs a minute after the one before. */
let nowMs = frozenClock.nowMs();

beforeEach(async () => {
  job = await printJob(5);
});
afterEach(() => {
  job.close();
  rmSync(job.folder, { recursive: true, force: true });
});

function call(...args: string[]): Promise<InProcess> {
  nowMs += 60_000;
  const at = nowMs;
  return runInProcess(args, { cwd: job.folder, clock: { ...frozenClock, nowMs: () => at } });
}

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await call(...args);
  expect(code, `${out}${err}`).toBe(0);
  return out;
}

/** Scans a page of today with these labels white. */
async function scanPageWithout(page: number, keys: readonly string[]): Promise<InProcess> {
  job.close();
  const drawn = await job.page(page, DPI);
  const image = { ...drawn, data: Uint8Array.from(drawn.data) };
  for (const { key, label } of job.cells)
    if (keys.includes(key)) paint(image, toPixels(label, DPI), 255);
  writeFileSync(path.join(job.folder, "scan.png"), await scanPage(image, { dpi: DPI }));
  return call("scan", "job.yaml", "scan.png");
}

async function scanWithout(...keys: readonly string[]): Promise<string> {
  const { code, out } = await scanPageWithout(1, keys);
  expect(code, out).toBe(3);
  for (const key of keys) expect(out).toContain(`"${key}": nothing is printed there`);
  return out;
}

/** The run makes the PDF anew; the labels before stay in their cells. */
async function addRow(key: string): Promise<void> {
  appendFileSync(path.join(job.folder, "rows.csv"), `${key},Shelf ${key}\n`);
  await ok("run", "job.yaml", "--yes");
}

async function reconcile(): Promise<Reconciliation> {
  const { out } = await call("reconcile", "job.yaml", "--json");
  return JSON.parse(out) as Reconciliation;
}

const OLD_LABEL = {
  line: 2,
  key: "K1",
  caption: "K1",
  file: "shelves.pdf",
  page: 1,
  row: 1,
  column: 1,
  state: "missing",
  reason: "nothing is printed there",
  picture: "scan.png",
} as const;

/** The list of now as an older makeready wrote it: it named neither the print nor the time. */
function listAsBefore(): SpoiledLabel {
  const file = path.join(job.folder, "out/spoiled.csv");
  const [names, cells] = [Object.keys(OLD_LABEL), Object.values(OLD_LABEL)];
  writeFileSync(file, `\ufeff${names.join(",")}\r\n${cells.join(",")}\r\n`);
  utimesSync(file, nowMs / 1000, nowMs / 1000);
  return OLD_LABEL;
}

async function findLeft(label: SpoiledLabel): Promise<SpoiledLeft> {
  const ports = { clock: frozenClock, writer: "makeready test" };
  const { job: opened, server } = await openJob(
    path.join(job.folder, "job.yaml"),
    {},
    { clock: frozenClock, server: embeddedPort },
  );
  return findSpoiledLeft({ job: opened as RowJob, server }, [label], ports);
}

describe("spoiled labels of sheets that a run made anew", () => {
  test("that were replaced before are not replaced again, and fit", async () => {
    await scanWithout("K1");
    expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
    await addRow("K6");
    expect(await reconcile()).toMatchObject({
      discrepancies: [],
      fates: { good: 6, spoiled: 1, damaged: 0 },
    });
    expect(await ok(...REPLACE)).toContain("nothing is left to replace");
    expect(await reconcile()).toMatchObject({ fates: { good: 6, spoiled: 1 } });
  });

  test("that nobody has replaced yet are replaced, once", async () => {
    await scanWithout("K1", "K2");
    await ok("replace", "job.yaml", "--key", "K1", "--yes");
    await addRow("K6");
    expect(await reconcile()).toMatchObject({ fates: { spoiled: 1, damaged: 1 } });
    expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
    await addRow("K7");
    expect(await ok(...REPLACE)).toContain("nothing is left to replace");
    expect(await reconcile()).toMatchObject({ discrepancies: [], fates: { spoiled: 2 } });
  });

  test("that a person has named since the scan are not replaced again", async () => {
    await scanWithout("K1");
    await addRow("K6");
    await ok("replace", "job.yaml", "--key", "K1", "--yes");
    await addRow("K7");
    expect(await reconcile()).toMatchObject({ discrepancies: [], fates: { damaged: 0 } });
    expect(await ok(...REPLACE)).toContain("nothing is left to replace");
  });

  test("are replaced again where a scan of the new sheets finds them spoiled", async () => {
    await scanWithout("K1");
    await ok(...REPLACE);
    await addRow("K6");
    const says = await scanWithout("K1");
    expect(says).toContain(
      "1 spoiled label was printed again before the sheets were made anew, in out/shelves-reprint.pdf",
    );
    expect(await reconcile()).toMatchObject({ fates: { spoiled: 1, damaged: 1 } });
    expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
    expect(await ok(...REPLACE)).toContain("nothing is left to replace");
    expect(await reconcile()).toMatchObject({ discrepancies: [], fates: { spoiled: 2 } });
  });

  test("that an older makeready listed without their print are not replaced again either", async () => {
    await scanWithout("K1");
    listAsBefore();
    expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
    await addRow("K6");
    expect(await reconcile()).toMatchObject({ discrepancies: [], fates: { damaged: 0 } });
    expect(await ok(...REPLACE)).toContain("nothing is left to replace");
    await scanWithout("K1");
    expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
  });

  test("are replaced again where an older makeready has found the new sheets spoiled", async () => {
    await scanWithout("K1");
    await ok(...REPLACE);
    await addRow("K6");
    await scanWithout("K1");
    const label = listAsBefore();
    expect(await findLeft(label)).toMatchObject({ left: 1, again: 0 });
    expect(await reconcile()).toMatchObject({ fates: { spoiled: 1, damaged: 1 } });
    expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
    expect(await findLeft(label)).toMatchObject({ left: 0, again: 1 });
    await addRow("K7");
    expect(await findLeft(label)).toMatchObject({ left: 0, again: 1 });
    expect(await reconcile()).toMatchObject({ discrepancies: [], fates: { spoiled: 2 } });
    expect(await ok(...REPLACE)).toContain("nothing is left to replace");
  });
});

test("spoiled labels of an earlier scan stay in the list until a picture shows them, or somebody marks them", async () => {
  job.close();
  // Programs would read this name as a formula.
  job = await printJob(40, { named: (row) => (row < 40 ? `K${row}` : "+40") });
  const last = job.cells.at(-1)?.key ?? "";
  await scanWithout("K1", "K2");
  const second = await scanPageWithout(job.pageCount, [last]);
  expect(second.out).toContain(
    'by an earlier scan, missing: shelves.pdf page 1, row 1, column 1: line 2, "K1"',
  );
  expect(await reconcile()).toMatchObject({ fates: { damaged: 3 } });
  const first = await scanPageWithout(1, ["K2"]);
  expect(first.out).not.toContain('"K1"');
  expect(first.out).toContain(`"${last}": nothing is printed there`);
  const clean = await scanPageWithout(job.pageCount, []);
  expect([clean.code, clean.out]).toEqual([
    0,
    expect.stringContaining("by an earlier scan, missing"),
  ]);
  expect(clean.out).toContain("replace job.yaml --spoiled");
  expect(await ok(...REPLACE)).toContain("1 label on 1 page printed again");
  expect((await scanPageWithout(job.pageCount, [])).out).not.toContain("earlier scan");
  writeFileSync(path.join(job.folder, "out/spoiled.csv"), "note\nmine\n");
  const after = await scanPageWithout(1, ["K2"]);
  expect(after.err).toContain("spoiled labels of earlier scans are not kept: ");
  expect(after.out).toContain("nothing is printed there");
});
