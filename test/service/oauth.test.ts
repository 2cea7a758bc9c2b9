import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { randomIds } from "../../src/base/ids/ids.ts";
import { AccountBook } from "../../src/service/auth/account-book.ts";
import { Callers } from "../../src/service/auth/callers.ts";
import type { Store } from "../../src/service/store/store.ts";
import { makeService, openBeside, type TestService, type Wire } from "./make-service.ts";

const BASE = "http://service.test";
const BACK = "https://assistant.example/back";
const VERIFIER = "a-verifier-of-43-characters-at-least.and~more";
const toChallenge = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

let folder: string;
let service: TestService;
/** A second look at the same data, as another process has it. */
let store: Store;
let client: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "oauth-"));
  service = await makeService({ dataDir: folder, ids: randomIds });
  store = await openBeside(folder);
  client = (await register({})).body.client_id;
});
afterAll(async () => {
  await service.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Wire;
}

async function ask(request: Request, from: TestService = service): Promise<Got> {
  const { status, headers, ...answer } = await from.fetch(request).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }));
  const isJson = headers.get("content-type") === "application/json";
  return { status, headers, text: answer.text, body: isJson ? JSON.parse(answer.text) : undefined };
}

const get = (url: string): Promise<Got> => ask(new Request(new URL(url, BASE)));

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

function toSearch(fields: Fields): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of value === undefined ? [] : [value].flat()) search.append(name, one);
  }
  return search;
}

const post = (
  url: string,
  fields: Fields,
  { headers = {}, from = service }: { headers?: Record<string, string>; from?: TestService } = {},
): Promise<Got> =>
  ask(new Request(new URL(url, BASE), { method: "POST", body: toSearch(fields), headers }), from);

