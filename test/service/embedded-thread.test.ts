import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite.ts";
import { portTransport } from "../../src/client/port-transport.ts";
import { openTransport } from "../../src/client/transport.ts";
import type { openInThread } from "../../src/service/embedded/thread.ts";

/** Threads run what is built. */
const built = pathToFileURL(path.resolve("dist/service/embedded/thread.js")).href;
const thread = (await import(built)) as { openInThread: typeof openInThread };

const toOptions = (dataDir: string): Parameters<typeof openInThread>[0] => ({
  dataDir,
  publicUrl: "https://go.example.com",
  limits: "off",
  capitalLinks: false,
});
const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), "thread-"));

it("a service in a thread answers until it is closed, and its folder can be opened again", async () => {
  const folder = makeFolder();
  const first = await thread.openInThread(toOptions(folder));
  const headers = { authorization: `Token ${first.token}` };
  const answer = await fetch(`${first.baseUrl}/workspace/${first.workspace}/qrcodes/`, { headers });
  expect([answer.status, await answer.json()]).toMatchObject([200, { count: 0 }]);
  await first.close();
  await expect(fetch(`${first.baseUrl}/`, { headers })).rejects.toThrow(/fetch failed/u);
  const second = await thread.openInThread(toOptions(folder));
  await second.close();
  expect([second.token, second.workspace]).toEqual([first.token, first.workspace]);
});

it("its port answers what HTTP answers, header by header", async () => {
  const service = await thread.openInThread(toOptions(makeFolder()));
  const { baseUrl, workspace } = service;
  const headers = { authorization: `Token ${service.token}` };
  const port = service.connect?.();
  if (port === undefined) throw new Error("a service in a thread must have ports");
  const network = openTransport();
  const { origin } = new URL(baseUrl);
  const transport = portTransport({ port, origin, network: openTransport() });
  const body = JSON.stringify({ workspace, qr_type: "Link", qr_data: "https://example.com/" });
  const asked = [
    { method: "GET", url: `${baseUrl}/workspace/${workspace}/qrcodes/`, headers },
    { method: "GET", url: `${baseUrl}/qrcode/nobody/`, headers },
    { method: "GET", url: `${baseUrl}/workspace/${workspace}/qrcodes/`, headers: {} },
    { method: "POST", url: `${baseUrl}/qrcode/create/`, headers, body },
    {
      method: "POST",
      url: `${baseUrl}/qrcode/create/`,
      headers: { ...headers, "content-type": "application/json", "idempotency-key": "k-1" },
      body,
    },
    { method: "GET", url: `${origin}/media/nothing.png`, headers: {} },
  ].map((request) => ({ ...request, timeoutMs: 60_000 }));
  const ofConnections = ["connection", "keep-alive", "transfer-encoding"];
  const own = ["date", "x-request-id"];
  for (const request of asked) {
    const [there, here] = [await network.send(request), await transport.send(request)];
    const [far, near] = [there, here].map((answer) => ({
      status: answer.status,
      headers: [...answer.headers].filter(([name]) => ![...ofConnections, ...own].includes(name)),
      body: new TextDecoder().decode(answer.body),
    }));
    expect(near).toEqual(far);
    expect(here.headers.get("x-request-id")).toMatch(/./u);
    // Of files only Node tells the date, which nobody asks for.
    if (request.url.startsWith(baseUrl)) expect(here.headers.get("date")).toMatch(/ GMT$/u);
  }
  await transport.close();
  await network.close();
  await service.close();
});

it("what keeps it from opening is told as if there were no thread", async () => {
  const folder = makeFolder();
  await (await thread.openInThread(toOptions(folder))).close();
  const store = openSqlite(path.join(folder, "service.db"));
  store.exec("PRAGMA user_version=100000");
  store.close();
  await expect(thread.openInThread(toOptions(folder))).rejects.toMatchObject({
    code: "state-newer",
    hint: expect.any(String),
  });
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  await expect(thread.openInThread(toOptions(file))).rejects.toMatchObject({
    code: "data-unwritable",
  });
});
