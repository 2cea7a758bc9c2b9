/** How keys and paths are shown to people, who read them on other computers, too. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const HEAD = "version: 1\nname: rooms\nsource: { file: ../rows.csv }\n";
const SHEETS = 'sheets: { sheet: a4-24up-63.5x33.9, caption: "{{ name }}" }';

it("a key is shown without its empty parts, and names its row so", async () => {
  const manifest = `${HEAD}kind: forms
form: { title: "{{ name }}", fields: [{ field_type: text, label: Name }] }
output: { dir: ../out, files: [svg], ${SHEETS} }
`;
  const { manifest: file, out } = makeJobFolder("name\n101\n102\n", manifest);
  const ran = await runInProcess(["run", file]);
  expect(ran.code, ran.err).toBe(0);
  const index = readFileSync(path.join(out, "index.csv"), "utf8");
  const keys = index.split("\n").map((line) => line.split(",")[0]);
  // Programs find rows by it, as in the map of the sheets.
  expect(keys.slice(1, 3)).toEqual(["101 /  / ", "102 /  / "]);
  const map = JSON.parse(readFileSync(path.join(out, "sheet-map.json"), "utf8")) as object;
  expect(JSON.stringify(map)).toContain('"101 /  / "');
  const sheets = ["sheets", "reprint", file, "--key", "101"];
  const again = await runInProcess(sheets);
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain('line 2, key "101": 101');
  expect(`${ran.out}${ran.err}${again.out}`).not.toContain("101 / ");
});

it("a report names files relative to the manifest", async () => {
  const manifest = `${HEAD}kind: codes
code:
  type: Text
  qr_data: "{{ name }}"
  design: { primary_color: "#d20000", background_color: "#ffe48a", logo_file: "{{ logo }}" }
output: { dir: ../out, files: [svg] }
`;
  const files = makeJobFolder("name,logo\n101,\n102,none.png\n", manifest);
  const ran = await runInProcess(["run", files.manifest]);
  expect(ran.code, ran.err).toBe(3);
  const report = readFileSync(path.join(files.out, "report.html"), "utf8");
  expect(report).toContain("../rows.csv:2");
  expect(report).toContain("none.png");
  // The command to type is typed anywhere.
  expect(report.replaceAll(`run ${files.manifest}`, "")).not.toContain(files.root);
});
