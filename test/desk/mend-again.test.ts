/** Rows that were mended before can be mended again, and put back as their spreadsheet has them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openAskedDesk, readForm, waitForTask, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-mend-again-"));
const SHEET =
  "Nr,Name,Link\nN1,a,https://a.example/1\nN1,b,https://a.example/2\nN3,c,https://a.example/3\n";
const job = "/job/nr.yaml";
let desk: AskedDesk;

beforeAll(async () => {
  writeFileSync(path.join(folder, "nr.csv"), SHEET);
  writeFileSync(
    path.join(folder, "nr.yaml"),
    `version: 1
name: nr
kind: codes
source: { file: nr.csv, key: [Nr] }
code: { dynamic: false, type: Link, qr_data: "{{ Link }}" }
output: { dir: out, files: [svg] }
`,
  );
  desk = await openAskedDesk(folder);
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

async function step(address: string, form: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = await desk.post(`${job}/${address}`, form);
  expect(answer.status).toBe(303);
  await waitForTask(desk, folder, "nr.yaml");
}

const textOf = async (address: string, language?: "de"): Promise<string> =>
  (await desk.get(`${job}/${address}`, language)).text();

const mendedFile = (): string => readFileSync(path.join(folder, "nr.mended.csv"), "utf8");

test("a slip that was accepted stands in the grid beside the row that is refused for it", async () => {
  await step("plan");
  await step("mend", { ...readForm(await textOf("mend")), "cell.3.0": "N3" });
  expect(await textOf("plan")).toContain("again (first on line 3)");
  const html = await textOf("mend");
  expect(html).toContain("<h2>Mended before</h2>");
  expect(html).toContain("nr.csv has: Nr “N1”");
  expect(await textOf("mend", "de")).toContain("In nr.csv steht: Nr „N1“");
  const form = readForm(html);
  expect([form["cell.3.0"], form["cell.4.0"]]).toEqual(["N3", "N3"]);
  await step("mend", { ...form, "cell.3.0": "N2" });
  expect(mendedFile()).toMatch(/^3,r[0-9a-f]{16},N2,b,/mu);
  expect(await textOf("plan")).not.toContain("must be unique");
});

test("a plan without a refused row leads to the mended ones, too", async () => {
  expect(await textOf("plan")).toMatch(/href="\/job\/nr\.yaml\/mend"[^>]*>Rows that were mended</u);
  const html = await textOf("mend");
  expect(html).toContain("<h1>Rows that were mended</h1>");
  expect(readForm(html)["cell.3.0"]).toBe("N2");
});

test("what was typed and not sent is kept for them, and the wish to take a correction back", async () => {
  const form = readForm(await textOf("mend"));
  expect((await desk.post(`${job}/mend/keep`, { ...form, "back.3": "on" })).status).toBe(204);
  expect(await textOf("mend")).toMatch(/name="back\.3"[^>]* checked/u);
  await desk.post(`${job}/mend/forget`, {});
  expect(await textOf("mend")).not.toMatch(/name="back\.3"[^>]* checked/u);
});

test("a correction is taken back: the row of the spreadsheet counts again", async () => {
  await step("mend", { ...readForm(await textOf("mend")), "back.3": "on" });
  expect(mendedFile()).not.toContain("N2");
  const plan = await textOf("plan");
  expect(plan).toContain("again (first on line 2)");
  expect(plan).not.toContain("taken from nr.mended.csv");
  const html = await textOf("mend");
  expect(html).not.toContain("Mended before");
  // Typing what the spreadsheet has does the same.
  await step("mend", { ...readForm(html), "cell.3.0": "N2" });
  await step("mend", { ...readForm(await textOf("mend")), "cell.3.0": "N1" });
  expect(mendedFile()).not.toMatch(/^3,/mu);
});

test("rows stay mended where a column comes to the spreadsheet, also when another is mended", async () => {
  await step("mend", { ...readForm(await textOf("mend")), "cell.3.0": "N2" });
  const lines = SHEET.trimEnd().split("\n");
  const wider = lines.map((line, at) => `${line},${["Seats", "4", "5", "6"][at]}\n`).join("");
  writeFileSync(path.join(folder, "nr.csv"), wider.replace("N3,", "N1,"));
  await step("plan");
  expect(await textOf("plan")).toContain("1 row is taken from nr.mended.csv");
  const html = await textOf("mend");
  expect(html).toContain("nr.csv has: Nr “N1”.");
  expect(readForm(html)).toMatchObject({ "cell.3.0": "N2", "cell.3.3": "5" });
  await step("mend", { ...readForm(html), "cell.4.0": "N3" });
  expect(mendedFile()).toMatch(/^3,r[0-9a-f]{16},N2,b,https:\/\/a\.example\/2,5\r$/mu);
  expect(await textOf("plan")).toContain("2 rows are taken from nr.mended.csv");
});

test("where a column is gone, the plan says so", async () => {
  writeFileSync(path.join(folder, "nr.csv"), SHEET);
  await step("plan");
  const says = "2 mended rows are not used, since the spreadsheet no longer has the column";
  expect(await textOf("plan")).toContain(`${says} &quot;Seats&quot;: lines 3, 4`);
});
