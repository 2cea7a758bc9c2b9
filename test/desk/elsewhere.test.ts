/** A run that a command or a timer began: the desk follows it, and goes on with one that broke off. */
import { rmSync } from "node:fs";
import os from "node:os";

import { expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { startTask } from "../../src/desk/tasks/start.ts";
import { lockFolder } from "../../src/state/lock.ts";
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
output: { dir: out, files: [png], index: [csv], sheets: { sheet: a4-24up-63.5x33.9 } }
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

/** What the page of the result says of a job that is under way. */
async function expectUnderWay(): Promise<void> {
  const html = await at.textOf("/job/shelves.yaml/result");
  expect(html).toMatch(/This job is running right now\..*href="\/job\/shelves\.yaml\/run"/u);
  for (const untrue of ["has not run yet", "did not come to its end", "Go on", 'id="reprint"'])
    expect(html).not.toContain(untrue);
}

test("the result of a run that goes on is not shown before its end", async () => {
  await breakOff();
  expect(await at.textOf("/job/shelves.yaml/result")).toContain("did not come to its end");
  const lock = await lockFolder(`${at.folder}/out`);
  await expectUnderWay();
  lock.release();
  const { folder } = at;
  const desk = { folder, clock: systemClock, ids: randomIds, env: {}, begin: () => process.pid };
  await startTask({ step: "run", manifest: "shelves.yaml" }, desk);
  await expectUnderWay();
  rmSync(`${folder}/out`, { recursive: true });
  await expectUnderWay();
});

test("a run that goes on elsewhere is followed", async () => {
  await breakOff();
  const lock = await lockFolder(`${at.folder}/out`);
  const answer = await at.desk.get("/job/shelves.yaml/run");
  expect([answer.status, answer.headers.get("refresh")]).toEqual([200, "3"]);
  const html = await answer.text();
  expect(html).toContain(`process ${process.pid} on ${os.hostname()}`);
  expect(html).toContain("2 of 2 rows done");
  expect(html).not.toContain("has not run yet");
  const home = await at.textOf("/");
  expect(home).toContain("running");
  expect(home).toContain('href="/job/shelves.yaml/run"');
  lock.release();
});

test.each([
  // Numbers of processes are given again, above all in containers.
  ["whose number another process has today", process.pid, os.hostname()],
  ["whose number no process has", 4194305, os.hostname()],
  ["of a computer that shares the folder", 77, "another-host"],
])("a killed run %s can go on here", async (_, pid, host) => {
  await breakOff();
  at.write(HOLDER, `process ${pid} on ${host}\n`);
  const html = await at.textOf("/job/shelves.yaml/run");
  expect(html).toContain("The run broke off");
  expect(html).toContain('name="goOn" value="yes"');
  expect(await at.textOf("/")).not.toContain(">running<");
  rmSync(`${at.folder}/${HOLDER}`);
  expect(await at.textOf("/job/shelves.yaml/run")).toContain("The run broke off");
});
