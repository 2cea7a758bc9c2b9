/** Rows that are mended while the job runs. */
import { mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runTask } from "../../src/desk/tasks/run-task.ts";
import type { TaskPlace } from "../../src/desk/tasks/task.ts";
import { openJob } from "../../src/index.ts";
import { findHolder, isReadingRows, lockFolder } from "../../src/state/lock.ts";
import { openAskedDesk, readForm, waitForTask, type AskedDesk } from "./ask-desk.ts";

const job = "/job/people.yaml";
const MANIFEST = `version: 1
name: people
kind: codes
source:
  file: people.csv
  key: [Nr]
  columns: { Mail: { type: email, required: true } }
code: { dynamic: false, qr_data: "mailto:{{ Mail }}" }
output: { dir: out, files: [svg] }
`;

let folder = "";
let desk: AskedDesk;
/** Steps that begin when they are let go. */
let held: TaskPlace[] = [];
let holds = false;
let begun: Promise<void>[] = [];

const goOn = (place: TaskPlace): Promise<void> =>
  runTask(place, { signal: new AbortController().signal, ask: () => {} });

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "desk-mend-run-"));
  writeFileSync(path.join(folder, "people.csv"), "Nr,Mail\n1,ada@example.com\n2,wrong\n");
  writeFileSync(path.join(folder, "people.yaml"), MANIFEST);
  held = [];
  begun = [];
  holds = false;
  desk = await openAskedDesk(folder, {
    begin: (place) => {
      if (holds) held.push(place);
      else begun.push(goOn(place));
      return process.pid;
    },
  });
});

afterEach(async () => {
  await Promise.all(begun);
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const textOf = async (address: string, language?: "de"): Promise<string> =>
  (await desk.get(`${job}/${address}`, language)).text();

async function step(name: string, form: Readonly<Record<string, string>> = {}): Promise<void> {
  expect((await desk.post(`${job}/${name}`, form)).status).toBe(303);
  await waitForTask(desk, folder, "people.yaml");
}

/** A run that has begun and reads nothing yet. */
async function beginRun(): Promise<void> {
  holds = true;
  expect((await desk.post(`${job}/run`, {})).status).toBe(303);
}

async function letGo(): Promise<void> {
  holds = false;
  for (const place of held.splice(0)) await goOn(place);
}

/** The state as a run that was killed leaves it. */
function breakOff(): void {
  const db = openSqlite(path.join(folder, "out/state.db"));
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.close();
}

const mendedFile = (): string => path.join(folder, "people.mended.csv");

test("when the first run has just begun, the refused rows of its plan stand there, and what is sent is kept", async () => {
  await step("plan");
  await beginRun();
  const html = await textOf("mend");
  expect(html).not.toContain("There is no row to mend here.");
  expect(html).toContain("This job is running right now");
  const form = readForm(html);
  expect(form["cell.3.1"]).toBe("wrong");
  const answer = await desk.post(`${job}/mend`, { ...form, "cell.3.1": "lise@example.com" });
  expect(answer.headers.get("location")).toBe(`${job}/mend?begins`);
  expect(existsSync(mendedFile())).toBe(false);
  const kept = await textOf("mend?begins");
  expect(kept).toContain("Nothing was saved yet: a run of this job had just begun.");
  expect(kept).not.toContain("rows have changed since you opened the page");
  expect(readForm(kept)["cell.3.1"]).toBe("lise@example.com");
  expect(await textOf("mend?begins", "de")).toContain("Noch wurde nichts gespeichert");
  await letGo();
  const after = await textOf("mend");
  expect(readForm(after)["cell.3.1"]).toBe("lise@example.com");
  expect(after).not.toContain("This job is running right now");
});

test("while a run goes on, rows are mended for the next one", async () => {
  await step("plan");
  await step("run");
  await beginRun();
  breakOff();
  const lock = await lockFolder(path.join(folder, "out"));
  const html = await textOf("mend");
  expect(html).toContain("Rows that you mend now count in the next run.");
  const form = { ...readForm(html), "cell.3.1": "lise@example.com" };
  const answer = await desk.post(`${job}/mend`, form);
  expect(answer.headers.get("location")).toBe(`${job}/mend?saved`);
  expect(held).toHaveLength(1);
  expect(readFileSync(mendedFile(), "utf8")).toContain("lise@example.com");
  const saved = await textOf("mend?saved");
  expect(saved).toContain("Your corrections were saved.");
  expect(saved).not.toContain("Nothing was saved");
  expect(saved).not.toContain(">Plan again<");
  expect(readForm(saved)["cell.3.1"]).toBe("lise@example.com");
  expect(await textOf("mend?saved", "de")).toContain("Ihre Korrekturen wurden gespeichert.");
  lock.release();
  await letGo();
  await step("plan");
  const plan = await textOf("plan");
  expect(plan).toContain("1 row is taken from people.mended.csv");
});

test("while a killed run that was started again reads its rows, what is sent is kept, and saved once it goes by them", async () => {
  await step("plan");
  await step("run");
  breakOff();
  await beginRun();
  const send = async (): Promise<string | null> => {
    const form = { ...readForm(await textOf("mend")), "cell.3.1": "lise@example.com" };
    return (await desk.post(`${job}/mend`, form)).headers.get("location");
  };
  expect(await textOf("mend")).toContain("has not read all rows yet");
  expect(await send()).toBe(`${job}/mend?begins`);
  const lock = await lockFolder(path.join(folder, "out"), "reads");
  expect(await send()).toBe(`${job}/mend?begins`);
  expect(existsSync(mendedFile())).toBe(false);
  lock.takeOn();
  expect(await send()).toBe(`${job}/mend?saved`);
  expect(readFileSync(mendedFile(), "utf8")).toContain("lise@example.com");
  lock.release();
  await letGo();
});

test("a run says that it reads its rows, until it goes by them", async () => {
  const out = path.join(folder, "out");
  const seen: (readonly [type: string, reads: boolean])[] = [];
  const opened = await openJob(path.join(folder, "people.yaml"));
  await opened.run({
    on: ({ type }) => {
      if (findHolder(out) !== undefined) seen.push([type, isReadingRows(out)]);
    },
  });
  expect(seen).toContainEqual(["plan", true]);
  expect(seen.at(-1)?.[1]).toBe(false);
});

test("where the first run could not begin, the refused rows of its plan still stand there", async () => {
  await step("plan");
  await beginRun();
  writeFileSync(path.join(folder, "people.csv"), "Nr,Mail\n1,ada@example.com\n2,worse\n");
  await letGo();
  expect(readForm(await textOf("mend"))["cell.3.1"]).toBe("worse");
});
