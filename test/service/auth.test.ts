import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { steps } from "../../src/service/store/sqlite/migrations.ts";
import { makeService, type TestService } from "./make-service.ts";

let service: TestService | undefined;
afterEach(() => service?.close());

const LIMIT_HEADERS = [
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
] as const;

const limitsOf = (headers: Headers): (string | null)[] =>
  LIMIT_HEADERS.map((name) => headers.get(name));

describe("authentication (docs/spec/api.md section 5)", () => {
  it.each([
    ["Token", 401],
    ["Token ", 401],
    ["Bearer {token}", 401],
    ["{token}", 401],
    ["Token {token}x", 401],
    ["Token {token} {token}", 401],
    ["Basic dXNlcjpwYXNz", 401],
    ["token {token}", 200],
    ["Token   {token}", 200],
  ])("answers %j with %i", async (header, status) => {
    service = await makeService();
    const authorization = header.replaceAll("{token}", service.account.token);
    const answer = await service.send("GET", `/workspace/${service.workspace}/tags/`, undefined, {
      token: null,
      headers: { authorization },
    });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(service.account.token);
  });

  it("lets an account see its own workspace only", async () => {
    service = await makeService();
    const { other } = service;
    const path = `/workspace/${service.workspace}/qrcodes/`;
    const answer = await service.send("GET", path, undefined, { token: other.token });
    expect(answer.status).toBe(404);
  });
});

describe("limits (docs/spec/api.md section 8)", () => {
  it("allows 120 reads and 60 writes per token and minute, counted apart", async () => {
    service = await makeService({ limits: "hosted" });
    const { workspace, send, get } = service;
    const list = `/workspace/${workspace}/tags/`;
    const first = await get(list);
    expect(limitsOf(first.headers)).toEqual(["120", "119", "60", "120;w=60"]);
    for (let n = 0; n < 119; n += 1) await get(list);
    const write = () => send("POST", "/folder/create/", { workspace, name: "F" });
    for (let n = 0; n < 60; n += 1) expect((await write()).status).toBeLessThan(300);

    for (const [answer, limit] of [
      [await get(list), "120"],
      [await write(), "60"],
    ] as const) {
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({ detail: expect.any(String) as string });
      expect(limitsOf(answer.headers)).toEqual([limit, "0", "60", `${limit};w=60`]);
      expect(answer.headers.get("retry-after")).toBe("60");
    }
  });

  it("opens the next window at the full minute of the wall clock", async () => {
    service = await makeService({ limits: { reads: 1, writes: 1 } });
    const list = `/workspace/${service.workspace}/tags/`;
    await service.clock.advance(40_500);
    expect((await service.get(list)).headers.get("ratelimit-reset")).toBe("20");
    await service.clock.advance(19_400);
    const late = await service.get(list);
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "1"]);
    await service.clock.advance(100);
    const next = await service.get(list);
    expect([next.status, next.headers.get("ratelimit-reset")]).toEqual([200, "60"]);
  });

  it("counts every token for itself", async () => {
    service = await makeService({ limits: { reads: 1, writes: 1 } });
    const { other, get, send } = service;
    expect((await get(`/workspace/${service.workspace}/tags/`)).status).toBe(200);
    const theirs = `/workspace/${other.workspaceId}/tags/`;
    expect((await send("GET", theirs, undefined, { token: other.token })).status).toBe(200);
  });

  it("counts failed requests, and sends the quota with all of them", async () => {
    service = await makeService({ limits: { reads: 9, writes: 9 } });
    const { send, get, workspace } = service;
    const answers = [
      await send("POST", "/qrcode/create/", { workspace }),
      await send("POST", "/qrcode/create/", undefined, {
        raw: "x",
        headers: { "content-type": "text/plain" },
      }),
      await send("PUT", "/qrcode/create/"),
      await send("DELETE", "/qrcode/unknown/delete/"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 405, 404]);
    expect(answers.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual([
      "8",
      "7",
      "6",
      "5",
    ]);
    expect((await get("/no/such/path/")).headers.get("ratelimit-remaining")).toBe("8");
  });

  it("allows 20 requests without a good token per address and minute", async () => {
    service = await makeService({ limits: "hosted" });
    const { send, get, workspace } = service;
    const bad = (token: string | null) => send("GET", "/qrcode/x/", undefined, { token });
    for (let n = 0; n < 10; n += 1) {
      expect((await bad(null)).status).toBe(401);
      expect((await bad("guess")).status).toBe(401);
    }
    const refused = await bad("guess");
    expect(refused.status).toBe(429);
    expect(limitsOf(refused.headers)).toEqual(["20", "0", "60", "20;w=60"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    // A good token is not concerned.
    expect((await get(`/workspace/${workspace}/tags/`)).status).toBe(200);
  });

  it("distinguishes senders behind a trusted proxy by the addresses that the proxy saw", async () => {
    for (const trustProxy of [true, false]) {
      service = await makeService({ limits: "hosted", trustProxy });
      const statusOf = async (forwarded: string): Promise<number> => {
        const options = { token: null, headers: { "x-forwarded-for": forwarded } };
        return (await service!.send("GET", "/qrcode/x/", undefined, options)).status;
      };
      for (let n = 0; n < 20; n += 1) await statusOf(`9.9.9.${n}, 1.1.1.1`);
      expect(await statusOf("1.1.1.1")).toBe(429);
      expect(await statusOf("2.2.2.2")).toBe(trustProxy ? 401 : 429);
      await service.close();
    }
  });

  it("sends no limit headers and refuses nothing when limits are off", async () => {
    service = await makeService({ limits: "off" });
    const path = `/workspace/${service.workspace}/tags/`;
    for (let n = 0; n < 130; n += 1) expect((await service.get(path)).status).toBe(200);
    expect(limitsOf((await service.get(path)).headers)).toEqual([null, null, null, null]);
  });
});

describe("tokens of a store that knew no names", () => {
  it("go on working, with full access", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "makeready-old-tokens-"));
    const sqlite = openSqlite(path.join(folder, "service.db"));
    const version = steps.findIndex((one) => one.includes("ADD COLUMN read_only"));
    for (const one of steps.slice(0, version)) sqlite.exec(one);
    sqlite.exec(`
      PRAGMA application_id=1836217206; PRAGMA user_version=${version};
      INSERT INTO accounts VALUES ('a', 'default', 1);
      INSERT INTO tokens (id, account_id, hash, created) VALUES ('t', 'a', '${sha256("old-token")}', 1);
      INSERT INTO workspaces (id, account_id, name, created) VALUES ('w', 'a', 'default', 1)`);
    sqlite.close();
    service = await makeService({ dataDir: folder });
    const options = { token: "old-token" };
    const made = await service.send(
      "POST",
      "/folder/create/",
      { workspace: "w", name: "Shelves" },
      options,
    );
    expect(made.status).toBe(201);
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
