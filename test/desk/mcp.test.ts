import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ownPackage } from "../../src/base/files/package-files.ts";
import type { Desk } from "../../src/desk/desk.ts";
import type { Wire } from "../service/make-service.ts";
import { ask as askDesk, openTestDesk } from "./open-desk.ts";

const folder = mkdtempSync(path.join(tmpdir(), "desk-mcp-"));
const list = path.join(folder, "shelves.csv");
let desk: Desk;
let client: Client;

const openFolder = (hasToken: boolean): Promise<Desk> =>
  openTestDesk(folder, { env: process.env, hasToken });

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly text: string }[];
}

/** The client holds each answer against the tool's output schema. */
const use = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> =>
  (await client.callTool({ name, arguments: args })) as unknown as Answer;

async function ask(name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, isError, content } = await use(name, args);
  expect([isError, content[0]?.text]).toEqual([undefined, JSON.stringify(structuredContent)]);
  return structuredContent as Wire;
}

async function refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { isError, content } = await use(name, args);
  expect(isError).toBe(true);
  return content[0]?.text ?? "";
}

const send = (
  headers: Record<string, string>,
  { method = "POST", body = LISTING } = {},
): ReturnType<typeof askDesk> =>
  askDesk(desk, "/mcp", {
    method,
    headers: { "content-type": "application/json", ...headers },
    body,
  });

const LISTING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${desk.mcp?.token}` });

beforeAll(async () => {
  writeFileSync(list, "shelf,url\nA-01,https://example.com/a\nA-02,https://example.com/b\n");
  writeFileSync(
    path.join(folder, "shelves.yaml"),
    'version: 1\nname: shelves\nkind: codes\nsource: { file: shelves.csv, key: [shelf] }\nsafety: { confirm_over: 2 }\ncode: { dynamic: false, qr_data: "{{ url }}" }\noutput: { dir: out }\n',
  );
  writeFileSync(path.join(folder, "broken.yaml"), "version: 1\nkind: codes\nname: broken\n");
  desk = await openFolder(true);
  client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(desk.mcp?.url ?? ""), {
    requestInit: { headers: bearer() },
  });
  await client.connect(transport);
});

afterAll(async () => {
  await client.close();
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("assistants of a desk", () => {
  test("see five tools, each with the shape of its answers, in few words", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_jobs",
      "plan_job",
      "run_job",
      "job_status",
      "find_sheets",
    ]);
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
    expect(JSON.stringify(tools).length).toBeLessThan(10_000);
    expect(client.getInstructions()).toContain("plan_job first");
    expect(client.getServerVersion()?.version).toBe(ownPackage.version);
  });

  test("see the jobs of the folder, broken ones with their fault", async () => {
    const { jobs, count, next } = await ask("list_jobs");
    expect([count, next]).toEqual([2, null]);
    expect(jobs).toEqual([
      expect.objectContaining({ job: "broken.yaml", state: "broken" }),
      expect.objectContaining({ job: "shelves.yaml", kind: "codes", state: "never run" }),
    ]);
    expect((await ask("list_jobs", { page: 2 })).jobs).toEqual([]);
  });

  test("find label sheets, ten at a time", async () => {
    const { sheets } = await ask("find_sheets", { words: "avery 5160" });
    expect(sheets[0]).toMatchObject({ labels: 30, page: "Letter" });
    const all = await ask("find_sheets");
    expect(all.sheets).toHaveLength(10);
    expect(all.next).toBe(2);
  });

  test("plan, run what the plan says, and see what came of it", async () => {
    const before = await ask("job_status", { job: "shelves.yaml" });
    expect(before).toMatchObject({ state: "nothing begun", plan: null, result: null });
    const planned = await ask("plan_job", { job: "shelves.yaml", wait_seconds: 50 });
    expect(planned.state).toBe("plan is over");
    const { plan } = planned;
    expect(plan).toMatchObject({ can_run: true, rows: 2, creates: 2, needs_confirmation: false });
    const args = { job: "shelves.yaml", plan: plan.id, wait_seconds: 50 };
    const run = await ask("run_job", args);
    expect(run.state).toBe("run is over");
    expect(run.result).toMatchObject({ outcome: "run: done", rows: 2, created: 2, failed: 0 });
    expect(run.result.files).toContain("out/report.html");
    expect(JSON.stringify(run)).not.toContain("<svg");
    expect(JSON.stringify(run).length).toBeLessThan(4000);
    // A plan is carried out once.
    expect(run.plan.can_run).toBe(false);
    expect(await refusal("run_job", args)).toContain("A run has begun since this plan");
    expect(await ask("job_status", { job: "shelves.yaml" })).toMatchObject({ result: run.result });
  });

  test("never do more than the plan said", async () => {
    const old = (await ask("plan_job", { job: "shelves.yaml", wait_seconds: 50 })).plan.id;
    writeFileSync(list, `${readFileSync(list, "utf8")}A-03,https://example.com/c\n`);
    const grown = { job: "shelves.yaml", plan: old };
    expect(await refusal("run_job", grown)).toContain("has changed since this plan");
    const status = await ask("job_status", { job: "shelves.yaml" });
    expect(status.plan).toMatchObject({ can_run: false, creates: 0 });
    await ask("plan_job", { job: "shelves.yaml", wait_seconds: 50 });
    expect(await refusal("run_job", grown)).toContain("must be the id of the newest plan");
  });

  test("need a person's yes where the job asks for one", async () => {
    let rows = "shelf,url\n";
    for (let n = 0; n < 6; n += 1) rows += `B-${n},https://example.com/${n}\n`;
    writeFileSync(list, rows);
    const { plan } = await ask("plan_job", { job: "shelves.yaml", wait_seconds: 50 });
    expect(plan.needs_confirmation).toBe(true);
    const args = { job: "shelves.yaml", plan: plan.id, wait_seconds: 50 };
    expect(await refusal("run_job", args)).toContain("send confirmed: true");
    const run = await ask("run_job", { ...args, confirmed: true });
    expect(run.result).toMatchObject({ created: 6 });
  });

  test.each([
    ["job_status", { job: "../other.yaml" }, "must lie in the desk's folder"],
    ["plan_job", { job: "broken.yaml" }, "source"],
    ["run_job", { job: "shelves.yaml" }, "plan must be a text"],
    ["run_job", { job: "shelves.yaml", plan: "../../x" }, "the newest plan"],
    ["list_jobs", { page: 0 }, "page must be a whole number"],
    ["list_jobs", { size: 3 }, "arguments must be of page"],
    ["job_status", { job: "shelves.yaml", wait_seconds: 51 }, "from 0 to 50"],
  ])("%s %o is refused in words", async (name, args, says) => {
    expect(await refusal(name, args)).toContain(says);
  });
});

