/** What a task writes down of its progress. */
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, test } from "vitest";

import { Lines } from "../../src/desk/tasks/lines.ts";

test("the last count of a stage is written, however soon it came after another", async () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "makeready-lines-")), "lines");
  const lines = new Lines(file);
  const show = (stage: string, done: number, total: number): void => {
    const pace = { writesPerMinute: undefined, writeLimit: undefined };
    const progress = { stage, done, total, failed: 0, lastFailure: undefined, ...pace };
    lines.event({ type: "progress", progress });
  };
  for (let done = 0; done <= 21; done += 1) show("codes", done, 29);
  for (let done = 0; done <= 2; done += 1) show("files", done, 4);
  await lines.end();
  const last = new Map<string, unknown>();
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    const { event } = JSON.parse(line) as { event: { progress: { stage: string; done: number } } };
    last.set(event.progress.stage, event.progress.done);
  }
  expect([...last]).toEqual([
    ["codes", 21],
    ["files", 2],
  ]);
});
