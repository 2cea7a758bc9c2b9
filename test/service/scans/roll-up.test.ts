/**
 * Roll-ups: the same figures before and after, in older stores, and after deletes
 * (docs/spec/api.md section 2.7).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../../help/property.ts";
import { describe, expect, it } from "vitest";

import { openSqlite } from "../../../src/base/sqlite/sqlite.ts";
import { NEVER, readPack, Tally } from "../../../src/service/scans/scan-packs.ts";

import { steps } from "../../../src/service/store/sqlite/migrations.ts";

import { makeService, type TestService, type Wire } from "../make-service.ts";

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";

it("packs hold what was counted, whatever its size and sign", () => {
  const entry = fc.tuple(
    fc.nat({ max: 0xffffffff }),
    fc.constantFrom(0, 1, 29, NEVER - 1, NEVER),
    fc.integer({ min: -100_000, max: 100_000 }),
  );
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const tally = new Tally();
      const right = new Map<string, number>();
      for (const [key, age, count] of entries) {
        tally.add(key, age, count);
        right.set(`${key} ${age}`, (right.get(`${key} ${age}`) ?? 0) + count);
      }
      const found = new Map<string, number>();
      readPack(tally.toPack(), (key, age, count) => {
        found.set(`${key} ${age}`, (found.get(`${key} ${age}`) ?? 0) + count);
      });
      expect(found).toEqual(new Map([...right].filter(([, count]) => count !== 0)));
    }),
  );
});

const figures = async (service: TestService, ids: readonly string[]): Promise<Wire[]> => {
  const paths = [
    `/workspace/${service.workspace}/analytics/`,
    ...ids.map((id) => `/qrcode/${id}/analytics/`),
  ];
  const queries = ["", "?days=5", "?start=2026-11-20T09:30:00Z", "?end=2026-11-21T12:00:00Z"];
  return Promise.all(
    paths.flatMap((one) =>
      queries.map(async (query) => (await service.get(`${one}${query}`)).body as unknown),
    ),
  );
};

describe("analytics", () => {
  it("say the same before and after the roll-up", async () => {
    const service = await makeService();
    const codes = [await service.code({ dynamic: true }), await service.code({ dynamic: true })];
    for (let n = 0; n < 40; n += 1) {
      const { shortlink_url: url } = codes[n % 2];
      await service.fetch(new Request(url, { headers: { "user-agent": `${PHONE} ${n % 7}` } }));
      await service.clock.advance(n % 3 === 0 ? 50 * 60_000 : 60);
    }
    const ids = codes.map(({ id }) => id);
    const before = await figures(service, ids);
    await service.rollUp();
    expect(await figures(service, ids)).toEqual(before);
    await service.rollUp();
    expect(await figures(service, ids)).toEqual(before);
    await service.close();
  });

  it("of a workspace forget a code that was deleted, rolled up or not (docs/spec/api.md section 4.1)", async () => {
    for (const rollsUp of [true, false]) {
      const service = await makeService();
      const gone = await service.code({ dynamic: true });
      const kept = await service.code({ dynamic: true });
      for (const { shortlink_url: url } of [gone, kept, gone]) await service.scan(url, PHONE);
      if (rollsUp) await service.rollUp();
      await service.send("DELETE", `/qrcode/${gone.id}/delete/`);
      const { body } = await service.get(`/workspace/${service.workspace}/analytics/`);
      expect([body.total_scans, body.unique_scans]).toEqual([1, 1]);
      expect(body.top_os).toEqual([{ name: "iOS", scans: 1, unique_scans: 1 }]);
      expect(body.top_codes.map(({ id }: Wire) => id)).toEqual([kept.id]);
      await service.scan(kept.shortlink_url, PHONE);
      await service.rollUp();
      const later = (await service.get(`/workspace/${service.workspace}/analytics/`)).body;
      expect([later.total_scans, later.unique_scans]).toEqual([2, 1]);
      await service.close();
    }
  });

  it("keep the scans of a scanner in order when the clock is set back", async () => {
    const service = await makeService();
    const code = await service.code({ dynamic: true });
    await service.scan(code.shortlink_url, PHONE);
    const { clock } = service;
    const late = clock.nowMs();
    const nowMs = clock.nowMs.bind(clock);
    clock.nowMs = () => nowMs() - 3_600_000;
    await service.scan(code.shortlink_url, PHONE);
    clock.nowMs = nowMs;
    const { results } = (await service.get(`/qrcode/${code.id}/activity/`)).body;
    const times = results.map((one: Wire) => Date.parse(one.time_utc));
    expect(times[0]).toBe(times[1]);
    expect(times[0]).toBeLessThan(late);
    await service.close();
  });
});

it("takes out what a deleted code left behind, also scans that were on their way", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "leftovers-"));
  const service = await makeService({ dataDir });
  const gone = await service.code({ dynamic: true });
  const kept = await service.code({ dynamic: true });
  for (const { shortlink_url: url } of [gone, kept, gone]) await service.scan(url, PHONE);
  await service.fetch(new Request(gone.shortlink_url, { headers: { "user-agent": PHONE } }));
  const tables = ["scans", "scanners", "scan_totals", "scanned_codes", "scan_leftovers"];
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  const count = (table: string): number =>
    sqlite.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
  const before = count("scans");
  await service.send("DELETE", `/qrcode/${gone.id}/delete/`);
  // The request removes no scan: there may be millions.
  expect(count("scans")).toBeGreaterThanOrEqual(before);
  await service.clock.advance(200_000);
  expect((await service.get(`/qrcode/${kept.id}/`)).body.total_scans).toBe(1);
  await service.close();
  expect(tables.map(count)).toEqual([1, 1, 1, 1, 0]);
  sqlite.close();
  await rm(dataDir, { recursive: true });
});

it("a store of an older version brings its scans along", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "older-"));
  const sqlite = openSqlite(path.join(dataDir, "service.db"));
  const version = steps.findIndex((step) => step.includes("CREATE TABLE scanned_codes"));
  for (const step of steps.slice(0, version)) sqlite.exec(step);
  sqlite.exec(`
    PRAGMA application_id=0x6d727376;
    PRAGMA user_version=${version};
    INSERT INTO accounts VALUES ('a', 'default', 1);
    INSERT INTO workspaces (id, account_id, name, created) VALUES ('w', 'a', 'w', 1);
    INSERT INTO codes (id, workspace_id, kind, created, display_name, qr_type, qr_data, dynamic, slug,
      gps_tracking, design, search, total_scans, unique_scans)
      VALUES ('c', 'w', 'code', 1, '', 'Link', 'https://example.com/', 1, 'old', 0, '{}', '', 3, 2)`);
  const day = Date.UTC(2026, 10, 18);
  const add = (id: string, hours: number, who: string, bot = 0): void => {
    const device = bot === 1 ? "bot" : "Mobile";
    sqlite.run(
      "INSERT INTO scans VALUES (?, 'c', ?, ?, ?, 'iOS', 'Safari', '', '', '', ?)",
      id,
      day + hours * 3_600_000,
      who,
      device,
      bot,
    );
    if (bot === 0) sqlite.run("INSERT INTO scanners VALUES ('c', ?) ON CONFLICT DO NOTHING", who);
  };
  add("s1", 1, "a");
  add("s2", 30, "a");
  add("s3", 31, "b");
  add("s4", 32, "x", 1);
  sqlite.close();
  const service = await makeService({ dataDir });
  for (const rollsUp of [false, true]) {
    if (rollsUp) await service.rollUp();
    const { body } = await service.get(`/qrcode/c/analytics/?start=2026-11-18`);
    expect([body.total_scans, body.unique_scans]).toEqual([3, 2]);
    const second = (await service.get(`/qrcode/c/analytics/?start=2026-11-19`)).body;
    expect([second.total_scans, second.unique_scans]).toEqual([2, 2]);
  }
  const { results } = (await service.get(`/qrcode/c/activity/`)).body;
  expect(results.map((one: Wire) => [one.id, one.device])).toEqual([
    ["s4", "bot"],
    ["s3", "Mobile, iOS, Safari"],
    ["s2", "Mobile, iOS, Safari"],
    ["s1", "Mobile, iOS, Safari"],
  ]);
  await service.close();
  await rm(dataDir, { recursive: true });
});
