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
  rows[38] = `1,${LONG} zwei`;
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

it.each([
  ["nr,name\n,Haus\n,Hof\n", "must not be empty"],
  [`nr,name\n${"9".repeat(5000)},Haus\n`, "line 2 can't be made"],
])("no proof of nothing is written, but what is wrong is said", async (rows, says) => {
  const files = makeJobFolder(rows, MANIFEST);
  const out = path.join(files.root, "proof.pdf");
  const made = await runInProcess(["sheets", "proof", files.manifest, "--out", out]);
  expect(made.code).toBe(3);
  expect(made.err).toContain(says);
});

async function warningsOf(...args: string[]): Promise<string[]> {
  const made = await runInProcess([...args, "--json"]);
  expect(made.code, made.err).toBe(0);
  const summary = made.out.trimEnd().split("\n").at(-1) ?? "";
  return (JSON.parse(summary) as { warnings: string[] }).warnings;
}

it("preview and proof warn of texts that a label doesn't show, as a run does", async () => {
  const rows = `nr,name\n1,Haus\n2,北京\n3,Haus ☕\n4,${`${LONG} `.repeat(30)}\n`;
  const files = makeJobFolder(rows, MANIFEST);
  const out = path.join(files.root, "proof.pdf");
  const leftOut = 'row 2: caption line "北京" is left out: no font has 北 U+5317, 京 U+4EAC';
  const replaced = 'row 3: caption line "Haus ☕" shows \u{FFFD} for some characters';
  const said = await warningsOf("sheets", "proof", files.manifest, "--lines", "2-5", "--out", out);
  expect(said).toEqual([
    expect.stringContaining(leftOut),
    expect.stringContaining(replaced),
    expect.stringMatching(/^row 4: caption .* does not fit at 4 pt and was cut$/u),
  ]);
  const proof = ["sheets", "proof", files.manifest, "--lines", "3", "--out", out];
  expect((await runInProcess(proof)).err).toContain(`warning: ${leftOut}`);
  const preview = async (line: number) =>
    (
      await warningsOf("preview", files.manifest, "--line", String(line), "--out", files.root)
    ).filter((warning) => warning.startsWith("row "));
  expect(await preview(2)).toEqual([]);
  expect(await preview(3)).toEqual([said[0]]);
  expect(await preview(4)).toEqual([said[1]]);
  expect(await preview(5)).toEqual([said[2]]);
});