const register = (fields: object, from: TestService = service): Promise<Got> =>
  ask(
    new Request(`${BASE}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [BACK], client_name: "An assistant", ...fields }),
    }),
    from,
  );

const toAuthorizeUrl = (fields: Fields = {}): string =>
  `${BASE}/oauth/authorize?${toSearch({
    response_type: "code",
    client_id: client,
    redirect_uri: BACK,
    code_challenge: toChallenge(VERIFIER),
    code_challenge_method: "S256",
    state: "s&1 ö",
    ...fields,
  }).toString()}`;

const readTicket = ({ text }: Got): string =>
  /name="ticket" value="([^"]+)"/u.exec(text)?.[1] ?? "";

/** Opens the page and decides on it. */
async function decide(
  answers: Fields = {},
  { fields = {}, headers = {} }: { fields?: Fields; headers?: Record<string, string> } = {},
): Promise<Got> {
  const url = toAuthorizeUrl(fields);
  const ticket = readTicket(await get(url));
  const { token } = service.account;
  return post(url, { ticket, api_token: token, decision: "approve", ...answers }, { headers });
}

const readBack = ({ headers }: Got): Record<string, string> =>
  Object.fromEntries(new URL(headers.get("location") ?? "about:blank").searchParams);

const getCode = async (fields: Fields = {}, token = service.account.token): Promise<string> =>
  readBack(await decide({ api_token: token }, { fields }))["code"] ?? "";

const exchange = (code: string, fields: Fields = {}): Promise<Got> =>
  post("/oauth/token", {
    grant_type: "authorization_code",
    client_id: client,
    redirect_uri: BACK,
    code_verifier: VERIFIER,
    code,
    ...fields,
  });

const refresh = (token: string, fields: Fields = {}): Promise<Got> =>
  post("/oauth/token", {
    grant_type: "refresh_token",
    client_id: client,
    refresh_token: token,
    ...fields,
  });

const signIn = async (token?: string): Promise<Wire> =>
  (await exchange(await getCode({}, token))).body;

const whose = async (access: string): Promise<string | undefined> => {
  const caller = await new Callers({ store, clock: service.clock }).ofAccessToken(access);
  if (caller === undefined) return undefined;
  const row = store.db.selectFrom("accounts").select("name").where("id", "=", caller.accountId);
  return (await row.executeTakeFirstOrThrow()).name;
};

const refused = (error: string, status = 400): object => ({ status, body: { error } });

describe("what assistants read first (docs/spec/api.md section 5.6)", () => {
  it("says which server signs people in to the endpoint (RFC 9728)", async () => {
    const paths = ["", "/mcp"].map((end) => `/.well-known/oauth-protected-resource${end}`);
    for (const one of paths) {
      const { status, headers, body } = await get(one);
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(body).toMatchObject({
        resource: `${BASE}/mcp`,
        authorization_servers: [BASE],
        bearer_methods_supported: ["header"],
        scopes_supported: ["mcp"],
      });
    }
  });

  it("says where and how (RFC 8414)", async () => {
    const { body, headers } = await get("/.well-known/oauth-authorization-server");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({
      issuer: BASE,
      authorization_endpoint: `${BASE}/oauth/authorize`,
      token_endpoint: `${BASE}/oauth/token`,
      registration_endpoint: `${BASE}/oauth/register`,
      revocation_endpoint: `${BASE}/oauth/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it("is found behind a public address with a path (RFC 8414 and 9728, section 3.1)", async () => {
    const behind = await makeService({ publicUrl: "https://go.example/qr/" });
    const { url } = await behind.listen({ host: "127.0.0.1", port: 0 });
    const read = async (name: string): Promise<Got> =>
      ask(new Request(`${url}/.well-known/${name}`), behind);
    const issuer = "https://go.example/qr";
    for (const end of ["", "/qr"]) {
      const { body } = await read(`oauth-authorization-server${end}`);
      expect(body).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
      const resource = await read(`oauth-protected-resource${end}/mcp`);
      expect(resource.body).toMatchObject({
        resource: `${issuer}/mcp`,
        authorization_servers: [issuer],
      });
    }
    expect((await read("oauth-protected-resource/other")).status).toBe(404);
    await behind.close();
  });

  it.each(["/oauth/register", "/oauth/token", "/oauth/revoke"])(
    "lets pages of every origin send to %s, and nothing else",
    async (url) => {
      const before = await ask(new Request(`${BASE}${url}`, { method: "OPTIONS" }));
      expect(before.status).toBe(204);
      expect(before.headers.get("access-control-allow-origin")).toBe("*");
      expect(before.headers.get("access-control-allow-methods")).toContain("POST");
      const wrong = await get(url);
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    },
  );
});

