/** Printed codes that are taken out of use by a click, replaced, and accounted for. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { readSheetPage } from "../../src/desk/screens/result/sheet-map.ts";
import { startTask } from "../../src/desk/tasks/start.ts";
import { runInProcess } from "../flow/in-process.ts";
import { readPdfText } from "../help/pdf-text.ts";
import { openAskedDesk, waitForTask, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-units-"));
let desk: AskedDesk;

const toManifest = (name: string, source: string, data: string, sheets: string): string =>
  `version: 1
name: ${name}
kind: codes
source: ${source}
code: { dynamic: false, type: Text, qr_data: "${data}" }
output: { dir: out/${name}, files: [], index: [csv], sheets: ${sheets} }
`;

const toLabel = (items: string): string => `{ label: { items: [${items}] } }`;

const textOf = async (name: string): Promise<string> =>
  (await desk.get(`/job/${name}.yaml/result`)).text();

async function step(name: string, what: string, form: Record<string, string> = {}) {
  await desk.post(`/job/${name}.yaml/${what}`, form);
  await waitForTask(desk, folder, `${name}.yaml`);
  return textOf(name);
}

const commandsOf = (html: string): string[] =>
  [...html.matchAll(/data-command[^>]*>([^<]*)</gu)].map(([, text = ""]) => text);

const turn = async (to: string, form: Record<string, string>): Promise<string> =>
  (await desk.post(`/job/fronts.yaml/result?pdf=fronts.pdf&sheet=${to}`, form)).text();

/** Boxes that are ticked, as a browser would send them back. */
const readKept = (html: string): { name: string; value: string }[] =>
  [...html.matchAll(/type="checkbox" name="(\w+)" value="([^"]*)" checked/gu)].map(
    ([, name = "", value = ""]) => ({ name, value: value.replaceAll("&quot;", '"') }),
  );

const type = (command: string) => runInProcess(command.split(" ").slice(1), { cwd: folder });

beforeAll(async () => {
  writeFileSync(path.join(folder, "bays.csv"), "bay\nA-01\nA-02\n");
  const bays = "{ file: bays.csv, key: [bay] }";
  writeFileSync(path.join(folder, "bays.yaml"), toManifest("bays", bays, "BAY {{ bay }}", "true"));
  const fresh = toManifest(
    "new",
    "{ rows: 2, serial: { length: 8 } }",
    "{{ serial }}",
    "{ reprint: new }",
  );
  writeFileSync(path.join(folder, "new.yaml"), fresh);
  const each = '{ reprint: forbidden, per: number, name: "{{ number }}.pdf" }';
  const text = toManifest("forbidden", "{ rows: 4, serial: { length: 8 } }", "{{ serial }}", each);
  writeFileSync(path.join(folder, "forbidden.yaml"), text);
  const counted =
    '{ copies: 2, label: { items: [{ code: true, at: [4, 4, 24, 24] }, { counter: "N###", per: label, at: [32, 4, 20, 5] }] } }';
  const twice = toManifest("twice", bays, "BAY {{ bay }}", counted);
  writeFileSync(path.join(folder, "twice.yaml"), twice);
  const fronts =
    "{ sheet: { page: A4, label: [200, 280], margin: 5 }, pages: fronts-first, back: { label: { items: [{ text: Back, at: [5, 5, 40, 10] }] } } }";
  const sheets = toManifest("fronts", bays, "BAY {{ bay }}", fronts);
  writeFileSync(path.join(folder, "fronts.yaml"), sheets);
  writeFileSync(path.join(folder, "many.csv"), "bay\nB-1\nB-2\nB-3\nB-4\nB-5\nB-6\n");
  const one = "{ sheet: { page: A4, label: [200, 280], margin: 5 } }";
  const many = toManifest("many", "{ file: many.csv, key: [bay] }", "BAY {{ bay }}", one);
  writeFileSync(path.join(folder, "many.yaml"), many);
  const two = "{ volume_codes: 2, sheet: { page: A4, label: [90, 280], margin: 5 } }";
  const parted = toManifest("parted", "{ file: many.csv, key: [bay] }", "{{ bay }}", two);
  writeFileSync(path.join(folder, "parted.yaml"), parted);
  const perBay = toManifest("each", bays, "BAY {{ bay }}", '{ per: bay, name: "{{ bay }}.pdf" }');
  writeFileSync(path.join(folder, "each.yaml"), perBay);
  const symbols =
    '{ symbol: datamatrix, data: "{{ bay }}", at: [30, 4, 12, 12] }, { symbol: datamatrix, data: "B {{ bay }}", at: [46, 4, 12, 12] }';
  const coded = toLabel(`{ code: true, at: [3, 4, 24, 24] }, ${symbols}`);
  writeFileSync(path.join(folder, "coded.yaml"), toManifest("coded", bays, "{{ bay }}", coded));
  const bare = toManifest("bare", bays, "{{ bay }}", toLabel(symbols));
  writeFileSync(path.join(folder, "bare.yaml"), bare);
  desk = await openAskedDesk(folder);
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the page that waits for labels to be replaced speaks of no new code", async () => {
  const { dir, id } = await startTask(
    { step: "replace", manifest: "bays.yaml", mark: { keys: [], isSpoiled: true } },
    { folder, clock: systemClock, ids: randomIds, env: {}, begin: () => process.pid },
  );
  for (const [language, title] of [
    ["en", "Replacing spoiled labels"],
    ["de", "Verdorbene Etiketten werden ersetzt"],
  ] as const)
    expect(await (await desk.get(`/task/${id}`, language)).text()).toContain(`<h1>${title}</h1>`);
  rmSync(dir, { recursive: true });
});

