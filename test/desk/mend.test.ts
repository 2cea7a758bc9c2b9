/** Refused rows are mended in the page: in a file of their own, which the plan names. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { openAskedDesk, readForm, waitForTask, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-mend-"));
const PEOPLE = "Nr,Mail\n1,ada@example.com\n2,not an address\n3,\n";
const sheet = path.join(folder, "people.csv");
let desk: AskedDesk;

beforeAll(async () => {
  writeFileSync(sheet, PEOPLE);
  writeFileSync(
    path.join(folder, "people.yaml"),
    `version: 1
name: people
kind: codes
# the list of the office
source:
  file: people.csv
  key: [Nr]
  columns: { Mail: { type: email, required: true } }
code: { dynamic: false, qr_data: "mailto:{{ Mail }}" }
output: { dir: out, files: [svg] }
`,
  );
  desk = await openAskedDesk(folder);
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const job = "/job/people.yaml";

async function step(
  address: string,
  form: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const answer = await desk.post(`${job}/${address}`, form);
  await waitForTask(desk, folder, "people.yaml");
  return answer;
}

const textOf = async (address: string, language?: "de"): Promise<string> =>
  (await desk.get(`${job}/${address}`, language)).text();

const SAID_ENGLISH = "sind englisch.";

test("says below a row what to do, where that is more than to mend the cell", async () => {
  writeFileSync(path.join(folder, "links.csv"), "Nr,Link\n1,www.a.example\n,https://b.example\n");
  writeFileSync(
    path.join(folder, "links.yaml"),
    `version: 1
name: links
kind: codes
source: { file: links.csv, key: [Link], columns: { Nr: { required: true }, Link: { type: url } } }
code: { dynamic: false, qr_data: "{{ Link }}" }
output: { dir: out-links, files: [svg] }
`,
  );
  await desk.post("/job/links.yaml/plan", {});
  await waitForTask(desk, folder, "links.yaml");
  const html = await (await desk.get("/job/links.yaml/mend", "de")).text();
  expect(html).toContain("Mit https:// beginnen, wie in https://www.a.example");
  expect(html).toContain("darf nicht leer sein");
  expect(html).not.toContain("dann wieder planen oder ausführen");
});

test("what the plan refuses is mended before the first run", async () => {
  await step("plan");
  expect(await textOf("plan")).toContain(">Mend these rows here<");
  const html = await textOf("mend");
  expect(html).toContain("<h1>Mend these rows here</h1>");
  // The job never ran: its plan refuses these rows.
  expect(html).toMatch(/href="[^"]*\/plan" aria-current="step"/u);
  expect(html).toContain("people.csv stays as it is");
  const form = readForm(html);
  expect(form["cell.3.1"]).toBe("not an address");
  const answer = await step("mend", { ...form, "cell.3.1": "emmy@example.com" });
  expect(answer.headers.get("location")).toBe(`${job}/plan`);
  expect(readFileSync(sheet, "utf8")).toBe(PEOPLE);
  expect(readFileSync(path.join(folder, "people.mended.csv"), "utf8")).toMatch(
    /^\ufeffline,was,Nr,Mail\r\n3,r[0-9a-f]{16},2,emmy@example\.com\r\n$/u,
  );
  const manifest = readFileSync(path.join(folder, "people.yaml"), "utf8");
  expect(manifest).toContain("# the list of the office");
  expect(manifest).toContain("  mended: people.mended.csv");
  const planned = await textOf("plan");
  expect(planned).toMatch(/Good to know.*1 row is taken from people\.mended\.csv/su);
  expect(planned).not.toContain("Please look at these");
  const offered = await (await desk.get("/new")).text();
  expect(offered).toContain("people.csv");
  expect(offered).not.toContain("people.mended.csv");
});

test("rows that a run left out are mended after it, and only those are sent", async () => {
  await step("run");
  const result = await textOf("result");
  expect(result).toContain("Rows to mend: 1");
  expect(result).toContain(">Mend this row here<");
  expect(await textOf("mend")).toContain("<h1>Mend this row here</h1>");
  expect(await textOf("mend")).toContain(">Keep these rows and plan<");
  const form = readForm(await textOf("mend"));
  const [mended, failed] = [3, 4].map((line) => [
    `cell.${line}.0`,
    `cell.${line}.1`,
    `shown.${line}`,
  ]);
  expect(Object.keys(form)).toEqual(expect.arrayContaining([...(mended ?? []), ...(failed ?? [])]));
  await step("mend", { ...form, "cell.4.1": "hedy@example.com" });
  expect(await textOf("plan")).toContain("2 rows are taken from people.mended.csv");
  await step("run");
  const html = await textOf("result");
  expect(html).not.toContain("Rows to mend");
  const index = readFileSync(path.join(folder, "out/index.csv"), "utf8");
  expect(index).toContain("hedy@example.com");
});

test("the German desk gives reasons in German, and marks what is English; the English one doesn't", async () => {
  writeFileSync(sheet, `${PEOPLE}4,wrong\n`);
  await step("plan");
  for (const address of ["plan", "mend"]) {
    const german = await textOf(address, "de");
    expect(german).not.toContain(SAID_ENGLISH);
    expect(german).toContain("Diese Zeile hier verbessern");
    expect(german).toContain("<span>muss eine E-Mail-Adresse sein; hier steht &quot;wrong&quot;");
    const english = await textOf(address);
    expect(english).toContain("must be an e-mail address");
    expect(english).not.toContain(SAID_ENGLISH);
    expect(english).not.toContain('lang="en">must');
  }
  writeFileSync(sheet, PEOPLE);
});

test("what was typed and not sent is there again, until it is sent or discarded", async () => {
  writeFileSync(sheet, `${PEOPLE}4,wrong\n`);
  await step("plan");
  const form = readForm(await textOf("mend"));
  const kept = await desk.post(`${job}/mend/keep`, { ...form, "cell.5.1": "lise@" });
  expect(kept.status).toBe(204);
  const html = await textOf("mend");
  expect(html).toContain("What you typed here before was kept");
  expect(readForm(html)["cell.5.1"]).toBe("lise@");
  await desk.post(`${job}/mend/forget`, {});
  expect(readForm(await textOf("mend"))["cell.5.1"]).toBe("wrong");
  await desk.post(`${job}/mend/keep`, { ...form, "cell.5.1": "lise@" });
  writeFileSync(sheet, `${PEOPLE}4,another\n`);
  await step("plan");
  const changed = await textOf("mend");
  expect(readForm(changed)["cell.5.1"]).toBe("another");
  expect(changed).toContain("Line 5, Mail: “lise@”");
});

test("a row that changes under the page is not overwritten", async () => {
  writeFileSync(sheet, `${PEOPLE}4,wrong\n`);
  await step("plan");
  const form = readForm(await textOf("mend"));
  writeFileSync(sheet, `${PEOPLE}4,other\n`);
  const answer = await desk.post(`${job}/mend`, { ...form, "cell.5.1": "lise@example.com" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${job}/mend?changed`]);
  expect(readFileSync(path.join(folder, "people.mended.csv"), "utf8")).not.toContain("lise");
  const html = await textOf("mend?changed");
  expect(html).toContain("Nothing was saved: rows have changed since you opened the page.");
  expect(html).toMatch(
    /<form method="post" action="\/job\/people\.yaml\/plan"[^>]*><button>Plan again</u,
  );
  expect(readForm(html)["cell.5.1"]).toBe("other");
});

test("a page whose rows were mended elsewhere says so, and keeps what was typed into others", async () => {
  writeFileSync(sheet, `${PEOPLE}4,wrong\n5,worse\n`);
  await step("plan");
  const old = readForm(await textOf("mend"));
  const mended = await step("mend", { ...old, "cell.5.1": "lise@example.com" });
  expect(mended.headers.get("location")).toBe(`${job}/plan`);
  const late = { ...old, "cell.5.1": "other@example.com", "cell.6.1": "emmy@example.com" };
  const answer = await desk.post(`${job}/mend`, late);
  expect(answer.headers.get("location")).toBe(`${job}/mend?changed`);
  const html = await textOf("mend?changed");
  expect(html).toContain("Nothing was saved");
  expect(html).toContain("What you typed here before was kept");
  expect(readForm(html)).toMatchObject({
    "cell.5.1": "lise@example.com",
    "cell.6.1": "emmy@example.com",
  });
  const saved = await step("mend", readForm(html));
  expect(saved.headers.get("location")).toBe(`${job}/plan`);
  const file = readFileSync(path.join(folder, "people.mended.csv"), "utf8");
  expect([file.includes("lise@"), file.includes("emmy@"), file.includes("other@")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a page whose rows a run has used since says that nothing was saved, not that no cell was changed", async () => {
  writeFileSync(sheet, `${PEOPLE}4,wrong\n`);
  await step("plan");
  const old = readForm(await textOf("mend"));
  writeFileSync(sheet, "Nr,Mail\n1,ada@example.com\n");
  await step("plan");
  const answer = await desk.post(`${job}/mend`, { ...old, "cell.5.1": "lise@example.com" });
  expect(answer.headers.get("location")).toBe(`${job}/mend?changed`);
  expect(await textOf("mend?changed")).toContain("Nothing was saved");
});

test("rows of the last run that the spreadsheet has otherwise now lead to a new plan", async () => {
  writeFileSync(sheet, `${PEOPLE}4,wrong\n`);
  await step("plan");
  await step("run");
  const old = readForm(await textOf("mend"));
  writeFileSync(sheet, `${PEOPLE}4,other\n`);
  const answer = await desk.post(`${job}/mend`, { ...old, "cell.5.1": "lise@example.com" });
  expect(answer.headers.get("location")).toBe(`${job}/mend?changed`);
  expect(await textOf("mend?changed")).toContain(">Plan again<");
});

test.each([";", "~"])(
  "mended rows have the delimiter of the spreadsheet: %s",
  async (delimiter) => {
    const at = (text: string): string => text.replaceAll(",", delimiter);
    const own = "/job/own.yaml";
    const manifest = readFileSync(path.join(folder, "people.yaml"), "utf8");
    writeFileSync(path.join(folder, "own.csv"), at(PEOPLE));
    writeFileSync(
      path.join(folder, "own.yaml"),
      manifest
        .replace("name: people", "name: own")
        .replace("file: people.csv", `file: own.csv\n  delimiter: "${delimiter}"`)
        .replace(/ *mended: .*\n/u, "")
        .replace("dir: out", `dir: out-${delimiter.charCodeAt(0)}`),
    );
    const plan = async (): Promise<string> => {
      await desk.post(`${own}/plan`, {});
      await waitForTask(desk, folder, "own.yaml");
      return (await desk.get(`${own}/plan`)).text();
    };
    await plan();
    const form = readForm(await (await desk.get(`${own}/mend`)).text());
    await desk.post(`${own}/mend`, { ...form, "cell.3.1": "emmy@example.com" });
    const written = readFileSync(path.join(folder, "own.mended.csv"), "utf8");
    expect(written).toContain(at("line,was,Nr,Mail"));
    expect(await plan()).toContain("1 row is taken from own.mended.csv");
    for (const page of ["/new", `${job}/result`]) {
      expect(await (await desk.get(page)).text(), page).not.toContain("own.mended.csv");
    }
    rmSync(path.join(folder, "own.mended.csv"));
  },
);

test("nothing changed: nothing written", async () => {
  const form = readForm(await textOf("mend"));
  const answer = await desk.post(`${job}/mend`, form);
  expect(answer.headers.get("location")).toBe(`${job}/mend?same`);
});
