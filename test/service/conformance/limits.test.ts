import { afterEach, describe, expect, it } from "vitest";

import { makeService, type Answer, type SendOptions, type TestService } from "../make-service.ts";

let service: TestService;
afterEach(() => service.close());

const HEADERS = ["limit", "remaining", "reset", "policy"].map((name) => `ratelimit-${name}`);
const UNKNOWN = "00000000-0000-4000-8000-ffffffffffff";

/** One request for every status that docs/spec/api.md section 7 knows. */
const cases: [number, string, string, unknown, SendOptions][] = [
  [200, "GET", "/workspace/{w}/tags/", undefined, {}],
  [200, "POST", "/qrcode/create/", { qr_data: "https://example.com/" }, {}],
  [200, "HEAD", "/qrcode/{code}/", undefined, {}],
  [201, "POST", "/folder/create/", { name: "New" }, {}],
  [302, "GET", "/link/{link}/qr/", undefined, {}],
  [400, "POST", "/qrcode/create/", { qr_data: "nope" }, {}],
  [400, "GET", "/workspace/{w}/qrcodes/?page=0", undefined, {}],
  [401, "GET", "/qrcode/{code}/", undefined, { token: null }],
  [401, "POST", "/qrcode/create/", {}, { token: "guess" }],
  [401, "GET", "/no/such/path/", undefined, { token: null }],
  [404, "GET", `/qrcode/${UNKNOWN}/`, undefined, {}],
  [404, "GET", "/no/such/path/", undefined, {}],
  [405, "PUT", "/qrcode/create/", {}, {}],
  [
    415,
    "POST",
    "/qrcode/create/",
    undefined,
    { raw: "x", headers: { "content-type": "text/plain" } },
  ],
  [204, "OPTIONS", "/qrcode/create/", undefined, {}],
  [204, "DELETE", "/qrcode/{code}/delete/", undefined, {}],
];

describe("docs/spec/api.md section 8: rate limit headers on every response", () => {
  it("whatever the status", async () => {
    service = await makeService({ limits: "hosted" });
    const { workspace, send } = service;
    const code = (await service.code()).id;
    const made = await send("POST", "/link/create/", { workspace, link: "https://example.com/" });
    for (const [status, method, path, body, options] of cases) {
      const address = path
        .replace("{w}", workspace)
        .replace("{code}", code)
        .replace("{link}", made.body.id);
      const sent = body === undefined ? undefined : { workspace, ...(body as object) };
      const answer = await send(method, address, sent, options);
      expect([method, path, answer.status]).toEqual([method, path, status]);
      const found = HEADERS.map((name) => answer.headers.get(name) ?? "");
      expect(found.slice(0, 3)).toEqual([1, 2, 3].map(() => expect.stringMatching(/^\d+$/u)));
      expect(found[3]).toBe(`${found[0]};w=60`);
      const isRead = ["GET", "HEAD", "OPTIONS"].includes(method);
      expect(found[0]).toBe(status === 401 ? "20" : isRead ? "120" : "60");
      expect(Number(found[2])).toBeGreaterThan(0);
      expect(Number(found[2])).toBeLessThanOrEqual(60);
      expect(answer.headers.get("retry-after")).toBeNull();
    }
  });

  it("also on the description of the API, which is for anybody and counts among no other requests", async () => {
    service = await makeService({ limits: "hosted" });
    for (const [token, limit] of [
      [service.account.token, "120"],
      [null, "20"],
    ] as const) {
      for (const path of ["/openapi.json", "/docs/", "/docs"]) {
        const { status, headers } = await service.send("GET", path, undefined, { token });
        expect(status).toBe(200);
        expect(HEADERS.map((name) => headers.get(name))).toEqual([
          limit,
          limit,
          "60",
          `${limit};w=60`,
        ]);
      }
    }
  });

  it.each([
    ["a token's reads", "GET", {}, 3],
    ["a token's writes", "POST", {}, 2],
    ["an address without a token", "GET", { token: null }, 4],
    ["an address with a wrong token", "POST", { token: "guess" }, 4],
  ] as const)("429 adds Retry-After: %s", async (_, method, options, limit) => {
    service = await makeService({ limits: { reads: 3, writes: 2, rejected: 4 } });
    const answers: Answer[] = [];
    for (let n = 0; n <= limit; n += 1) {
      answers.push(await service.send(method, "/no/such/path/", undefined, options));
    }
    const remaining = answers.map(({ headers }) => headers.get("ratelimit-remaining"));
    expect(remaining).toEqual(
      [...Array.from({ length: limit }, (__, n) => limit - 1 - n), 0].map(String),
    );
    expect(answers.slice(0, -1).map(({ status }) => status)).not.toContain(429);
    const last = answers.at(-1);
    expect([last?.status, last?.body]).toEqual([429, { detail: expect.any(String) as string }]);
    expect(last?.headers.get("retry-after")).toBe(last?.headers.get("ratelimit-reset"));
    expect(HEADERS.every((name) => last?.headers.has(name))).toBe(true);
    // The window is one minute.
    await service.clock.advance(60_000);
    const next = await service.send(method, "/no/such/path/", undefined, options);
    expect(next.status).not.toBe(429);
  });

  it("a good token is not stopped by guesses from its own address", async () => {
    service = await makeService({ limits: { reads: 5, writes: 5, rejected: 1 } });
    const path = `/workspace/${service.workspace}/tags/`;
    const guess = () => service.send("GET", path, undefined, { token: "guess" });
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 429]);
    expect((await service.get(path)).status).toBe(200);
  });

  it("a request that is refused with 429 does nothing", async () => {
    service = await makeService({ limits: { reads: 9, writes: 1 } });
    const { workspace, send } = service;
    const make = (name: string) => send("POST", "/folder/create/", { workspace, name });
    expect([(await make("A")).status, (await make("B")).status]).toEqual([201, 429]);
    expect((await service.get(`/workspace/${workspace}/folders/`)).body.count).toBe(1);
  });
});

