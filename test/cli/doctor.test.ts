import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { checkNode, judgeDisk } from "../../src/pipeline/doctor/local-checks.ts";
import { TransportFailure, type Transport } from "../../src/client/wire.ts";
import { runInProcess } from "../flow/in-process.ts";

const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "makeready-doctor-test-"));

const NOW = Date.UTC(2026, 0, 1, 12);
const env = {
  MAKEREADY_BASE_URL: "https://api.example.com/api/v2",
  MAKEREADY_TOKEN: "secret-token",
  MAKEREADY_WORKSPACE: "W1",
};

const init = (cwd: string, kind: string) => {
  if (kind === "codes") writeFileSync(path.join(cwd, "t.csv"), "Nr;Link\n1;https://a.example/1\n");
  const source = kind === "codes" ? ["--source", "t.csv"] : [];
  return runInProcess(["init", kind, "--kind", kind, ...source, "--yes"], { cwd });
};

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** A server that always answers the same, and remembers what it was asked. */
function makeTransport(answer: Answer | TransportFailure): Transport & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    close: async () => undefined,
    send: async (request) => {
      asked.push(`${request.method} ${request.url} ${request.headers["authorization"]}`);
      if (answer instanceof TransportFailure) throw answer;
      const { status = 200, body = '{"count":0,"results":[]}', headers = {} } = answer;
      const now = systemClock.monotonicMs();
      return {
        status,
        headers: new Headers({ date: new Date(NOW).toUTCString(), ...headers }),
        body: new TextEncoder().encode(body),
        sentAtMs: now,
        receivedAtMs: now,
      };
    },
  };
}

async function doctor(answer: Answer | TransportFailure, changes = {}) {
  const transport = makeTransport(answer);
  const cwd = makeFolder();
  const context = { cwd, env, transport, ...changes };
  const { code, out } = await runInProcess(["doctor", "--json"], context);
  const lines = out.trimEnd().split("\n");
  const checks = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, out, checks, asked: transport.asked, cwd };
}

