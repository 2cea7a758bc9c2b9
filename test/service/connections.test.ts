/** Senders that are slow, large or sly (docs/security.md). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import {
  makeService,
  openBeside,
  PUBLIC_URL,
  type TestService,
  type Wire,
} from "./make-service.ts";
import { openSocket, sendRaw } from "./raw-socket.ts";

let service: TestService;
afterEach(() => service.close());

/** The body of an answer as it came over the wire. */
function readJson(got: string): unknown {
  const [head = "", body = ""] = got.split("\r\n\r\n", 2);
  expect(head).toContain("\r\nContent-Type: application/json\r\n");
  return JSON.parse(body);
}

describe("a slow sender", () => {
  const patience = { headersMs: 1000, requestMs: 1000, checkMs: 100 };

  it("of headers is cut off (408)", async () => {
    service = await makeService();
    const { url } = await service.listen({ host: "127.0.0.1", port: 0, patience });
    expect(await sendRaw(url, "GET /abc HTTP/1.1\r\nHost: a\r\nX-Slow: ")).toMatch(
      /^HTTP\/1\.1 408 /u,
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("of a body is cut off (408)", async () => {
    service = await makeService();
    const { url } = await service.listen({ host: "127.0.0.1", port: 0, patience });
    const got = await sendRaw(
      url,
      `POST /api/v2/qrcode/create/ HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${service.account.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"workspace":`,
    );
    expect(got).toMatch(/^HTTP\/1\.1 (?:408|400) /u);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

describe("a reader", () => {
  const patience = { readMs: 50 };

  it("that takes nothing of its answer is cut off", async () => {
    service = await makeService();
    const { url } = await service.listen({ host: "127.0.0.1", port: 0, patience });
    const path = "/api/v2/openapi.json";
    const size = (await (await fetch(`${url}${path}`)).arrayBuffer()).byteLength;
    const ask = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    // More than the system takes of one connection.
    const { socket, closed } = await openSocket(url, ask.repeat(100));
    socket.pause();
    // A write to a closed connection fails, even without reading. A write to an open one is a sign of
    // life: so it follows only every hundredth answer of another one.
    for (let answers = 1; !socket.destroyed; answers += 1) {
      await (await fetch(`${url}/healthz`)).text();
      if (answers % 100 === 0) socket.write("GET ");
    }
    expect((await closed).length).toBeLessThan(100 * size);
  });
});

it("headers of more than 16 kB are refused (431)", async () => {
  service = await makeService();
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  const code = await service.code({ dynamic: true });
  const { pathname } = new URL(code.shortlink_url);
  const got = await sendRaw(
    url,
    `GET ${pathname} HTTP/1.1\r\nHost: a\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`,
  );
  expect(got).toMatch(/^HTTP\/1\.1 431 /u);
  expect(readJson(got)).toEqual({ detail: "Address and headers must have at most 16 KiB in all." });
});

it("what is no HTTP is refused in the API's words (400), never in the middle of an answer", async () => {
  service = await makeService();
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  const got = await sendRaw(url, "GET / HTTP/1.1\r\nHost a\r\n\r\n");
  expect(got).toMatch(/^HTTP\/1\.1 400 /u);
  expect(readJson(got)).toEqual({ detail: "The request must be well-formed HTTP." });
  const behind = await sendRaw(
    url,
    "GET /api/v2/openapi.json HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n",
  );
  expect(behind.match(/^HTTP\/1\.1 \d{3} /gmu)).toHaveLength(1);
});

it.each([
  "GET /api/v2/qrcode/a\\b/ HTTP/1.1\r\nHost: a\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: a\r\n",
  "GET / HTTP/1.1\r\nHost: a b\r\n",
  "GET / HTTP/1.0\r\n",
])("what has no address is refused in the API's words (400): %j", async (head) => {
  service = await makeService();
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  const got = await sendRaw(url, `${head}Connection: close\r\n\r\n`);
  expect(got).toMatch(/^HTTP\/1\.1 400 /u);
  expect(got).toMatch(/^content-type: application\/json\r$/imu);
  expect(got).toContain('{"detail":"The request must be well-formed HTTP."}');
});

it.each(["<", ">", "{", "}", "\\", "^", "`"])(
  "a Digital Link with %s as it stands is refused (400), which a URL would have escaped (docs/spec/gs1.md section 3)",
  async (character) => {
    service = await makeService();
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    const path = `/01/09506000134352/10/A${character}B`;
    const ask = (target: string) =>
      sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(await ask(path)).toMatch(/^HTTP\/1\.1 400 /u);
    expect(await ask("http://a/01/09506000134352/10/A")).toMatch(/^HTTP\/1\.1 404 /u);
  },
);

it("long user agents and addresses are cut before they are kept", async () => {
  service = await makeService({ trustProxy: true });
  const code = await service.code({ dynamic: true });
  await service.fetch(
    new Request(code.shortlink_url, {
      headers: {
        "user-agent": `Mozilla/5.0 ${"x".repeat(10_000)}`,
        "x-forwarded-for": "y".repeat(5000),
      },
    }),
  );
  await service.clock.advance(100);
  const { results } = (await service.get(`/qrcode/${code.id}/activity/`)).body;
  expect(results).toHaveLength(1);
  expect(JSON.stringify(results[0]).length).toBeLessThan(500);
});

it("made-up user agents leave nothing of their own, and are counted apart", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "agents-"));
  service = await makeService({ dataDir });
  const code = await service.code({ dynamic: true });
  for (let n = 0; n < 50; n += 1) {
    const agent = `${String(n).padStart(450, "x")}/${String(n).padStart(450, "y")}/1 (z)`;
    await service.scan(code.shortlink_url as string, agent);
  }
  const { body } = await service.get(`/qrcode/${code.id as string}/`);
  expect([body.total_scans, body.unique_scans]).toEqual([50, 50]);
  const store = await openBeside(dataDir);
  expect(await store.rows.all("SELECT device, os, browser FROM scan_profiles")).toEqual([
    { device: "", os: "", browser: "" },
  ]);
  await store.close();
  await service.close();
  await rm(dataDir, { recursive: true });
});

describe("a short link", () => {
  it("leads nowhere but to its destination, whatever the request says (open redirect)", async () => {
    service = await makeService();
    const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
    const code = await service.code({ dynamic: true, qr_data: "https://example.com/" });
    const slug = new URL(code.shortlink_url).pathname.slice(1);
    for (const target of [
      `/${slug}?url=https://evil.example/`,
      `/${slug}?next=//evil.example&redirect=https://evil.example`,
      `//evil.example/${slug}`,
      `/https://evil.example/`,
      `/%2f%2fevil.example`,
      `/${slug}/..//evil.example`,
      `/${slug}%0d%0aLocation:%20https://evil.example`,
      `http://evil.example/${slug}`,
    ]) {
      const got = await sendRaw(
        url,
        `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`,
      );
      const location = /^location: (.*)$/imu.exec(got)?.[1]?.trim();
      expect([target, location ?? "https://example.com/"]).toEqual([
        target,
        "https://example.com/",
      ]);
    }
  });

  it("takes no destination that would end its header or run in the browser", async () => {
    service = await makeService();
    for (const bad of [
      "https://example.com/\r\nSet-Cookie: a=b",
      "https://example.com/\nx",
      "https://example.com/\u0000",
      "https://example.com/ x",
      "javascript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "vbscript:x",
      "file:///etc/passwd",
    ]) {
      for (const [path, field] of [
        ["/qrcode/create/", "qr_data"],
        ["/link/create/", "link"],
      ] as const) {
        const fields: Wire = { workspace: service.workspace, [field]: bad };
        const answer = await service.send("POST", path, { ...fields, dynamic: true });
        expect([bad, answer.status, Object.keys(answer.body)]).toEqual([bad, 400, [field]]);
      }
      const code = await service.code({ dynamic: true });
      const changed = await service.send("PATCH", `/qrcode/${code.id}/update/`, { qr_data: bad });
      expect(changed.status).toBe(400);
    }
  });

  it("writes letters that no header takes as an address does", async () => {
    service = await makeService();
    const code = await service.code({ dynamic: true, qr_data: "https://例え.example/ü?q=\u2028" });
    const answer = await service.fetch(
      new Request(code.shortlink_url.replace(PUBLIC_URL, "http://localhost"), {
        redirect: "manual",
      }),
    );
    expect(answer.headers.get("location")).toMatch(/^https:\/\/xn--r8jz45g\.example\/%C3%BC\?q=/u);
  });
});
