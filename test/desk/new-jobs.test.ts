/** Every kind of job that the desk offers is one that a run takes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { loadJob } from "../../src/pipeline/load-job.ts";
import { kinds } from "../../src/kinds/names.ts";
import { rolesOf, things, type Thing } from "../../src/pipeline/draft/things.ts";
import { plainKinds } from "../../src/desk/screens/new/plain.ts";
import { openAskedDesk, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-new-"));
let desk: AskedDesk;

beforeAll(async () => {
  const headers = "No,GTIN,Last name,Question one,Web page,PDF,New URL";
  const row = "1,09506000134352,Lovelace,How was it?,https://example.com,a.pdf,https://example.org";
  writeFileSync(path.join(folder, "all.csv"), `${headers}\n${row}\n`);
  mkdirSync(path.join(folder, "manuals"));
  writeFileSync(path.join(folder, "manuals", "saw.pdf"), "%PDF-1.4\n");
  desk = await openAskedDesk(folder);
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const columns: Partial<Record<string, string>> = {
  gtin: "GTIN",
  last_name: "Last name",
  title: "Last name",
  question_1: "Question one",
  button_1: "Web page",
  file: "PDF",
  code: "No",
  new_url: "New URL",
};

const toForm = (thing: Thing): Record<string, string> => {
  const { needed, more } = rolesOf[thing];
  const roles = [...needed, ...more].map((role) => {
    const header = role === "payload" ? "Web page" : columns[role];
    return [`${thing}.${role}`, header ?? ""] as const;
  });
  return {
    source: "all.csv",
    thing,
    name: thing,
    key: "No",
    caption: "No",
    ...Object.fromEntries(roles),
  };
};

const load = (name: string) =>
  loadJob(path.join(folder, `${name}.yaml`), { env: {}, nowMs: Date.UTC(2026, 10, 20) });

describe("from a spreadsheet", () => {
  test.each(things)("%s", async (thing) => {
    const answer = await desk.post("/new/columns", toForm(thing));
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/job/${thing}.yaml/${rolesOf[thing].hasLabels ? "label" : "plan"}`,
    ]);
    const job = await load(thing);
    expect(job.kind).toBe(rolesOf[thing].kind);
    const page = await desk.get(`/job/${thing}.yaml/label`);
    expect(page.status).toBe(200);
  });

  test("what was picked stands in the manifest", () => {
    const text = readFileSync(path.join(folder, "page.yaml"), "utf8");
    expect(text).toContain('    - { url: "{{ web_page }}", title: "Web page" }');
    const retarget = readFileSync(path.join(folder, "retarget.yaml"), "utf8");
    expect(retarget).toContain('value: "{{ No }}"');
    expect(retarget).not.toContain("expect:");
  });

  test("a column that is needed must be chosen", async () => {
    const form = { ...toForm("retarget"), name: "none", "retarget.new_url": "" };
    const answer = await desk.post("/new/columns", form);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("a column must be chosen for new_url"),
    ]);
  });
});

describe("without a spreadsheet", () => {
  test.each(plainKinds)("%s", async (kind) => {
    const answer = await desk.post("/new/plain", { kind, name: `my ${kind}`, folder: "manuals" });
    expect(answer.status).toBe(303);
    expect((await load(`my-${kind}`)).kind).toBe(kind);
    expect((await desk.get(`/job/my-${kind}.yaml/label`)).status).toBe(200);
  });

  test("no folder of PDFs outside, and no job over another", async () => {
    const outside = { kind: "pdfs", name: "outside", folder: "../.." };
    expect((await desk.post("/new/plain", outside)).status).toBe(400);
    const twice = await desk.post("/new/plain", { kind: "report", name: "my report" });
    expect([twice.status, await twice.text()]).toEqual([
      400,
      expect.stringContaining("must be free, but my-report.yaml is there already"),
    ]);
  });
});

test("no kind is left out", () => {
  const offered = new Set([...things.map((thing) => rolesOf[thing].kind), ...plainKinds]);
  expect([...offered].toSorted()).toEqual([...kinds].toSorted());
});
