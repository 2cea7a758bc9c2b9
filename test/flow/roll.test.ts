/** Figures of a roll: labels and repeats, no sheets of paper. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [nr] }
code: { type: Text, qr_data: "{{ nr }}" }
output:
  dir: ../out
  files: []
  sheets: { sheet: { roll: 160, label: [74, 40], gutter: [4, 3], margin: 3, rows: 6 }, copies: 2 }
`;

it("plan, run and report of a roll count labels and repeats, no sheets of paper", async () => {
  const rows = Array.from({ length: 13 }, (_, n) => `A-${n + 1}`);
  const files = makeJobFolder(`nr\n${rows.join("\n")}\n`, MANIFEST);
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain("flow.pdf (13): 26 labels in 3 repeats, 0.77 m of roll");
  expect(plan.out).not.toMatch(/of paper/u);
  const json = await runInProcess(["plan", files.manifest, "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({
    sheetPages: 3,
    roll: { labels: 26, lengthMm: 774 },
  });
  const run = await runInProcess(["run", files.manifest]);
  expect(run.code, run.err).toBe(0);
  expect(run.out).toMatch(/flow\.pdf +26 labels in 3 repeats of the roll, PDF\/X-4/u);
  const report = readFileSync(path.join(files.out, "report.html"), "utf8");
  expect(report).toContain("3 repeats of the roll, PDF/X-4");
  const again = await runInProcess(["run", files.manifest]);
  expect(again.out).toContain("26 labels in 3 repeats of the roll");
});
