import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { makeLog } from "../../src/base/log.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openService, type Service } from "../../src/service/service.ts";

import type { Wire } from "./make-service.ts";

let service: Service | undefined;
afterEach(() => service?.close());

async function start(): Promise<{ url: string; baseUrl: string; send: typeof fetch }> {
  const opened = await openService({ dataDir: ":memory:" });
  service = opened;
  const at = await opened.listen({ host: "127.0.0.1", port: 0 });
  const send: typeof fetch = (input, init) =>
    fetch(input, {
      redirect: "manual",
      ...init,
      headers: {
        authorization: `Token ${opened.account.token}`,
        "content-type": "application/json",
        ...(init?.headers as Record<string, string> | undefined),
      },
    });
  return { ...at, send };
}

it("serves the way of a code over a real port: folder, code, files, scan, delete", async () => {
  const { url, baseUrl, send } = await start();
  expect(baseUrl).toBe(`${url}/api/v2`);
  const workspace = service?.account.workspaceId;
  const post = async (path: string, body: unknown): Promise<Wire> =>
    (await send(`${baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) })).json();
  const folder = await post("/folder/create/", { workspace, name: "Tables" });
  const code = await post("/qrcode/create/", {
    workspace,
    qr_data: "https://example.com/7",
    dynamic: true,
    folder: folder.id,
    generate_png: true,
  });
  expect(code.shortlink_url.startsWith(`${url}/`)).toBe(true);
  expect(code.png.startsWith(`${url}/media/`)).toBe(true);
  const png = await fetch(code.png);
  expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
  const size = String((await png.arrayBuffer()).byteLength);
  const look = await fetch(code.png, { method: "HEAD" });
  expect([look.status, look.headers.get("content-length")]).toEqual([200, size]);
  const part = await fetch(code.png, { headers: { range: "bytes=0-7" } });
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 8]);
  const put = await fetch(code.png, { method: "POST", body: "" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const visit = await fetch(code.shortlink_url, { redirect: "manual" });
  expect([visit.status, visit.headers.get("location")]).toEqual([302, "https://example.com/7"]);
  const head = await fetch(code.shortlink_url, { method: "HEAD", redirect: "manual" });
  expect(head.status).toBe(302);
  const list = (await (await send(`${baseUrl}/workspace/${workspace}/qrcodes`)).json()) as Wire;
  expect(list.results.map(({ id }: Wire) => id)).toEqual([code.id]);
  const gone = await send(`${baseUrl}/qrcode/${code.id}/delete/`, { method: "DELETE" });
  expect([gone.status, await gone.text()]).toEqual([204, ""]);
  expect((await fetch(code.shortlink_url, { redirect: "manual" })).status).toBe(404);
});

it("describes itself, at the address by which it was asked", async () => {
  const { url, baseUrl } = await start();
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Wire;
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: baseUrl }]);
});

it("answers health and limit headers", async () => {
  const { url, baseUrl, send } = await start();
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
  const { headers } = await send(`${baseUrl}/qrcode/x/`);
  expect(headers.get("ratelimit-policy")).toBe("120;w=60");
});

it("survives what no client would send", async () => {
  const { url } = await start();
  const { port, hostname } = new URL(url);
  const sendRaw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.end(text));
      let got = "";
      socket.on("data", (data) => (got += data.toString())).on("close", () => resolve(got));
      socket.on("error", () => resolve(got));
    });
  const statuses = await Promise.all([
    sendRaw("GET /api/v2/%ff%fe/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    sendRaw("GET /%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    sendRaw("GET //evil.example/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    sendRaw('GET / HTTP/1.1\r\nHost: "<x>"\r\nConnection: close\r\n\r\n'),
    sendRaw("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    sendRaw("nonsense\r\n\r\n"),
  ]);
  for (const got of statuses) expect(got).toMatch(/^HTTP\/1\.1 4\d\d /u);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it("answers 500 to visitors of short links while the store can't be read, and goes on", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "listen-"));
  const lines: string[] = [];
  service = await openService({
    dataDir,
    log: makeLog({ to: { write: (line: string) => void lines.push(line) } }),
  });
  const { url } = await service.listen({ host: "127.0.0.1", port: 0 });
  const db = openSqlite(path.join(dataDir, "service.db"));
  db.exec("ALTER TABLE codes RENAME TO lost");
  const failed = await fetch(`${url}/ab2cdefg`);
  expect([failed.status, await failed.text()]).toEqual([500, "Internal Server Error"]);
  expect(lines.join("")).toContain("no such table");
  db.exec("ALTER TABLE lost RENAME TO codes");
  db.close();
  expect((await fetch(`${url}/ab2cdefg`)).status).toBe(404);
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("refuses a huge body, announced or not, and goes on", async () => {
  const { url, baseUrl, send } = await start();
  const body = JSON.stringify({ junk: "x".repeat(3_000_000) });
  const announced = await send(`${baseUrl}/qrcode/create/`, { method: "POST", body });
  expect(announced.status).toBe(400);
  const stream = new Blob([body]).stream();
  const chunked = await send(`${baseUrl}/qrcode/create/`, {
    method: "POST",
    body: stream,
    duplex: "half",
  });
  expect(chunked.status).toBe(400);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it("survives senders that leave in the middle", async () => {
  const { url } = await start();
  const { port, hostname } = new URL(url);
  const { token } = service?.account ?? {};
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write(
      `POST /api/v2/qrcode/create/ HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"workspace":`,
    );
    socket.destroy();
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it("finishes a request in flight before it closes, and closes twice", async () => {
  const { url } = await start();
  const { port, hostname } = new URL(url);
  const { token, workspaceId: workspace } = service?.account ?? {};
  const body = JSON.stringify({ workspace, qr_data: "https://example.com/" });
  const socket = connect(Number(port), hostname);
  let got = "";
  socket.on("data", (data) => (got += data.toString()));
  const ended = new Promise((resolve) => socket.on("close", resolve));
  socket.write(
    `POST /api/v2/qrcode/create/ HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Expect: 100-continue\r\n\r\n`,
  );
  // The server's "100 Continue" proves that the request has begun.
  await new Promise((resolve) => socket.once("data", resolve));
  const closing = Promise.all([service?.close(), service?.close()]);
  socket.write(body);
  await closing;
  await ended;
  expect(got).toMatch(/HTTP\/1\.1 200 OK/u);
  expect(got).toContain('"qr_data":"https://example.com/"');
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

it("says which port could not be had", async () => {
  const { url } = await start();
  const other = await openService({ dataDir: ":memory:" });
  const port = Number(new URL(url).port);
  await expect(other.listen({ host: "127.0.0.1", port })).rejects.toMatchObject({
    code: "bad-usage",
    message: expect.stringContaining(`127.0.0.1:${port}`) as string,
  });
  await other.close();
});
