/** Tasks that an earlier makeready has stored, with less in them than those of today. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { readLine } from "../../src/desk/tasks/old-lines.ts";
import { tasksDir, TASK_FILES, type Step } from "../../src/desk/tasks/task.ts";
import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("old-tasks");

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf] }
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out, files: [svg], sheets: { caption: "{{ shelf }}" } }
`;

function store(step: Step, result: object): void {
  const dir = path.join(tasksDir(at.folder), "0000000000");
  mkdirSync(dir, { recursive: true });
  const request = { request: { step, manifest: "shelves.yaml" }, startedMs: Date.now() + 1000 };
  writeFileSync(path.join(dir, TASK_FILES.request), JSON.stringify(request));
  const line = { atMs: Date.now(), type: "result", result: { step, ...result } };
  writeFileSync(path.join(dir, TASK_FILES.lines), `${JSON.stringify(line)}\n`);
}

const LABELS = { good: 2, damaged: 0, missing: 0, outside: 0 };
const SCAN = {
  job: "shelves",
  labels: LABELS,
  sheets: [
    { picture: "a.png", file: "shelves.pdf", page: 1, labels: LABELS, lie: {}, isDouble: false },
  ],
  unseen: [],
  spoiled: [],
  outside: [],
  strays: [],
  empty: [],
  unreadable: [],
  symbols: 0,
};

test("a scan that knew no older sheets, unfinished rows or void codes is shown", async () => {
  at.write("shelves.csv", "shelf\nA-01\nA-02\n");
  at.write("shelves.yaml", MANIFEST);
  await at.desk.post("/job/shelves.yaml/run", {});
  await waitForTask(at.desk, at.folder, "shelves.yaml");
  store("scan", { scan: SCAN });
  const page = await at.desk.get("/job/shelves.yaml/scan");
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).toContain("2 labels are good. Nothing has to be printed again.");
  expect(html).toContain("2 of 2");
  expect(html).not.toMatch(/NaN|undefined/u);
});

test("a plan that moves the address and knew no count tells it: every code that is made", () => {
  const note = { code: "address-moves", from: "https://a.example", to: "https://b.example" };
  const plan = { summary: { good: 5, creates: 2 }, notes: [note, { code: "keeps-files" }] };
  const line = { atMs: 1, type: "result", result: { step: "plan", plan } };
  const counted = { ...note, count: 3 };
  const filled = {
    ...line,
    result: { step: "plan", plan: { ...plan, notes: [counted, plan.notes[1]] } },
  };
  expect(readLine(JSON.stringify(line))).toEqual(filled);
  expect(readLine(JSON.stringify(filled))).toEqual(filled);
});

test("labels that were printed again and counted as codes only are told", () => {
  const reprint = { files: [], codes: 2, decoded: 2, pages: 1, isReady: true, warnings: [] };
  const told = { ...reprint, labels: 2 };
  for (const [before, now] of [
    [
      { step: "reprint", reprint },
      { step: "reprint", reprint: told },
    ],
    [
      { step: "replace", replaced: { already: [], reprint } },
      { step: "replace", replaced: { already: [], reprint: told } },
    ],
  ]) {
    const line = { atMs: 1, type: "result", result: before };
    expect(readLine(JSON.stringify(line))).toEqual({ ...line, result: now });
  }
});
