/** Of very many faults, some are reported and all are counted, so that they don't fill the memory. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";

const FAULTY = 1200;
const KEPT = 1000;
const ROWS = `n,url\n1,https://a.example/\n${"x\n".repeat(FAULTY)}`;
const MANIFEST = `version: 1
name: faults
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Text, dynamic: false, qr_data: "{{ url }}", display_name: "{{ n }}" }
output: { dir: ../out, files: [svg], index: [] }
`;

const lastOf = (text: string): Record<string, unknown> =>
  JSON.parse(text.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;

it.each([
  ["columns", "csv"],
  ["plan", "manifest"],
  ["run", "manifest"],
] as const)("%s keeps the first faults and counts all of them", async (command, which) => {
  const files = makeJobFolder(ROWS, MANIFEST);
  const json = await runInProcess([command, files[which], "--json"]);
  const { problems, problemCount } = lastOf(json.out);
  expect(problems).toHaveLength(KEPT);
  expect(problemCount).toBe(FAULTY);
  const people = await runInProcess([command, files[which]]);
  expect(people.out).toMatch(/… and 1,180 more/u);
});

it("a certificate counts them all", async () => {
  const sheets = `${MANIFEST.trimEnd().slice(0, -1)}, sheets: { sheet: a4-24up-63.5x33.9 } }\n`;
  const files = makeJobFolder(ROWS, sheets);
  await runInProcess(["run", files.manifest]);
  const certificate: unknown = JSON.parse(
    readFileSync(path.join(files.out, "certificate.json"), "utf8"),
  );
  const counts = { rows: FAULTY + 1, bad: FAULTY, failed: FAULTY };
  expect(certificate).toMatchObject({ statement: { counts } });
});

it("all of them are listed to be mended, by line", async () => {
  const files = makeJobFolder(ROWS, MANIFEST);
  const run = await runInProcess(["run", files.manifest]);
  expect(run.out).toContain("1,200 rows to mend");
  const listed = readFileSync(path.join(files.out, "failed-rows.csv"), "utf8").trim().split("\n");
  expect(listed).toHaveLength(FAULTY + 1);
  const lines = listed.slice(1).map((line) => Number(line.split(",")[2]));
  expect(lines).toEqual(Array.from({ length: FAULTY }, (_, at) => at + 3));
});