describe("registration (RFC 7591)", () => {
  it("makes a public client, whatever way to sign in was asked for", async () => {
    const { status, headers, body } = await register({
      token_endpoint_auth_method: "client_secret_post",
    });
    expect([status, headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\w-]{36}$/u) as string,
      client_id_issued_at: service.clock.nowMs() / 1000,
      client_name: "An assistant",
      redirect_uris: [BACK],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "mcp",
    });
  });

  it.each([
    "https://assistant.example/back?x=1",
    "http://localhost:3334/back",
    "http://127.0.0.1/back",
    "http://[::1]:1/",
    "com.example.app:/back",
    "editor://sign-in/back",
  ])("takes %s (RFC 8252 section 7)", async (uri) => {
    expect(await register({ redirect_uris: [uri] })).toMatchObject({ status: 201 });
  });

  it.each([
    "http://assistant.example/back",
    "http://localhost.example/back",
    "http://localhost:80@assistant.example/",
    "https://user:secret@assistant.example/",
    "https://assistant.example/back#part",
    "https:assistant.example",
    "https://assistant.example/a\r\nset-cookie: b",
    "https://assistant.example/ä",
    "javascript:alert(1)",
    "javascript://x/%0aalert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "ms-settings://x",
    "/back",
    "",
    7,
  ])("refuses %j as an address to lead back to", async (uri) => {
    expect(await register({ redirect_uris: [BACK, uri] })).toMatchObject(
      refused("invalid_redirect_uri"),
    );
  });

  it.each([
    ["no address", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["no list", { redirect_uris: BACK }, "invalid_redirect_uri"],
    ["too many", { redirect_uris: Array.from({ length: 21 }, () => BACK) }, "invalid_redirect_uri"],
    ["a long name", { client_name: "x".repeat(201) }, "invalid_client_metadata"],
    ["a name that turns around", { client_name: "\u202Etnatsissa" }, "invalid_client_metadata"],
    ["another grant", { grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    ["another answer", { response_types: ["token"] }, "invalid_client_metadata"],
    [
      "addresses that are long together",
      { redirect_uris: [1, 2, 3].map((n) => `${BACK}/${n}${"x".repeat(1900)}`) },
      "invalid_redirect_uri",
    ],
    ["16 kB", { software_id: "x".repeat(16_384) }, "invalid_request"],
  ])("refuses %s", async (_, fields, error) => {
    expect(await register(fields)).toMatchObject(refused(error));
  });

  it("keeps 2,000: the oldest go, but none that somebody approved", async () => {
    const crowded = await makeService({ dataDir: path.join(folder, "crowded") });
    const second = await openBeside(path.join(folder, "crowded"));
    const approved = (await register({}, crowded)).body.client_id;
    const url = toAuthorizeUrl({ client_id: approved });
    const ticket = readTicket(await ask(new Request(url), crowded));
    const form = { ticket, api_token: crowded.account.token, decision: "approve" };
    expect((await post(url, form, { from: crowded })).status).toBe(303);
    const now = crowded.clock.nowMs();
    await second.write((_tx, rows) =>
      rows.run(`INSERT INTO oauth_clients WITH RECURSIVE n(i) AS
        (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1998)
        SELECT 'c' || i, '', '[]', ${now} + i, CASE WHEN i = 0 THEN 1 ELSE 0 END FROM n`),
    );
    const { client_id: newest } = (await register({}, crowded)).body;
    const left = await second.db.selectFrom("oauth_clients").select("id").execute();
    const ids = new Set(left.map(({ id }) => id));
    expect([ids.size, ids.has(approved), ids.has(newest)]).toEqual([2000, true, true]);
    // The oldest of all was allowed something once.
    expect([ids.has("c0"), ids.has("c1"), ids.has("c2")]).toEqual([true, false, true]);
    await second.close();
    await crowded.close();
  });

  it("forgets clients that were never approved after a week", async () => {
    const other = await makeService({ dataDir: path.join(folder, "week"), ids: randomIds });
    const second = await openBeside(path.join(folder, "week"));
    const { client_id: former } = (await register({}, other)).body;
    const has = async (): Promise<boolean> => {
      await register({}, other);
      const row = second.db.selectFrom("oauth_clients").select("id").where("id", "=", former);
      return (await row.executeTakeFirst()) !== undefined;
    };
    await other.clock.advance(7 * 24 * 3_600_000);
    expect(await has()).toBe(true);
    await other.clock.advance(1);
    expect(await has()).toBe(false);
    await second.close();
    await other.close();
  });

  it("takes 20 a minute of one address", async () => {
    const limited = await makeService({ limits: "hosted" });
    for (let n = 0; n < 20; n += 1) expect((await register({}, limited)).status).toBe(201);
    const more = await register({}, limited);
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "60"]);
    await limited.clock.advance(60_000);
    expect((await register({}, limited)).status).toBe(201);
    await limited.close();
  });
});

