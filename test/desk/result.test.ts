/** What can be done with a job that has run: PDFs in the page, the customer's proof, a new file. */
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { main } from "../../src/cli/program.ts";
import { forgetResult } from "../../src/pipeline/standing/last-result.ts";
import { listTasks } from "../../src/desk/tasks/task.ts";
import { openState } from "../../src/state/state.ts";
import { decodePdf, readTexts } from "./decode-pdf.ts";
import { openAskedDesk, readForm, waitForTask, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-result-"));
let desk: AskedDesk;
const job = "/job/shelves.yaml";

const textOf = async (address: string): Promise<string> => (await desk.get(address)).text();

async function step(
  address: string,
  form: Readonly<Record<string, string | Blob>> = {},
): Promise<string> {
  const answer = await desk.post(`${job}/${address}`, form);
  await waitForTask(desk, folder, "shelves.yaml");
  return answer.headers.get("location") ?? "";
}

beforeAll(async () => {
  writeFileSync(path.join(folder, "shelves.csv"), "shelf\nA-01\nA-02\nB-01\n");
  writeFileSync(
    path.join(folder, "shelves.yaml"),
    `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf] } # from the store
code: { dynamic: false, type: Text, qr_data: "SHELF {{ shelf }}" }
output: { dir: out, files: [svg], sheets: { caption: "{{ shelf }}" } }
`,
  );
  desk = await openAskedDesk(folder);
  await step("run");
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a finished PDF", () => {
  test("is shown page by page, as pictures of the printed pages", async () => {
    const html = await textOf(`${job}/show/shelves.pdf`);
    expect(html).toContain("Sheet 1 of 1");
    const picture = await desk.get(`${job}/show/shelves.pdf?page=1&picture`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    const png = Buffer.from(await picture.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([990, 1400]);
  });

  test.each([
    "show/shelves.pdf?page=2",
    "show/none.pdf",
    "show/index.csv",
    "show/shelves.pdf?page=x",
  ])("%s is not there", async (address) => {
    expect((await desk.get(`${job}/${address}`)).status).toBe(404);
  });

  test("nothing outside of the job's folder is shown", async () => {
    writeFileSync(
      path.join(folder, "secret.pdf"),
      readFileSync(path.join(folder, "out/shelves.pdf")),
    );
    expect((await desk.get(`${job}/show/%2e%2e%2fsecret.pdf`)).status).toBe(404);
    expect((await desk.get(`${job}/files/%2e%2e%2fsecret.pdf`)).status).toBe(404);
  });

  test("a link in the job's folder leads to no file of another one", async () => {
    const secret = path.join(folder, "secret.pdf");
    writeFileSync(secret, readFileSync(path.join(folder, "out/shelves.pdf")));
    const out = path.join(folder, "out");
    symlinkSync(secret, path.join(out, "linked.pdf"));
    symlinkSync(folder, path.join(out, "linked"), "dir");
    renameSync(path.join(out, "shelves.pdf"), path.join(out, "kept.pdf"));
    symlinkSync(secret, path.join(out, "shelves.pdf"));
    for (const name of ["linked.pdf", "linked/secret.pdf", "linked/shelves.csv", "shelves.pdf"])
      expect((await desk.get(`${job}/files/${name}`)).status, name).toBe(404);
    for (const name of ["linked.pdf", "linked/secret.pdf", "shelves.pdf"])
      expect((await desk.get(`${job}/show/${name}`)).status, name).toBe(404);
    rmSync(path.join(out, "linked"));
    renameSync(path.join(out, "kept.pdf"), path.join(out, "shelves.pdf"));
    expect((await desk.get(`${job}/files/shelves.pdf`)).status).toBe(200);
  });

  test("the report is shown with its style, and may load nothing", async () => {
    const report = await desk.get(`${job}/files/report.html`);
    const policy = report.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("style-src 'unsafe-inline'");
  });
});

describe("the customer's proof", () => {
  test("is made of chosen lines, shown and downloaded; its codes are those of the rows", async () => {
    await step("proof", { lines: "2,4" });
    const html = await textOf(`${job}/proof`);
    expect(html).toContain("2 labels to be signed.");
    expect(html).toContain(
      "makeready sheets proof shelves.yaml --lines 2,4 --out out/proof-shelves.pdf",
    );
    const pdf = await desk.get(`${job}/files/proof-shelves.pdf?download`);
    const bytes = new Uint8Array(await pdf.arrayBuffer());
    expect((await decodePdf(bytes)).toSorted()).toEqual(["SHELF A-01", "SHELF B-01"]);
    expect(await readTexts(bytes)).toContain("PROOF FOR APPROVAL - NOT FOR PRODUCTION");
  });

  test("speaks the language of the page that asked for it", async () => {
    await desk.post(`${job}/proof`, { lines: "2" }, "de");
    await waitForTask(desk, folder, "shelves.yaml");
    const pdf = await desk.get(`${job}/files/proof-shelves.pdf?download`);
    const texts = (await readTexts(new Uint8Array(await pdf.arrayBuffer()))).join("\n");
    expect(texts).toContain("ZUR FREIGABE - NICHT FÜR DIE PRODUKTION");
    expect(texts).toContain("Etiketten 63,5 × 33,9 mm");
    expect(texts).toContain("Datum, Unterschrift");
    expect(texts).not.toMatch(/label|proof|front|signature/iu);
  });

  test("an invalid line is refused in words", async () => {
    const answer = await desk.post(`${job}/proof`, { lines: "two" });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("Lines of the spreadsheet must be numbers from 1, like 3,7-9"),
    ]);
  });
});

/** `a 'b c'` -> a, b c. */
const toWords = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");

async function typed(command: string): Promise<readonly [string, number]> {
  const [program, ...argv] = toWords(command);
  expect(program).toBe("makeready");
  const code = await main(argv, {
    env: {},
    cwd: folder,
    clock: systemClock,
    ids: randomIds,
    out: () => undefined,
    err: () => undefined,
    terminalWidth: undefined,
    writer: "makeready test",
    signal: new AbortController().signal,
  });
  return [command, code];
}

describe("each screen shows the command that does the same", () => {
  test("and each of them, typed, does its work", async () => {
    expect(await textOf(`${job}/result`)).toContain(
      "The commands name the first label of the sheet",
    );
    await step("reprint", { key: "A-02", start: "3", from: "shelves.pdf" });
    await step("void", { key: "B-01", reason: "torn" });
    await step("verify", {});
    const screens = ["label", "plan", "result", "proof", "mend"];
    const pages = await Promise.all(screens.map((name) => textOf(`${job}/${name}`)));
    const shown = pages.flatMap((html) =>
      [...html.matchAll(/data-command[^>]*>([^<]*)</gu)].map(([, text = ""]) => text),
    );
    const commands = [...new Set([...shown, "makeready run shelves.yaml"])];
    expect(commands).toContain(
      "makeready sheets reprint shelves.yaml --key A-02 --start 3 --from shelves.pdf",
    );
    expect(commands).toContain("makeready verify shelves.yaml");
    const codes: (readonly [string, number])[] = [];
    for (const command of commands) codes.push(await typed(command));
    expect(codes).toEqual(commands.map((command) => [command, 0]));
  });
});

describe("the result", () => {
  test("is that of the last run, also of one that a command or a timer made", async () => {
    writeFileSync(path.join(folder, "bays.csv"), 'bay\n1\n2\n""\n');
    writeFileSync(
      path.join(folder, "bays.yaml"),
      `version: 1
name: bays
kind: codes
source: { file: bays.csv, key: [bay], columns: { bay: { required: true } } }
code: { dynamic: false, type: Text, qr_data: "BAY {{ bay }}" }
output: { dir: out-bays, files: [], sheets: { caption: "{{ bay }}" } }
`,
    );
    expect(await typed("makeready run bays.yaml")).toEqual(["makeready run bays.yaml", 0]);
    const html = await textOf("/job/bays.yaml/result");
    expect(html).toContain("Ready for press");
    expect(html).toContain('href="/job/bays.yaml/files/bays.pdf?download"');
    writeFileSync(path.join(folder, "bays.csv"), "bay\n1\n2\n3\n");
    await typed("makeready run bays.yaml");
    const again = await textOf("/job/bays.yaml/result");
    expect(again.replaceAll(/<[^>]*>/gu, "|").replaceAll(/\|+/gu, "|")).toContain(
      "Rows|3|Created|1|Changed|0|Unchanged|2|Not made|0",
    );
    const out = path.join(folder, "out-bays");
    const state = openState(out, { writer: "makeready test", salt: "", nowMs: Date.now() });
    forgetResult(state); // As a run does when it begins.
    state.close();
    const cutOff = await textOf("/job/bays.yaml/result");
    expect(cutOff).toContain("The last run did not come to its end");
    expect(cutOff).toContain('<a href="/job/bays.yaml/run">');
  });

  test("no longer offers what was printed again before the last run: it may look otherwise", async () => {
    const READY = "1 label is ready to print again";
    await step("reprint", { key: "A-02", start: "1", from: "shelves.pdf" });
    expect(await textOf(`${job}/result`)).toContain(READY);
    await step("run");
    expect(await textOf(`${job}/result`)).not.toContain(READY);
  });

  test("says that no label was chosen to be printed again", async () => {
    const { headers } = await desk.post(`${job}/reprint`, { start: "1", from: "shelves.pdf" });
    expect(await textOf(headers.get("location") ?? "")).toContain("No label was chosen.");
  });
});

describe("a rehearsal", () => {
  test("is reported with plan and result, and the public address is set on the page", async () => {
    writeFileSync(
      path.join(folder, "links.yaml"),
      `version: 1
name: links
kind: codes
source: { file: links.csv, key: [n] } # by hand
code: { dynamic: true, qr_data: "https://a.example/{{ n }}" }
output: { dir: out-links, files: [], sheets: {} }
`,
    );
    writeFileSync(path.join(folder, "links.csv"), "n\n1\n2\n");
    const links = "/job/links.yaml";
    const done = async (address: string, form: Record<string, string> = {}): Promise<string> => {
      await desk.post(`${links}/${address}`, form);
      await waitForTask(desk, folder, "links.yaml");
      return textOf(`${links}/${address === "run" ? "result" : "plan"}`);
    };
    expect(await done("plan")).toContain('name="address"');
    expect(await done("run")).toContain("Set the public address in the plan");
    const wrong = await desk.post(`${links}/address`, { address: "go.example.com" });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining("must be an http or https address"),
    ]);
    const plan = await done("address", { address: "https://go.example.com" });
    expect(plan).not.toContain("This is a rehearsal");
    expect(plan).toContain("Short links begin with https://go.example.com instead of");
    expect(readFileSync(path.join(folder, "links.yaml"), "utf8")).toContain(
      "source: { file: links.csv, key: [n] } # by hand",
    );
    expect(await done("run")).toContain("Ready for press");
  });
});

