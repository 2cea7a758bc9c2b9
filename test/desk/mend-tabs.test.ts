/** Rows that are mended in two tabs, and while their plan is still being made. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { runTask } from "../../src/desk/tasks/run-task.ts";
import type { TaskPlace } from "../../src/desk/tasks/task.ts";
import { openAskedDesk, readForm, waitForTask, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-mend-tabs-"));
const sheet = path.join(folder, "people.csv");
const job = "/job/people.yaml";
const OLD =
  "Nr,Mail\n1,ada@example.com\n2,b@example.com\n3,c@example.com\n4,wrong in the old file\n";
const NEW = "Nr,Mail\n1,ada@example.com\n2,wrong\n3,worse\n";

/** Steps that begin when they are let go. */
const held: TaskPlace[] = [];
let holds = false;
const goOn = async (place: TaskPlace): Promise<void> => {
  await runTask(place, { signal: new AbortController().signal, ask: () => {} });
};
const begun: Promise<void>[] = [];
let desk: AskedDesk;

beforeAll(async () => {
  writeFileSync(
    path.join(folder, "people.yaml"),
    `version: 1
name: people
kind: codes
source:
  file: people.csv
  key: [Nr]
  columns: { Mail: { type: email, required: true } }
code: { dynamic: false, qr_data: "mailto:{{ Mail }}" }
output: { dir: out, files: [svg] }
`,
  );
  desk = await openAskedDesk(folder, {
    begin: (place) => {
      if (holds) held.push(place);
      else begun.push(goOn(place));
      return process.pid;
    },
  });
});

afterAll(async () => {
  await Promise.all(begun);
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

async function letGo(): Promise<void> {
  holds = false;
  for (const place of held.splice(0)) await goOn(place);
}

async function step(name: string, form: Readonly<Record<string, string>> = {}): Promise<void> {
  expect((await desk.post(`${job}/${name}`, form)).status).toBe(303);
  await waitForTask(desk, folder, "people.yaml");
}

const textOf = async (address: string, language?: "de"): Promise<string> =>
  (await desk.get(`${job}/${address}`, language)).text();

/** A job that was run with an older file, and a plan of the new one. */
async function makeRefused(): Promise<Record<string, string>> {
  rmSync(path.join(folder, "people.mended.csv"), { force: true });
  writeFileSync(sheet, OLD);
  await step("run");
  writeFileSync(sheet, NEW);
  await step("plan");
  return readForm(await textOf("mend"));
}

test("while the plan is being made the page says so and shows no row, and what the second tab typed comes back", async () => {
  const old = await makeRefused();
  holds = true;
  const saved = await desk.post(`${job}/mend`, { ...old, "cell.3.1": "first@example.com" });
  expect(saved.headers.get("location")).toBe(`${job}/plan`);
  const late = { ...old, "cell.3.1": "second@example.com", "cell.4.1": "lise@example.com" };
  const answer = await desk.post(`${job}/mend`, late);
  expect(answer.headers.get("location")).toBe(`${job}/mend?changed`);
  const waiting = await textOf("mend?changed");
  expect(waiting).toContain("Nothing was saved: rows have changed since you opened the page.");
  expect(waiting).toContain("The rows to mend stand here once the plan is made.");
  expect(waiting).toContain("What you typed here before was kept");
  expect(waiting).not.toMatch(/name="(?:shown|cell)\./u);
  expect(waiting).not.toContain("wrong in the old file");
  expect(waiting).not.toContain("Plan again");
  expect(waiting).not.toContain("has: .");
  expect(waiting).toMatch(/next[^ ]*\/job\/people\.yaml\/mend/u);
  await letGo();
  const html = await textOf("mend");
  expect(readForm(html)).toMatchObject({
    "cell.3.1": "first@example.com",
    "cell.4.1": "lise@example.com",
  });
  expect(html).toContain("people.csv has: Mail “wrong”");
  expect(html).toContain("Line 3, Mail: “second@example.com”");
  expect(html).toContain("You typed this into rows that have changed since. It does not count.");
  expect(await textOf("mend", "de")).toContain("Zeile 3, Mail: „second@example.com“");
  expect(html).not.toContain("“wrong in the old file”");
});

test("it stays there while more is typed, until something is sent", async () => {
  const form = readForm(await textOf("mend"));
  expect((await desk.post(`${job}/mend/keep`, { ...form, "cell.4.1": "emmy@" })).status).toBe(204);
  const html = await textOf("mend");
  expect(html).toContain("Line 3, Mail: “second@example.com”");
  const again = readForm(html);
  expect(again["cell.4.1"]).toBe("emmy@");
  await step("mend", { ...again, "cell.4.1": "emmy@example.com" });
  const file = readFileSync(path.join(folder, "people.mended.csv"), "utf8");
  expect([file.includes("first@"), file.includes("emmy@"), file.includes("second@")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await textOf("mend")).not.toContain("second@example.com");
});

test("without a newer plan the failed rows of a run with an older file are not shown", async () => {
  writeFileSync(sheet, OLD);
  await step("run");
  expect(readForm(await textOf("mend"))["cell.5.1"]).toBe("wrong in the old file");
  writeFileSync(sheet, NEW);
  const html = await textOf("mend");
  expect(html).not.toContain("wrong in the old file");
  expect(html).toContain(">Plan again<");
});

test("rows of a plan that the file is newer than lead to a new plan", async () => {
  writeFileSync(sheet, NEW);
  await step("plan");
  expect(await textOf("mend")).not.toContain(">Plan again<");
  writeFileSync(sheet, `${NEW}4,another\n`);
  expect(await textOf("mend")).toContain(
    "The list or the manifest has changed since rows were refused. Plan again",
  );
});
