import { afterEach, expect, it } from "vitest";

import { makeLog } from "../../src/base/log.ts";

import { makeService, type TestService } from "./make-service.ts";

let service: TestService | undefined;
afterEach(() => service?.close());

async function makeLogged() {
  const lines: Record<string, unknown>[] = [];
  const log = makeLog({ to: { write: (line) => void lines.push(JSON.parse(line)) } });
  service = await makeService({ log });
  return { lines, service };
}

it("logs every API request once, without token, query or body", async () => {
  const { lines, service } = await makeLogged();
  const { headers } = await service.get(`/workspace/${service.workspace}/qrcodes/?q=secret-search`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    requestId: headers.get("x-request-id"),
    method: "GET",
    path: `/api/v2/workspace/${service.workspace}/qrcodes/`,
    status: 200,
    ms: 0,
    msg: "request",
  });
  await service.send("POST", "/qrcode/create/", { workspace: "x", qr_data: "secret-data" });
  await service.send("GET", "/nothing/", undefined, { token: "wrong-token" });
  expect(lines.map(({ status }) => status)).toEqual([200, 400, 401]);
  const text = JSON.stringify(lines);
  for (const secret of [service.account.token, "wrong-token", "secret-search", "secret-data"]) {
    expect(text).not.toContain(secret);
  }
});

it("takes a sender's request id over, and makes one where it is missing or odd", async () => {
  const { service } = await makeLogged();
  const send = async (id: string) =>
    (await service.send("GET", "/x/", undefined, { headers: { "x-request-id": id } })).headers.get(
      "x-request-id",
    );
  expect(await send("abc-1.2:3")).toBe("abc-1.2:3");
  for (const odd of ["a b", "<x>", "x".repeat(101)]) {
    expect(await send(odd)).toMatch(/^[0-9a-f-]{36}$/u);
  }
  const page = await service.fetch(new Request("https://go.example/nothing"));
  expect(page.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/u);
});

it("does not log visits at the usual level", async () => {
  const { lines, service } = await makeLogged();
  const code = await service.code({ dynamic: true });
  lines.length = 0;
  await service.scan(code.shortlink_url);
  expect(lines).toEqual([]);
});

it("finishes what is under way when it closes, and takes nothing more", async () => {
  const { service } = await makeLogged();
  const under = service.code({ dynamic: true });
  await service.close();
  expect((await under).dynamic).toBe(true);
  const late = await service.get(`/workspace/${service.workspace}/qrcodes/`);
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "5"]);
});
