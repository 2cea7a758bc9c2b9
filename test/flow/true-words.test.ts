/** What plans and runs say is true of the job at hand. */
import { readFileSync, writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const codesOf = (columns: string, more = "files: []"): string => `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n], columns: { ${columns} } }
code: { type: Link, dynamic: true, qr_data: "{{ url }}" }
output: { dir: ../out, ${more} }
`;

const say = async ({ manifest }: JobFolder, command: string): Promise<string> => {
  const { out, err } = await runInProcess([command, manifest]);
  return `${out}${err}`;
};

it("a GTIN of 11 digits is taken, and the plan says as what", async () => {
  // 40063813339 ends in its check digit by chance.
  const rows = "n,url,ean\n1,https://a.example/,40063813339\n2,https://a.example/,4006381333931\n";
  const files = makeJobFolder(rows, codesOf("ean: { type: gtin }"));
  const plan = await say(files, "plan");
  expect(plan).toContain("2 rows in");
  expect(plan).toMatch(
    /warning +\S+rows\.csv line 2, column "ean": has 11 digits, and GTINs have 8, 12, 13 or 14: "40063813339" is taken for 00040063813339 \(/u,
  );
  expect(plan).not.toContain("line 3");
});

it("a warning of a cell names the header that the spreadsheet has", async () => {
  const files = makeJobFolder(
    "n,url,EAN/GTIN\n1,https://a.example/,40063813339\n",
    codesOf('ean: { type: gtin, aliases: ["EAN/GTIN"] }'),
  );
  expect(await say(files, "plan")).toContain('line 2, column "EAN/GTIN": has 11 digits');
});

it("a plan never refers to a list that only a run writes", async () => {
  const rows = Array.from({ length: 25 }, (_, n) => `${n},none\n`).join("");
  const files = makeJobFolder(`n,url\n${rows}`, codesOf(""));
  expect(await say(files, "plan")).toContain(
    "… and 5 more faults; a run lists all in failed-rows.csv",
  );
});

it("faults of rows are not counted as rows", async () => {
  const rows = Array.from({ length: 15 }, (_, n) => `${n},none,none\n`).join("");
  const columns = "url: { type: url }, more: { type: url, required: true }";
  const files = makeJobFolder(`n,url,more\n${rows}`, codesOf(columns));
  const plan = await say(files, "plan");
  expect(plan).toContain("0 good, 15 bad");
  expect(plan).toContain("… and 10 more faults; a run lists all in failed-rows.csv");
  expect(await say(files, "run")).toContain("… and 10 more faults in failed-rows.csv");
});

it("the index is described as it is", async () => {
  const files = makeJobFolder(
    "n,url\n1,https://a.example/\n",
    codesOf("", "files: [], index: [csv]"),
  );
  expect(await say(files, "run")).toMatch(/index\.csv +row -> id, short link\n/u);
  writeFileSync(files.manifest, codesOf("", "files: [svg], index: [csv]"));
  expect(await say(files, "run")).toMatch(/index\.csv +row -> id, short link, files\n/u);
});

it("a plan of codes that exist says how many, and asks how they look", async () => {
  const files = makeJobFolder("n,url\n1,https://a.example/\n", codesOf(""));
  await say(files, "run");
  writeFileSync(
    files.manifest,
    `version: 1
name: out
kind: export
select: {}
output: { dir: ../export, files: [svg], sheets: { sheet: a4-24up-63.5x33.9 } }
`,
  );
  const plan = await say(files, "plan");
  expect(plan).toContain("  selected  1 code: all that there are\n");
  expect(plan).not.toContain("design that they");
});

const ODD_LINKS = `n,url
1,htps://a.example/
2,mailto:a@b.example?subject=Room 7
3,tel:+49301234
4,mailto:a@b.example?subject=Room%207
`;

it("a Link that the service of the folder refuses is a bad row, and Text is named where it fits", async () => {
  const files = makeJobFolder(ODD_LINKS, codesOf(""));
  const plan = await say(files, "plan");
  expect(plan).toContain("4 rows: 2 good, 2 bad");
  expect(plan).toMatch(/line 2: qr_data of a Link must begin with https:.*, got "htps:/u);
  expect(plan).toMatch(
    /line 3: qr_data of a Link must have no blanks, got "mailto:.*\(write %20 /u,
  );
  expect(plan).not.toContain("type: Text");
  writeFileSync(
    files.manifest,
    readFileSync(files.manifest, "utf8").replace("dynamic: true", "dynamic: false"),
  );
  expect(await say(files, "plan")).toMatch(/line 3: .*code\.type: Text holds it as it is/u);
});

it("another server may take such a Link: a warning names Text, too", async () => {
  const files = makeJobFolder(ODD_LINKS, codesOf("").replace("dynamic: true", "dynamic: false"));
  const { out } = await runInProcess([
    "plan",
    files.manifest,
    "--base-url",
    "https://codes.example/api/v2",
  ]);
  expect(out).toContain("4 rows");
  expect(out).toMatch(/line 2: qr_data of a Link must begin with https:.*server may refuse it/u);
  expect(out).toMatch(/line 3: .*must have no blanks.*code\.type: Text holds it as it is/u);
});

it("one is one, and a row without a key is named by its line", async () => {
  const twins = `first,last,job\nAnna,Lee,\nAnna,Lee,Sales\nMaximilian,${"Hohenlohe-Waldenburg-".repeat(4)},Head 𐤀 of everything\n`;
  const manifest = `version: 1
name: people
kind: codes
source: { file: ../rows.csv, columns: { job: {} } }
code: { type: vCard, display_name: "{{ first }} {{ last }}", vcard: { first_name: "{{ first }}", last_name: "{{ last }}", position: "{{ job }}" }, design: { error_correction: L } }
output: { dir: ../out, files: [svg], sheets: { sheet: a4-24up-63.5x33.9, caption: "{{ first }} {{ last }} {{ job }}" } }
`;
  const files = makeJobFolder(twins, manifest);
  const plan = await say(files, "plan");
  expect(plan).toContain(
    "1 file with the name of another one is numbered: line 3: Anna Lee -> Anna Lee-2",
  );
  expect(plan).toContain("since line 4 needs it");
  expect(plan).toContain("the label of 1 row (line 4) must show characters that no font has");
});
