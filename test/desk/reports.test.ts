/** Jobs over codes that exist, in the desk: reports of scans, and runs with a folder of their own. */
import { rmSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { runInProcess } from "../flow/in-process.ts";
import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("reports");

async function typed(expected: number, ...argv: string[]): Promise<string> {
  const { code, out } = await runInProcess(argv, { cwd: at.folder, clock: systemClock });
  expect([argv, code]).toEqual([argv, expected]);
  return out;
}

async function makeCodes(): Promise<void> {
  at.write("tables.csv", "table,url\n1,https://example.com/1\n2,https://example.com/2\n");
  at.write(
    "tables.yaml",
    `version: 1
name: tables
kind: codes
source: { file: tables.csv, key: [table] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ table }}" }
output: { files: [svg] }
`,
  );
  await typed(0, "run", "tables.yaml");
}

async function step(manifest: string, name: "plan" | "run"): Promise<void> {
  await at.desk.post(`/job/${manifest}/${name}`, {});
  await waitForTask(at.desk, at.folder, manifest);
}

/** Addresses of a job's files on a page. */
const filesOn = (html: string): string[] =>
  [...html.matchAll(/href="([^"]*\/(?:files|show)\/[^"]*)"/gu)].map(([, href]) => href ?? "");

/** Whether a browser gets all of them, as it folds addresses. */
async function expectFiles(address: string, names: readonly string[]): Promise<string> {
  const html = await at.textOf(address);
  const hrefs = filesOn(html).map((href) => new URL(href, at.desk.origin).pathname);
  for (const name of names) {
    const found = hrefs.filter((href) => href.endsWith(`/${name}`));
    expect([name, found.length > 0]).toEqual([name, true]);
  }
  for (const href of hrefs) expect([href, (await at.desk.get(href)).status]).toEqual([href, 200]);
  return html;
}

const REPORT = `version: 1
name: weekly
kind: report
select: {}
group_by: folder
columns: [display_name, scans]
output: { dir: "out/reports/{{ date }}", formats: [xlsx, csv, html] }
`;
const FILES = ["weekly.xlsx", "weekly.html", "codes.csv", "folders.csv"];

test("a report that the desk wrote is planned and run in it", async () => {
  await makeCodes();
  const begun = await at.desk.post("/new/plain", { kind: "report", name: "weekly" });
  expect(begun.headers.get("location")).toBe("/job/weekly.yaml/plan");
  at.write("weekly.yaml", REPORT);
  await step("weekly.yaml", "plan");
  const plan = await at.textOf("/job/weekly.yaml/plan");
  expect(plan).not.toContain('href="/job/weekly.yaml/label"');
  expect(await at.textOf("/job/tables.yaml/plan")).toContain('href="/job/tables.yaml/label"');
  expect(plan).toContain("A report changes nothing.");
  expect(plan).toContain("Make the report: 2 codes");
  expect(plan).not.toContain("--out");
  await step("weekly.yaml", "run");
  expect((await at.desk.get("/job/weekly.yaml/run")).headers.get("location")).toBe(
    "/job/weekly.yaml/result",
  );
  const html = await expectFiles("/job/weekly.yaml/result", FILES);
  expect(html).toContain("The report is made");
  expect(html).toContain("<dt>Codes</dt><dd>2</dd>");
});

test("a report that a command made is shown with its files, and when it was made", async () => {
  await makeCodes();
  at.write("weekly.yaml", REPORT);
  expect(await at.textOf("/")).toContain("not run yet");
  await typed(0, "run", "weekly.yaml");
  const home = await at.textOf("/");
  expect(home).toMatch(/Report made on \d/u);
  expect(home).not.toContain("0 of 0");
  const html = await expectFiles("/job/weekly.yaml/result", FILES);
  expect(html).toMatch(/Report made on \d/u);
  expect(html).not.toContain("has not run yet");
  // The desk writes it in the language of its page.
  at.write("weekly.yaml", `${REPORT}flag: { zero_scans_for_days: 30 }\ndetails: { top: 1 }\n`);
  await at.desk.post("/job/weekly.yaml/run", {}, "de");
  await waitForTask(at.desk, at.folder, "weekly.yaml");
  const page = filesOn(await at.textOf("/job/weekly.yaml/result")).find((href) =>
    href.endsWith(".html"),
  );
  const text = (await at.textOf(page ?? "")).replaceAll(/<style>.*<\/style>|<[^>]*>/gsu, " ");
  for (const says of [
    " bis ",
    "Von dem Code mit den meisten Scans.",
    "Codes, ohne Kurzlinks",
    "Nach Ordnern",
    "(in keinem Ordner)",
  ])
    expect(text).toContain(says);
  expect(text).toContain("Kein Scan seit 30 Tagen");
  expect(text).not.toMatch(/\b(?:made|codes|compared|leads|most|first|by|none|day|scan for)\b/u);
  const run = await at.desk.get("/job/weekly.yaml/run");
  expect(run.headers.get("location")).toBe("/job/weekly.yaml/result");
});

test.each(["redesign", "export"])("files of a dated %s are downloads of its job", async (kind) => {
  await makeCodes();
  const isExport = kind === "export";
  at.write(
    "monthly.yaml",
    `version: 1
name: restyle
kind: ${kind}
select: {}
${isExport ? "" : 'design: { primary_color: "#6a1b9a" }'}
output:
  dir: "out/restyle/{{ date }}"
  files: [svg]
  zip: { name: codes.zip }
${isExport ? "  sheets: { sheet: a4-24up-63.5x33.9, name: codes.pdf }" : ""}
`,
  );
  await typed(0, "run", "monthly.yaml");
  const names = isExport ? ["codes.zip", "codes.pdf"] : ["codes.zip"];
  await expectFiles("/job/monthly.yaml/result", names);
  // What lies beside them belongs to others.
  at.write("out/restyle/other.zip", "PK");
  for (const name of ["other.zip", "%2e%2e%2fother.zip", "..%2f..%2ftables.csv", "tables.csv"])
    expect((await at.desk.get(`/job/monthly.yaml/files/${name}`)).status).toBe(404);
  // What was removed is no download.
  rmSync(path.join(at.folder, "out/restyle"), { recursive: true });
  expect(filesOn(await at.textOf("/job/monthly.yaml/result"))).toEqual([]);
});

test("an undo with rows that were refused has the same figures and reasons everywhere", async () => {
  await makeCodes();
  at.write("new.csv", "code,url\n1,https://example.com/one\n9,https://example.com/nine\n");
  at.write(
    "move.yaml",
    `version: 1
name: move
kind: retarget
source: new.csv
match: { by: [display_name], value: "{{ code }}" }
set: { qr_data: "{{ url }}" }
`,
  );
  await typed(3, "run", "move.yaml");
  const undo = await typed(0, "undo", "move.yaml");
  expect(undo).toContain("1 put back, 1 bad in the spreadsheet");
  const report = at.read("out/move/report.html");
  const html = await at.textOf("/job/move.yaml/result");
  expect(report).toMatch(/rows<\/dt>\s*<dd[^>]*>2</u);
  expect(report).not.toContain("with rows to mend");
  for (const [name, value] of [
    ["Rows", 2],
    ["Put back", 1],
    ["Unchanged", 0],
    ["Not made", 1],
  ])
    expect(html).toContain(`<dt>${name}</dt><dd>${value}</dd>`);
  expect(html).toContain("1 code is as before it");
  for (const text of [undo, report, html]) expect(text).toMatch(/got (?:"|&quot;)9(?:"|&quot;)/u);
  expect(undo).toContain('column "code": must name a code that exists, got "9"');
  const german = await (await at.desk.get("/job/move.yaml/result", "de")).text();
  expect(german).toContain("muss einen Code nennen, den es gibt; hier steht &quot;9&quot;");
  expect(german).toContain("Namen eines Codes eintragen, den es gibt, oder die Zeile löschen");
  expect(german).not.toContain("Meldungen, für die es hier noch keine deutschen Worte gibt");
});

test("the sheets of a rehearsal are said to tell it only where they do, before the run and after it", async () => {
  at.write("tables.csv", "table,url\n1,https://example.com/1\n");
  at.write(
    "cut.yaml",
    `version: 1
name: cut
kind: codes
source: { file: tables.csv, key: [table] }
code: { dynamic: true, qr_data: "{{ url }}" }
output: { files: [], sheets: { sheet: zweckform-3474 } }
`,
  );
  await step("cut.yaml", "plan");
  const plan = await at.textOf("/job/cut.yaml/plan");
  expect(plan).toContain("this computer only, and the sheets have no room to say so.");
  expect(plan).not.toContain("and the sheets say so");
  // Warnings about the sheet are no good news, and are said in German.
  const german = await (await at.desk.get("/job/cut.yaml/plan", "de")).text();
  expect(german).toMatch(/Bitte ansehen.*Nichts auf ihm sagt, dass das eine Probe ist/su);
  await step("cut.yaml", "run");
  expect(await at.textOf("/job/cut.yaml/result")).toContain(
    "The sheets have no room to say that this is a rehearsal.",
  );
  const reprint = { key: "1", start: "99", from: "cut.pdf" };
  const wrong = await (await at.desk.post("/job/cut.yaml/reprint", reprint)).text();
  expect(wrong).toMatch(/The first free label must be a number from 1 to \d+, got 99\. Count/u);
});

test("the result of forms says how many answers there are, and where", async () => {
  at.write("rooms.csv", "room\n1\n2\n");
  at.write(
    "rooms.yaml",
    `version: 1
name: rooms
kind: forms
source: { file: rooms.csv, key: [room] }
form: { title: "Room {{ room }}", fields: [{ field_type: yes_no, label: Clean? }] }
output: { files: [svg] }
`,
  );
  await typed(0, "run", "rooms.yaml");
  const html = await at.textOf("/job/rooms.yaml/result");
  expect(html).toContain("0 answers to 2 forms so far.");
  expect(html).toContain('href="/console/forms"');
  expect(html).toContain("makeready answers rooms.yaml");
});

test("a file that holds a token is offered and taken nowhere", async () => {
  await makeCodes();
  at.write("tok.txt", "secret-token");
  at.write("old.txt", "f49b5ab3827e411ab09a32c494571deff49b5ab3\n");
  at.write(
    "far.yaml",
    `version: 1
name: far
kind: codes
api: { base_url: "http://127.0.0.1:9/api/v2", workspace: w, token_file: tok.txt }
source: { range: [1, 2] }
code: { dynamic: true, qr_data: "https://example.com/{{ number }}" }
output: { files: [svg] }
`,
  );
  for (const page of ["/new", "/job/tables.yaml/result"]) {
    const html = await at.textOf(page);
    expect(html).toContain("tables.csv");
    expect(html).not.toMatch(/(?:tok|old)\.txt/u);
  }
  const seen = await at.desk.get("/new/columns?source=tok.txt");
  const taken = await at.desk.post("/job/tables.yaml/new-file", { source: "tok.txt" });
  for (const answer of [seen, taken]) {
    const html = await answer.text();
    expect([answer.status, html]).toEqual([400, expect.stringContaining("holds an API token")]);
    expect(html).not.toContain("secret-token");
  }
});

test("every page of a job shows its name and its file", async () => {
  await makeCodes();
  at.write("other.yaml", at.read("tables.yaml").replace("name: tables", "name: Menu cards"));
  for (const page of [
    "/",
    "/job/other.yaml/plan",
    "/job/other.yaml/result",
    "/job/other.yaml/label",
  ]) {
    const text = (await at.textOf(page)).replaceAll(/<[^>]*>/gu, " ");
    expect([page, text]).toEqual([page, expect.stringContaining("Menu cards")]);
    expect([page, text]).toEqual([page, expect.stringContaining("other.yaml")]);
  }
});
