/** What plans and summaries say of a server that is not the embedded one. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { WireRequest } from "../../src/client/wire.ts";
import { parseCertificate } from "../../src/pack/certificate.ts";
import { parseReport } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { takeSlug } from "../help/take-slug.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];
const set = (name: string): string[] => ["--set", `code.design.template=${name}`];

afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

async function openAt(
  files: JobFolder,
  origin: string,
  answer?: (request: WireRequest) => number | undefined,
  plan?: Parameters<typeof openRemote>[4],
): Promise<Remote> {
  const remote = await openRemote(files.data, origin, answer, undefined, plan);
  open.push(remote);
  return remote;
}

describe("plan: a template that the server doesn't have", () => {
  it("is reported before anything is made, by the embedded service and by a remote one", async () => {
    const files = makeJobFolder(makeRows(3));
    const bare = await runInProcess(["plan", files.manifest, ...set("Clasic")]);
    expect(bare.code).toBe(2);
    expect(bare.err).toContain('got "Clasic"');
    expect(bare.err).toContain('did you mean "Classic"?');
    expect((await runInProcess(["plan", files.manifest, ...set("Classic")])).code).toBe(0);

    const remote = await openAt(files, "https://codes.example");
    const far = await runInProcess(["plan", files.manifest, ...set("Clasic")], remote);
    expect(far.code).toBe(2);
    expect(far.err).toContain('did you mean "Classic"?');
    expect(remote.asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
  });

  it("a plan without token, or of a server that is away, warns that it was not looked up", async () => {
    const files = makeJobFolder(makeRows(3));
    const args = ["plan", files.manifest, ...set("Clasic")];
    const { env } = await openAt(files, "https://codes.example");
    const { MAKEREADY_TOKEN: _token, ...bare } = env;
    const unset = await runInProcess(args, { env: bare });
    expect(unset.code).toBe(0);
    expect(unset.out).toContain("code.design.template was not looked up: no token is set");
    const away = await openAt(files, "https://away.example", () => 503);
    const unheard = await runInProcess(args, away);
    expect(unheard.code).toBe(0);
    expect(unheard.out).toContain("code.design.template was not looked up: ");
    expect(new Set(away.asked.map((one) => one.split(" ")[0]))).toEqual(new Set(["GET"]));
  });
});

describe("plan and run of a remote server", () => {
  it("the reads that are planned are those that are sent, the one for the workspace among them", async () => {
    const files = makeJobFolder(makeRows(3));
    const remote = await openAt(files, "https://codes.example");
    const plan = lineOf(await runJson(["plan", files.manifest], remote), "plan");
    remote.forget();
    const ran = lineOf(await runJson(["run", files.manifest], remote), "summary");
    expect(ran).toMatchObject({ writes: plan["writes"], reads: plan["reads"] });
    const sent = remote.asked.filter((one) => one.includes("/api/v2/"));
    expect(sent.filter((one) => one.startsWith("GET "))).toHaveLength(Number(plan["reads"]));
    const again = lineOf(await runJson(["plan", files.manifest], remote), "plan");
    expect(again).toMatchObject({ writes: 0, reads: 1 });
    remote.forget();
    const idle = lineOf(await runJson(["run", files.manifest], remote), "summary");
    expect(idle).toMatchObject({ writes: 0, reads: 1 });
    expect(remote.asked).toHaveLength(1);
  });

  it("says that a plan tries neither token nor workspace, and how to try them", async () => {
    const files = makeJobFolder(makeRows(3));
    const remote = await openAt(files, "https://codes.example");
    const { out } = await runInProcess(["plan", files.manifest], remote);
    const [, command = ""] = /a plan doesn't try the token .*: makeready (.*)/u.exec(out) ?? [];
    expect(command).toMatch(/^doctor /u);
    expect(remote.asked).toEqual([]);
    const { out: here } = await runInProcess(["plan", files.manifest]);
    expect(here).not.toContain("a plan doesn't try");
  });

  it("says that it was not asked whether another job has redesigned the codes on the sheets", async () => {
    const files = makeJobFolder(makeRows(2));
    const remote = await openAt(files, "https://codes.example");
    const says = "the sheets print 2 codes as this job made them; if another job has redesigned";
    const plan = async () => (await runInProcess(["plan", files.manifest], remote)).out;
    expect(await plan()).not.toContain("redesigned");
    const ran = await runInProcess(["run", files.manifest], remote);
    expect(ran.out).toContain("2 created");
    expect(await plan()).toContain(says);
    writeFileSync(files.csv, makeRows(1));
    expect(await plan()).toContain("the sheets print 1 code as this job made it");
  });
});

describe("plan: a server on this computer (docs/spec/jobs.md section 1, rehearsal)", () => {
  it("is a rehearsal until its codes are known to lead elsewhere", async () => {
    const files = makeJobFolder(makeRows(2));
    const here = await openAt(files, "http://127.0.0.1:9");
    const plan = await runJson(["plan", files.manifest], here);
    expect(lineOf(plan, "plan")).toMatchObject({ isRehearsal: true });
    const told = await runInProcess(["plan", files.manifest], here);
    expect(told.out).toContain("unless it was started with --public-url");
    await open.pop()?.close();

    const far = await openAt(files, "https://codes.example");
    expect(lineOf(await runJson(["plan", files.manifest], far), "plan")).toMatchObject({
      isRehearsal: false,
    });
    const known = {
      ...far,
      env: { ...far.env, MAKEREADY_BASE_URL: here.env["MAKEREADY_BASE_URL"] },
    };
    const ahead = await runJson(["plan", files.manifest], known);
    expect(lineOf(ahead, "plan")).toMatchObject({ isRehearsal: false });
    const silent = await openAt(files, "http://127.0.0.1:9", ({ url }) =>
      url.includes("/.well-known/") ? 404 : undefined,
    );
    expect(lineOf(await runJson(["plan", files.manifest], silent), "plan")).toMatchObject({
      isRehearsal: true,
    });
    await open.pop()?.close();
    expect((await runJson(["run", files.manifest], known)).code).toBe(3);
    expect(lineOf(await runJson(["plan", files.manifest], known), "plan")).toMatchObject({
      isRehearsal: false,
    });
  });
});

describe("summaries count a row once, and say what helps", () => {
  it("files that can't be fetched: run again, nothing to mend in the spreadsheet", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
    let isBroken = true;
    const remote = await openAt(files, "https://codes.example", ({ url }) =>
      isBroken && url.endsWith(".png") ? 404 : undefined,
    );
    const run = await runInProcess(["run", files.manifest], remote);
    expect(run.code).toBe(3);
    expect(run.out).toMatch(/1 created; 1 of them without files/u);
    expect(run.out).toContain("the files of 1 code are missing, the codes are made");
    expect(run.out).not.toContain("mend the rows");
    expect(run.out).toContain("Done, but files could not be fetched: flow");
    expect(run.out).not.toContain("to mend");
    isBroken = false;
    const again = await runJson(["run", files.manifest], remote);
    expect(lineOf(again, "summary")).toMatchObject({ created: 0, unchanged: 1, failed: 0 });
  });

  it("files that can't be fetched beside bad rows: the counts add up, only the bad row is to be mended", async () => {
    const files = makeJobFolder(
      "site,table,region,Link\nA,1,North,https://a.example/1\nA,2,North,nowhere\n",
    );
    const remote = await openAt(files, "https://codes.example", ({ url }) =>
      url.endsWith(".png") ? 404 : undefined,
    );
    const run = await runInProcess(["run", files.manifest], remote);
    expect(run.out).toContain("1 created, 1 bad in the spreadsheet; 1 of them without files");
    expect(run.out).toContain("1 row to mend and 1 without files, with the reason");
    expect(run.out).toMatch(
      /→ mend this row in .+ \(failed-rows\.csv lists it; 1 row there only lack files\), then run again/u,
    );
    expect(
      parseReport(readFileSync(path.join(files.out, "report.html"), "utf8")).figures,
    ).toMatchObject({
      rows: "2",
      created: "1",
      unchanged: "0",
      failed: "1",
      "without files": "1",
    });
  });

  it("a certificate counts rows without files beside those that failed, as the result does", async () => {
    const files = makeJobFolder(
      "site,table,region,Link\nA,1,North,https://a.example/1\nA,2,North,https://a.example/2\nA,3,North,nowhere\n",
    );
    let broken = "";
    const remote = await openAt(files, "https://codes.example", ({ url }) => {
      if (!url.endsWith(".png")) return undefined;
      if (broken === "") broken = url;
      return url === broken ? 404 : undefined;
    });
    const run = await runJson(["run", files.manifest], remote);
    const { failed, bad, withoutFiles } = lineOf(run, "summary");
    expect({ failed, bad, withoutFiles }).toEqual({ failed: 0, bad: 1, withoutFiles: 1 });
    const certificate = path.join(files.out, "certificate.json");
    const { statement } = parseCertificate(readFileSync(certificate, "utf8"));
    expect(statement.counts).toMatchObject({ rows: 3, bad: 1, failed: 1, withoutFiles: 1 });
    const checked = await runInProcess(["check", certificate]);
    expect(checked.code, checked.err).toBe(0);
  });

  it("a form that is refused when it is published has failed, and was not created as well", async () => {
    const files = makeJobFolder("title,slug\nOne,room-one\nTwo,taken\n");
    writeFileSync(
      files.manifest,
      `version: 1
name: forms
kind: forms
source: { file: ../rows.csv, key: [title] }
form: { title: "{{ title }}", slug: "{{ slug }}", fields: [{ field_type: text, label: Name }] }
output: { dir: ../out, files: [svg] }
`,
    );
    await takeSlug(files.data, "taken");
    const run = await runJson(["run", files.manifest]);
    expect(run.code).toBe(3);
    expect(lineOf(run, "summary")).toMatchObject({
      rows: 2,
      created: 1,
      changed: 0,
      unchanged: 0,
      failed: 1,
      left: 0,
    });
    expect(readFileSync(`${files.out}/failed-rows.csv`, "utf8")).toContain("Two");
    writeFileSync(files.csv, "title,slug\nOne,room-one\nTwo,room-two\n");
    const again = await runJson(["run", files.manifest]);
    expect(lineOf(again, "summary")).toMatchObject({ created: 0, changed: 1, unchanged: 1 });
  });
});

describe("a job whose codes were made on another server (exactly-once.md)", () => {
  it("is refused by plan and run before anybody is asked, also when nothing is left to do", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
    const there = await openAt(files, "https://codes.example");
    const made = await runInProcess(["run", files.manifest], there);
    expect(made.code, made.err).toBe(0);

    const { env } = there;
    const moved = { ...env, MAKEREADY_BASE_URL: "https://other.example/api/v2" };
    const elsewhere = { ...env, MAKEREADY_WORKSPACE: "another" };
    for (const [other, got] of [
      [moved, "got https://other.example/api/v2"],
      [elsewhere, "workspace"],
      [{}, "got embedded"],
    ] as const) {
      const before = there.asked.length;
      for (const command of ["plan", "run"]) {
        const refused = await runInProcess([command, files.manifest], { ...there, env: other });
        expect([command, refused.code, refused.err]).toEqual([command, 6, expect.any(String)]);
        expect(refused.err).toContain(got);
      }
      expect(there.asked).toHaveLength(before);
    }
    const again = await runInProcess(["run", files.manifest], there);
    expect(again.code, again.err).toBe(0);
  });
});

describe("a stop while a request is waiting to be tried again", () => {
  it.each(["/qrcodes/", "/folder/create/"])("ends %s with 130 and how to go on", async (place) => {
    const files = makeJobFolder(makeRows(2));
    const stop = new AbortController();
    const remote = await openAt(files, "https://codes.example", ({ url }) => {
      if (stop.signal.aborted || !new URL(url).pathname.endsWith(place)) return undefined;
      stop.abort();
      return 500;
    });
    const first = await runInProcess(["run", files.manifest], { ...remote, signal: stop.signal });
    expect(first.code, first.err).toBe(130);
    expect(first.out).toContain("go on with: makeready run");
    const second = await runJson(["run", files.manifest], remote);
    expect(lineOf(second, "summary")).toMatchObject({ created: 2, left: 0 });
  });

  it("ends a plan with 130, too", async () => {
    const files = makeJobFolder(makeRows(2));
    const stop = new AbortController();
    const remote = await openAt(files, "https://codes.example", () => {
      stop.abort();
      return 500;
    });
    const args = ["plan", files.manifest, ...set("Classic")];
    expect((await runInProcess(args, { ...remote, signal: stop.signal })).code).toBe(130);
  });
});

/** Single codes are not shown. */
const hidden = ({ method, url }: WireRequest): number | undefined =>
  method === "GET" && /\/qrcode\/[^/]+\/$/u.test(url) ? 404 : undefined;

