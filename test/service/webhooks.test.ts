/** Webhooks: docs/spec/api.md section 6, docs/spec/design.md section 5. */
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { afterEach, describe, expect, it } from "vitest";

import {
  FormSubmitted,
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
} from "../../src/api/webhook.ts";
import { makeLog } from "../../src/base/log.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { Posted } from "../../src/service/http/guarded-fetch.ts";
import { steps } from "../../src/service/store/sqlite/migrations.ts";
import { toWaitMs } from "../../src/service/webhooks/deliverer.ts";

import { makeService, openBeside, type TestService, type Wire } from "./make-service.ts";
import { publishForm, submit } from "./visit-form.ts";
import { WITHOUT_CONSOLE } from "./without-console.ts";

const URL = "https://receiver.example/hooks/secret-path";
const SECRET = "ключ-s3cret";
const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";
const HOUR_MS = 3_600_000;

interface Got {
  readonly atMs: number;
  readonly url: string;
  readonly posted: Posted;
  readonly body: Wire;
}

/** A receiver with prepared answers: a status, or an error that is thrown. */
class Receiver {
  readonly got: Got[] = [];
  answer: (got: Got) => number | Promise<number> = () => 200;
  nowMs = (): number => 0;

  readonly post = async (url: string, posted: Posted): Promise<number> => {
    const body: Wire = JSON.parse(Buffer.from(posted.body).toString());
    const got = { atMs: this.nowMs(), url, posted, body };
    this.got.push(got);
    return this.answer(got);
  };
}

let service: TestService;
const receiver = { current: new Receiver() };
afterEach(() => service.close());

async function open(
  options: Parameters<typeof makeService>[0] = {},
): Promise<{ got: Got[]; receiver: Receiver }> {
  const made = new Receiver();
  receiver.current = made;
  service = await makeService({
    webhook: { url: URL, secret: SECRET },
    post: made.post,
    ...options,
  });
  made.nowMs = () => service.clock.nowMs();
  return { got: made.got, receiver: made };
}

const setTo = (url: string, secret: string) =>
  service.webhooks.set(service.workspace, { url, secret });
const status = () => service.webhooks.status(service.workspace);

describe("a report (docs/spec/api.md section 6)", () => {
  it("is the activity record of the scan, posted as JSON", async () => {
    const { got } = await open();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    const [record] = (await service.get(`/qrcode/${code.id}/activity/`)).body.results;
    expect(got.map(({ url, body }) => [url, body])).toEqual([[URL, record]]);
    expect(Object.keys(record).toSorted()).toEqual([
      "device",
      "id",
      "location",
      "qr_code_id",
      "scanner_id",
      "time_timezone_aware",
      "time_utc",
    ]);
    expect(got[0]?.posted.headers["content-type"]).toBe("application/json");
  });

  it("is signed: HMAC-SHA256 of the raw body in lower-case hex, key = the secret's UTF-8", async () => {
    const { got } = await open();
    await service.scan((await service.code({ dynamic: true })).shortlink_url, PHONE);
    const { posted } = got[0] ?? expect.fail("nothing was posted");
    const right = createHmac("sha256", Buffer.from(SECRET, "utf8"))
      .update(posted.body)
      .digest("hex");
    expect(posted.headers["x-signature"]).toBe(right);
  });

  it("goes out for short links too, but not for robots, HEAD or other workspaces", async () => {
    const { got } = await open();
    const link = (
      await service.send("POST", "/link/create/", {
        workspace: service.workspace,
        link: "https://example.com/",
      })
    ).body;
    const foreign = (
      await service.send(
        "POST",
        "/qrcode/create/",
        { workspace: service.other.workspaceId, qr_data: "https://example.com/", dynamic: true },
        { token: service.other.token },
      )
    ).body;
    await service.scan(link.shortlink_url, "Googlebot/2.1");
    await service.fetch(new Request(link.shortlink_url, { method: "HEAD", redirect: "manual" }));
    await service.scan(foreign.shortlink_url, PHONE);
    expect(got).toEqual([]);
    await service.scan(link.shortlink_url, PHONE);
    expect(got.map(({ body }) => body.qr_code_id)).toEqual([link.id]);
  });

  it("goes to each workspace's own receiver", async () => {
    const { got } = await open();
    const { workspaceId, token } = service.other;
    const other = { url: "https://other.example/", secret: "x" };
    await service.webhooks.set(workspaceId, other);
    const code = (
      await service.send(
        "POST",
        "/qrcode/create/",
        { workspace: workspaceId, qr_data: "https://example.com/", dynamic: true },
        { token },
      )
    ).body;
    await service.scan(code.shortlink_url, PHONE);
    expect(got.map(({ url, posted }) => [url, posted.allowPrivate])).toEqual([[other.url, false]]);
    await service.webhooks.set(workspaceId, undefined);
    await service.scan(code.shortlink_url, PHONE);
    expect([got.length, await service.webhooks.status(workspaceId)]).toEqual([1, undefined]);
  });

  it("never delays a redirect (docs/spec/design.md promise 9)", async () => {
    const { receiver: slow } = await open();
    slow.answer = () => new Promise(() => {});
    const code = await service.code({ dynamic: true });
    for (let n = 0; n < 12; n += 1) {
      const answer = await service.scan(code.shortlink_url, PHONE);
      expect(answer.status).toBe(302);
    }
    expect(slow.got).toHaveLength(1);
    expect((await status())?.waiting).toBe(12);
    slow.answer = () => 200;
    void service.clock.advance(5000);
  });
});

