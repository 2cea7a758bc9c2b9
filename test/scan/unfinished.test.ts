/** Scans of a job whose run did not end: its sheets are not finished, and a run finishes them. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { drawPage, printJob, type PrintedJob } from "./printed-job.ts";
import { scanPage } from "./scanner.ts";

const DPI = 100;

const askedIn = (folder: string): string[] => [
  "job.yaml",
  "--out",
  folder,
  "--set",
  "output.sheets.caption={{ key }}!",
];

/** A picture of the first page of a PDF as it was printed; answers its name. */
async function scanOf({ folder }: PrintedJob, pdf: string): Promise<string> {
  const page = await drawPage(path.join(folder, pdf), 1, DPI);
  writeFileSync(path.join(folder, "seen.png"), await scanPage(page, { dpi: DPI }));
  return "seen.png";
}

let job: PrintedJob;
beforeAll(async () => {
  job = await printJob(2);
});
afterAll(() => job.close());

/** As a kill before or between the sheets leaves it. */
async function cutOff(folder: string, sql: string): Promise<void> {
  await job.run("run", ...askedIn(folder), "--yes");
  const db = openSqlite(path.join(job.folder, folder, "state.db"));
  db.run(sql);
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.close();
}

const scan = async (folder: string, pdf: string, ...more: string[]) => {
  const [manifest = "", ...flags] = askedIn(folder);
  return job.run("scan", manifest, await scanOf(job, pdf), ...flags, ...more);
};

test.each([
  ["before its sheets were begun", "DELETE FROM packages"],
  ["while its sheets were made anew", "UPDATE rows SET cell = NULL"],
])("killed %s: says that they are not finished, and how to finish them", async (_, sql) => {
  await cutOff("cut", sql);
  const { code, err } = await scan("cut", "out/shelves.pdf");
  expect(code).toBe(2);
  expect(err).toContain("scan must have finished sheets, got none: the last run did not end");
  expect(err).toContain("finish it with: makeready run job.yaml --out cut --set");
  expect(err).toContain("output.sheets.caption={{ key }}!");
});

test("killed while some sheets were made: says which rows are on none, and how to go on", async () => {
  await cutOff("some", "UPDATE rows SET cell = NULL WHERE row_key = 'K2'");
  const { out } = await scan("some", "some/shelves.pdf");
  expect(out).toContain(
    "the last run was cut short: 1 row has no finished sheet yet; go on with: makeready run job.yaml --out some",
  );
  expect(out).toContain('on no finished sheet yet: line 3, "K2"');
  expect(out).not.toContain("foreign");
  const { out: json } = await scan("some", "some/shelves.pdf", "--json");
  expect(JSON.parse(json)).toMatchObject({ unfinished: [{ line: 3, key: "K2" }] });
});

test("killed before a new row was made: it is named, and the sheet is judged", async () => {
  await cutOff("new", "UPDATE rows SET state = 'pending', cell = NULL WHERE row_key = 'K2'");
  const { out } = await scan("new", "new/shelves.pdf");
  expect(out).toContain("the last run was cut short: 1 row has no finished sheet yet");
});

test("killed before a row that is gone was taken off its sheet: the sheet is the one that was made", async () => {
  await cutOff("gone", "UPDATE rows SET presence = 'vanished' WHERE row_key = 'K2'");
  const { code, out } = await scan("gone", "gone/shelves.pdf");
  expect(out).toContain("2 of 2 labels good");
  expect(out).not.toContain("printed before");
  expect(code).toBe(0);
});

test("a run that came to its end has left no row without a sheet", async () => {
  await job.run("run", ...askedIn("whole"), "--yes");
  const { out } = await scan("whole", "whole/shelves.pdf", "--json");
  expect(JSON.parse(out)).toMatchObject({ unfinished: [], labels: { good: 2 } });
});

describe("the sheets of a group that has no good row left", () => {
  let own: PrintedJob;
  const asked = [
    "job.yaml",
    "--set",
    "output.sheets.per=text",
    "--set",
    "output.sheets.name={{ text }}.pdf",
  ];
  beforeAll(async () => {
    own = await printJob(3);
    await own.run("run", ...asked, "--yes");
  });
  afterAll(() => own.close());

  const scanKept = async () => own.run("scan", ...asked, await scanOf(own, "out/Shelf 2.pdf"));

  test("all its rows are bad: its PDF was kept, and is one of today", async () => {
    const table = path.join(own.folder, "rows.csv");
    writeFileSync(table, readFileSync(table, "utf8").replace("K2,Shelf 2", "K2,"));
    const { out } = await own.run("run", ...asked, "--yes");
    expect(out).toContain("Shelf 2.pdf");
    const { code, out: said } = await scanKept();
    expect(said).toContain("1 of 1 labels good");
    expect(said).not.toContain("printed before");
    expect(code).toBe(0);
  });

  test("they are gone, and the run was killed before it took the PDF away", async () => {
    const db = openSqlite(path.join(own.folder, "out/state.db"));
    db.run("UPDATE rows SET presence = 'vanished' WHERE row_key = 'K2'");
    db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
    db.close();
    const { code, out } = await scanKept();
    expect(out).toContain("1 of 1 labels good");
    expect(out).not.toContain("printed before");
    expect(code).toBe(0);
  });

  test("its PDF is gone: what was printed from it is of before", async () => {
    const printed = await scanOf(own, "out/Shelf 2.pdf");
    rmSync(path.join(own.folder, "out/Shelf 2.pdf"));
    const { out } = await own.run("scan", ...asked, printed);
    expect(out).toContain('code of row "K2", which is no longer in the spreadsheet');
  });
});
