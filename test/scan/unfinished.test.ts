/** Scans of a job whose run did not end: its sheets are not finished, and a run finishes them. */
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openSqlite } from "../../src/base/sqlite.ts";
import { printJob, type PrintedJob } from "./printed-job.ts";

const ASKED = ["job.yaml", "--out", "cut", "--set", "output.sheets.caption={{ key }}!"];

let job: PrintedJob;
beforeAll(async () => {
  job = await printJob(2);
});
afterAll(() => job.close());

/** As a kill before the sheets leaves it. */
async function cutOff(...sqls: string[]): Promise<void> {
  await job.run("run", ...ASKED, "--yes");
  const db = openSqlite(path.join(job.folder, "cut/state.db"));
  for (const sql of sqls) db.run(sql);
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.close();
}

test.each([
  ["before its sheets were begun", "DELETE FROM packages"],
  ["while its sheets were made anew", "UPDATE rows SET cell = NULL"],
])("killed %s: says that they are not finished, and how to finish them", async (_, sql) => {
  await cutOff(sql);
  const { code, err } = await job.run(
    "scan",
    ...ASKED.slice(0, 1),
    "out/shelves.pdf",
    ...ASKED.slice(1),
  );
  expect(code).toBe(2);
  expect(err).toContain("scan must have finished sheets, got none: the last run did not end");
  expect(err).toContain("finish it with: makeready run job.yaml --out cut --set");
  expect(err).toContain("output.sheets.caption={{ key }}!");
});
