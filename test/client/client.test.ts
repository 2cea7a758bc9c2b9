import { setImmediate as nextTurn } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { makeLog } from "../../src/base/log.ts";
import { openClient, type Client, type ClientOptions } from "../../src/client/client.ts";
import { TransportFailure, type WireRequest } from "../../src/client/wire.ts";
import { scriptedTransport, TOKEN, type ScriptedTransport, type Step } from "./wire-fakes.ts";

interface Scene {
  readonly client: Client;
  readonly transport: ScriptedTransport;
}

function open(steps: readonly Step[], more: Partial<ClientOptions> = {}): Scene {
  const transport = scriptedTransport(...steps);
  const client = openClient({
    baseUrl: "https://api.test/api/v2",
    token: TOKEN,
    workspace: "w-1",
    transport,
    clock: fakeClock(),
    random: () => 0,
    ...more,
  });
  return { client, transport };
}

const code = { id: "c-1", qr_type: "Link", dynamic: true, created: "2026-11-20T12:00:00Z" };
const folder = { id: "f-1", name: "Tables" };
const page = (results: readonly unknown[], next: string | null = null): { body: unknown } => ({
  body: { count: 9, next, previous: null, results },
});

const brief = ({ method, url, body }: WireRequest): unknown[] => [
  method,
  url.replace("https://api.test/api/v2", ""),
  ...(body === undefined ? [] : [JSON.parse(body)]),
];

