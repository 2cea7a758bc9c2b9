import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { openAccountBook } from "../../src/service/auth/account-book.ts";
import { endpointTable } from "../../src/api/endpoints.ts";
import { ownPackage } from "../../src/base/files/package-files.ts";
import * as fc from "../help/property.ts";
import { connectTo, MCP_URL, type Connecting, type Session } from "./assistant.ts";
import { makeService, storeSetting, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await makeService();
});
afterAll(() => service.close());

const connect = ({ at = service, ...rest }: Partial<Connecting> = {}): Promise<Session> =>
  connectTo({ at, ...rest });

const call = (method: string, params: Record<string, unknown> = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** A request as it stands on the wire. */
async function post(
  body: string,
  {
    token = service.account.token,
    at = service,
    headers = {},
  }: {
    readonly token?: string | null;
    readonly at?: TestService;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<{ status: number; headers: Headers; body: Wire }> {
  const response = await at.fetch(
    new Request(MCP_URL, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body,
    }),
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

describe("tools of the assistant endpoint (docs/spec/api.md section 5.6)", () => {
  it.each(["legacy", "auto"] as const)("serves an assistant of %s revision", async (mode) => {
    const { client, call: use } = await connect({ mode });
    expect(client.getServerVersion()).toMatchObject({
      name: "makeready",
      version: ownPackage.version,
    });
    expect(client.getInstructions()).toContain("workspace");
    const made = await use("create_qr_code", {
      qr_data: "https://example.com/a",
      dynamic: true,
      display_name: `Poster ${mode}`,
    });
    expect(made.isError).toBeUndefined();
    const { id, qr_data } = made.structuredContent;
    expect(JSON.parse(made.content[0].text)).toEqual(made.structuredContent);
    expect((await use("get_qr_code", { qr_code_id: id })).structuredContent).toMatchObject({
      id,
      display_name: `Poster ${mode}`,
      qr_data,
    });
    const listed = await use("list_qr_codes", { q: `Poster ${mode}`, page_size: 5 });
    expect(listed.structuredContent).toMatchObject({ count: 1, results: [{ id }] });
    const tagged = await use("add_tags", { qr_code_id: id, tags: [{ title: "Spring" }] });
    expect(tagged.structuredContent.tags).toMatchObject([{ title: "Spring" }]);
    const deleted = await use("delete_qr_code", { qr_code_id: id });
    expect(deleted.structuredContent).toEqual({ deleted: true });
    const gone = await use("get_qr_code", { qr_code_id: id });
    expect(gone.isError).toBe(true);
    expect(gone.content[0].text).toBe("Refused with status 404.\nNot found.");
    await client.close();
  });

  it("has a tool for every endpoint of the API, with its arguments and hints", async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(Object.keys(endpointTable).length);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, title, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z]+(?:_[a-z0-9]+)+$/u);
      expect(title).toMatch(/^[A-Z][a-z]+ [A-Za-z1 ]+$/u);
      expect(description).toMatch(/\.$/u);
      expect(inputSchema.required ?? []).not.toContain("workspace");
    }
    const find = (name: string) => tools.find((tool) => tool.name === name);
    expect(find("list_qr_codes")?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
    });
    // The create of a GS1 code may give a product that is there another destination.
    for (const name of ["create_qr_code", "save_form_fields"]) {
      const { destructiveHint, idempotentHint } = find(name)?.annotations ?? {};
      expect([destructiveHint, idempotentHint]).toEqual([true, name !== "create_qr_code"]);
    }
    expect(find("create_short_link")?.annotations).toMatchObject({ destructiveHint: false });
    expect(find("delete_folder")?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
    expect(find("update_gs1_product_link")?.inputSchema).toMatchObject({
      required: ["product_id", "link_id"],
      properties: { destination_url: { type: "string" } },
    });
  });

  it("reaches what stands in paths, queries, files and redirects", async () => {
    const { call: use } = await connect();
    const link = (await use("create_short_link", { link: "https://example.com/" }))
      .structuredContent;
    const qr = (format: string) =>
      use("get_short_link_qr_code", { link_id: link.id, format }).then(
        ({ structuredContent }) => structuredContent,
      );
    expect(await qr("png")).toEqual({ url: expect.stringMatching(/\.png/u) as string });
    expect(await qr("svg")).toEqual({ svg: expect.stringContaining("<svg") as string });
    const form = (await use("create_form", { title: "Visit" })).structuredContent;
    const fields = [{ id: "temp-1", field_type: "text", label: "Name" }];
    const saved = await use("save_form_fields", { form_id: form.id, fields });
    expect(saved.content[0].text).toContain("Draft");
    const published = await use("publish_form", { form_id: form.id });
    expect(published.structuredContent.status).toBe("Published");
    expect((await use("list_forms")).structuredContent.results).toHaveLength(1);
    const product = await use("create_gs1_product", { identifier_value: "09506000134352" });
    const linkset = await use("get_gs1_product_linkset", {
      product_id: product.structuredContent.id,
    });
    expect(linkset.structuredContent).toHaveProperty("linkset");
    // The links of lists lead to the API as the sender reaches it.
    await use("create_short_link", { link: "https://example.com/2" });
    const page = await use("list_short_links", { page_size: 1 });
    expect(page.structuredContent.next).toMatch(
      /^http:\/\/service\.test\/api\/v2\/workspace\/.+\/links\/\?page_size=1&page=2$/u,
    );
  });

  it("makes a thing once under an idempotency key", async () => {
    const { call: use } = await connect();
    const args = { link: "https://example.com/once", idempotency_key: "k-1" };
    const [first, second] = [
      await use("create_short_link", args),
      await use("create_short_link", args),
    ];
    expect(second.structuredContent.id).toBe(first.structuredContent.id);
    expect((await use("create_short_link", { ...args, idempotency_key: "ü" })).isError).toBe(true);
  });

  it("answers the API's refusals and wrong arguments as results, unknown tools as errors", async () => {
    const { client, call: use } = await connect();
    const refused = await use("create_qr_code", { qr_type: "Nothing" });
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toMatch(/^Refused with status 400\.\nqr_type: /u);
    const misspelt = await use("create_folder", { nam: "A" });
    expect(misspelt.content[0].text).toContain("there are: workspace, name, parent");
    expect((await use("get_qr_code")).content[0].text).toBe(
      "Refused with status 400.\nqr_code_id: This field is required.",
    );
    expect((await use("get_qr_code", { qr_code_id: ["a"] })).isError).toBe(true);
    expect((await use("get_qr_code", { qr_code_id: "../folder/create" })).isError).toBe(true);
    expect((await use("list_tags", { page: 0 })).isError).toBe(true);
    const tags: [unknown, string][] = [
      ["y", 'tags: Must be an array of {title} or {id}, got "y".'],
      [undefined, "tags: This field is required."],
      [[], "tags: Must have at least 1 item."],
      [[{ title: "a" }, {}], "tags.1: One of title and id must be given."],
    ];
    for (const [sent, says] of tags) {
      const { content } = await use("add_tags", { qr_code_id: "x", tags: sent });
      expect(content[0].text).toBe(`Refused with status 400.\n${says}`);
    }
    await expect(use("drop_tables")).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: "x" })).rejects.toThrow("Unknown prompt: x");
  });

  it("gives clients that hold answers to the tool's schema the reason of a refusal", async () => {
    const { client, call: use } = await connect();
    await client.listTools();
    const refused = await use("get_qr_code", { qr_code_id: "no-such-code" });
    expect(refused).toEqual({
      isError: true,
      content: [{ type: "text", text: "Refused with status 404.\nNot found." }],
    });
  });

  it("names ten arguments that it doesn't know, however many come", async () => {
    const { call: use } = await connect();
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 1]));
    const { isError, content } = await use("list_tags", many);
    const [, ...lines] = content[0].text.split("\n") as string[];
    expect([isError, lines.map((line) => line.split(":")[0])]).toEqual([
      true,
      Array.from({ length: 10 }, (_, n) => `k${n}`),
    ]);
  });

  it("breaks over no arguments: every answer is a result or the API's refusal", async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    const odd = fc.oneof(
      fc.constantFrom("\uD800", "\0", "../", "%", "__proto__", -1, 1e300, "x".repeat(5000)),
      fc.jsonValue(),
    );
    const calls = fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
      const known = Object.keys(inputSchema.properties ?? {});
      const key = fc.constantFrom(...known, "__proto__", "toString");
      return fc.record({ name: fc.constant(name), arguments: fc.dictionary(key, odd) });
    });
    await fc.assert(
      fc.asyncProperty(calls, async (params) => {
        const { status, body } = await post(call("tools/call", params));
        expect([status, body.error]).toEqual([200, undefined]);
        const { isError, structuredContent, content } = body.result;
        expect(structuredContent === undefined).toBe(isError === true);
        expect(content[0].text).not.toContain("Refused with status 500");
      }),
      { numRuns: 150 },
    );
  });

  it("names the workspaces of an account that has several, and asks for one", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-mcp-"));
    const at = await makeService({ dataDir: folder });
    expect((await connect({ at })).client.getInstructions()).toContain(
      "`workspace` may be left out.",
    );
    const store = (await storeSetting(folder))["MAKEREADY_STORE"];
    const accounts = await openAccountBook(
      { folder, store },
      { clock: systemClock, ids: randomIds },
    );
    const cellar = await accounts.book.createWorkspace("default", "cellar");
    await accounts.close();
    const { client, call: use } = await connect({ at });
    const both = `has 2 workspaces: default (${at.workspace}), cellar (${cellar.id}); give the id of one`;
    expect(client.getInstructions()).toContain(`${both} as \`workspace\`.`);
    for (const name of ["list_qr_codes", "create_folder"]) {
      const refused = await use(name, name === "create_folder" ? { name: "Shelf" } : {});
      expect(refused.content[0].text).toBe(
        `Refused with status 400.\nworkspace: This account ${both}.`,
      );
    }
    const made = await use("create_folder", { name: "Shelf", workspace: at.workspace });
    expect(made.isError).toBeUndefined();
    await at.close();
    rmSync(folder, { recursive: true });
  });

  it("keeps accounts apart: what is another's doesn't exist", async () => {
    const { id } = await service.code();
    const { call: use } = await connect({ token: service.other.token });
    for (const name of ["get_qr_code", "delete_qr_code"]) {
      expect((await use(name, { qr_code_id: id })).content[0].text).toContain("status 404");
    }
    const { workspace } = service;
    expect((await use("list_qr_codes", { workspace })).content[0].text).toContain("status 404");
    expect((await use("list_qr_codes")).structuredContent.count).toBe(0);
    expect((await service.get(`/qrcode/${id}/`)).status).toBe(200);
  });
});

