/**
 * Scans stored by a thread of their own: as by this one, whatever becomes of the thread
 * (docs/spec/design.md promise 9).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, expect, it } from "vitest";

import { systemClock } from "../../../src/base/time/clock.ts";
import { makeLog } from "../../../src/base/log.ts";
import { StorageThread } from "../../../src/service/scans/storage-thread.ts";
import { openStore } from "../../../src/service/store/sqlite/sqlite-store.ts";

import { makeService, type TestService, type Wire } from "../make-service.ts";

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "storage-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const withService = async <T>(
  work: (service: TestService) => Promise<T>,
  scanThread = false,
): Promise<T> => {
  const service = await makeService({ dataDir, scanThread });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};
const makeCode = (): Promise<Wire> => withService((service) => service.code({ dynamic: true }));
const readFigures = (id: string): Promise<Wire[]> =>
  withService(async (service) => {
    await service.rollUp();
    const paths = [`/qrcode/${id}/`, `/qrcode/${id}/activity/`, `/qrcode/${id}/analytics/`];
    return Promise.all(paths.map(async (one) => (await service.get(one)).body as unknown));
  });

it("stores and counts as this thread would, and loses nothing when it closes", async () => {
  const code = await makeCode();
  await withService(async (service) => {
    for (const agent of [PHONE, `${PHONE} x`, PHONE, "Googlebot/2.1", ""]) {
      await service.fetch(new Request(code.shortlink_url, { headers: { "user-agent": agent } }));
    }
  }, true);
  const [retrieved, activity, analytics] = await readFigures(code.id);
  expect([retrieved.total_scans, retrieved.unique_scans]).toEqual([4, 3]);
  expect(activity.results.map(({ device }: Wire) => device)).toEqual([
    "",
    "bot",
    "Mobile, iOS, Safari",
    "Mobile, iOS, Safari",
    "Mobile, iOS, Safari",
  ]);
  expect([analytics.total_scans, analytics.unique_scans]).toEqual([4, 3]);
});

it("rolls up, takes positions and sweeps what deleted codes leave, asked by this thread", async () => {
  const code = await makeCode();
  const left = await withService(async (service) => {
    await service.scan(code.shortlink_url, PHONE);
    // Goes through the thread behind the scan.
    await service.rollUp();
    expect((await service.get(`/qrcode/${code.id}/analytics/`)).body.total_scans).toBe(1);
    await service.send("DELETE", `/qrcode/${code.id}/delete/`);
    await service.rollUp();
    return (await service.get(`/workspace/${service.workspace}/analytics/`)).body.total_scans;
  }, true);
  expect(left).toBe(0);
});

it("a thread that dies at any moment loses nothing, doubles nothing and blocks nothing", async () => {
  const code = await makeCode();
  const store = openStore(path.join(dataDir, "service.db"));
  const trouble: string[] = [];
  const thread = new StorageThread({
    store,
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    log: makeLog({ to: { write: (line: string) => void trouble.push(line) } }),
    file: path.join(dataDir, "service.db"),
    key: "key",
    geoDatabase: undefined,
    isReporting: true,
  });
  await thread.start();
  let made = 0;
  const toBatch = (size: number) =>
    Array.from({ length: size }, () => ({
      id: `scan ${(made += 1)}`,
      timeMs: 1_700_000_000_000 + made,
      codeId: code.id as string,
      sender: { ip: `10.0.${made % 7}.1`, userAgent: PHONE },
    }));
  for (let round = 0; round < 8; round += 1) {
    const batch = toBatch(400);
    const saved = thread.save(batch).then(
      () => true,
      () => false,
    );
    // Later in its work each time: before the batch arrives, within the transaction, behind it.
    for (let turn = 0; turn < round * 6; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await thread.kill();
    // The lock of a dead thread blocks nothing.
    await store.write((tx) =>
      tx
        .insertInto("meta")
        .values({ key: `round ${round}`, value: "" })
        .execute(),
    );
    if (!(await saved)) await thread.save(batch);
  }
  await thread.close();
  const rows = store.raw.all<{ id: string }>("SELECT id FROM scans ORDER BY seq");
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: made }, (_, n) => `scan ${n + 1}`));
  expect(store.raw.get("SELECT total, first FROM scan_totals")).toEqual({ total: made, first: 7 });
  expect(trouble.length).toBeGreaterThan(0);
  await store.close();
});

it("a thread that can't start says why", async () => {
  await makeCode();
  const store = openStore(path.join(dataDir, "service.db"));
  const thread = new StorageThread({
    store,
    clock: systemClock,
    log: makeLog(),
    file: path.join(dataDir, "no folder", "service.db"),
    key: "key",
    geoDatabase: undefined,
    isReporting: true,
  });
  await expect(thread.start()).rejects.toThrow(/no such file or directory.*service\.db/u);
  await thread.close();
  await store.close();
});