describe("docs/spec/api.md section 8: page size, default 50, up to 200", () => {
  const MANY = 205;
  const fill = async (make: (n: number) => Promise<unknown>): Promise<void> => {
    for (let n = 0; n < MANY; n += 1) await make(n);
  };

  it.each(["qrcodes", "folders", "tags", "links", "activity"])("%s", async (name) => {
    service = await makeService();
    const { workspace, send, code, folder } = service;
    const subject = await code({ dynamic: true });
    const path =
      name === "activity" ? `/qrcode/${subject.id}/activity/` : `/workspace/${workspace}/${name}/`;
    const link = { workspace, link: "https://example.com/" };
    const makers: Record<string, (n: number) => Promise<unknown>> = {
      qrcodes: () => code(),
      folders: (n) => folder(`F ${n}`),
      tags: (n) => send("POST", `/qrcode/${subject.id}/tags/add/`, [{ title: `T ${n}` }]),
      links: () => send("POST", "/link/create/", link),
      activity: () => service.scan(subject.shortlink_url),
    };
    await fill(makers[name]!);
    const count = MANY + (name === "qrcodes" ? 1 : 0);
    const sizeOf = async (query: string): Promise<number> => {
      const { body } = await service.get(`${path}${query}`);
      expect(body.count).toBe(count);
      return body.results.length;
    };
    expect(await sizeOf("")).toBe(50);
    expect(await sizeOf("?page_size=1")).toBe(1);
    expect(await sizeOf("?page_size=200")).toBe(200);
    expect(await sizeOf("?page_size=201")).toBe(200);
    expect(await sizeOf("?page_size=200&page=2")).toBe(count - 200);
    expect(await sizeOf("?page=5")).toBe(count - 200);
    // Following `next` sees everything once.
    const seen: string[] = [];
    for (let next: string | null = `http://service.test/api/v2${path}`; next !== null;) {
      const url: URL = new URL(next);
      const { body } = await service.get(`${url.pathname.slice("/api/v2".length)}${url.search}`);
      seen.push(...body.results.map(({ id }: { id: string }) => id));
      next = body.next;
    }
    expect(new Set(seen).size).toBe(count);
    expect(seen).toHaveLength(count);
  });
});
