/** Lists beside the finished files, as the program opens them that the spreadsheet is from. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { readZip } from "../pack/read-zip.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [tisch], columns: { ziel: { type: url } } }
code: { qr_data: "{{ ziel }}" }
output: { dir: ../out, files: [svg], zip: true }
`;

const ROWS = ["tisch;ziel", "1;https://a.example/1", "2;htp://x", "3;https://a.example/3"];

/** Text of index, index in the archive, and failed rows. */
async function runLists(rows: readonly string[]): Promise<readonly string[]> {
  const files = makeJobFolder(`${rows.join("\n")}\n`, MANIFEST);
  const { code, err } = await runInProcess(["run", files.manifest]);
  expect(code, err).toBe(3);
  const { entries } = readZip(path.join(files.out, "flow.zip"));
  const inZip = entries.find(({ name }) => name === "index.csv")?.data;
  return [
    readFileSync(path.join(files.out, "index.csv"), "utf8"),
    Buffer.from(inZip ?? "").toString("utf8"),
    readFileSync(path.join(files.out, "failed-rows.csv"), "utf8"),
  ];
}

it("lists of a spreadsheet with semicolons have semicolons", async () => {
  const [index, inZip, failed] = await runLists(ROWS);
  expect(index).toMatch(/^\uFEFFkey;line;display_name;/u);
  expect(inZip).toMatch(/^\uFEFFkey;line;display_name;/u);
  expect(failed).toMatch(/^\uFEFFtisch;ziel;line;reason\r\n2;htp:\/\/x;3;/u);
});

it("failed rows are fed back under a manifest that names the delimiter", async () => {
  const manifest = MANIFEST.replace("key:", 'delimiter: ";", key:');
  const files = makeJobFolder(`${ROWS.join("\n")}\n`, manifest);
  await runInProcess(["run", files.manifest]);
  const failed = path.join(files.out, "failed-rows.csv");
  writeFileSync(failed, readFileSync(failed, "utf8").replace("htp:", "https:"));
  const again = ["run", files.manifest, "--set", `source.file=${failed}`, "--out", `${files.out}2`];
  const { code, err } = await runInProcess(again);
  expect(code, err).toBe(0);
});

it("lists of a spreadsheet with commas stay as they were", async () => {
  const [index, , failed] = await runLists(ROWS.map((row) => row.replaceAll(";", ",")));
  expect(index).toMatch(/^\uFEFFkey,line,/u);
  expect(failed).toMatch(/^\uFEFFtisch,ziel,line,reason/u);
});