const CRM = "https://crm.example/in";

let receivers = 0;
/** One more receiver, at an address of its own, of any events. */
const add = (events: readonly string[] = ["scan"]): Promise<string> =>
  service.webhooks.add(service.workspace, {
    url: `${CRM}?n=${(receivers += 1)}`,
    secret: "x",
    events: events as readonly WebhookEvent[],
  });

describe("several receivers of a workspace", () => {
  it("get what they want, signed with their own secret, each by itself", async () => {
    const { got, receiver: odd } = await open();
    const both = ["scan", "form.submitted"] as const;
    await service.webhooks.add(service.workspace, { url: CRM, secret: "other", events: both });
    odd.answer = ({ url }) => (url === URL ? 500 : 200);
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(100);
    expect(got.map(({ url }) => url).toSorted()).toEqual([CRM, URL]);
    expect(got[0]?.body).toEqual(got[1]?.body);
    for (const { url, posted } of got) {
      const secret = url === URL ? SECRET : "other";
      const signature = posted.headers["x-signature"];
      const sent = { body: posted.body, signature };
      expect(verifyWebhook({ ...sent, secret })).toBe(true);
      expect(verifyWebhook({ ...sent, secret: `${secret}!` })).toBe(false);
    }
    // One that fails holds up no other.
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(100);
    expect(got.filter(({ url }) => url === CRM)).toHaveLength(2);
    const [main, crm] = await service.webhooks.list(service.workspace);
    expect([main?.failuresInRow, main?.waiting, crm?.failuresInRow, crm?.waiting]).toEqual([
      1, 2, 0, 0,
    ]);
  });

  it("learn of answers to forms, as the API lists them", async () => {
    const { got } = await open();
    await service.webhooks.add(service.workspace, {
      url: CRM,
      secret: "other",
      events: ["form.submitted"],
    });
    const form = await publishForm(service);
    await submit(service, form.share_url, { answers: { [form.fields[0].id]: "Ada" } });
    await service.clock.advance(100);
    const [listed] = (await service.get(`/forms/${form.id}/responses/`)).body.results;
    expect(got.map(({ url, body }) => [url, body])).toEqual([
      [CRM, { type: "form.submitted", form_id: form.id, ...listed }],
    ]);
    expect(FormSubmitted.parse(got[0]?.body).field_responses?.[0]?.value).toBe("Ada");
    expect(got[0]?.posted.headers["x-event-type"]).toBe("form.submitted");
  });

  it("can be removed and let go on; others are left alone", async () => {
    const { got, receiver: dead } = await open();
    const id = await service.webhooks.add(service.workspace, { url: CRM, secret: "other" });
    dead.answer = ({ url }) => (url === CRM ? 503 : 200);
    const code = await service.code({ dynamic: true });
    for (let n = 0; n < 20; n += 1) {
      await service.scan(code.shortlink_url, PHONE);
      await service.clock.advance(HOUR_MS);
    }
    const find = async () => (await service.webhooks.list()).find((one) => one.id === id);
    expect((await find())?.paused).not.toBeNull();
    expect(got.filter(({ url }) => url === URL)).toHaveLength(20);
    dead.answer = () => 200;
    expect(await service.webhooks.resume(id)).toBe(true);
    await service.clock.advance(1000);
    expect(await find()).toMatchObject({ paused: null, waiting: 0 });
    expect([await service.webhooks.remove(id), await service.webhooks.remove(id)]).toEqual([
      true,
      false,
    ]);
    const before = got.length;
    await service.scan(code.shortlink_url, PHONE);
    expect(got.slice(before).map(({ url }) => url)).toEqual([URL]);
  });

  it("get nothing twice under another spelling of their address", async () => {
    await open({ webhook: undefined });
    const { webhooks, workspace } = service;
    const crm = "https://crm.example/in";
    await webhooks.add(workspace, { url: crm, secret: "x" });
    for (const url of [`${crm}#y`, `${crm}?`, `${crm}?#`, "https://CRM.example:443/in"]) {
      await expect(webhooks.add(workspace, { url, secret: "x" })).rejects.toThrow(
        "must be a new one for scan",
      );
    }
    await webhooks.add(workspace, { url: `${crm}?a=1`, secret: "x" });
    expect(await webhooks.list(workspace)).toHaveLength(2);
  });

  it("are at most 20, with events that there are", async () => {
    await open({ webhook: undefined });
    await expect(add([])).rejects.toThrow("got none");
    await expect(add(["scans"])).rejects.toMatchObject({ hint: 'did you mean "scan"?' });
    for (let n = 0; n < 20; n += 1) await add();
    await expect(add()).rejects.toThrow("at most 20 receivers");
  });
});