describe("who may use the assistant endpoint (docs/spec/api.md section 5.6)", () => {
  it.each([
    ["no token", {}],
    ["a wrong one", { authorization: "Bearer wrong" }],
    ["the API's scheme", { authorization: "Token {token}" }],
  ])("answers %s with 401 and where to log in", async (_, headers) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value.replace("{token}", service.account.token),
      ]),
    );
    const answer = await post(call("tools/list"), { token: null, headers: given });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: expect.stringContaining("Bearer") as string });
    expect(answer.headers.get("www-authenticate")).toContain(
      'Bearer resource_metadata="http://service.test/.well-known/oauth-protected-resource/mcp"',
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("counts calls as reads and writes of the token, strangers by address (docs/spec/api.md section 8)", async () => {
    const at = await makeService({ limits: { reads: 2, writes: 1, rejected: 2 } });
    const { token } = at.account;
    const { call: use } = await connect({ at, token });
    expect((await use("create_folder", { name: "A" })).isError).toBeUndefined();
    const refused = await use("create_folder", { name: "B" });
    expect(refused.content[0].text).toContain("status 429");
    expect(refused.content[0].text).toContain("try again in 60 s");
    // The API has the same account of it, the other way round too.
    expect((await at.send("POST", "/folder/create/", {})).status).toBe(429);
    expect((await at.get(`/workspace/${at.workspace}/tags/`)).status).toBe(200);
    expect((await use("list_tags")).isError).toBeUndefined();
    expect((await use("list_tags")).content[0].text).toContain("status 429");
    const stranger = () => post(call("tools/list"), { at, token: "guess" });
    expect([(await stranger()).status, (await stranger()).status]).toEqual([401, 401]);
    const last = await stranger();
    expect([last.status, last.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await post(call("tools/list"), { at, token })).status).toBe(200);
    await at.close();
  });

  it("brakes messages per token, apart from reads and writes, and long ones as writes", async () => {
    const at = await makeService({ limits: { reads: 2, writes: 1, rejected: 2 } });
    const ping = (from = at.account.token, params = {}) =>
      post(call("ping", params), { at, token: from });
    const long = () => ping(at.account.token, { _meta: { pad: "x".repeat(1024 * 1024) } });
    expect([(await long()).status, (await long()).status]).toEqual([200, 429]);
    for (let n = 2; n < 303; n += 1) expect((await ping()).status).toBe(200);
    const refused = await ping();
    expect([refused.status, refused.body]).toEqual([
      429,
      { detail: "Too many requests; try again in 60 s." },
    ]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    expect((await ping(at.other.token)).status).toBe(200);
    const { headers } = await at.get(`/workspace/${at.workspace}/tags/`);
    expect(headers.get("ratelimit-remaining")).toBe("1");
    await at.clock.advance(60_000);
    expect((await ping()).status).toBe(200);
    expect((await long()).status).toBe(200);
    await at.close();
  });

  it("reads no message that is longer than any call", async () => {
    const { status, body } = await post(call("ping"), {
      headers: { "content-length": String(30 * 1024 * 1024) },
    });
    expect([status, body.error.code]).toEqual([413, -32_600]);
    expect(body.error.message).toContain("at most 30408704 bytes");
  });

  it.each([
    ["http://evil.example", 403],
    ["null", 403],
    ["https://go.example", 200],
    ["http://localhost:6274", 200],
  ])("answers a page of %s with %i: DNS rebinding", async (origin, status) => {
    const answer = await post(call("tools/list"), { headers: { origin } });
    expect(answer.status).toBe(status);
    const allowed = answer.headers.get("access-control-allow-origin");
    expect(allowed).toBe(status === 200 ? origin : null);
  });
});