describe("the approval page (OAuth 2.1 section 4.1)", () => {
  it("names the assistant and where it leads, runs and loads nothing, stands in no frame", async () => {
    const { status, headers, text } = await get(toAuthorizeUrl());
    expect(status).toBe(200);
    expect(text).toContain("An assistant");
    expect(text).toContain("assistant.example");
    expect(text).toMatch(/<input[^>]* type="password"[^>]* autocomplete="off"/u);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https:;");
    expect(policy).not.toContain("script-src");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toMatch(/<script|src=|url\(/u);
  });

  it("escapes what the assistant calls itself", async () => {
    const name = `</h1><script>alert("1")</script>'&`;
    const { body } = await register({ client_name: name });
    const { text } = await get(toAuthorizeUrl({ client_id: body.client_id }));
    expect(text).toContain(
      "&lt;/h1&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;",
    );
    expect(text).not.toContain("<script");
  });

  it.each([
    ["an unknown client", { client_id: "nobody" }],
    ["no client", { client_id: undefined }],
    ["two clients", { client_id: ["nobody", "nobody"] }],
    ["another address", { redirect_uri: "https://elsewhere.example/back" }],
    ["an address that begins alike", { redirect_uri: `${BACK}.elsewhere.example` }],
    ["an address with more behind it", { redirect_uri: `${BACK}?next=https://elsewhere.example` }],
    ["another port", { redirect_uri: "https://assistant.example:444/back" }],
    ["two addresses", { redirect_uri: [BACK, "https://elsewhere.example/"] }],
    ["a script", { redirect_uri: "javascript:alert(1)" }],
  ])("leads nowhere for %s: a page says so (no open redirect)", async (_, fields) => {
    for (const got of [await get(toAuthorizeUrl(fields)), await post(toAuthorizeUrl(fields), {})]) {
      expect([got.status, got.headers.get("location")]).toEqual([400, null]);
      expect(got.headers.get("content-type")).toContain("text/html");
      expect(got.text).not.toContain("elsewhere");
    }
  });

  it.each<[string, Fields, string]>([
    ["another answer", { response_type: "token" }, "unsupported_response_type"],
    ["no kind of answer", { response_type: undefined }, "invalid_request"],
    ["no challenge (PKCE)", { code_challenge: undefined }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["a challenge of no method", { code_challenge_method: undefined }, "invalid_request"],
    ["a short challenge", { code_challenge: "abc" }, "invalid_request"],
    ["two challenges", { code_challenge: ["a", "b"] }, "invalid_request"],
    [
      "another resource (RFC 8707)",
      { resource: "https://elsewhere.example/mcp" },
      "invalid_target",
    ],
    ["a second resource", { resource: [`${BASE}/mcp`, `${BASE}/api`] }, "invalid_target"],
    ["a scope of odd characters", { scope: 'a"b' }, "invalid_scope"],
    ["another way back", { response_mode: "fragment" }, "invalid_request"],
  ])("tells the assistant of %s, with state and issuer", async (_, fields, error) => {
    // A stranger may have registered the address: it is only a link, never a redirect (RFC 9700
    // section 4.11.2).
    for (const got of [await get(toAuthorizeUrl(fields)), await post(toAuthorizeUrl(fields), {})]) {
      expect([got.status, got.headers.get("location")]).toEqual([400, null]);
      expect(got.text).toContain("Go back to assistant.example</a>");
      const [, href = ""] = /<a href="([^"]*)"/u.exec(got.text) ?? [];
      const back = new URL(href.replaceAll("&amp;", "&"));
      expect(back.href.split("?")[0]).toBe(BACK);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error,
        state: "s&1 ö",
        iss: BASE,
      });
    }
    const here = "http://localhost:50123/back";
    const { client_id: id } = (await register({ redirect_uris: [here] })).body;
    const led = await get(toAuthorizeUrl({ client_id: id, redirect_uri: here, ...fields }));
    expect([led.status, led.headers.get("location")?.split("?")[0]]).toEqual([302, here]);
    expect(readBack(led)).toMatchObject({ error, state: "s&1 ö", iss: BASE });
  });

  it.each([`${BASE}/mcp`, `${BASE}/mcp/`, "https://go.example/mcp", "HTTP://SERVICE.TEST/mcp"])(
    "takes %s as the resource",
    async (resource) => {
      expect((await get(toAuthorizeUrl({ resource }))).status).toBe(200);
    },
  );

  it("leads to any port of this computer, to no other path (RFC 8252 section 7.3)", async () => {
    const uris = ["http://localhost/back", "http://127.0.0.1:1/back"];
    const { client_id: id } = (await register({ redirect_uris: uris })).body;
    const open = async (uri: string): Promise<number> =>
      (await get(toAuthorizeUrl({ client_id: id, redirect_uri: uri }))).status;
    expect(await open("http://localhost:50123/back")).toBe(200);
    expect(await open("http://127.0.0.1:50123/back")).toBe(200);
    expect(await open("http://localhost:50123/other")).toBe(400);
    expect(await open("http://[::1]:1/back")).toBe(400);
    expect(await open("http://localhost:99999/back")).toBe(400);
    expect(await open("http://localhost:80@elsewhere.example/back")).toBe(400);
  });

  it("leads back with a denial, and without a token", async () => {
    const got = await decide({ decision: "deny", api_token: "" });
    expect(got.status).toBe(303);
    expect(readBack(got)).toMatchObject({ error: "access_denied", state: "s&1 ö", iss: BASE });
  });

  it.each(["", "wrong", "two words", " "])("shows itself again for the token %j", async (token) => {
    const got = await decide({ api_token: token });
    expect([got.status, got.headers.get("location")]).toEqual([403, null]);
    expect(got.text).toContain('role="alert">No account has this token');
    expect(readTicket(got)).not.toBe("");
  });

  it("takes no decision without its ticket, one of another request, an old one (CSRF)", async () => {
    const other = readTicket(await get(toAuthorizeUrl({ state: "other" })));
    for (const ticket of ["", "x", other]) {
      expect(await decide({ ticket })).toMatchObject({ status: 400 });
    }
    const url = toAuthorizeUrl();
    const ticket = readTicket(await get(url));
    await service.clock.advance(10 * 60_000 + 1);
    const late = await post(url, { ticket, api_token: service.account.token, decision: "approve" });
    expect([late.status, late.headers.get("location")]).toEqual([400, null]);
    expect(late.text).toContain("open for too long");
  });

  it.each([{ "sec-fetch-site": "cross-site" }, { origin: "https://elsewhere.example" }])(
    "takes no decision from a page of another site (CSRF): %j",
    async (headers) => {
      const got = await decide({}, { headers });
      expect([got.status, got.headers.get("location")]).toEqual([403, null]);
    },
  );

  it("lets one address try 20 tokens a minute", async () => {
    const limited = await makeService({ limits: "hosted" });
    const { client_id: id } = (await register({}, limited)).body;
    const url = toAuthorizeUrl({ client_id: id });
    const ticket = readTicket(await ask(new Request(url), limited));
    const attempt = (token: string): Promise<Got> =>
      post(url, { ticket, api_token: token, decision: "approve" }, { from: limited });
    for (let n = 0; n < 20; n += 1) expect((await attempt("wrong")).status).toBe(403);
    const more = await attempt(limited.account.token);
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "60"]);
    await limited.clock.advance(60_000);
    expect((await attempt(limited.account.token)).status).toBe(303);
    await limited.close();
  });
});