describe("headers of a delivery", () => {
  it("name event, delivery and attempt; a delivery keeps its id", async () => {
    const { got, receiver: failing } = await open();
    const answers = [500, 500, 200];
    failing.answer = () => answers.shift() ?? 200;
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(60_000);
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(1000);
    const told = got.map(({ posted: { headers } }) => [
      headers["x-event-type"],
      headers["x-delivery-attempt"],
    ]);
    expect(told).toEqual([
      ["scan", "1"],
      ["scan", "2"],
      ["scan", "3"],
      ["scan", "1"],
    ]);
    const ids = got.map(({ posted }) => posted.headers["x-delivery-id"]);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/u);
  });
});

it("keeps receiver and reports of a store that knew one receiver only", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "webhooks-"));
  const { receiver: dead } = await open({ dataDir });
  dead.answer = () => 500;
  const code = await service.code({ dynamic: true });
  await service.scan(code.shortlink_url, PHONE);
  await service.close();
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  const version = steps.findIndex((one) => one.includes("old_webhooks"));
  // As an older makeready left it.
  sqlite.exec(`${WITHOUT_CONSOLE}
    CREATE TABLE before (workspace_id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL,
      failures INTEGER NOT NULL, next_try BIGINT NOT NULL, paused BIGINT, trusted INTEGER NOT NULL);
    INSERT INTO before SELECT id, url, secret, failures, next_try, paused, trusted FROM webhooks;
    DROP TABLE webhooks;
    ALTER TABLE before RENAME TO webhooks;
    ALTER TABLE webhook_outbox DROP COLUMN event;
    ALTER TABLE webhook_deliveries DROP COLUMN event;
    ${["webhook_outbox", "webhook_lanes", "webhook_deliveries"]
      .map(
        (table) => `ALTER TABLE ${table} RENAME COLUMN webhook_id TO workspace_id;
          ALTER TABLE ${table} RENAME COLUMN lane TO code_id;`,
      )
      .join("")}
    ALTER TABLE webhook_outbox RENAME COLUMN record_id TO scan_id;
    ALTER TABLE webhook_deliveries RENAME COLUMN record_id TO scan_id;
    PRAGMA user_version=${version}`);
  sqlite.close();
  const { got } = await open({ dataDir, webhook: undefined });
  await service.clock.advance(60_000);
  expect(got.map(({ url, body }) => [url, body.qr_code_id])).toEqual([[URL, code.id]]);
  expect((await status())?.deliveries.map(({ status: one }) => one)).toEqual([200, 500]);
  await service.close();
  await rm(dataDir, { recursive: true });
});