describe("makeready doctor (docs/spec/jobs.md section 2)", () => {
  it("is content, and leaves nothing behind", async () => {
    const { code, checks, asked, cwd } = await doctor({
      headers: { "ratelimit-limit": "120", "ratelimit-remaining": "119", "ratelimit-reset": "60" },
    });
    expect(code).toBe(0);
    expect(checks.map(({ name }) => name)).toEqual([
      "Node",
      "folder",
      "database",
      "disk",
      "disk space",
      "fonts",
      "base URL",
      "token",
      "workspace",
      "clock",
      "limits",
      undefined,
    ]);
    expect(checks.at(-2)).toMatchObject({ status: "ok", says: "119 of 120 reads left" });
    expect(checks.at(-1)).toMatchObject({ type: "summary", failed: 0, exitCode: 0 });
    expect(asked).toEqual([
      "GET https://api.example.com/api/v2/workspace/W1/qrcodes/?page=1&page_size=1 Token secret-token",
      "OPTIONS https://api.example.com/api/v2/qrcode/create/ Token secret-token",
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  const html = "<html>Not found</html>";
  const detail = '{"detail":"no"}';
  it.each<[string, Answer | TransportFailure, number, object]>([
    ["a refused token", { status: 401, body: detail }, 4, { name: "token", status: "failed" }],
    ["a workspace of others", { status: 404, body: detail }, 4, { name: "workspace" }],
    ["a forbidden workspace", { status: 403, body: detail }, 4, { name: "workspace" }],
    ["another web site", { status: 404, body: html }, 2, { name: "base URL", status: "failed" }],
    ["a page instead of JSON", { status: 200, body: html }, 2, { name: "base URL" }],
    ["a redirect", { status: 301, body: "" }, 2, { name: "base URL" }],
    ["a broken server", { status: 503, body: html }, 5, { name: "base URL" }],
    ["nobody there", new TransportFailure("refused", false), 5, { name: "base URL" }],
  ])("%s", async (_what, answer, exit, expected) => {
    const { code, checks, out } = await doctor(answer);
    expect(code).toBe(exit);
    expect(checks.filter(({ status }) => status === "failed")).toEqual([
      expect.objectContaining({ ...expected, fix: expect.any(String) as string }),
    ]);
    expect(out).not.toContain("secret-token");
  });

  it("a token that may only read, for a job that writes, one that reads, and without a job", async () => {
    const cwd = makeFolder();
    for (const kind of ["codes", "export"]) await init(cwd, kind);
    const transport = makeTransport({ headers: { allow: "OPTIONS" } });
    const ask = async (...job: string[]) =>
      runInProcess(["doctor", ...job], { cwd, env, transport });
    const codes = await ask("codes.yaml");
    expect(codes.code).toBe(4);
    expect(codes.out).toMatch(
      /FAILED {3}token {7}must be one that may write, since this job does, but it may only read\n +→ take a token with full access/u,
    );
    const exported = await ask("export.yaml");
    expect([exported.code, exported.out]).toEqual([
      0,
      expect.stringContaining("is accepted; it may only read, as this job does"),
    ]);
    const without = await ask();
    expect([without.code, without.out]).toEqual([
      0,
      expect.stringContaining("may only read: jobs that make or change something are refused"),
    ]);
  });

  it("a used-up rate limit is no failure", async () => {
    const { code, checks } = await doctor({ status: 429, body: detail });
    expect(code).toBe(0);
    expect(checks.find(({ status }) => status === "warning")).toMatchObject({ name: "token" });
  });

  it("reports a wrong clock, compared with the server's Date", async () => {
    const { checks } = await doctor({
      headers: { date: new Date(NOW + 7 * 60_000).toUTCString() },
    });
    expect(checks.find(({ name }) => name === "clock")).toMatchObject({
      status: "warning",
      says: "this computer is 7 min behind the server",
    });
  });

  it("reports missing settings of a remote server", async () => {
    const { MAKEREADY_BASE_URL } = env;
    const { code, checks, asked } = await doctor({}, { env: { MAKEREADY_BASE_URL } });
    expect(code).toBe(2);
    expect(checks.filter(({ status }) => status === "failed").map(({ fix }) => fix)).toEqual([
      "set MAKEREADY_TOKEN",
      "set MAKEREADY_WORKSPACE",
    ]);
    expect(asked).toEqual([]);
  });

  it("without a server says that it is a rehearsal", async () => {
    const cwd = makeFolder();
    const { code, out } = await runInProcess(["doctor"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("a rehearsal");
    expect(out).toMatch(/all is well\n$/u);
  });

  const SHEET = "sheet: a4-24up-63.5x33.9";
  it.each([
    ["font", `${SHEET}, fonts: [missing.ttf]`, /missing\.ttf/u],
    ["background", `${SHEET}, background: missing.pdf`, /missing\.pdf/u],
    [
      "picture",
      `${SHEET}, label: { items: [{ code: true, at: [4, 4, 20, 20] }, { image: missing.png, at: [30, 4, 10, 10] }] }`,
      /missing\.png/u,
    ],
    ["sheet", "sheet: no-such-sheet", /no-such-sheet/u],
    ["spreadsheet", SHEET, /t\.csv/u],
  ])("refuses a job that names a missing %s, as its plan does", async (what, sheets, says) => {
    const cwd = makeFolder();
    await init(cwd, "codes");
    const file = path.join(cwd, "codes.yaml");
    const plain = readFileSync(file, "utf8");
    expect((await runInProcess(["doctor", "codes.yaml"], { cwd })).out).toContain("all is well");
    writeFileSync(file, plain.replace(/^ {2}sheets: .*$/mu, `  sheets: { ${sheets} }`));
    if (what === "spreadsheet") rmSync(path.join(cwd, "t.csv"));
    const planned = await runInProcess(["plan", "codes.yaml"], { cwd });
    expect(planned.code, planned.out).toBe(2);
    expect(planned.err).toMatch(says);
    const { code, out } = await runInProcess(["doctor", "codes.yaml"], { cwd });
    expect(code).toBe(2);
    expect(out).toMatch(/^ {2}FAILED/mu);
    expect(out).toMatch(says);
    expect(out).toContain("1 check failed");
  });

  it("says that jobs don't open a database, as a run does", async () => {
    const store = "postgres://db/x";
    const cwd = makeFolder();
    const { code, out } = await runInProcess(["doctor"], { cwd, env: { MAKEREADY_STORE: store } });
    expect(out).toMatch(/FAILED +server +MAKEREADY_STORE names a database, which jobs don't open/u);
    expect(out).toContain("→ give the service that serves it and a token");
    expect(code).toBe(2);
    const served = await doctor({}, { env: { ...env, MAKEREADY_STORE: store } });
    expect(served.code).toBe(0);
  });

  it("looks at a job's own folder, server and token file", async () => {
    const cwd = makeFolder();
    await runInProcess(["init"], { cwd });
    writeFileSync(path.join(cwd, "token"), "from-file\n");
    const transport = makeTransport({});
    const set = ["--set", "api.base_url=https://b.example/api/v2", "--set", "api.workspace=W2"];
    const { code } = await runInProcess(
      ["doctor", "shelf-labels.yaml", ...set, "--set", "api.token_file=token"],
      { cwd, transport },
    );
    expect(code).toBe(0);
    expect(transport.asked[0]).toContain("https://b.example/api/v2/workspace/W2/");
    expect(transport.asked[0]).toContain("Token from-file");
  });

  it.skipIf(process.getuid?.() === 0)("a folder that can't be written", async () => {
    const cwd = makeFolder();
    chmodSync(cwd, 0o500);
    const { code, out } = await runInProcess(["doctor"], { cwd });
    chmodSync(cwd, 0o700);
    expect(code).toBe(2);
    expect(out).toContain("FAILED   folder");
  });
});

describe("what is judged", () => {
  it.each([
    ["20.19.0", "ok"],
    ["24.1.0", "ok"],
    ["20.18.9", "failed"],
    ["18.20.0", "failed"],
  ])("Node %s: %s", (version, status) => expect(checkNode(version).status).toBe(status));

  const GB = 1024 ** 3;
  it.each([
    [0xef53, 10 * GB, ["ok", "ok"]],
    [0x6969, 10 * GB, ["warning", "ok"]],
    [0xff534d42, 1 * GB, ["warning", "warning"]],
    [0xef53, GB / 10, ["ok", "failed"]],
  ])("a disk of type %d with %d bytes free: %j", (type, free, statuses) => {
    const checks = judgeDisk({ type, bavail: free / 4096, bsize: 4096 });
    expect(checks.map(({ status }) => status)).toEqual(statuses);
  });
});
