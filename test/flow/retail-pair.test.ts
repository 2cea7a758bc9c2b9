/** The built-in label for packs: a Digital Link code for the till with EAN-13 beside it. */
import { writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

it("retail-pair is printed without a warning, and both of its symbols are proven", async () => {
  const files = makeJobFolder("gtin,brand,title\n9506000134352,Haldane,Blackcurrant jam 340 g\n");
  writeFileSync(
    files.manifest,
    `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [gtin], columns: { gtin: { type: gtin } } }
code: { type: Link, qr_data: "https://id.example.com/01/{{ gtin }}", design: { error_correction: M } }
output:
  dir: ../out
  files: []
  sheets: { sheet: { page: A4, label: [80, 44], gutter: 4, margin: 10 }, application: gs1-pos, label: retail-pair }
`,
  );
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.code, plan.err).toBe(0);
  expect(plan.out).not.toContain("warning");
  const run = await runInProcess(["run", files.manifest]);
  expect(run.code, run.err).toBe(0);
  expect(run.out).toContain(
    "all 2 codes read back from the PDFs, 1 of them symbols, no rule broken",
  );
});

it("retail-pair refuses a GTIN-8, whose symbol is EAN-8, as a bad row", async () => {
  const files = makeJobFolder(
    "gtin,brand,title\n9506000134352,Haldane,Jam\n42001751,Haldane,Mints\n",
  );
  writeFileSync(
    files.manifest,
    `version: 1
name: flow
kind: products
source: { file: ../rows.csv, key: [gtin], columns: { gtin: { type: gtin } } }
product: { identifier_type: "01", identifier_value: "{{ gtin }}", links: [{ link_type: "gs1:pip", title: T, destination_url: "https://shop.example/{{ gtin }}" }] }
code: { display_name: "{{ gtin }}" }
output: { dir: ../out, files: [], sheets: { sheet: a4-24up-63.5x33.9, label: { template: retail-pair } } }
`,
  );
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain("2 rows: 1 good, 1 bad");
  expect(plan.out).toMatch(
    /line 3: .*\(ean-13, column "gtin"\) must be a GTIN-13, got the GTIN-8 "42001751" \(.*symbol ean-8\)/u,
  );
});