describe("codes of a server that had its public address only for some of them", () => {
  it("are a rehearsal as a whole, and those that lead to this computer are named", async () => {
    const files = makeJobFolder(makeRows(1));
    const at = { MAKEREADY_BASE_URL: "http://127.0.0.1:9/api/v2" };
    const bare = ["--set", "output.files=[]", "--set", "output.zip=false"];
    const far = await openAt(files, "https://codes.example");
    const run = async (remote: Remote, command = "run") =>
      runInProcess([command, files.manifest, ...bare], {
        ...remote,
        env: { ...remote.env, ...at },
      });
    expect((await run(far)).out).not.toContain("REHEARSAL");
    expect(existsSync(path.join(files.out, "certificate.json"))).toBe(true);
    await open.pop()?.close();
    writeFileSync(files.csv, makeRows(2));
    const here = await openAt(files, "http://127.0.0.1:9", hidden);
    const says = "1 code leads to this computer only: ";
    const { out } = await run(here);
    expect(out).toContain("REHEARSAL");
    expect(out).toContain(says);
    expect(out).not.toContain("Ready");
    expect(existsSync(path.join(files.out, "certificate.json"))).toBe(false);
    const report = readFileSync(path.join(files.out, "report.html"), "utf8");
    expect(report).toContain("Rehearsal, not for press");
    expect(report).toContain("http://127.0.0.1:9");
    for (const command of ["plan", "run", "verify"]) {
      const again = await run(here, command);
      expect([command, again.out]).toEqual([command, expect.stringContaining(says)]);
      expect(again.out).toMatch(/rehearsal/iu);
    }
  });
});