test("the run of a job that changes codes speaks of changing them", async () => {
  writeFileSync(path.join(folder, "look.yaml"), "kind: redesign\n");
  const { dir, id } = await startTask(
    { step: "run", manifest: "look.yaml" },
    { folder, clock: systemClock, ids: randomIds, env: {}, begin: () => process.pid },
  );
  const html = await (await desk.get(`/task/${id}`, "de")).text();
  expect(html).toContain("&quot;codes&quot;:&quot;Codes ändern&quot;");
  rmSync(dir, { recursive: true });
  rmSync(path.join(folder, "look.yaml"));
});

const numbersOn = async (file: string): Promise<string[]> =>
  (await readPdfText(path.join(folder, "out/twice", file))).match(/N\d+/gu) ?? [];

test("of a row with several labels, the one that is ticked is printed again", async () => {
  const html = await step("twice", "run");
  const [, page = ""] = /name="page" value="(\d+)"/u.exec(html) ?? [];
  const values = [...html.matchAll(/name="at" value="([^"]*)"/gu)].map(([, value = ""]) => value);
  expect(values).toEqual(["1 1 A-01", "1 2 A-01", "1 3 A-02", "2 1 A-02"]);
  const ticked = { from: "twice.pdf", page, start: "1" };
  await step("twice", "reprint", { ...ticked, at: values[1] ?? "" });
  expect(await numbersOn("twice-reprint.pdf")).toEqual(["N002"]);
  await step("twice", "replace", { ...ticked, at: values[3] ?? "" });
  expect(await numbersOn("twice-reprint-2.pdf")).toEqual(["N004"]);
  const again = await step("twice", "replace", { ...ticked, at: values[3] ?? "" });
  expect(await numbersOn("twice-reprint-3.pdf")).toEqual(["N004"]);
  for (const command of commandsOf(again)) expect(command).not.toMatch(/reprint|replace/u);
});

test.each(["coded", "bare"])(
  "a label with symbols (%s) has one box, and is printed once however often it is sent",
  async (name) => {
    const html = await step(name, "run");
    const boxes = [...html.matchAll(/name="key" value="([^"]*)"/gu)].map(([, key = ""]) => key);
    expect(boxes).toEqual(["A-01", "A-02"]);
    const [, page = ""] = /name="page" value="(\d+)"/u.exec(html) ?? [];
    const form = new FormData();
    const kept = JSON.stringify({ file: `${name}.pdf`, page: Number(page), key: "A-01" });
    const sent = { from: `${name}.pdf`, page, start: "1", kept, key: "A-01" };
    for (const [field, value] of Object.entries(sent)) form.append(field, value);
    form.append("key", "A-01");
    await desk.postForm(`/job/${name}.yaml/reprint`, form);
    await waitForTask(desk, folder, `${name}.yaml`);
    expect(await textOf(name)).toContain("1 label is ready to print again");
  },
);

test("the second sheet is the second one also where all fronts come first", async () => {
  await step("fronts", "run");
  const shown = (await desk.get("/job/fronts.yaml/result?sheet=2")).text();
  expect(await shown).toMatch(/Sheet 2 of 2[^]*name="key" value="A-02"/u);
});

test("what is ticked on one sheet is kept on the others, and all of it is printed again", async () => {
  const pdf = { from: "fronts.pdf", start: "1" };
  const second = await turn("2", { ...pdf, page: "1", key: "A-01" });
  expect(second).toContain("Chosen on other sheets: 1 label");
  const kept = readKept(second).find(({ name }) => name === "kept")?.value ?? "";
  const first = await turn("1", { ...pdf, page: "2", key: "A-02", kept });
  expect(first).toMatch(/<input type="checkbox" name="key" value="A-01" checked/u);
  expect(first).toContain("Chosen on other sheets: 1 label");
  expect(await step("fronts", "reprint", { ...pdf, page: "2", key: "A-02", kept })).toContain(
    "2 labels are ready to print again",
  );
});

