/** A box of the label that is too small for every row is no fault of the rows. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const manifest = (symbol: string, box: string): string => `version: 1
name: boxes
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { qr_data: "https://a.example/{{ id }}", display_name: "{{ id }}" }
output:
  dir: ../out
  files: [svg]
  sheets:
    sheet: a4-24up-63.5x33.9
    label: { items: [{ code: true, at: [3, 3, 25, 25] }, { symbol: ${symbol}, data: "{{ text }}", at: ${box} }] }
`;

it.each([
  ["plan", "a,4012340000011\nb,4012340000028\n"],
  ["run", "a,4012340000011\nb,4012340000028\n"],
  // A row with a wrong text beside them.
  ["plan", "a,4012340000011\nb,4012340000029\nc,4012340000028\n"],
])("%s refuses it once, as a fault of the manifest", async (command, rows) => {
  const files = makeJobFolder(`id,text\n${rows}`, manifest("ean-13", "[30, 3, 20, 20]"));
  const { code, out, err } = await runInProcess([command, files.manifest]);
  expect(code).toBe(2);
  const said = `${out}${err}`;
  expect(said.match(/label item 2 \(ean-13\)/gu)).toHaveLength(1);
  expect(said).toContain("make its box larger");
  expect(said).toContain(files.manifest);
  expect(said).not.toContain("rows.csv");
});

it.each(["plan", "run"])("%s says each of several once", async (command) => {
  const item = '{ symbol: gs1-128, data: "(01){{ gtin }}", at: [30, 20, 40, 12] }';
  const two = manifest("ean-13", "[30, 3, 20, 10]")
    .replace("a4-24up-63.5x33.9", "{ page: A4, label: [99, 60] }")
    .replace(" }] }\n", ` }, ${item}] }\n`);
  const files = makeJobFolder("id,text,gtin\na,4012340000011,04012340000011\n", two);
  const { code, out, err } = await runInProcess([command, files.manifest]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^error: .*boxes on the label must have room for their symbols, got 2/u);
  expect(err.match(/label item 2 \(ean-13\)/gu)).toHaveLength(1);
  expect(err.match(/label item 3 \(gs1-128\)/gu)).toHaveLength(1);
  expect(err.match(/make its box larger/gu)).toHaveLength(2);
});

it("of rows that do not fit while others do, each names the item", async () => {
  const csv = "id,text\na,A\nb,ABCDEFGHIJKLMNOPQRSTUVWXYZABCD\n";
  const label = "[28, 3, 32, 25], hri: none";
  const files = makeJobFolder(csv, manifest("code-128", label));
  const { code, out, err } = await runInProcess(["plan", files.manifest]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/line 3.*label item 2 \(code-128, column "text"\)[^]*make its box larger/u);
  expect(out).not.toMatch(/line 2.*label item/u);
});

it("of rows that do not fit while others do, both ways to mend them are named", async () => {
  const files = makeJobFolder(
    "id,text\na,A\nb,ABCDEFGHIJKLMNOPQRSTUVWXYZABCD\n",
    manifest("code-128", "[28, 3, 32, 25], hri: none"),
  );
  const run = async (): Promise<string> => (await runInProcess(["run", files.manifest])).out;
  const ways =
    /→ make the labels or their boxes in \S*flow\.yaml larger, or the text of this row in \S*rows\.csv shorter \(failed-rows\.csv lists it\), then run again/u;
  expect(await run()).toMatch(ways);
  const strict = readFileSync(files.manifest, "utf8");
  writeFileSync(files.manifest, `${strict}run: { on_row_error: stop }\n`);
  const { out, err } = await runInProcess(["run", files.manifest]);
  expect(`${out}${err}`).toContain(
    "make the labels or their boxes larger, or the texts of the rows",
  );
  writeFileSync(files.manifest, strict);
  // A row that is bad by itself is mended where it stands.
  appendFileSync(files.csv, "c,\u00e4\n");
  expect(await run()).toMatch(/→ mend these rows in \S*rows\.csv/u);
});

it("a row whose symbol or text is wrong is told which columns hold it", async () => {
  const label =
    '{ items: [{ code: true, at: [3, 3, 25, 25] }, { symbol: ean-13, data: "{{ text }}", at: [29, 3, 31, 16] }, { text: "{{ id }} {{ text }}", fit: refuse, size_pt: 40, at: [29, 20, 31, 8] }] }';
  const given = manifest("ean-13", "[30, 3, 33, 20]").replace(/label: .*\n/u, `label: ${label}\n`);
  const files = makeJobFolder("id,text\na,4012340000029\n", given);
  const { out, err } = await runInProcess(["plan", files.manifest]);
  expect(err).toBe("");
  expect(out).toContain('label item 2 (ean-13, column "text") must be a GTIN');
  expect(out).toContain('label item 3 (text, columns "id", "text") must fit');
});

it.each([
  ["code-128", "ABCDEFGHIJKLMNOPQRSTUVWXYZABCD"],
  ["code-39", "ABCDEFGHIJKLMNOPQRST"],
])("a long text for %s is a fault of its row, also of the only one", async (symbol, text) => {
  const files = makeJobFolder(
    `id,text\na,${text}\n`,
    manifest(symbol, "[28, 3, 32, 25], hri: none"),
  );
  const { code, out, err } = await runInProcess(["plan", files.manifest]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("0 good, 1 bad");
  expect(out).toMatch(/line 2: label item 2[^]*make its box larger, or its text shorter/u);
  const ran = await runInProcess(["run", files.manifest]);
  expect(ran.out).toMatch(/→ mend \S*flow\.yaml as failed-rows\.csv says/u);
});

it("a text that the fonts can't show is a fault of its row, and a wider box no help", async () => {
  const files = makeJobFolder(
    "id,text\na,ab\nb,€漢\n",
    manifest("datamatrix", "[28, 3, 30, 25], hri: below"),
  );
  const planned = await runInProcess(["plan", files.manifest]);
  expect(planned.out).toMatch(
    /line 3: label item 2[^]*the fonts can show[^]*name fonts that have these characters in output\.sheets\.fonts, change the text, or set hri: none/u,
  );
  const ran = await runInProcess(["run", files.manifest]);
  expect(ran.out).toMatch(/→ mend this row in \S*rows\.csv/u);
});

it.each([
  ["code-128", "ABCDEF"],
  ["gs1-128", "(01)04012340000011"],
  ["datamatrix", "ABCDEFG"],
  ["gs1-qr", "(01)04012340000011"],
])("a box that has no room for any text of %s is one of the manifest", async (symbol, text) => {
  const at = "[30, 3, 2, 20], hri: none";
  const files = makeJobFolder(`id,text\na,${text}\nb,\n`, manifest(symbol, at));
  const { code, out, err } = await runInProcess(["plan", files.manifest]);
  expect(code).toBe(2);
  expect(`${out}${err}`).toContain("make its box larger");
  expect(`${out}${err}`).not.toContain("rows.csv");
});

it("codes of long texts that are too small on their labels are no fault of cells", async () => {
  const long = "ABCDEFGH ".repeat(40);
  const plain = `version: 1
name: texts
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { type: Text, qr_data: "{{ text }}" }
output: { dir: ../out, files: [svg], sheets: { sheet: avery-l7651 } }
`;
  const files = makeJobFolder(`id,text\na,${long}\nb,${long}b\n`, plain);
  const { out } = await runInProcess(["plan", files.manifest]);
  expect(out.match(/module \(X\) must be at least/gu)).toHaveLength(2);
  // What helps both is said once.
  expect(out.match(/use larger labels/gu)).toHaveLength(1);
  expect(out).toContain("→ no row is good: mend them in the manifest, then plan again");
  appendFileSync(files.csv, "c,C\n");
  expect((await runInProcess(["run", files.manifest])).out).toMatch(
    /→ make the labels or their boxes in \S*flow\.yaml larger, or the texts of these rows/u,
  );
});