const index = ({ out }: JobFolder): string => readFileSync(path.join(out, "index.csv"), "utf8");

describe("a remote server whose public address was changed", () => {
  const URL_NOW = "https://three.example";
  const bare = ["--set", "output.zip=false", "--set", "output.sheets=false"];
  const at = { MAKEREADY_BASE_URL: "https://codes.example/api/v2" };
  const type = (command: string, files: JobFolder, remote: Remote, ...more: string[]) =>
    runInProcess([command, files.manifest, ...bare, ...more], {
      ...remote,
      env: { ...remote.env, ...at },
    });
  const typeSheets = (words: readonly string[], remote: Remote) =>
    runInProcess([...words, "--set", "output.zip=false"], {
      ...remote,
      env: { ...remote.env, ...at },
    });
  /** A job that was run, and what the server is then. */
  async function makeMoved(origin: string, now: string): Promise<readonly [JobFolder, Remote]> {
    const files = makeJobFolder(
      "site,table,region,Link\nA,1,N,https://a.example/1\nB,2,N,https://a.example/2\n",
    );
    const before = await openAt(files, origin);
    expect((await type("run", files, before)).code).toBe(0);
    await open.pop()?.close();
    return [files, await openAt(files, now)];
  }

  it("plan and run refuse to take old codes for new ones, and the command that they name redraws all", async () => {
    const [files, now] = await makeMoved("https://codes.example", URL_NOW);
    const before = index(files);
    for (const command of ["plan", "run"]) {
      const { code, err } = await type(command, files, now);
      expect([command, code]).toEqual([command, 2]);
      expect(err).toContain(
        `the codes of this job have https://codes.example, but the server at ${at.MAKEREADY_BASE_URL} gives them ${URL_NOW} now`,
      );
      expect(err).toContain(`--change-public-url ${URL_NOW}`);
    }
    expect(index(files)).toBe(before);
    const change = ["--change-public-url", URL_NOW];
    const plan = lineOf(await type("plan", files, now, ...change, "--json"), "plan");
    now.forget();
    const ran = lineOf(await type("run", files, now, ...change, "--json"), "summary");
    expect(ran).toMatchObject({ writes: 0, reads: plan["reads"], exitCode: 0 });
    const sent = now.asked.filter((one) => one.startsWith("GET /api/v2/"));
    expect(sent).toHaveLength(Number(plan["reads"]));
    expect(index(files)).toContain(`,${URL_NOW}/`);
    expect(index(files)).not.toContain("https://codes.example");
    for (const more of [[], change]) {
      const again = await type("run", files, now, ...more);
      expect([again.code, again.out]).toEqual([0, expect.stringContaining("2 unchanged")]);
    }
  });

  it("paper that was printed before is known by its earlier address", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,N,https://a.example/1\n");
    const at1 = await openAt(files, "https://codes.example");
    const first = await typeSheets(["run", files.manifest], at1);
    expect(first.code, first.out).toBe(0);
    const pdf = readdirSync(files.out).find((name) => name.endsWith(".pdf")) ?? "";
    const old = path.join(files.root, "old.pdf");
    copyFileSync(path.join(files.out, pdf), old);
    await open.pop()?.close();
    const now = await openAt(files, URL_NOW);
    const change = ["--change-public-url", URL_NOW];
    const moved = await typeSheets(["run", files.manifest, ...change], now);
    expect(moved.code, moved.err).toBe(0);
    const { out } = await typeSheets(["scan", files.manifest, old], now);
    expect(out).toContain("with an earlier address");
    expect(out).not.toContain("sharp");
  });

  it("a rehearsal there is drawn anew at once, and the plan says so", async () => {
    const [files, now] = await makeMoved("http://127.0.0.1:9", URL_NOW);
    const plan = await type("plan", files, now);
    expect(plan.out).toContain(`short links begin with ${URL_NOW} instead of http://127.0.0.1:9`);
    const ran = await type("run", files, now);
    expect([ran.code, ran.out]).toEqual([0, expect.not.stringContaining("REHEARSAL")]);
    expect(index(files)).not.toContain("127.0.0.1");
  });

  it("one that has lost its address is to get it back: nothing is drawn for this computer", async () => {
    const [files, now] = await makeMoved("https://codes.example", "http://127.0.0.1:9");
    const { code, err } = await type("run", files, now);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("makeready serve --public-url https://codes.example"),
    ]);
  });

  it("can't be given another one by a job: the flag says where that is done", async () => {
    const files = makeJobFolder(makeRows(1));
    const remote = await openAt(files, "https://codes.example");
    for (const command of ["plan", "run"]) {
      const { code, err } = await type(command, files, remote, "--change-public-url", URL_NOW);
      expect([command, code]).toEqual([command, 2]);
      expect(err).toContain(
        `--change-public-url must name the address that the server at ${at.MAKEREADY_BASE_URL} gives its codes, got ${URL_NOW}`,
      );
      expect(err).toContain(`makeready serve --change-public-url ${URL_NOW}`);
    }
    expect(remote.asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
  });

  it("that gave every code a host of its own is asked for a few of them", async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `A,${at},N,https://a.example/${at}\n`);
    const files = makeJobFolder(`site,table,region,Link\n${rows.join("")}`);
    const remote = await openAt(files, "https://codes.example");
    expect((await type("run", files, remote)).code).toBe(0);
    const state = openSqlite(path.join(files.out, "state.db"));
    state.exec("UPDATE rows SET short_link = 'https://h' || seq || '.example/x'");
    state.close();
    remote.forget();
    expect((await type("plan", files, remote)).code).toBe(2);
    expect(remote.asked.length).toBeLessThan(20);
  });

  it("a plan says when the server could not be asked", async () => {
    const [files, now] = await makeMoved("https://codes.example", URL_NOW);
    const { MAKEREADY_TOKEN: _token, ...env } = now.env;
    const { code, out } = await type("plan", files, { ...now, env });
    expect(code).toBe(0);
    expect(out).toContain(
      "the server was not asked whether short links still begin with https://codes.example",
    );
  });
});

