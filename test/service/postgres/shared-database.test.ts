/** Several services on one database, each as a process would be. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { randomIds } from "../../../src/base/ids/ids.ts";
import { makeLog } from "../../../src/base/log.ts";
import { freshDatabase, hasPostgres, startPostgres } from "../../postgres.ts";
import { makeService, type TestService } from "../make-service.ts";

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

const FIRST = "https://example.com/1";
const SECOND = "https://example.com/2";

const sendKeyed = (at: TestService) =>
  at.send(
    "POST",
    "/qrcode/create/",
    { workspace: at.workspace, qr_data: "https://example.com/keyed" },
    { headers: { "idempotency-key": "both at once" } },
  );

describe.skipIf(!hasPostgres)("two services on one database", () => {
  let url: string;
  let folder: string;
  let one: TestService;
  let two: TestService;
  const open = (more = {}) => makeService({ store: url, dataDir: folder, ids: randomIds, ...more });

  beforeAll(async () => {
    url = await freshDatabase();
    folder = mkdtempSync(path.join(tmpdir(), "shared-"));
    one = await open();
    two = await open();
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  test("both serve one account", async () => {
    expect(one.account).toEqual(two.account);
    expect(await ask(url, "SELECT count(*)::int FROM accounts WHERE name = 'default'")).toEqual([
      1,
    ]);
  });

  test("what one makes or changes, the other one answers", async () => {
    const code = await one.code({ dynamic: true, qr_data: FIRST });
    const visit = async (at: TestService) =>
      (await at.scan(code.shortlink_url)).headers.get("location");
    expect([await visit(one), await visit(two)]).toEqual([FIRST, FIRST]);
    await one.send("PATCH", `/qrcode/${code.id}/update/`, { qr_data: SECOND });
    expect(await visit(one)).toBe(SECOND);
    // The news is on its way: it comes by itself.
    while ((await visit(two)) !== SECOND);
    await two.send("DELETE", `/qrcode/${code.id}/delete/`);
    expect((await two.scan(code.shortlink_url)).status).toBe(404);
    while ((await one.scan(code.shortlink_url)).status !== 404);
  });

  test("creates at once give each code a moment, a slug and a place of its own", async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? one : two).code({ dynamic: true, display_name: `n ${n}` }),
      ),
    );
    expect(new Set(made.map(({ shortlink_url: link }) => link)).size).toBe(60);
    const ids = made.map(({ id }) => `'${id}'`).join(", ");
    const [moments] = await ask(
      url,
      `SELECT count(DISTINCT created)::int FROM codes WHERE id IN (${ids})`,
    );
    expect(moments).toBe(60);
    const list = (await two.get(`/workspace/${two.workspace}/qrcodes/?limit=1`)).body;
    expect(list.count).toBe(
      (await ask(url, "SELECT count(*)::int FROM codes WHERE kind = 'code'"))[0],
    );
  });

  test("a key sent to both at once makes one thing", async () => {
    const answers = await Promise.all([
      sendKeyed(one),
      sendKeyed(two),
      sendKeyed(one),
      sendKeyed(two),
    ]);
    const again = await sendKeyed(two);
    expect(again.status).toBe(200);
    const good = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(new Set([...good, again].map(({ body }) => body.id)).size).toBe(1);
    const keyed = "SELECT count(*)::int FROM codes WHERE qr_data = 'https://example.com/keyed'";
    expect(await ask(url, keyed)).toEqual([1]);
  });

  test("scans through both are counted once each, also when they are rolled up", async () => {
    const code = await one.code({ dynamic: true });
    for (let n = 0; n < 10; n += 1)
      await (n % 2 === 0 ? one : two).scan(code.shortlink_url, `phone ${n % 5}`);
    const read = async () => (await two.get(`/qrcode/${code.id}/analytics/?days=30`)).body;
    expect(await read()).toMatchObject({ total_scans: 10, unique_scans: 5 });
    await Promise.all([one.rollUp(), two.rollUp()]);
    expect(await read()).toMatchObject({ total_scans: 10, unique_scans: 5 });
  });

  test("one budget: exactly as many requests as the limit, through both", async () => {
    const limited = { limits: { reads: 25, writes: 5 } } as const;
    const both = await Promise.all([open(limited), open(limited)]);
    try {
      const asked = Array.from({ length: 60 }, (_, n) =>
        (both[n % 2] ?? one).get(`/workspace/${one.workspace}/qrcodes/?limit=1`),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(25);
      expect(statuses.filter((status) => status === 429)).toHaveLength(35);
    } finally {
      await Promise.all(both.map((at) => at.close()));
    }
  });

  test("a NUL in a path leads nowhere, and is no fault", async () => {
    expect((await one.fetch(new Request("https://go.example/ab%00c"))).status).toBe(404);
    expect((await one.get("/qrcode/%00/")).status).toBe(404);
  });
});

describe.skipIf(!hasPostgres)("a database that goes away", () => {
  test("known codes lead on, all else is a 503 that says why, and all goes on by itself", async () => {
    const server = await startPostgres();
    const at = await makeService({ store: server.url, ids: randomIds });
    try {
      const known = await at.code({ dynamic: true, qr_data: FIRST });
      const unknown = await at.code({ dynamic: true });
      await at.scan(known.shortlink_url);
      await server.crash();
      expect((await at.scan(known.shortlink_url)).headers.get("location")).toBe(FIRST);
      const page = await at.scan(unknown.shortlink_url);
      expect(page.status).toBe(503);
      expect(await page.text()).toContain("can&#39;t reach its database right now");
      const refused = await at.send("POST", "/qrcode/create/", {
        workspace: at.workspace,
        qr_data: FIRST,
      });
      expect(refused.status).toBe(503);
      expect(refused.body.detail).toMatch(/can't reach its database/u);
      const ready = await at.fetch(new Request("https://go.example/readyz"));
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({
        detail: expect.stringMatching(/can't be reached/u),
      });
      await server.start();
      const back = await at.code({ dynamic: true });
      expect((await at.scan(back.shortlink_url)).status).toBe(302);
      // The scan that came meanwhile was kept.
      await at.clock.advance(1000);
      expect((await at.get(`/qrcode/${known.id}/analytics/`)).body.total_scans).toBe(2);
      const again = await at.fetch(new Request("https://go.example/readyz"));
      expect(await again.json()).toEqual({ status: "ready", takes_writes: true });
    } finally {
      await at.close();
      await server.stop();
    }
  });
});

test.skipIf(!hasPostgres)("a clock that differs from the database's is reported once", async () => {
  const told: string[] = [];
  const log = { ...makeLog(), warn: (_: object, message: string) => void told.push(message) };
  const at = await makeService({ store: await freshDatabase(), log });
  try {
    while (told.length === 0) await at.get(`/workspace/${at.workspace}/qrcodes/`);
    expect(told).toEqual([
      expect.stringMatching(/^the clock of this computer is \d+ s .* the database's/u),
    ]);
  } finally {
    await at.close();
  }
});

test.skipIf(!hasPostgres)(
  "a void code says so at each of two services, and its scans count apart",
  async () => {
    const url = await freshDatabase();
    const both = await Promise.all([
      makeService({ store: url, ids: randomIds }),
      makeService({ store: url, ids: randomIds }),
    ]);
    try {
      const [one] = both;
      const code = await one.code({ dynamic: true });
      await ask(
        url,
        `INSERT INTO void_codes (code_id, workspace_id, time) VALUES ('${code.id}', '${one.workspace}', 1)`,
      );
      for (const at of both) {
        let status = 0;
        while (status !== 410) ({ status } = await at.scan(code.shortlink_url));
      }
      const [before] = await ask(url, "SELECT scans FROM void_codes");
      for (const at of both) await at.scan(code.shortlink_url);
      expect(await ask(url, "SELECT scans FROM void_codes")).toEqual([String(Number(before) + 2)]);
      expect(await ask(url, "SELECT count(*)::int FROM scans")).toEqual([0]);
    } finally {
      await Promise.all(both.map((at) => at.close()));
    }
  },
);
