/** German letters in slugs: as the job's first run wrote them. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { parseIndex } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: links
source: { file: ../rows.csv, key: [ort] }
link: { link: "https://a.example/{{ nr }}", slug: "{{ ort | slug }}" }
output: { dir: ../out, files: [svg] }
`;
const GERMAN = MANIFEST.replace("key:", "language: de, key:");
const ROWS = "ort,nr\nKöln,1\nMünchen,2\n";

const readNames = ({ out }: JobFolder): (readonly (string | undefined)[])[] =>
  parseIndex(readFileSync(path.join(out, "index.csv"), "utf8")).map((row) => [
    row["short_link"]?.split("/").at(-1),
    row["files"],
  ]);

const run = (files: JobFolder) => runInProcess(["run", files.manifest, "--json"]);

const NEW = [
  ["koeln", "artwork/koeln.svg"],
  ["muenchen", "artwork/muenchen.svg"],
];
const OLD = [
  ["koln", "artwork/koln.svg"],
  ["munchen", "artwork/munchen.svg"],
];

it("a source whose language is German writes ä as ae in slugs and file names", async () => {
  const files = makeJobFolder(ROWS, GERMAN);
  expect(await run(files)).toMatchObject({ code: 0 });
  expect(readNames(files)).toEqual(NEW);
});

it("existing slugs stay when the language is set later, and plan and run say so", async () => {
  const files = makeJobFolder(ROWS, MANIFEST);
  expect(await run(files)).toMatchObject({ code: 0 });
  writeFileSync(files.manifest, GERMAN);
  writeFileSync(files.csv, `${ROWS}Lübeck,3\n`);
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain("first run of this job had nothing: its slugs and file names stay");
  expect(plan.out).toContain("1 to create, 2 unchanged");
  expect(await run(files)).toMatchObject({ code: 0 });
  expect(readNames(files)).toEqual([...OLD, ["lubeck", "artwork/lubeck.svg"]]);
});

it("slugs that were made stay when the language is taken away", async () => {
  const files = makeJobFolder(ROWS, GERMAN);
  expect(await run(files)).toMatchObject({ code: 0 });
  writeFileSync(files.manifest, MANIFEST);
  expect(await run(files)).toMatchObject({ code: 0 });
  expect(readNames(files)).toEqual(NEW);
});

const RESERVED: Readonly<Record<string, string>> = {
  links: 'link: { link: "https://a.example/{{ nr }}", slug: "{{ ort }}" }',
  pages: 'page: { title: "{{ nr }}", links: [{ url: "https://a.example" }], slug: "{{ ort }}" }',
  forms: 'form: { title: "{{ nr }}", fields: [{ field_type: text, label: A }], slug: "{{ ort }}" }',
};

const says = (slug: string): string =>
  `slug "${slug}": makeready keeps this word for addresses of its own; give it another slug`;

it.each(Object.keys(RESERVED))(
  "a slug that makeready keeps for itself is a row to mend in the plan of %s, as in import-links",
  async (kind) => {
    const files = makeJobFolder(
      "ort,nr\nAPI,1\nassets,2\nkoeln,3\n",
      `version: 1\nname: flow\nkind: ${kind}\nsource: { file: ../rows.csv, key: [nr] }\n${RESERVED[kind]}\noutput: { dir: ../out, files: [] }\n`,
    );
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).toContain("1 to create");
    const { code, out, err } = await runInProcess(["run", files.manifest]);
    expect(code).toBe(3);
    expect(out).toContain("2 bad in the spreadsheet");
    for (const slug of ["API", "assets"]) {
      expect(plan.out + plan.err).toContain(says(slug));
      expect(out + err).toContain(says(slug));
    }
  },
);

it("on another server such a slug is for that server to judge", async () => {
  const { links = "" } = RESERVED;
  const files = makeJobFolder(
    "ort,nr\nAPI,1\n",
    `version: 1\nname: flow\nkind: links\nsource: { file: ../rows.csv, key: [nr] }\n${links}\noutput: { dir: ../out, files: [] }\n`,
  );
  const plan = await runInProcess([
    "plan",
    files.manifest,
    "--base-url",
    "https://api.example/api/v2",
  ]);
  expect(plan.out).toContain("1 to create");
  expect(plan.out + plan.err).not.toContain(says("API"));
});
