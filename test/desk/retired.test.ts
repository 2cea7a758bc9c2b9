/** The page of the result after codes without a row were filed away, and after that was undone. */
import path from "node:path";

import ExcelJS from "exceljs";
import { expect, test } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";

import { systemClock } from "../../src/base/time/clock.ts";
import { runInProcess } from "../flow/in-process.ts";
import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("retired");

async function type(...words: string[]): Promise<void> {
  // Other steps keep the language of the run.
  const env = words[0] === "run" ? { MAKEREADY_LANGUAGE: "de" } : {};
  const { code, err } = await runInProcess(words, { cwd: at.folder, clock: systemClock, env });
  expect(code, err).toBe(0);
}

test("the result says which codes have no row now, not which had none after the run", async () => {
  at.write("shelves.csv", "shelf\nA-01\nA-02\nA-03\n");
  at.write(
    "shelves.yaml",
    `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf] }
code: { dynamic: true, qr_data: "https://a.example/{{ shelf }}" }
output: { dir: out, files: [svg] }
`,
  );
  const page = (): Promise<string> => at.textOf("/job/shelves.yaml/result");
  await type("run", "shelves.yaml");
  at.write("shelves.csv", "shelf\nA-01\n");
  await type("run", "shelves.yaml");
  const before = await page();
  expect(before).toContain("2 codes have no rows any more");
  expect(before).toContain("vanished-rows.csv");
  await type("retire", "shelves.yaml", "--key", "A-02", "--folder", "Old", "--yes");
  expect(await page()).toContain("1 code has no row any more");
  await type("retire", "shelves.yaml", "--folder", "Old", "--yes");
  expect(at.read("out/report.html")).toContain("1 Code wurde abgelegt");
  const after = await page();
  for (const stale of ["has no row any more", "have no rows any more", "vanished-rows.csv"])
    expect(after).not.toContain(stale);
  expect(after).toContain("report.html");
  await type("undo", "shelves.yaml", "--yes");
  expect(at.read("out/report.html")).toContain("zurückgesetzt und ist wie vor dem Lauf vom");
  const undone = await page();
  expect(undone).toContain("1 code has no row any more");
  expect(undone).toContain("vanished-rows.csv");
});

const JOB = "/job/tables.yaml";

async function makeTables(): Promise<void> {
  at.write("tables.csv", "table\nA-01\nA-02\nA-03\n");
  at.write(
    "tables.yaml",
    `version: 1
name: tables
kind: codes
source: { file: tables.csv, key: [table] }
api: { public_url: "https://go.example.com" }
code: { dynamic: true, qr_data: "https://a.example/{{ table }}", display_name: "{{ table }}" }
output: { dir: out, files: [], sheets: { sheet: a4-24up-63.5x33.9 } }
`,
  );
  await does("run");
}

async function does(step: string): Promise<void> {
  expect((await at.desk.post(`${JOB}/${step}`, {})).status).toBe(303);
  await waitForTask(at.desk, at.folder, "tables.yaml");
}

/** Somebody deletes a code in the console. */
function remove(name: string): void {
  const db = openSqlite(path.join(at.folder, ".makeready", "service.db"));
  db.run("DELETE FROM codes WHERE display_name = ?", name);
  db.close();
}

async function leadElsewhere(name: string): Promise<void> {
  const list = await at.textOf(`/console/codes?q=${name}`);
  const id = /\/console\/codes\/([0-9a-f-]{36})"/u.exec(list)?.[1] ?? "";
  const page = await at.textOf(`/console/codes/${id}`);
  const csrf = /name="csrf" value="([^"]+)"/u.exec(page)?.[1] ?? "";
  const fields = { display_name: name, qr_data: "https://b.example/", folder: "", csrf };
  expect((await at.desk.post(`/console/codes/${id}`, fields)).status).toBe(303);
}

const verdictOf = (html: string): string => /class="verdict[^>]*>([^<]*)/u.exec(html)?.[1] ?? "";

test("a code that leads elsewhere is told by the result and by a check of the files", async () => {
  await makeTables();
  expect(verdictOf(await at.textOf(`${JOB}/result`))).toBe("Ready for press");
  await leadElsewhere("A-02");
  const told = "1 code leads elsewhere than this job made it";
  const before = await at.textOf(`${JOB}/result`);
  expect(before).toContain(told);
  expect(verdictOf(before)).toMatch(/codes at the service are not as this job made them/u);
  await does("verify");
  const [, checked = ""] = (await at.textOf(`${JOB}/result`)).split('id="afterwards"');
  expect(checked).toContain("every file is as it was written");
  expect(checked).toContain(told);
});

test("deleted codes are told by home, plan and result; a check blames no file, and a button makes them anew", async () => {
  await makeTables();
  await does("plan");
  remove("A-01");
  const gone = "The service no longer has 1 of 3 codes";
  expect(await at.textOf("/")).toContain(gone);
  await does("verify");
  const html = await at.textOf(`${JOB}/result`);
  expect(verdictOf(html)).toBe("Not ready for press: the service no longer has 1 of 3 codes");
  expect(html).toContain("every file is as the run wrote it");
  expect(html).not.toContain("no longer as the run wrote them");
  expect(html).toContain('action="/job/tables.yaml/retry"');
  await does("plan");
  const plan = await at.textOf(`${JOB}/plan`);
  expect(plan).not.toContain("Everything is done");
  expect(plan).toContain("A run would change nothing. But something is to be looked at");
  expect(plan).toContain('action="/job/tables.yaml/retry"');
  await does("retry");
  const after = await at.textOf(`${JOB}/result`);
  expect(verdictOf(after)).toBe("Ready for press");
  expect(await at.textOf("/")).not.toContain(gone);
});