describe("the protocol of the assistant endpoint (Streamable HTTP)", () => {
  it.each(["GET", "DELETE", "PUT"])(
    "answers %s with 405: there are no sessions",
    async (method) => {
      const headers = { authorization: `Bearer ${service.account.token}` };
      const answer = await service.fetch(new Request(MCP_URL, { method, headers }));
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    },
  );

  it("answers a browser's question what it may send", async () => {
    const headers = { origin: "http://localhost:6274" };
    const answer = await service.fetch(new Request(MCP_URL, { method: "OPTIONS", headers }));
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
  });

  it.each([
    ["half a message", '{"jsonrpc": "2.0"', 400, -32_700],
    ["nothing", "", 400, -32_700],
    ["no object", "null", 400, -32_600],
    ["a batch", `[${call("tools/list")},${call("tools/list")}]`, 400, -32_600],
    ["no JSON-RPC", '{"hello": 1}', 400, -32_600],
  ])("answers %s with an error of the protocol", async (_, body, status, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });

  it("answers in JSON, and names what it doesn't know", async () => {
    const list = await post(call("tools/list"));
    expect(list.headers.get("content-type")).toContain("application/json");
    expect(list.headers.get("mcp-session-id")).toBeNull();
    for (const [accept, status] of [
      ["application/json", 200],
      ["*/*", 200],
      ["text/html", 406],
    ] as const) {
      expect((await post(call("ping"), { headers: { accept } })).status).toBe(status);
    }
    expect((await post(call("no/such"))).body.error.code).toBe(-32_601);
    const odd = await post(call("tools/call", { name: "list_tags", arguments: [1] }));
    expect(odd.body.error.code).toBe(-32_602);
    const note = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await post(note)).status).toBe(202);
    const plain = await post(call("tools/list"), { headers: { "content-type": "text/plain" } });
    expect(plain.status).toBe(415);
  });

  it("serves over HTTP what it serves in memory", async () => {
    const at = await makeService();
    const { url } = await at.listen({ host: "127.0.0.1", port: 0 });
    const client = new Client({ name: "test", version: "1" });
    const headers = { authorization: `Bearer ${at.account.token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    const made = await client.callTool({ name: "create_folder", arguments: { name: "Ünï" } });
    expect(made.structuredContent).toMatchObject({ name: "Ünï" });
    await client.close();
    await at.close();
  });

  it("gives no short link its name", async () => {
    const body = { workspace: service.workspace, link: "https://example.com/", slug: "mcp" };
    expect((await service.send("POST", "/link/create/", body)).body).toHaveProperty("slug");
  });
});