test("turning to another sheet keeps the typed reason, blocks on no field, and can be gone back to", async () => {
  const typed = { from: "fronts.pdf", page: "1", key: "A-01", start: "77", reason: "torn" };
  const answer = await desk.post("/job/fronts.yaml/result?pdf=fronts.pdf&sheet=2", typed);
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  const html = await answer.text();
  expect(html).toMatch(/<details class="shell" open[^>]*>\s*<summary>Take the chosen codes out/u);
  expect(html).toMatch(/<input id="reason"[^>]* value="torn"/u);
  expect(html).toMatch(/<button formaction="[^"]*sheet=1#reprint" formnovalidate/u);
  const plain = await desk.get("/job/fronts.yaml/result");
  expect(plain.headers.get("cache-control")).toBe("no-store");
});

test("with no label ticked, nothing is done, and the sheet, the typed start and the reason stay", async () => {
  const typed = { from: "fronts.pdf", page: "2", sheet: "2", start: "7", reason: "torn & wet" };
  for (const way of ["reprint", "replace", "void", "activate"]) {
    const answer = await desk.post(`/job/fronts.yaml/${way}`, typed);
    const to = answer.headers.get("location") ?? "";
    expect([answer.status, to.endsWith("#reprint")]).toEqual([303, true]);
    const html = await (await desk.get(to.replace("#reprint", ""))).text();
    expect(html).toContain("No label was chosen.");
    expect(html).toContain("Sheet 2 of 2");
    expect(html).toMatch(/id="start"[^>]* value="7"/u);
    expect(html).toMatch(/<input id="reason"[^>]* value="torn &amp; wet"/u);
  }
});

test("among many sheets, Enter shows the sheet of that number, or the last one, with what is ticked", async () => {
  await step("many", "run");
  const html = await textOf("many");
  const [, first = ""] = /<form[^>]*\/reprint"[^>]*>(<(?:button|input)[^>]*>)/u.exec(html) ?? [];
  const [, address = ""] = /formaction="([^"#]*)/u.exec(first) ?? [];
  expect(first).toContain("formnovalidate");
  const ticked = { from: "many.pdf", page: "2", sheet: "2", key: "B-2", start: "1" };
  const jump = async (to: string): Promise<string> =>
    (await desk.post(address.replaceAll("&amp;", "&"), { ...ticked, to })).text();
  expect(await jump("4")).toMatch(/Sheet 4 of 6[^]*Chosen on other sheets: 1 label/u);
  expect(await jump("99")).toMatch(/Sheet 6 of 6[^]*name="key" value="B-6"/u);
  expect(await jump("x")).toMatch(/Sheet 2 of 6[^]*name="key" value="B-2" checked/u);
  expect(await jump("4")).not.toMatch(/id="to-sheet"[^>]*(?: max=|type="number")/u);
});

test("labels of several PDFs begin at the first label: else they are refused, and stay ticked", async () => {
  await step("each", "run");
  const kept = JSON.stringify({ file: "A-01.pdf", page: 1, key: "A-01" });
  const ticked = { from: "A-02.pdf", page: "1", sheet: "1", key: "A-02", kept, start: "2" };
  for (const way of ["reprint", "replace"]) {
    const answer = await desk.post(`/job/each.yaml/${way}`, ticked, "de");
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toContain(
      "Das erste freie Etikett muss bei Etiketten mehrerer PDFs 1 sein; hier steht 2.",
    );
    expect(html).toMatch(
      /name="key" value="A-02" checked[^]*Auf anderen Bogen gewählt: 1 Etikett/u,
    );
    expect(html).toMatch(/id="start"[^>]* value="2"/u);
  }
  const html = await step("each", "reprint", { ...ticked, start: "1" });
  expect(html).toContain("2 labels are ready to print again");
});

test("labels of one PDF that comes in volumes are printed again from any first free label on", async () => {
  const files = [...(await step("parted", "run")).matchAll(/>(parted[^<]*\.pdf)<\/button>/gu)];
  const [first = "", second = ""] = files.map(([, name]) => name);
  const kept = JSON.stringify({ file: first, page: 1, key: "B-1" });
  const ticked = { from: second, page: "1", key: "B-3", kept, start: "2" };
  const html = await step("parted", "reprint", ticked);
  expect(html).toContain("2 labels are ready to print again");
  const map = readFileSync(path.join(folder, "out/parted/reprint-map.json"), "utf8");
  expect(map).toMatch(/"row":1,"column":2,"key":"B-1"/u);
});