test("a page stays whole where the data of the service can't be read, and says that", async () => {
  await makeTables();
  const db = openSqlite(path.join(at.folder, ".makeready", "service.db"));
  db.run("ALTER TABLE codes RENAME COLUMN display_name TO lost");
  db.close();
  const html = await at.textOf(`${JOB}/result`);
  expect(verdictOf(html)).toMatch(/what the service has of these codes could not be read/u);
  expect(html).toContain("the data of the service in");
  expect(await at.textOf("/")).toContain("3 of 3 rows done");
});

test("the button asks where the job wants a yes for so many changes, and makes them once it is given", async () => {
  await makeTables();
  at.write("tables.yaml", `${at.read("tables.yaml")}safety: { confirm_over: 2 }\n`);
  at.write("tables.csv", "table\nA-01\nA-02\nA-03\nA-04\nA-05\n");
  remove("A-01");
  await does("retry");
  const asked = await at.textOf(`${JOB}/run`);
  expect(asked).toContain("safety.confirm_over allows 2 changes without a yes");
  expect(asked).toContain("look at the plan first; then come back to the run and click “Go on”");
  expect(asked).toContain("makeready retry tables.yaml");
  expect(asked).not.toContain("makeready run tables.yaml");
  expect(await at.textOf("/")).toContain("The service no longer has 1 of 3 codes");
  expect((await at.desk.post(`${JOB}/run`, { goOn: "yes" })).status).toBe(303);
  await waitForTask(at.desk, at.folder, "tables.yaml");
  expect(verdictOf(await at.textOf(`${JOB}/result`))).toBe("Ready for press");
  expect(await at.textOf("/")).not.toContain("no longer has");
});

test("the page of a void code says so, and that a new destination does not wake it up", async () => {
  await makeTables();
  expect((await at.desk.post(`${JOB}/void`, { key: "A-02" })).status).toBe(303);
  await waitForTask(at.desk, at.folder, "tables.yaml");
  const pageOf = async (name: string): Promise<string> => {
    const list = await at.textOf(`/console/codes?q=${name}`);
    return at.textOf(/\/console\/codes\/[0-9a-f-]{36}/u.exec(list)?.[0] ?? "");
  };
  expect(await pageOf("A-02")).toMatch(/This code is void.*does not wake it up/u);
  expect(await pageOf("A-01")).not.toContain("This code is void");
});

test("a new workbook for a job is read from the sheet that holds the most, not from its cover", async () => {
  await makeTables();
  const book = new ExcelJS.Workbook();
  book.addWorksheet("Cover").addRow(["Our tables, 2026"]);
  const list = book.addWorksheet("List");
  for (const row of [["table"], ["A-01"], ["A-02"], ["A-03"], ["A-04"]]) list.addRow(row);
  const { html, task } = await compare(book);
  expect(html).toMatch(/<dt>To create<\/dt><dd>1</u);
  expect((await at.desk.post(`${JOB}/new-file/take`, { task })).status).toBe(303);
  await waitForTask(at.desk, at.folder, "tables.yaml");
  expect(at.read("tables.yaml")).toContain("sheet: List");
});

test("a new workbook is read from its first sheet where that has the job's columns, whatever others hold", async () => {
  await makeTables();
  const book = new ExcelJS.Workbook();
  const list = book.addWorksheet("List");
  for (const row of [["table"], ["A-01"], ["A-02"], ["A-04"]]) list.addRow(row);
  const prices = book.addWorksheet("Prices");
  for (const row of [
    ["table", "price"],
    ["B-01", 1],
    ["B-02", 2],
    ["B-03", 3],
    ["B-04", 4],
  ])
    prices.addRow(row);
  const { html, task } = await compare(book);
  expect(html).toMatch(/<dt>To create<\/dt><dd>1</u);
  expect(html).not.toContain("source.sheet");
  expect((await at.desk.post(`${JOB}/new-file/take`, { task })).status).toBe(303);
  await waitForTask(at.desk, at.folder, "tables.yaml");
  expect(at.read("tables.yaml")).not.toMatch(/sheet: (?:List|Prices)/u);
});

/** Sends a workbook as the job's new file: the page that compares both, and its task. */
async function compare(book: ExcelJS.Workbook): Promise<{ html: string; task: string }> {
  const file = new File([new Uint8Array(await book.xlsx.writeBuffer())], "new.xlsx");
  const sent = await at.desk.post(`${JOB}/new-file`, { file, source: "" });
  expect(sent.status).toBe(303);
  await waitForTask(at.desk, at.folder, "tables.yaml");
  const task = (sent.headers.get("location") ?? "").split("/").at(-1) ?? "";
  return { html: await at.textOf(`${JOB}/new-file?task=${task}`), task };
}