describe("codes and tokens (OAuth 2.1 section 3.2)", () => {
  it("signs an assistant in: register, approve, exchange, use, refresh, revoke", async () => {
    const back = await decide({}, { fields: { resource: `${BASE}/mcp`, scope: "mcp other" } });
    expect(back.status).toBe(303);
    expect(back.headers.get("location")).toMatch(/^https:\/\/assistant\.example\/back\?code=/u);
    expect(back.headers.get("referrer-policy")).toBe("no-referrer");
    const { code = "", ...rest } = readBack(back);
    expect(rest).toEqual({ state: "s&1 ö", iss: BASE });

    const { status, headers, body } = await exchange(code, { resource: `${BASE}/mcp` });
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toEqual({
      access_token: expect.stringMatching(/^mra_/u) as string,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^mrr_/u) as string,
      scope: "mcp",
    });
    expect(await whose(body.access_token)).toBe("default");

    const next = (await refresh(body.refresh_token)).body;
    expect(await whose(next.access_token)).toBe("default");
    expect(await whose(body.access_token)).toBeUndefined();

    const gone = await post("/oauth/revoke", { token: next.refresh_token, client_id: client });
    expect(gone.status).toBe(200);
    expect(await whose(next.access_token)).toBeUndefined();
    expect(await refresh(next.refresh_token)).toMatchObject(refused("invalid_grant"));
  });

  it("gives each account what is its own (tenants)", async () => {
    const [mine, theirs] = [await signIn(), await signIn(service.other.token)];
    expect(await whose(mine.access_token)).toBe("default");
    expect(await whose(theirs.access_token)).toBe("other");
    expect(mine.access_token).not.toBe(theirs.access_token);
  });

  it("allows no more than the API token that approved it: not to change, not beyond its end", async () => {
    const { clock } = service;
    const book = new AccountBook({ store, clock, ids: randomIds, folder });
    const expiresMs = clock.nowMs() + 30 * 60_000;
    const { token } = await book.createToken("default", {
      name: "assistant",
      access: "read-only",
      expiresMs,
    });
    const asked = await ask(
      new Request(`${BASE}/api/v2/qrcode/create/`, {
        method: "OPTIONS",
        headers: { authorization: `Token ${token}` },
      }),
    );
    expect([asked.status, asked.headers.get("allow")]).toEqual([204, "OPTIONS"]);
    const tokens = await signIn(token);
    const call = (name: string, args: object): Promise<Got> =>
      ask(
        new Request(`${BASE}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${tokens.access_token}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name, arguments: args },
          }),
        }),
      );
    const read = await call("list_folders", { page: 1 });
    expect(read.body.result.isError).toBeUndefined();
    const written = await call("create_folder", { name: "Shelves" });
    expect(written.body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Refused with status 403\./u) as string }],
    });
    await clock.advance(30 * 60_000);
    expect((await call("list_folders", {})).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
  });

  it("gives no way into the API itself: an access token is for the assistant endpoint", async () => {
    const { access_token: token } = await signIn();
    const answer = await service.send("GET", `/workspace/${service.workspace}/tags/`, undefined, {
      token,
    });
    expect(answer.status).toBe(401);
  });

  it.each<[string, Fields, string, number]>([
    ["no grant type", { grant_type: undefined }, "invalid_request", 400],
    ["another grant type", { grant_type: "password" }, "unsupported_grant_type", 400],
    ["no client", { client_id: undefined }, "invalid_request", 400],
    ["an unknown client", { client_id: "nobody" }, "invalid_client", 401],
    ["no code", { code: undefined }, "invalid_request", 400],
    ["two codes", { code: ["a", "b"] }, "invalid_request", 400],
    ["an unknown code", { code: "mrc_x" }, "invalid_grant", 400],
    ["no verifier", { code_verifier: undefined }, "invalid_request", 400],
    ["another verifier", { code_verifier: "x".repeat(43) }, "invalid_grant", 400],
    ["another address", { redirect_uri: "https://elsewhere.example/" }, "invalid_grant", 400],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target", 400],
  ])("refuses %s (RFC 6749 section 5.2)", async (_, fields, error, status) => {
    const got = await exchange("code" in fields ? "" : await getCode(), fields);
    expect(got).toMatchObject({ ...refused(error, status) });
    expect(got.headers.get("cache-control")).toBe("no-store");
  });

  it("refuses JSON, secrets in the header, and bodies without end", async () => {
    const json = new Request(`${BASE}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await ask(json)).toMatchObject(refused("invalid_request"));
    const secret = await post(
      "/oauth/token",
      { grant_type: "refresh_token", refresh_token: "x" },
      { headers: { authorization: "Basic eDp5" } },
    );
    expect(secret).toMatchObject(refused("invalid_client", 401));
    expect(secret.headers.get("www-authenticate")).toBe("Basic");
    expect(await refresh("x".repeat(20_000))).toMatchObject(refused("invalid_request"));
  });

  it("takes a code once; its second use ends what the first one got (OAuth 2.1 section 4.1.3)", async () => {
    const code = await getCode();
    const { body } = await exchange(code);
    expect(await whose(body.access_token)).toBe("default");
    expect(await exchange(code)).toMatchObject(refused("invalid_grant"));
    expect(await whose(body.access_token)).toBeUndefined();
    expect(await refresh(body.refresh_token)).toMatchObject(refused("invalid_grant"));
  });

  it("gives a code that is used twice at the same moment to one, and then to nobody", async () => {
    const code = await getCode();
    const both = await Promise.all([exchange(code), exchange(code)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const { body } = both.find(({ status }) => status === 200) ?? {};
    expect(await whose(body.access_token)).toBeUndefined();
  });

  it("ends a code that somebody else tries: wrong verifier, other client", async () => {
    const { client_id: id } = (await register({})).body;
    for (const fields of [{ code_verifier: "x".repeat(43) }, { client_id: id as string }]) {
      const code = await getCode();
      expect(await exchange(code, fields)).toMatchObject(refused("invalid_grant"));
      expect(await exchange(code)).toMatchObject(refused("invalid_grant"));
    }
  });

  it("lets a code live for 60 s, an access token 1 h, a refresh token 30 days", async () => {
    const { clock } = service;
    const [soon, late] = [await getCode(), await getCode()];
    await clock.advance(59_999);
    const { body } = await exchange(soon);
    expect(body.expires_in).toBe(3600);
    await clock.advance(1);
    expect(await exchange(late)).toMatchObject(refused("invalid_grant"));

    await clock.advance(3_600_000 - 2);
    expect(await whose(body.access_token)).toBe("default");
    await clock.advance(1);
    expect(await whose(body.access_token)).toBeUndefined();
    const next = (await refresh(body.refresh_token)).body;
    expect(await whose(next.access_token)).toBe("default");
    await clock.advance(30 * 24 * 3_600_000);
    expect(await refresh(next.refresh_token)).toMatchObject(refused("invalid_grant"));
  });

  it("ends the grant when an old refresh token comes back (OAuth 2.1 section 4.3.1)", async () => {
    const first = await signIn();
    const second = (await refresh(first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const beside = await signIn();
    expect(await refresh(first.refresh_token)).toMatchObject(refused("invalid_grant"));
    expect(await whose(second.access_token)).toBeUndefined();
    expect(await refresh(second.refresh_token)).toMatchObject(refused("invalid_grant"));
    expect(await whose(beside.access_token)).toBe("default");
  });

  it("gives a refresh token to its own client only", async () => {
    const { refresh_token: token } = await signIn();
    const { client_id: id } = (await register({})).body;
    expect(await refresh(token, { client_id: id })).toMatchObject(refused("invalid_grant"));
  });

  it("answers 200 to whatever is revoked, and revokes for its own client only (RFC 7009)", async () => {
    const { access_token: token } = await signIn();
    const { client_id: id } = (await register({})).body;
    for (const fields of [{ token: "unknown" }, {}, { token, client_id: id as string }]) {
      expect((await post("/oauth/revoke", fields)).status).toBe(200);
    }
    expect(await whose(token)).toBe("default");
    await post("/oauth/revoke", { token, client_id: client, token_type_hint: "access_token" });
    expect(await whose(token)).toBeUndefined();
  });

  it("takes 20 revocations a minute of one address", async () => {
    const limited = await makeService({ limits: "hosted" });
    const revoke = () => post("/oauth/revoke", { token: "guess" }, { from: limited });
    for (let n = 0; n < 20; n += 1) expect((await revoke()).status).toBe(200);
    const more = await revoke();
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "60"]);
    await limited.clock.advance(60_000);
    expect((await revoke()).status).toBe(200);
    await limited.close();
  });

  it("takes 60 exchanges a minute of one address, 120 of one client, good ones as well as guesses", async () => {
    const limited = await makeService({ limits: "hosted", trustProxy: true });
    const { client_id: id } = (await register({}, limited)).body;
    const guess = (ip: string, client = id): Promise<Got> =>
      post(
        "/oauth/token",
        { grant_type: "refresh_token", refresh_token: "guess", client_id: client },
        { headers: { "x-forwarded-for": ip }, from: limited },
      );
    const spend = async (ip: string): Promise<void> => {
      for (let n = 0; n < 60; n += 1) expect((await guess(ip)).status).toBe(400);
    };
    await spend("81.2.3.1");
    const more = await guess("81.2.3.1");
    expect([more.status, more.headers.get("retry-after"), more.body.error]).toEqual([
      429,
      "60",
      "temporarily_unavailable",
    ]);
    await spend("81.2.3.2");
    expect((await guess("81.2.3.4")).status).toBe(429);
    // Another client is not held up, and an unregistered one doesn't count.
    const { client_id: other } = (await register({}, limited)).body;
    expect((await guess("81.2.3.4", other)).status).toBe(400);
    expect((await guess("81.2.3.4", "nobody")).status).toBe(401);
    await limited.clock.advance(60_000);
    expect((await guess("81.2.3.1")).status).toBe(400);
    await limited.close();
  });

  it("keeps hashes only, and sweeps what is expired", async () => {
    const [{ access_token: access, refresh_token: again }, code] = [
      await signIn(),
      await getCode(),
    ];
    const kept = JSON.stringify(
      await Promise.all(
        (["oauth_grants", "oauth_clients"] as const).map((table) =>
          store.db.selectFrom(table).selectAll().execute(),
        ),
      ),
    );
    for (const secret of [access, again, code]) expect(kept).not.toContain(secret);
    await service.clock.advance(31 * 24 * 3_600_000);
    await getCode();
    expect(await store.db.selectFrom("oauth_grants").select("id").execute()).toHaveLength(1);
    await service.clock.advance(91 * 24 * 3_600_000);
    const { client_id: newest } = (await register({})).body;
    const left = await store.db.selectFrom("oauth_clients").select("id").execute();
    expect(left).toEqual([{ id: newest }]);
  });
});

it("a renewed API token ends what was allowed with the one before", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "oauth-renewed-"));
  const before = service;
  const formerClient = client;
  try {
    service = await makeService({ dataDir, ids: randomIds });
    client = (await register({})).body.client_id;
    const [mine, theirs] = [await signIn(), await signIn(service.other.token)];
    await service.close();
    service = await makeService({ dataDir, ids: randomIds, renewToken: true });
    expect(await refresh(mine.refresh_token)).toMatchObject(refused("invalid_grant"));
    expect((await refresh(theirs.refresh_token)).status).toBe(200);
    await service.close();
  } finally {
    service = before;
    client = formerClient;
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** What an assistant keeps of its connection, and where it led its user. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = "http://localhost:41735/back";
  readonly clientMetadata = { client_name: "Real", redirect_uris: [this.redirectUrl] };
  asked: URL | undefined;
  #client: Wire;
  #tokens: Wire;
  #found: Wire;
  #verifier = "";

  clientInformation = (): Wire => this.#client;
  saveClientInformation = (client: unknown): void => void (this.#client = client);
  tokens = (): Wire => this.#tokens;
  saveTokens = (tokens: unknown): void => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL): void => void (this.asked = url);
  saveDiscoveryState = (state: unknown): void => void (this.#found = state);
  discoveryState = (): Wire => this.#found;
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  codeVerifier = (): string => this.#verifier;
  state = (): string => "state-1";
}

it("signs in a real assistant that only knows the address, and again after an hour (docs/spec/api.md section 5.6)", async () => {
  const base = "http://localhost:8080";
  const assistant = new Assistant();
  const open = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
      authProvider: assistant,
      fetch: (url, init) => service.fetch(new Request(url, init)),
    });
  const first = open();
  await expect(new Client({ name: "real", version: "1" }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  const url = assistant.asked?.href ?? "";
  expect(new URL(url).searchParams.get("resource")).toBe(`${base}/mcp`);
  const ticket = readTicket(await get(url));
  const { token } = service.account;
  const back = await post(url, { ticket, api_token: token, decision: "approve" });
  await first.finishAuth(new URL(back.headers.get("location") ?? "").searchParams);

  const assistantClient = new Client({ name: "real", version: "1" });
  await assistantClient.connect(open());
  const { access_token: access } = assistant.tokens();
  expect((await assistantClient.listTools()).tools.length).toBeGreaterThan(20);
  await service.clock.advance(3_600_000);
  expect((await assistantClient.listTools()).tools.length).toBeGreaterThan(20);
  expect(assistant.tokens().access_token).not.toBe(access);
  await assistantClient.close();
});