test("a keyboard goes through the labels of a sheet row by row, spare ones last", async () => {
  const dir = path.join(folder, "map");
  mkdirSync(dir);
  const cells = [12, 2, 1].map(
    (row) => `{"page":1,"row":${row},"column":1,"key":"${row}","sha256":"0"}`,
  );
  const lines = ['{"version":1,"sheet":"x","volumes":[', '{"file":"a.pdf","pages":1,"cells":['];
  writeFileSync(
    path.join(dir, "sheet-map.json"),
    [...lines, cells.join("\n,"), "]}", "]}"].join("\n"),
  );
  const { cells: shown } = await readSheetPage(dir, { file: undefined, page: 1 });
  expect(shown.map(({ row }) => row)).toEqual([1, 2, 12]);
});

describe("labels of a finished job", () => {
  test("are taken out of use by a click, and all are accounted for", async () => {
    const before = await step("bays", "run");
    expect(commandsOf(before)).toContain("makeready void bays.yaml --key A-01");
    const html = await step("bays", "void", { key: "A-02", reason: "torn" });
    expect(html).toContain("1 code is void now.");
    expect(html).toContain("1 void code can still be read and works as before");
    const done = "makeready void bays.yaml --key A-02 --reason torn --yes";
    expect(commandsOf(html)).toContain(done);
    expect(html).toMatch(/class="spoiled void" title="A-02: row \d+, column \d+, void"/u);
    expect(html).toMatch(/class="spoiled" title="A-01: row \d+, column \d+"/u);
    expect(html).toContain("Labels that are struck through are void.");
    const again = await type(done);
    expect([again.err, again.code, again.out]).toEqual(["", 0, expect.stringContaining("already")]);
    const account = await step("bays", "reconcile");
    expect(account).toContain("Every code and label is accounted for.");
    expect(account).toContain("Codes: 2; of these void: 1, replaced: 0.");
    expect(readFileSync(path.join(folder, "out/bays/units.csv"), "utf8")).toMatch(/A-02.*torn/u);
    expect((await type("makeready reconcile bays.yaml")).code).toBe(0);
  });

  test("are noted as being on their goods, as the command does", async () => {
    const html = await step("bays", "activate", { key: "A-01" });
    expect(html).toContain("1 code is noted as being on the goods.");
    const done = "makeready activate bays.yaml --key A-01";
    expect(commandsOf(html)).toContain(done);
    expect(await type(done)).toMatchObject({ code: 0, out: expect.stringContaining("already") });
    expect(await step("bays", "reconcile")).toContain("On their goods: 1.");
    expect(await step("bays", "activate", { key: "A-02" })).toContain("must not be void");
  });

  test("count as spoiled where they are printed again for that, as the command has it", async () => {
    const before = await textOf("bays");
    expect(before).toContain(
      '<button formaction="/job/bays.yaml/replace">Print the spoiled labels again</button>',
    );
    expect(commandsOf(before)).toContain("makeready replace bays.yaml --key A-01");
    const html = await step("bays", "replace", { key: "A-01", start: "3" });
    expect(html).toContain("1 label is ready to print again");
    expect(commandsOf(html)).toContain("makeready replace bays.yaml --key A-01 --start 3 --yes");
    const map = readFileSync(path.join(folder, "out/bays/reprint-map.json"), "utf8");
    expect(map).toMatch(/"row":\s*1,\s*"column":\s*3/u);
    expect(await step("bays", "reconcile")).toContain("Labels: 1 good, 1 spoiled, 1 void.");
  });

  test("get fresh serials where the job says so, and are printed a second time by no button", async () => {
    const before = await step("new", "run");
    expect(before).not.toContain("Print the spoiled labels again");
    expect(before).not.toContain("Print the chosen labels once more");
    expect(before).toContain("Replace the chosen labels");
    const key = /name="key" value="([^"]+)"/u.exec(before)?.[1] ?? "";
    const html = await step("new", "replace", { key });
    expect(html).toContain("1 code is void now, with a fresh serial.");
    expect(commandsOf(html)).toContain(`makeready replace new.yaml --key ${key} --yes`);
    await step("new", "run");
    expect(await step("new", "reconcile")).toContain("Every code and label is accounted for.");
  });

  test("are not printed again where the job forbids it", async () => {
    const html = await step("forbidden", "run");
    expect(html).toContain("Labels of this job are not printed a second time.");
    expect(html).not.toContain("Print the spoiled labels again");
    expect(html).not.toContain("Print the chosen labels once more");
    expect(html).toContain("Make the chosen codes void");
    expect(html).toContain("These are 3 of 4 PDFs. The others stand below.");
  });
});
