import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeEach, expect, test } from "vitest";

import { runInProcess } from "../flow/in-process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "set-"));
const file = path.join(folder, "shelves.yaml");
const MANIFEST = `version: 1
name: shelves # of the store
kind: codes
source: shelves.csv
code: { dynamic: false, qr_data: "{{ shelf }}" }
output: { dir: out }
`;

beforeEach(() => {
  writeFileSync(path.join(folder, "shelves.csv"), "shelf\nA-01\n");
  writeFileSync(file, MANIFEST);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const set = (...words: string[]) =>
  runInProcess(["set", "shelves.yaml", ...words], { cwd: folder });
const read = (): string => readFileSync(file, "utf8");

test("changes a field and leaves every other letter", async () => {
  const { code, out } = await set("output.dir=proof", "source.mended=shelves.mended.csv");
  expect([code, out]).toEqual([0, "shelves.yaml: 2 fields set: output.dir, source.mended\n"]);
  const source = "source: { file: shelves.csv, mended: shelves.mended.csv }";
  expect(read()).toBe(
    MANIFEST.replace("dir: out", "dir: proof").replace("source: shelves.csv", source),
  );
  const both = await set("source.file=other.csv", "--unset", "source.mended");
  expect([both.code, both.out]).toEqual([
    0,
    "shelves.yaml: 1 field set: source.file; 1 field taken out: source.mended\n",
  ]);
  expect(read()).toContain("source: { file: other.csv }");
});

test("columns whose names are no plain words are named in quotes", async () => {
  writeFileSync(path.join(folder, "shelves.csv"), "shelf,Personal-Nr.\nA-01,7\n");
  const column = 'source.columns["Personal-Nr."]';
  const done = await set(`${column}={ required: true }`);
  expect([done.code, done.err, done.out]).toEqual([
    0,
    "",
    `shelves.yaml: 1 field set: ${column}\n`,
  ]);
  expect(read()).toContain("Personal-Nr.: { required: true }");
  const shown = await runInProcess(
    ["config", "shelves.yaml", "--json", "--set", `${column}.required=false`],
    { cwd: folder },
  );
  expect([shown.code, shown.err]).toEqual([0, ""]);
  expect(shown.out).toContain(JSON.stringify(`${column}.required`));
  expect((await set("--unset", column)).code).toBe(0);
  expect(read()).not.toContain("Personal");
});

test("warns of every column that a new spreadsheet does not have", async () => {
  writeFileSync(path.join(folder, "other.csv"), "place\nA-01\n");
  const { code, err } = await set("source.file=other.csv", "source.key=[shelf]");
  expect(code).toBe(0);
  expect(err.match(/must name a column of the source, got "shelf"/gu)).toHaveLength(2);
});

test.each(['output.sheets={ caption: "{{ shlf }}" }', "output.zip={ per: shlf }"])(
  "%s names a column that the spreadsheet does not have: a warning says so",
  async (word) => {
    const { code, err } = await set(word);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^warning: .*must name a column of the source, got "shlf"/u),
    ]);
  },
);

test.each([
  ["source.key=[007]", 'key: ["007"]'],
  ["source.key=[1e3, 7, 7.50]", 'key: ["1e3", 7, 7.50]'],
  ["source.columns={ 1.0: { required: true } }", '"1.0":\n      required: true'],
  ["code.qr_data=7.50", "qr_data: 7.50"],
  ["source.file=-", 'source: "-"'],
  ["code.qr_data=007", 'qr_data: "007"'],
  ["output.sheets={ sheet: a4-24up-63.5x33.9, caption_size: 7.50 }", "caption_size: 7.50"],
])("%s: what was typed is what stands there", async (word, says) => {
  expect((await set(word)).code).toBe(0);
  expect(read()).toContain(says);
});

test.each([
  ["shelves.yml", "manifest must be a file that exists", "shelves.yaml lies there: name that"],
  [".", "manifest must be a file, not a folder", "name the manifest in it"],
  ["shelves.csv", "manifest must be YAML or JSON", "makeready init writes one"],
])("%s is refused as by a run", async (name, says, hint) => {
  const { code, err } = await runInProcess(["set", name, "output.dir=x"], { cwd: folder });
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  expect(err).toContain(hint);
});

test("what is so already is not written again", async () => {
  const { code, out } = await set("output.dir=out", "--json");
  expect([code, JSON.parse(out)]).toEqual([
    0,
    { type: "summary", file, fields: ["output.dir"], isChanged: false },
  ]);
});

test.each([
  [["output.dri=x"], "dri"],
  [["kind=nothing"], "kind"],
  [["source.key=[~]"], "source.key[0]"],
  [["dir"], "FIELD=VALUE"],
  [[], "a field must be named"],
])("what a run would refuse is refused, and nothing is written: %j", async (words, says) => {
  const { code, err } = await set(...words);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  expect(read()).toBe(MANIFEST);
});

test.each([
  ["source.key=[shlf]", '"shlf"'],
  ["source.file=gone.csv", "gone.csv"],
  ["source.header_row=7", "header_row must be"],
])("%s is set, and a warning says that a run would refuse it", async (word, says) => {
  const { code, err } = await set(word);
  expect(code).toBe(0);
  expect(err).toMatch(/^warning: /u);
  expect(err).toContain(says);
  expect((await set("source=shelves.csv")).err).toBe("");
});
