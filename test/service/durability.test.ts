import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { openService } from "../../src/service/service.ts";

import { wrapService, type Wire } from "./make-service.ts";
import { listResponses, submit } from "./visit-form.ts";

/** As it is built: to compile the sources would take most of its time. */
const PROGRAM = `
  import { openService } from ${JSON.stringify(new URL("../../dist/service/service.js", import.meta.url).href)};
  const service = await openService({ dataDir: process.argv[1], limits: "off" });
  const { baseUrl } = await service.listen({ host: "127.0.0.1", port: 0 });
  console.log(JSON.stringify({ baseUrl, ...service.account }));
`;

interface Running {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspaceId: string;
  kill(): Promise<void>;
}

async function startChild(dataDir: string): Promise<Running> {
  const flags = ["--input-type=module", "--eval", PROGRAM, dataDir];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString()));
    child.once("exit", () => reject(new Error("the service did not start")));
  });
  return {
    ...(JSON.parse(line) as Omit<Running, "kill">),
    kill: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

it("has every code whose create it answered, after kill -9 (docs/spec/design.md promise 8)", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "durable-"));
  const running = await startChild(dataDir);
  const answered: string[] = [];
  const send = async (n: number): Promise<void> => {
    const response = await fetch(`${running.baseUrl}/qrcode/create/`, {
      method: "POST",
      headers: {
        authorization: `Token ${running.token}`,
        "content-type": "application/json",
        "idempotency-key": `row ${n}`,
      },
      body: JSON.stringify({
        workspace: running.workspaceId,
        qr_data: `https://example.com/${n}`,
      }),
    });
    answered.push(((await response.json()) as Wire).id);
  };
  // Four senders go on until the connection breaks.
  const senders = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = lane; ; n += 4) {
      await send(n);
      if (answered.length === 60) await running.kill();
    }
  });
  await Promise.allSettled(senders);

  const service = await openService({ dataDir, limits: "off" });
  const headers = { authorization: `Token ${service.account.token}` };
  const found = new Set<string>();
  for (let page = 1; page < 5; page += 1) {
    const url = `http://localhost/api/v2/workspace/${running.workspaceId}/qrcodes/?page_size=200&page=${page}`;
    const { results } = (await (await service.fetch(new Request(url, { headers }))).json()) as Wire;
    for (const { id } of results) found.add(id);
  }
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(answered.filter((id) => !found.has(id))).toEqual([]);
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

const PDF = "%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n";

/** One write of every kind; answers what must be there afterwards, by path. */
async function writeAll({ baseUrl, token, workspaceId: workspace }: Running) {
  const ask = async (method: string, path: string, body?: unknown): Promise<Wire> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Token ${token}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  };
  const post = (path: string, body: unknown): Promise<Wire> => ask("POST", path, body);
  const qr_data = "https://example.com/";
  const folder = await post("/folder/create/", { workspace, name: "Old name" });
  const code = await post("/qrcode/create/", { workspace, qr_data, dynamic: true });
  const gone = await post("/qrcode/create/", { workspace, qr_data });
  const link = await post("/link/create/", { workspace, link: qr_data });
  const pdf_base64 = Buffer.from(PDF).toString("base64");
  const pdf = await post("/pdf/create/", { workspace, pdf_base64 });
  const product = await post("/gs1/products/", { workspace, identifier_value: "9506000134352" });
  await ask("PATCH", `/folder/${folder.id}/update/`, { name: "New name" });
  await ask("PATCH", `/qrcode/${code.id}/update/`, { qr_data: `${qr_data}new`, folder: folder.id });
  await ask("PATCH", `/qrcode/${code.id}/design/`, { primary_color: "#330000" });
  await post(`/qrcode/${code.id}/tags/add/`, [{ title: "Kept" }]);
  await ask("PATCH", `/link/${link.id}/update/`, { display_name: "Renamed" });
  await ask("DELETE", `/qrcode/${gone.id}/delete/`);
  return { code, gone, link, pdf, product };
}

it("has every kind of write whose answer came last before kill -9 (docs/spec/design.md promise 8)", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "durable-"));
  const running = await startChild(dataDir);
  const made = await writeAll(running);
  await running.kill();

  const service = await openService({ dataDir, limits: "off" });
  const headers = { authorization: `Token ${service.account.token}` };
  const get = async (address: string): Promise<Response> =>
    service.fetch(new Request(`http://localhost/api/v2${address}`, { headers }));
  expect(await (await get(`/qrcode/${made.code.id}/`)).json()).toMatchObject({
    qr_data: "https://example.com/new",
    folder: { name: "New name" },
    tags: [{ title: "Kept" }],
    design: { primary_color: "#330000" },
  });
  expect((await get(`/qrcode/${made.gone.id}/`)).status).toBe(404);
  expect(await (await get(`/link/${made.link.id}/`)).json()).toMatchObject({
    display_name: "Renamed",
  });
  expect((await get(`/gs1/products/${made.product.id}/`)).status).toBe(200);
  const file = new URL(made.pdf.pdf_file_url).pathname;
  expect(await (await service.fetch(new Request(`http://localhost${file}`))).text()).toBe(PDF);
  const list = await get(`/workspace/${service.account.workspaceId}/qrcodes/?q=example.com/new`);
  expect(await list.json()).toMatchObject({ count: 1, results: [{ id: made.code.id }] });
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("has every answer to a form whose respondent was thanked, after kill -9 (docs/spec/design.md promise 8)", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "durable-"));
  const before = await openService({ dataDir, limits: "off" });
  const made = wrapService(before, fakeClock());
  const post = async (action: string, body: unknown): Promise<Wire> =>
    (await made.send("POST", `/form/${action}/`, body)).body;
  const { id } = await post("create", { workspace: made.workspace, title: "F" });
  await post(`${id}/save`, { fields: [{ id: "temp-1", field_type: "text", label: "Name" }] });
  const form = await post(`${id}/publish`, {});
  await before.close();

  const running = await startChild(dataDir);
  const address = new URL(`/form/${form.slug}`, running.baseUrl).href;
  const thanked: string[] = [];
  const senders = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = lane; ; n += 4) {
      const answers = { [form.fields[0].id]: String(n) };
      const { status } = await submit({ fetch }, address, { answers });
      if (status === 303) thanked.push(String(n));
      if (thanked.length === 40) await running.kill();
    }
  });
  await Promise.allSettled(senders);

  const service = await openService({ dataDir, limits: "off" });
  const { count, results } = await listResponses(
    wrapService(service, fakeClock()),
    id,
    "?page_size=100",
  );
  const found = new Set(results.map((one: Wire) => one.field_responses[0].value));
  expect(thanked.length).toBeGreaterThanOrEqual(40);
  expect(thanked.filter((n) => !found.has(n))).toEqual([]);
  expect(count).toBe(found.size);
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});
