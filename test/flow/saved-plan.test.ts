import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

it("a plan is saved, carried out, and refused once it is stale", async () => {
  const files = makeJobFolder(makeRows(4));
  const plan = path.join(files.root, "plan.json");
  const planned = await runInProcess(["plan", files.manifest, "--out", plan]);
  expect(planned.code, planned.err).toBe(0);
  expect(JSON.parse(readFileSync(plan, "utf8"))).toMatchObject({ counts: { creates: 4, bad: 2 } });
  expect(existsSync(files.out)).toBe(false);

  writeFileSync(files.csv, makeRows(5));
  const stale = await runInProcess(["run", files.manifest, "--plan", plan]);
  expect(stale.code).toBe(6);
  expect(stale.err).toContain("the spreadsheet has changed");
  expect(existsSync(files.out)).toBe(false);

  writeFileSync(files.csv, makeRows(4));
  const renamed = "code.display_name={{ table }}";
  const other = await runInProcess(["run", files.manifest, "--plan", plan, "--set", renamed]);
  expect(other.code).toBe(6);
  expect(other.err).toContain("the manifest or the state has changed");

  const run = await runInProcess(["run", files.manifest, "--plan", plan]);
  expect(run.code, run.err).toBe(3);
  const again = await runInProcess(["run", files.manifest, "--plan", plan]);
  expect(again.code).toBe(6);
});

it("an invalid plan, and a wrong patience, are refused before anything is done", async () => {
  const files = makeJobFolder(makeRows(1));
  const none = await runInProcess(["run", files.manifest, "--plan", files.csv]);
  expect(none.code).toBe(2);
  expect(none.err).toContain("--plan must name a saved plan");
  const gone = await runInProcess(["run", files.manifest, "--plan", "nowhere.json"]);
  expect(gone.code).toBe(2);
  const patience = await runInProcess(["run", files.manifest, "--patience", "soon"]);
  expect(patience.code).toBe(2);
  expect(existsSync(files.out)).toBe(false);
});

it("a row too long for any code is a bad row; the others go on", async () => {
  const manifest = `version: 1
name: texts
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Text, dynamic: false, qr_data: "{{ text }}", display_name: "text {{ n }}" }
output: { dir: ../out, files: [svg], zip: false, sheets: true }
`;
  const files = makeJobFolder(`n,text\n1,short\n2,${"long ".repeat(500)}\n`, manifest);
  const run = await runInProcess(["run", files.manifest, "--json"]);
  expect(run.code, run.err).toBe(3);
  expect(readFileSync(path.join(files.out, "failed-rows.csv"), "utf8")).toContain(
    "lower error_correction",
  );
});
