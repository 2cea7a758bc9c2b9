/** Which labels a customer gets for approval by default. */
import path from "node:path";

import { expect, it } from "vitest";

import { readPdfText } from "../help/pdf-text.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [nr] }
code: { type: Text, qr_data: "{{ nr }}" }
output: { dir: ../out, files: [], sheets: { caption: ["{{ name }}", "{{ nr }}"] } }
`;

const LONG = "Hofgut Obere Mühle am Rosengarten";

it("a proof shows the labels with the longest captions, line by line", async () => {
  const rows = Array.from({ length: 40 }, (_, n) => `${n + 1},Haus ${n + 1}`);
  rows[29] = `30,${LONG}`;
  rows[35] = "36000000000000000,Au";
  rows[37] = ",";
  rows[38] = "1,Haus 1";
  const files = makeJobFolder(`nr,name\n${rows.join("\n")}\n`, MANIFEST);
  const out = path.join(files.root, "proof.pdf");
  const made = await runInProcess(["sheets", "proof", files.manifest, "--out", out, "--json"]);
  expect(made.code, made.err).toBe(0);
  expect(JSON.parse(made.out)).toMatchObject({ labels: 12, picked: "longest" });
  const text = await readPdfText(out);
  expect(text).toContain(LONG);
  expect(text).toContain("36000000000000000");
  // Neither the row without a key nor the one whose key is there already becomes a label.
  expect(text).toContain("12 of 38 labels");
  const people = await runInProcess(["sheets", "proof", files.manifest, "--out", out]);
  expect(people.out).toContain("12 labels with the longest captions");
  const one = ["sheets", "proof", files.manifest, "--lines", "2", "--out", out];
  expect((await runInProcess(one)).out).toContain("1 label on 1 page, to be signed");
});