describe("verifyWebhook", () => {
  const body = '{"id":"1"}';
  const signature = signWebhook(SECRET, body);

  it.each([
    [{}, true],
    [{ body: Buffer.from(body) }, true],
    [{ body: new TextEncoder().encode(body).buffer }, true],
    [{ body: `${body} ` }, false],
    [{ secret: "another" }, false],
    [{ secret: "" }, false],
    [{ signature: "" }, false],
    [{ signature: signature.slice(1) }, false],
    [{ signature: `${signature}0` }, false],
    [{ signature: signature.toUpperCase() }, false],
    [{ signature: "é".repeat(32) }, false],
    [{ signature: null }, false],
    [{ signature: undefined }, false],
    [{ signature: [signature, signature] }, false],
  ])("of %j is %s", (changes, verdict) => {
    expect(verifyWebhook({ body, signature, secret: SECRET, ...changes })).toBe(verdict);
  });

  it("refuses a body that was parsed already", () => {
    const parsed = JSON.parse(body) as never;
    expect(() => verifyWebhook({ body: parsed, signature, secret: SECRET })).toThrow(
      "body must be the raw body of the request as text or bytes, got object",
    );
  });
});

describe("retries (docs/spec/design.md section 5)", () => {
  it("come after 5 s, then twice as long each time, until any 2xx", async () => {
    const { got, receiver: failing } = await open();
    const answers = [500, 404, 302, 204];
    failing.answer = () => answers.shift() ?? 200;
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    const beganMs = got[0]?.atMs ?? 0;
    await service.clock.advance(60_000);
    expect(got.map(({ atMs }) => atMs - beganMs)).toEqual([0, 5000, 15_000, 35_000]);
    expect(new Set(got.map(({ posted }) => Buffer.from(posted.body).toString())).size).toBe(1);
    const found = await status();
    expect([found?.waiting, found?.failuresInRow]).toEqual([0, 0]);
    expect(found?.deliveries.map((one) => [one.attempt, one.status, one.fault])).toEqual([
      [4, 204, null],
      [3, 302, "the receiver answered 302; redirects are not followed"],
      [2, 404, "the receiver answered 404"],
      [1, 500, "the receiver answered 500"],
    ]);
  });

  it("wait from 5 s to an hour", () => {
    expect([1, 2, 3, 10, 11, 30].map(toWaitMs)).toEqual([
      5000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000,
    ]);
  });

  it("end after 24 h, and what comes later goes out", async () => {
    const { got, receiver: dead } = await open();
    dead.answer = () => Promise.reject(new Error("connect ECONNREFUSED"));
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    for (let n = 0; n < 3; n += 1) {
      await service.clock.advance(9 * HOUR_MS);
      // Or it would be paused before that.
      await service.webhooks.set(service.workspace, { url: URL, secret: SECRET });
    }
    expect((await status())?.waiting).toBe(0);
    dead.answer = () => 200;
    const before = got.length;
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(2 * HOUR_MS);
    expect(got.length - before).toBe(1);
  });

  it("pause a receiver after 20 failures in a row, and go on when it is set again", async () => {
    const { got, receiver: dead } = await open();
    dead.answer = () => 503;
    const code = await service.code({ dynamic: true });
    for (let n = 0; n < 30; n += 1) {
      await service.scan(code.shortlink_url, PHONE);
      await service.clock.advance(2 * HOUR_MS);
    }
    const found = await status();
    expect([got.length, found?.failuresInRow]).toEqual([20, 20]);
    expect(found?.paused).toMatch(/^2026-11-2/u);
    dead.answer = () => 200;
    await service.webhooks.set(service.workspace, { url: URL, secret: SECRET });
    await service.clock.advance(1000);
    // Those that were older than a day are gone.
    expect(got.length).toBeGreaterThan(25);
    expect((await status())?.paused).toBeNull();
    expect((await status())?.waiting).toBe(0);
  });

  it("count failures that were under way together as one", async () => {
    const { got, receiver: dead } = await open();
    dead.answer = () => 500;
    for (let n = 0; n < 8; n += 1) {
      const code = await service.code({ dynamic: true });
      await service.fetch(new Request(code.shortlink_url, { headers: { "user-agent": PHONE } }));
    }
    await service.clock.advance(100);
    expect([got.length, (await status())?.failuresInRow]).toEqual([8, 1]);
    dead.answer = () => 200;
    await service.clock.advance(20_000);
    expect((await status())?.waiting).toBe(0);
  });

  it("of one code hold up no other", async () => {
    const { got, receiver: picky } = await open();
    const bad = await service.code({ dynamic: true });
    const good = await service.code({ dynamic: true });
    picky.answer = ({ body }) => (body.qr_code_id === bad.id ? 400 : 200);
    await service.scan(bad.shortlink_url, PHONE);
    for (let n = 0; n < 5; n += 1) {
      await service.scan(good.shortlink_url, PHONE);
      await service.clock.advance(30_000);
    }
    expect(got.filter(({ body }) => body.qr_code_id === good.id)).toHaveLength(5);
    expect((await status())?.waiting).toBe(1);
  });
});

