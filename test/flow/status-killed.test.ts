/** Where a job stands whose last run was killed: what has changed since, and counts that are the same everywhere. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf], columns: { url: { type: url } } }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [svg], index: [csv] }
`;

const toRows = (...shelves: readonly string[]): string =>
  `shelf,url\n${shelves.map((one) => `${one},https://a.example/${one}\n`).join("")}`;

let files: JobFolder;

const say = async (command: string, ...more: string[]): Promise<string> => {
  const words = [command, files.manifest, ...more];
  const { code, out, err } = await runInProcess(words, { cwd: files.root });
  expect(code, err).toBe(0);
  return out;
};

/** As `kill -9` leaves the state behind: the run has begun, and no result is noted. */
function kill(...more: readonly string[]): void {
  const db = openSqlite(path.join(files.out, "state.db"));
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  for (const sql of more) db.run(sql);
  db.close();
}

const COUNTED =
  "since that run began: the rows below are those of then (counted as they are now by: makeready plan jobs/flow.yaml)";

beforeEach(async () => {
  files = makeJobFolder(toRows("A", "B", "C"), MANIFEST);
  await say("run");
  writeFileSync(files.csv, toRows("A", "B", "C", "D", "E", "F"));
  await say("run");
  kill("UPDATE rows SET state = 'pending', remote_id = NULL WHERE row_key = 'F'");
});

it("names a spreadsheet, a job or both that have changed since that run began", async () => {
  const first = await say("status");
  expect(first).toContain("the last run did not end");
  expect(first).not.toContain("changed");
  expect(first).toContain("\n  5 done\n  1 not sent yet\n");
  writeFileSync(files.csv, toRows("D", "E", "F"));
  expect(await say("status")).toContain(`\n  the spreadsheet has changed ${COUNTED}\n`);
  expect(await say("status")).toContain("\n  5 done\n  1 not sent yet\n");
  const json = JSON.parse(await say("status", "--json")) as Record<string, unknown>;
  expect(json["since"]).toMatchObject({ isChanged: true, changed: "spreadsheet" });
  const manifest = readFileSync(files.manifest, "utf8");
  writeFileSync(files.manifest, manifest.replace("[svg]", "[png]"));
  expect(await say("status")).toContain(
    `\n  the spreadsheet and the job have changed ${COUNTED}\n`,
  );
  writeFileSync(files.csv, toRows("A", "B", "C", "D", "E", "F"));
  expect(await say("status")).toContain(`\n  the job has changed ${COUNTED}\n`);
  writeFileSync(files.manifest, manifest);
  expect(await say("status")).toBe(first);
  await say("run");
  expect(await say("status")).toBe("shelves\n  6 done\n");
});

it("says nothing of changes after a run of a makeready that noted none", async () => {
  kill("DELETE FROM meta WHERE key = 'begun_mark'");
  writeFileSync(files.csv, toRows("D", "E", "F"));
  expect(await say("status")).not.toContain("changed");
});

it("counts in --json what it says", async () => {
  await say("run");
  const changed = "json_set(made, '$.qrData', 'https://a.example/old')";
  kill(
    `UPDATE rows SET made = ${changed}, made_hash = 'old' WHERE row_key IN ('A', 'B')`,
    "UPDATE rows SET state = 'sending' WHERE row_key = 'C'",
    "UPDATE rows SET state = 'doubt' WHERE row_key = 'D'",
  );
  const said = await say("status");
  expect(said).toContain("\n  2 done");
  expect(said).toContain("\n  2 left to do: ");
  expect(said).toContain("\n  2 in doubt: ");
  expect(JSON.parse(await say("status", "--json"))).toMatchObject({
    rows: { done: 2, doubt: 2 },
    unfinished: 2,
  });
});
