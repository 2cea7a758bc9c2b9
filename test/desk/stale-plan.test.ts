/** A run whose plan no longer fits the spreadsheet: the page offers a new plan, never a run without one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, test } from "vitest";

import { openAskedDesk, waitForTask } from "./ask-desk.ts";

test("after the spreadsheet has changed the way on is a new plan", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "desk-stale-"));
  const write = (rows: string): void => writeFileSync(path.join(folder, "nr.csv"), `Nr\n${rows}`);
  write("1\n2\n");
  writeFileSync(
    path.join(folder, "nr.yaml"),
    `version: 1
name: nr
kind: codes
source: { file: nr.csv, key: [Nr] }
code: { dynamic: false, type: Link, qr_data: "https://a.example/{{ Nr }}" }
output: { dir: out, files: [svg] }
`,
  );
  const desk = await openAskedDesk(folder);
  for (const step of ["plan", "run"]) {
    if (step === "run") write("1\n2\n3\n4\n5\n");
    expect((await desk.post(`/job/nr.yaml/${step}`, {})).status).toBe(303);
    await waitForTask(desk, folder, "nr.yaml");
  }
  const html = await (await desk.get("/job/nr.yaml/run")).text();
  expect(html).toContain("but the spreadsheet has changed");
  expect(html).not.toContain('name="goOn"');
  expect(html).toContain('class="button main" href="/job/nr.yaml/plan"');
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});