describe("a new file for a job", () => {
  const fresh = new File(["shelf\nA-01\nB-01\nC-01\nC-02\n"], "new.csv");

  test("shows the difference and changes nothing", async () => {
    const to = await step("new-file", { file: fresh, source: "" });
    const { headers } = await desk.get(to);
    const html = await textOf(headers.get("location") ?? to);
    expect(html.replaceAll(/<[^>]*>/gu, "|").replaceAll(/\|+/gu, "|")).toContain(
      "To create|2|To change|0|Unchanged|2|Refused rows|0|Gone from the list|1",
    );
    expect(html).toMatch(/<div class="odd"><dt>Gone from the list/u);
    expect(html).toContain("Rows are gone from the list.");
    expect(html).toMatch(/<h2>Gone from the list<\/h2><ul><li>A-02<\/li><\/ul>/u);
    expect(readFileSync(path.join(folder, "shelves.yaml"), "utf8")).toContain("file: shelves.csv,");
  });

  test("takes the place of the old one, which stays", async () => {
    const to = await step("new-file", { file: fresh, source: "" });
    const { headers } = await desk.get(to);
    const form = readForm(await textOf(headers.get("location") ?? to));
    expect(await step("new-file/take", { task: form["task"] ?? "" })).toBe(`${job}/plan`);
    expect(readFileSync(path.join(folder, "shelves.yaml"), "utf8")).toContain(
      "source: { file: shelves-2.csv, key: [shelf] } # from the store",
    );
    expect(existsSync(path.join(folder, "shelves.csv"))).toBe(true);
    expect(await textOf(`${job}/plan`)).toContain("Run: 2 of 4 rows");
  });

  test("that a page of before another change would take is compared again", async () => {
    const manifest = path.join(folder, "shelves.yaml");
    const before = readFileSync(manifest, "utf8");
    const to = await step("new-file", { source: "shelves.csv" });
    const page = (await desk.get(to)).headers.get("location") ?? to;
    const form = readForm(await textOf(page));
    // Another tab takes another file.
    writeFileSync(manifest, before.replace("# from the store", "# from another tab"));
    const seconds = Date.now() / 1000 + 60;
    utimesSync(manifest, seconds, seconds);
    expect(await step("new-file/take", { task: form["task"] ?? "" })).toBe(page);
    expect(readFileSync(manifest, "utf8")).toContain("source: { file: shelves-2.csv,");
    const html = await textOf(page);
    expect(html).toContain("The job or the file has changed since this comparison.");
    expect(html).not.toContain("new-file/take");
    const { source } = readForm(html);
    writeFileSync(manifest, before);
    expect(source).toBe("shelves.csv");
    const again = await step("new-file", { source: source ?? "" });
    const next = (await desk.get(again)).headers.get("location") ?? again;
    expect(await textOf(next)).toContain("new-file/take");
    await step("plan", {});
  });

  test("saved in the millisecond in which the plan began, it is in the plan", async () => {
    const [plan] = await listTasks(folder);
    const seconds = (plan?.startedMs ?? 0) / 1000;
    utimesSync(path.join(folder, "shelves-2.csv"), seconds, seconds + 0.0007);
    expect(await textOf(`${job}/plan`)).toContain("Run: 2 of 4 rows");
    utimesSync(path.join(folder, "shelves-2.csv"), seconds, seconds + 0.002);
    expect(await textOf(`${job}/plan`)).not.toContain("Run: 2 of 4 rows");
    utimesSync(path.join(folder, "shelves-2.csv"), seconds, seconds);
  });

  test("choosing no file is reported; no file outside of the folder is taken", async () => {
    expect((await desk.post(`${job}/new-file`, { source: "" })).status).toBe(400);
    expect((await desk.post(`${job}/new-file`, { source: "../x.csv" })).status).toBe(400);
  });
});
