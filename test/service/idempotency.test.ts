import { afterEach, expect, it } from "vitest";

import { makeService, testStore, type Answer, type TestService } from "./make-service.ts";

let service: TestService;
afterEach(() => service.close());

const create = (fields: Record<string, unknown>, key: string, token?: string): Promise<Answer> =>
  service.send(
    "POST",
    "/qrcode/create/",
    { workspace: service.workspace, qr_data: "https://example.com/", ...fields },
    { headers: { "idempotency-key": key }, ...(token === undefined ? {} : { token }) },
  );
/** Remembered as well, and nothing is drawn for it. */
const createLink = (key: string): Promise<Answer> =>
  service.send(
    "POST",
    "/link/create/",
    { workspace: service.workspace, link: "https://example.com/" },
    { headers: { "idempotency-key": key } },
  );
const count = async (): Promise<number> =>
  (await service.get(`/workspace/${service.workspace}/qrcodes/`)).body.count;

it("answers a repeated create with the first answer and makes one code (docs/spec/engine.md section 1.7)", async () => {
  service = await makeService();
  const first = await create({ display_name: "a", dynamic: true, generate_png: true }, "row-1");
  const second = await create({ display_name: "a", dynamic: true, generate_png: true }, "row-1");
  expect(second.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(await count()).toBe(1);
  for (const { headers } of [first, second]) expect(headers.get("idempotency-key")).toBe("row-1");
});

it("answers as it did also after the code was changed or deleted", async () => {
  service = await makeService();
  const first = await create({ dynamic: true }, "k");
  await service.send("PATCH", `/qrcode/${first.body.id}/design/`, { primary_color: "#aa0000" });
  expect((await create({ dynamic: true }, "k")).body).toEqual(first.body);
  await service.send("DELETE", `/qrcode/${first.body.id}/delete/`);
  expect((await create({ dynamic: true }, "k")).body).toEqual(first.body);
  expect(await count()).toBe(0);
});

it("refuses the same key with another body (422)", async () => {
  service = await makeService();
  await create({ display_name: "a" }, "k");
  const { status, body } = await create({ display_name: "b" }, "k");
  expect([status, body]).toEqual([422, { detail: expect.any(String) as string }]);
  expect(await count()).toBe(1);
});

it("refuses a key that is in flight (409), 422 for another body, and makes one code", async () => {
  service = await makeService();
  const answers = await Promise.all([
    create({ display_name: "a" }, "k"),
    create({ display_name: "a" }, "k"),
    create({ display_name: "b" }, "k"),
  ]);
  const statuses = answers.map(({ status }) => status);
  // Over a network, which of them is first is not ours to say.
  if (testStore.isPostgres) expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  else expect(statuses).toEqual([200, 409, 422]);
  for (const { headers } of answers) expect(headers.get("idempotency-key")).toBe("k");
  expect(await count()).toBe(1);
  const first = statuses.indexOf(200);
  const again = await create({ display_name: first === 2 ? "b" : "a" }, "k");
  expect(again.body).toEqual(answers[first]?.body);
});

it("uses no key up for a request that was refused", async () => {
  service = await makeService();
  expect((await create({ qr_data: "nope" }, "k")).status).toBe(400);
  expect((await create({ folder: "nope" }, "k")).status).toBe(404);
  expect((await create({}, "k")).status).toBe(200);
});

it("keeps the keys of tokens apart", async () => {
  service = await makeService();
  const mine = await create({}, "k");
  const theirs = await create({ workspace: service.other.workspaceId }, "k", service.other.token);
  expect(theirs.status).toBe(200);
  expect(theirs.body.id).not.toBe(mine.body.id);
});

it("takes no key of more than 200 characters, and none is no key", async () => {
  service = await makeService();
  expect((await create({}, "x".repeat(200))).status).toBe(200);
  expect((await create({}, "x".repeat(201))).status).toBe(400);
  expect((await create({}, "")).status).toBe(400);
  const plain = await service.send("POST", "/qrcode/create/", {
    workspace: service.workspace,
    qr_data: "https://example.com/",
  });
  expect(plain.headers.get("idempotency-key")).toBeNull();
});

it("ignores the key on other requests", async () => {
  service = await makeService();
  const headers = { "idempotency-key": "k" };
  const body = { workspace: service.workspace, name: "F" };
  const folder = await service.send("POST", "/folder/create/", body, { headers });
  expect([folder.status, folder.headers.get("idempotency-key")]).toEqual([201, null]);
  expect((await create({}, "k")).status).toBe(200);
});

it("remembers for 24 hours at least, not for ever", async () => {
  service = await makeService();
  const first = await create({}, "k");
  await service.clock.advance(24 * 3_600_000 - 1);
  for (let n = 0; n < 501; n += 1) await createLink(`other-${n}`);
  expect((await create({}, "k")).body).toEqual(first.body);
  await service.clock.advance(2);
  for (let n = 0; n < 501; n += 1) await createLink(`more-${n}`);
  expect((await create({}, "k")).body.id).not.toBe(first.body.id);
});