describe("/mcp of a desk lets in", () => {
  test("senders with its token, without an origin or with its own", async () => {
    expect((await send(bearer())).status).toBe(200);
    expect((await send({ ...bearer(), origin: desk.origin })).status).toBe(200);
  });

  test("senders with its session", async () => {
    const opened = await fetch(desk.link);
    await opened.text();
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await send({ cookie, origin: desk.origin })).status).toBe(200);
    expect((await send({ cookie })).status).toBe(403);
  });

  test("no stranger", async () => {
    const { origin } = desk;
    for (const sender of [{ origin }, {}]) {
      const bare = await send(sender);
      expect([bare.status, bare.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
      expect(JSON.parse(bare.text).detail).toContain("makeready desk --mcp");
      const old = await send({ ...sender, authorization: "Bearer abc" });
      expect(old.status).toBe(401);
      expect(old.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
      expect(JSON.parse(old.text).detail).toContain("prints a new one at each start");
    }
  });

  test("no page from elsewhere, and no name that was bound to this computer", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { origin: "null" }]) {
      expect((await send({ ...bearer(), ...headers })).status).toBe(403);
    }
    const { port } = new URL(desk.origin);
    expect((await send({ ...bearer(), host: `evil.example:${port}` })).status).toBe(403);
  });

  test("messages alone, and short ones", async () => {
    expect((await send(bearer(), { method: "GET", body: "" })).status).toBe(405);
    expect((await send(bearer(), { body: "[]" })).status).toBe(400);
    expect((await send(bearer(), { body: `"${"a".repeat(70_000)}"` })).status).toBe(413);
  });

  test("by a token that opens no page, and only where one was asked for", async () => {
    const page = await fetch(desk.origin, { headers: bearer() });
    expect(page.status).toBe(403);
    const plain = await openFolder(false);
    expect(plain.mcp).toBeUndefined();
    await plain.close();
  });
});