it("delivers at least once and in order per code, whatever the receiver does", async () => {
  const plan = fc.record({
    scans: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 15 }),
    answers: fc.array(fc.constantFrom(200, 200, 500, 0), { maxLength: 15 }),
  });
  const property = fc.asyncProperty(plan, async ({ scans, answers }) => {
    const { got, receiver: odd } = await open();
    const received = new Map<string, string[]>();
    odd.answer = ({ body }) => {
      const answer = answers.shift() ?? 200;
      const list = received.get(body.qr_code_id) ?? [];
      // 0 = it got the report, and its answer was lost.
      if (answer !== 500 && !list.includes(body.id)) list.push(body.id);
      received.set(body.qr_code_id, list);
      if (answer === 0) throw new Error("socket hang up");
      return answer;
    };
    const codes = [];
    for (let n = 0; n < 3; n += 1) codes.push(await service.code({ dynamic: true }));
    for (const n of scans) await service.scan(codes[n].shortlink_url, PHONE);
    await service.clock.advance(HOUR_MS * 12);
    for (const { id } of codes) {
      const { results } = (await service.get(`/qrcode/${id}/activity/`)).body;
      expect(received.get(id) ?? []).toEqual(results.map((one: Wire) => one.id).toReversed());
    }
    expect(got.length).toBeGreaterThanOrEqual(scans.length);
    await service.close();
  });
  await expect(fc.assert(property, { numRuns: 25 })).resolves.toBeUndefined();
});

describe("a service that ends", () => {
  it("waits for nothing when nothing is under way: no timer keeps the process alive", async () => {
    const { got } = await open();
    await service.scan((await service.code({ dynamic: true })).shortlink_url, PHONE);
    expect(got).toHaveLength(1);
    await service.close();
    expect(service.clock.waiting).toBe(0);
  });

  it("waits 3 s for a report without an answer", async () => {
    const { receiver: silent } = await open();
    silent.answer = () => new Promise(() => {});
    await service.scan((await service.code({ dynamic: true })).shortlink_url, PHONE);
    let isClosed = false;
    const closing = service.close().then(() => (isClosed = true));
    await service.clock.advance(2900);
    expect(isClosed).toBe(false);
    await service.clock.advance(200);
    await closing;
    expect(service.clock.waiting).toBe(0);
  });
});

