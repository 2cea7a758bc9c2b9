/** The codes of a desk's folder, on the screens of the console. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { runInProcess } from "../flow/in-process.ts";
import { openAskedDesk, type AskedDesk } from "./ask-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-console-"));
let desk: AskedDesk;

const JOB = `version: 1
name: tables
kind: codes
source: { file: tables.csv, key: [name] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ name }}", folder: Hall }
output: { dir: out/tables, files: [svg] }
`;

const run = (...argv: string[]) => runInProcess(argv, { cwd: folder });

const get = async (target: string): Promise<{ status: number; text: string; headers: Headers }> => {
  const answer = await desk.get(target);
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/u.exec(text)?.[1] ?? "";

beforeAll(async () => {
  writeFileSync(path.join(folder, "job.yaml"), JOB);
  writeFileSync(
    path.join(folder, "tables.csv"),
    "name,url\nTable 1,https://example.com/1\nTable 2,https://example.com/2\n",
  );
  desk = await openAskedDesk(folder);
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a desk says that the store of its folder was moved, instead of none", async () => {
  const away = mkdtempSync(path.join(tmpdir(), "desk-moved-"));
  mkdirSync(path.join(away, ".makeready"));
  writeFileSync(path.join(away, ".makeready", "service.db.moved"), "");
  writeFileSync(path.join(away, "job.yaml"), JOB);
  const other = await openAskedDesk(away);
  try {
    for (const target of ["/console/codes", "/", "/job/job.yaml/result"])
      expect(await (await other.get(target)).text(), target).toMatch(
        /store was moved into a database/u,
      );
    // Fields are set all the same: no code is looked for.
    const when = { every: "day", weekday: "1", time: "06:00", cron: "", timezone: "UTC" };
    await other.post("/job/job.yaml/schedule", { ...when, do: "on" });
    expect(readFileSync(path.join(away, "job.yaml"), "utf8")).toContain("0 6 * * *");
  } finally {
    await other.close();
    rmSync(away, { recursive: true, force: true });
  }
});

describe("the codes of a desk", () => {
  test("are none before a job has made some", async () => {
    const { status, text } = await get("/console/codes");
    expect([status, text]).toEqual([200, expect.stringContaining("have made no codes yet")]);
    const home = await get("/");
    expect(home.text).toContain('href="/console/codes"');
  });

  test("are shown without another sign-in, and only with the desk's session", async () => {
    expect((await run("run", "job.yaml")).code).toBe(0);
    const { status, text, headers } = await get("/console/codes");
    expect([status, text]).toEqual([200, expect.stringContaining("Table 1")]);
    expect(headers.getSetCookie()).toEqual([]);
    expect(text).toContain('<a href="/">makeready desk</a>');
    const german = await (await desk.get("/console/codes", "de")).text();
    expect(german).toContain('<a href="/">makeready Arbeitsplatz</a>');
    expect(text).not.toContain("Sign out");
    for (const target of ["/console/codes", "/console/sign-in", "/media/x.svg"]) {
      const stranger = await fetch(`${desk.origin}${target}`, { redirect: "manual" });
      expect([target, stranger.status]).toEqual([target, 403]);
    }
  });

  test("are changed as they are in the service's console; a later run takes it as it is", async () => {
    const list = await get("/console/codes?q=Table+1");
    const id = /\/console\/codes\/([0-9a-f-]{36})"/u.exec(list.text)?.[1] ?? "";
    const page = await get(`/console/codes/${id}`);
    const fields = { display_name: "Table 1", qr_data: "https://example.com/menu", folder: "" };
    const refused = await desk.post(`/console/codes/${id}`, { ...fields, csrf: "guessed" });
    expect(refused.status).toBe(403);
    const saved = await desk.post(`/console/codes/${id}`, { ...fields, csrf: csrfOf(page.text) });
    expect([saved.status, saved.headers.get("location")]).toEqual([
      303,
      `/console/codes/${id}?done=saved`,
    ]);
    expect((await get(`/console/codes/${id}`)).text).toContain("https://example.com/1");
    const picture = await get(`/console/codes/${id}/picture.svg`);
    expect(picture.text).toContain("<svg");
    const file = await get(`/console/codes/${id}/download/svg`);
    expect((await get(file.headers.get("location") ?? "")).text).toContain("<svg");
    expect((await get("/console/settings")).text).not.toMatch(/\/api\/v2|Webhooks<|Sign out/u);
    expect((await run("run", "job.yaml")).code).toBe(0);
  });

  test("are changed by hundreds by a job that the page puts into the folder", async () => {
    const ask = "/console/codes/many?kind=redesign&pattern=Circles";
    const page = await get(ask);
    expect(page.text).toContain("Make it a job of this desk");
    expect(page.text).not.toContain("MAKEREADY_TOKEN");
    const csrf = csrfOf(page.text);
    const make = (query: string) => desk.post(`/console/codes/many/job?${query}`, { csrf });
    const made = await make("kind=redesign&pattern=Circles");
    expect(made.headers.get("location")).toBe("/job/console-redesign.yaml/plan");
    const again = await make("kind=redesign&pattern=Diamonds");
    expect(again.headers.get("location")).toBe("/job/console-redesign-2.yaml/plan");
    expect((await make("kind=redesign")).status).toBe(400);
    const plan = await run("plan", "console-redesign.yaml");
    expect([plan.err, plan.code, plan.out]).toEqual(["", 0, expect.stringMatching(/\b2 codes\b/u)]);
    await make("kind=retarget");
    const list = path.join(folder, "console-retarget.csv");
    const rows = readFileSync(list, "utf8").trim().split("\r\n");
    expect(rows).toHaveLength(3);
    writeFileSync(list, `${rows.join("\r\n")}https://example.com/new\r\n`);
    const led = await run("plan", "console-retarget.yaml");
    expect([led.err, led.code]).toEqual(["", 0]);
  });
});