describe("openClient", () => {
  it("lets any number of requests wait for one signal without a warning", async () => {
    const { signal } = new AbortController();
    open([], { signal });
    const warned: Error[] = [];
    const onWarning = (warning: Error): void => void warned.push(warning);
    process.on("warning", onWarning);
    for (let n = 0; n < 20; n += 1) signal.addEventListener("abort", () => n);
    await nextTurn();
    process.off("warning", onWarning);
    expect(warned).toEqual([]);
  });

  const calls: readonly (readonly [
    string,
    Step,
    (client: Client) => Promise<unknown>,
    unknown[],
  ])[] = [
    [
      "createFolder",
      { status: 201, body: folder },
      (client) => client.createFolder({ name: "Tables", parent: "f-0" }),
      ["POST", "/folder/create/", { workspace: "w-1", name: "Tables", parent: "f-0" }],
    ],
    [
      "listFolders",
      page([folder]),
      (client) => client.listFolders({ page: 2 }),
      ["GET", "/workspace/w-1/folders/?page=2"],
    ],
    [
      "listCodes",
      page([code]),
      (client) => client.listCodes({ folder: "f-1", subfolders: true, q: "ä &", page_size: 200 }),
      ["GET", "/workspace/w-1/qrcodes/?folder=f-1&subfolders=true&q=%C3%A4+%26&page_size=200"],
    ],
    [
      "listTemplates",
      page([{ id: "t-1", title: "House" }]),
      (client) => client.listTemplates(),
      ["GET", "/workspace/w-1/templates/"],
    ],
    ["getCode", { body: code }, (client) => client.getCode("c/1"), ["GET", "/qrcode/c%2F1/"]],
    [
      "updateCode",
      { body: code },
      (client) => client.updateCode("c-1", { qr_data: "https://b.test/", folder: null }),
      ["PATCH", "/qrcode/c-1/update/", { qr_data: "https://b.test/", folder: null }],
    ],
    [
      "restyleCode",
      { body: code },
      (client) => client.restyleCode("c-1", { primary_color: "#123456" }),
      ["PATCH", "/qrcode/c-1/design/", { primary_color: "#123456" }],
    ],
    [
      "downloadCode",
      { body: { png_url: "https://f.test/a.png", svg_url: "https://f.test/a.svg" } },
      (client) => client.downloadCode("c-1"),
      ["GET", "/qrcode/c-1/download/"],
    ],
    [
      "addTags",
      { body: code },
      (client) => client.addTags("c-1", [{ title: "tables" }]),
      ["POST", "/qrcode/c-1/tags/add/", [{ title: "tables" }]],
    ],
    [
      "removeTag",
      { body: code },
      (client) => client.removeTag("c-1", "tables"),
      ["DELETE", "/qrcode/c-1/tag/tables/remove/"],
    ],
  ];

  it.each(calls)(
    "%s asks what the API describes and answers its body",
    async (_, step, call, expected) => {
      const { client, transport } = open([step]);
      expect(await call(client)).toMatchObject((step as { body: object }).body);
      expect(transport.requests.map(brief)).toEqual([expected]);
      const { headers, body } = transport.requests[0] as WireRequest;
      expect(headers).toMatchObject({
        authorization: `Token ${TOKEN}`,
        accept: "application/json",
      });
      expect(headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
    },
  );

  it("sends a create once, with its key, after beforeSend", async () => {
    const order: string[] = [];
    const { client, transport } = open([
      () => {
        order.push("sent");
        return { status: 502 };
      },
    ]);
    const outcome = await client.createCode(
      { workspace: "w-1", qr_data: "https://a.test/" },
      { idempotencyKey: "key-1", beforeSend: () => void order.push("intent") },
    );
    expect(outcome).toMatchObject({ kind: "doubt", status: 502 });
    expect(order).toEqual(["intent", "sent"]);
    expect(transport.requests[0]?.headers["idempotency-key"]).toBe("key-1");
  });

  it("repeats anything else, with the same body", async () => {
    const lost = new TransportFailure("reset", true);
    const { client, transport } = open([lost, { status: 503 }, { body: folder }]);
    await expect(client.createFolder({ name: "Tables" })).resolves.toMatchObject(folder);
    expect(transport.requests).toHaveLength(3);
    expect(new Set(transport.requests.map(({ body }) => body)).size).toBe(1);
  });

  it("never lets a signal cut off a create that has left", async () => {
    const stop = new AbortController();
    const { client, transport } = open([
      () => {
        stop.abort();
        return { body: code };
      },
    ]);
    const body = { workspace: "w-1", qr_data: "https://a.test/" };
    const outcome = await client.createCode(body, { idempotencyKey: "k", signal: stop.signal });
    expect(outcome.kind).toBe("done");
    expect(transport.requests[0]?.signal).toBeUndefined();
    await expect(
      client.createCode(body, { idempotencyKey: "k", signal: stop.signal }),
    ).rejects.toThrow(/abort/u);
  });

  it("takes a code that is gone for deleted", async () => {
    const { client } = open([
      { status: 204, body: "" },
      { status: 404, body: { detail: "Gone." } },
    ]);
    await expect(client.deleteCode("c-1")).resolves.toBe(true);
    await expect(client.deleteCode("c-1")).resolves.toBe(false);
    const refused = open([{ status: 401 }]);
    await expect(refused.client.deleteCode("c-1")).rejects.toMatchObject({ code: "token-refused" });
  });

  it("reads lists to their end, the largest pages there are", async () => {
    const { client, transport } = open([
      page([{ ...code, id: "a" }], "https://elsewhere.test/?page=2"),
      page([{ ...code, id: "b" }]),
    ]);
    const ids: string[] = [];
    for await (const item of client.codes({ folder: "none" })) ids.push(item.id);
    expect(ids).toEqual(["a", "b"]);
    expect(transport.requests.map(brief)).toEqual([
      ["GET", "/workspace/w-1/qrcodes/?folder=none&page=1&page_size=200"],
      ["GET", "/workspace/w-1/qrcodes/?folder=none&page=2&page_size=200"],
    ]);
  });

  it("reads an empty list that is a message", async () => {
    const { client } = open([{ body: { message: "No templates yet.", results: [] } }]);
    const seen: unknown[] = [];
    for await (const template of client.templates()) seen.push(template);
    expect(seen).toEqual([]);
  });

  it("does not run in circles when a server always names a next page", async () => {
    const { client, transport } = open([page([folder], "/2"), page([], "/3")]);
    const seen: unknown[] = [];
    for await (const item of client.folders()) seen.push(item);
    expect([seen.length, transport.requests.length]).toEqual([1, 2]);
  });

  it("refuses a body that is not what the API describes, with the place", async () => {
    const { client } = open([{ body: { results: [{ name: "no id" }] } }]);
    await expect(client.listFolders()).rejects.toMatchObject({
      code: "answer-unusable",
      problems: [{ where: { field: "results.0.id" } }],
    });
  });

  it.each(["..", ".", ""])("never makes another address of the id %j", async (id) => {
    const { client, transport } = open([{ body: code }]);
    await expect((async () => client.deleteCode(id))()).rejects.toMatchObject({ code: "bug" });
    expect(transport.requests).toEqual([]);
  });

  it.each([
    ["http://127.0.0.1:8787/api/v2/", "http://127.0.0.1:8787/api/v2/qrcode/c-1/"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787/qrcode/c-1/"],
    ["https://h.test/a/api/v2?x=1#y", "https://h.test/a/api/v2/qrcode/c-1/"],
  ])("takes %s as base URL", async (baseUrl, url) => {
    const { client, transport } = open([{ body: code }], { baseUrl });
    await client.getCode("c-1");
    expect(transport.requests[0]?.url).toBe(url);
  });

  it("names all that is wrong with its options at once, but not the token", () => {
    const options = {
      baseUrl: "ftp://x",
      token: "two words",
      workspace: " ",
      concurrency: 0,
      share: 2,
    };
    const call = (): unknown => open([], options);
    expect(call).toThrow(/baseUrl .*token .*workspace .*concurrency .*share/u);
    expect(call).not.toThrow(/two words/u);
    expect(call).toThrow(expect.objectContaining({ code: "bad-usage" }));
    expect(() => open([], { token: "line\nbreak" })).toThrow(/token must be/u);
  });

  it("counts what it did", async () => {
    const { client } = open([{ body: code }]);
    await client.getCode("c-1");
    await client.updateCode("c-1", { display_name: "x" });
    expect(client.stats()).toMatchObject({
      read: { sent: 1, perMinute: 1, allowedPerWindow: 120, limited: 0 },
      write: { sent: 1, perMinute: 1, allowedPerWindow: 60, waits: 0 },
    });
  });

  it("logs what was asked and how it ended, and no secret", async () => {
    const lines: string[] = [];
    const log = makeLog({ level: "debug", to: { write: (line: string) => void lines.push(line) } });
    const { client } = open([{ body: code }, new TransportFailure("tls", false)], { log });
    await client.getCode("c-1");
    await client.getCode("c-1").catch(() => {});
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { request: "GET /qrcode/c-1/", status: 200, msg: "answered" },
      { request: "GET /qrcode/c-1/", error: "no secure connection could be made", msg: "failed" },
    ]);
    expect(lines.join("")).not.toContain(TOKEN);
  });

  it("ends all waiting when its signal is aborted", async () => {
    const stop = new AbortController();
    const { client } = open([{ status: 503, headers: { "retry-after": "60" } }], {
      signal: stop.signal,
    });
    const sending = client.getCode("c-1");
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error("interrupted"));
    await expect(sending).rejects.toThrow("interrupted");
  });

  it("feeds rows to creates, eight at a time", async () => {
    const { client, transport } = open([{ body: code }], { limits: "none" });
    const count = await client.eachWrite([1, 2, 3], async (n) => {
      const body = { workspace: "w-1", qr_type: "Text" as const, qr_data: `${n}` };
      await client.createCode(body, { idempotencyKey: `${n}` });
    });
    expect([count, transport.requests.length]).toEqual([3, 3]);
    expect(client.queues.write.concurrency).toBe(8);
    await client.eachRead([1], async () => {});
  });

  it("closes its transport", async () => {
    const { client, transport } = open([]);
    await client.close();
    expect(transport.isClosed).toBe(true);
  });
});