describe("settings", () => {
  it("refuse addresses and secrets that are none, and name neither", async () => {
    await open();
    for (const url of ["ftp://a.example/k3y", "javascript:alert(1)", "k3y", "", "http://"]) {
      const refused = await setTo(url, "x").catch((error: unknown) => error as Error);
      expect(refused).toMatchObject({ code: "bad-usage" });
      expect(String(refused)).not.toContain("k3y");
    }
    await expect(setTo(URL, "")).rejects.toMatchObject({ code: "bad-usage" });
    await expect(setTo(URL, "x".repeat(501))).rejects.toMatchObject({ code: "bad-usage" });
  });

  it("are kept until another one is set, or none", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "webhooks-"));
    for (const [webhook, url] of [
      [{ url: URL, secret: SECRET }, URL],
      [undefined, URL],
      [{ url: "https://other.example/", secret: "x" }, "https://other.example/"],
      ["none", undefined],
      [undefined, undefined],
    ] as const) {
      await open({ dataDir, webhook });
      expect((await status())?.url).toBe(url);
      await service.close();
    }
    await rm(dataDir, { recursive: true });
  });

  it("need a plan with webhooks", async () => {
    const post = new Receiver().post;
    const plan = { webhooks: false };
    await expect(
      makeService({ webhook: { url: URL, secret: SECRET }, post, plan }),
    ).rejects.toThrow("the plan must have webhooks");
    const { got } = await open({ webhook: undefined, plan });
    await service.scan((await service.code({ dynamic: true })).shortlink_url, PHONE);
    expect(got).toEqual([]);
  });

  it("let only the operator's own receiver have a private address", async () => {
    const { got } = await open();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    await service.webhooks.set(service.workspace, { url: "http://10.0.0.1/", secret: "x" });
    await service.scan(code.shortlink_url, PHONE);
    expect(got.map(({ posted }) => posted.allowPrivate)).toEqual([true, false]);
  });

  it("are said where serve names an address that gets the same already", async () => {
    let text = "";
    const log = makeLog({ level: "warn", to: { write: (line) => (text += line) } });
    await open({ log, webhook: undefined });
    const { webhooks, workspace } = service;
    const id = await webhooks.add(workspace, { url: URL, secret: "x", events: ["form.submitted"] });
    await webhooks.set(workspace, { url: URL, secret: SECRET });
    expect(text).toBe("");
    await webhooks.set(workspace, { url: URL, secret: SECRET, events: ["scan", "form.submitted"] });
    expect(text).toContain("each of these reports comes twice");
    expect(text).toContain(`"receiver":"${id}","events":"form.submitted"`);
    expect(text).not.toContain("secret-path");
  });

  it("stand in no log: neither the secret nor the path of the address", async () => {
    let text = "";
    const log = makeLog({ level: "trace", to: { write: (line) => (text += line) } });
    const { receiver: dead } = await open({ log });
    dead.answer = () => 500;
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    await service.clock.advance(60_000);
    expect(text).toContain("webhook not received");
    expect(text).toContain("receiver.example");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("secret-path");
  });

  it("keep the last 1,000 deliveries or a few more", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "webhooks-"));
    const { got } = await open({ dataDir });
    const code = await service.code({ dynamic: true });
    for (let n = 0; n < 1300; n += 1) {
      await service.fetch(new Request(code.shortlink_url, { headers: { "user-agent": PHONE } }));
    }
    while (got.length < 1300) await service.clock.advance(50);
    await service.clock.advance(50);
    expect((await status())?.deliveries).toHaveLength(100);
    await service.close();
    const store = await openBeside(dataDir);
    const kept = (
      await store.rows.get<{ n: number }>("SELECT count(*) AS n FROM webhook_deliveries")
    )?.n;
    await store.close();
    expect(kept).toBeGreaterThanOrEqual(1000);
    expect(kept).toBeLessThan(1200);
    await rm(dataDir, { recursive: true });
  });
});
