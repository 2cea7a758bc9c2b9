/** A run that a command or a timer began: the desk follows it, and goes on with one that broke off. */
import { rmSync } from "node:fs";
import os from "node:os";

import { expect, test } from "vitest";

import { systemClock } from "../../src/base/clock.ts";
import { openSqlite } from "../../src/base/sqlite.ts";
import { runInProcess } from "../flow/in-process.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("elsewhere");
const HOLDER = "out/state.db.holder";

/** As a run leaves the folder that has not come to its end. */
async function breakOff(): Promise<void> {
  at.write("shelves.csv", "shelf\nA-01\nA-02\n");
  at.write(
    "shelves.yaml",
    `version: 1
name: shelves
kind: codes
source: shelves.csv
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out, files: [], index: [csv] }
`,
  );
  const { code } = await runInProcess(["run", "shelves.yaml"], {
    cwd: at.folder,
    clock: systemClock,
  });
  expect(code).toBe(0);
  const db = openSqlite(`${at.folder}/out/state.db`);
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.close();
}

test("a run that goes on elsewhere is followed", async () => {
  await breakOff();
  at.write(HOLDER, `process ${process.pid} on ${os.hostname()}\n`);
  const answer = await at.desk.get("/job/shelves.yaml/run");
  expect([answer.status, answer.headers.get("refresh")]).toEqual([200, "3"]);
  const html = await answer.text();
  expect(html).toContain(`process ${process.pid} on ${os.hostname()}`);
  expect(html).toContain("2 of 2 rows done");
  expect(html).not.toContain("has not run yet");
  const home = await at.textOf("/");
  expect(home).toContain("running");
  expect(home).toContain('href="/job/shelves.yaml/run"');
});

test("a run that was killed elsewhere can go on here", async () => {
  await breakOff();
  // No process has this number.
  at.write(HOLDER, `process 4194305 on ${os.hostname()}\n`);
  const html = await at.textOf("/job/shelves.yaml/run");
  expect(html).toContain("The run ended without a word");
  expect(html).toContain('name="goOn" value="yes"');
  expect(await at.textOf("/")).not.toContain(">running<");
  rmSync(`${at.folder}/${HOLDER}`);
  expect(await at.textOf("/job/shelves.yaml/run")).toContain("The run ended without a word");
});