const reopen = async (files: JobFolder, origin: string): Promise<Remote> => {
  await open.pop()?.close();
  return openAt(files, origin);
};
const withoutToken = ({ env: { MAKEREADY_TOKEN: _token, ...env }, ...remote }: Remote): Remote => ({
  ...remote,
  env,
});
/** Each prints or proves what is finished, in a number of reads. */
const STEPS = ["verify", "sheets reprint", "replace"] as const;
const more = (step: string): string[] => (step === "verify" ? [] : ["--lines", "2"]);

describe("what a remote server gives its codes now, for finished files", () => {
  const URL_NOW = "https://three.example";
  const at = { MAKEREADY_BASE_URL: "https://codes.example/api/v2" };
  const type = (command: string, files: JobFolder, remote: Remote, ...more: string[]) =>
    runInProcess([...command.split(" "), files.manifest, ...more], {
      ...remote,
      cwd: files.root,
      env: { ...remote.env, ...at },
    });
  const lost = `the codes of this job have https://codes.example, but the server at ${at.MAKEREADY_BASE_URL} gives them ${URL_NOW} now: those printed with https://codes.example may lead nowhere`;
  const untold = "whether short links still begin with https://codes.example";
  const rows = "site,table,region,Link\nA,1,N,https://a.example/1\nB,2,N,https://a.example/2\n";
  /** A job that was run, and its server. */
  async function makeRun(origin = "https://codes.example"): Promise<readonly [JobFolder, Remote]> {
    const files = makeJobFolder(rows);
    const remote = await openAt(files, origin);
    expect((await type("run", files, remote)).code).toBe(0);
    remote.forget();
    return [files, remote];
  }

  it.each(STEPS)("%s says it as plan does, with what to do", async (step) => {
    const [files] = await makeRun();
    const now = await reopen(files, URL_NOW);
    const { code, out, err } = await type(step, files, now, ...more(step));
    expect(code).toBe(step === "verify" ? 3 : 2);
    expect(out + err).toContain(lost);
    expect(out + err).toContain(`run jobs/flow.yaml --change-public-url ${URL_NOW}`);
    expect(out + err).toContain("makeready serve --change-public-url https://codes.example");
    expect(now.asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
    expect(now.asked).toHaveLength(1);
    expect(existsSync(path.join(files.out, "tables-n-reprint.pdf"))).toBe(false);
  });

  it.each(STEPS)("%s asks few codes and says nothing where nothing has changed", async (step) => {
    const [files, remote] = await makeRun();
    const { code, out, err } = await type(step, files, remote, ...more(step));
    expect([code, err]).toEqual([0, expect.not.stringContaining("short links")]);
    expect(out).not.toContain("short links");
    // One for the address of all, and one for each label that is printed again.
    expect(remote.asked).toHaveLength(step === "verify" ? 1 : 2);
  });

  it.each(STEPS)("%s of a server that can't be asked says so, and goes on", async (step) => {
    const [files, remote] = await makeRun();
    const away = { ...remote, ...(await openAt(files, "https://codes.example", () => 503)) };
    for (const server of [withoutToken(remote), away]) {
      const { code, out, err } = await type(step, files, server, ...more(step));
      expect(code).toBe(0);
      expect(out + err).toContain(untold);
      expect(out + err).toContain("makeready doctor jobs/flow.yaml");
    }
  });

  it.each(STEPS)("%s of a rehearsal says what a run makes of it", async (step) => {
    const [files] = await makeRun("http://127.0.0.1:9");
    const now = await reopen(files, URL_NOW);
    const { out, err } = await type(step, files, now, ...more(step));
    expect(out + err).toContain(`short links begin with ${URL_NOW} instead of http://127.0.0.1:9`);
    expect(out + err).toMatch(/rehearsal/iu);
  });

  it("doctor lists it among its checks", async () => {
    const [files, remote] = await makeRun();
    const check = async (server: Remote) => {
      const { code, out } = await type("doctor", files, server, "--json");
      const checks = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object);
      return { code, check: checks.find((one) => "name" in one && one.name === "short links") };
    };
    expect(await check(remote)).toEqual({
      code: 0,
      check: expect.objectContaining({
        status: "ok",
        says: "begin with https://codes.example, as the codes of this job do",
      }),
    });
    const hiding = await openAt(files, "https://codes.example", hidden);
    expect(await check(hiding)).toEqual({
      code: 0,
      // Why stands above it.
      check: {
        type: "check",
        name: "short links",
        status: "warning",
        says: expect.stringContaining(`the server did not say ${untold}: it doesn't show`),
      },
    });
    await open.pop()?.close();
    const now = await reopen(files, URL_NOW);
    expect(await check(now)).toEqual({
      code: 2,
      check: expect.objectContaining({
        status: "failed",
        says: lost,
        fix: expect.stringContaining(`--change-public-url ${URL_NOW}`),
      }),
    });
    const fresh = makeJobFolder(rows);
    const unused = await openAt(fresh, "https://codes.example");
    const { out } = await type("doctor", fresh, unused, "--json");
    expect(out).not.toContain('"short links"');
  });
});

it("rows that the plan of the account has no room for are not to be mended", async () => {
  const good = makeRows(3).split("\n").slice(0, 4).join("\n");
  const files = makeJobFolder(good);
  const remote = await openAt(files, "https://codes.example", undefined, { dynamicCodes: 2 });
  const run = () => runInProcess(["run", files.manifest, "--yes"], remote);
  const full = await run();
  expect(full.code, full.err).toBe(3);
  const steps = full.out.match(/^→ .*$/gmu) ?? [];
  expect(steps).toEqual([
    expect.stringMatching(/^→ the plan of the server's account .*makeready retry/u),
  ]);
  // A row that is bad by itself comes first.
  writeFileSync(files.csv, `${good}\nBad link,1,North,htp://nowhere\n`);
  const mixed = (await run()).out.match(/^→ .*$/gmu) ?? [];
  expect(mixed[0]).toContain("mend these rows");
  expect(mixed[1]).toContain("the plan of the server's account");
});
