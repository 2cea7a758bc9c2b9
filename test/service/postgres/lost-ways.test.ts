/** Ways to the database that break at the worst moment. */
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { systemClock } from "../../../src/base/time/clock.ts";
import { randomIds } from "../../../src/base/ids/ids.ts";
import { Places } from "../../../src/service/scans/places.ts";
import { makeSharedStorage } from "../../../src/service/scans/storage.ts";
import { migrate, WRITE_LOCK } from "../../../src/service/store/postgres/migrate.ts";
import { openClient } from "../../../src/service/store/postgres/clients.ts";
import { openPostgres } from "../../../src/service/store/postgres/postgres-store.ts";
import { makeOutbox } from "../../../src/service/webhooks/outbox.ts";
import {
  askOnce,
  freshDatabase,
  hasPostgres,
  startPostgres,
  untilHeld,
  type TestPostgres,
} from "../../postgres.ts";
import { makeService } from "../make-service.ts";
import { openProxy, type Proxy } from "./proxy.ts";

const WAITING =
  "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

describe.skipIf(!hasPostgres)("ways to the database", () => {
  let server: TestPostgres;
  let proxy: Proxy;
  let direct: pg.Client;
  beforeEach(async () => {
    server = await startPostgres();
    proxy = await openProxy(server.url);
    direct = new pg.Client(server.url);
    await direct.connect();
  });
  afterEach(async () => {
    await direct.end();
    await proxy.close();
    await server.stop();
  });
  const ask = async (sql: string): Promise<number> => Number((await direct.query(sql)).rows[0]?.n);
  const untilWaiting = async (): Promise<void> => {
    while ((await ask(WAITING)) === 0);
  };
  const set = async (sql: string): Promise<void> => {
    await direct.query(sql);
    await direct.query("SELECT pg_reload_conf()");
  };

  test("scans whose commit is still under way when its answer is lost are counted once", async () => {
    const at = await makeService({ store: server.url, ids: randomIds });
    const { id: codeId } = await at.code({ dynamic: true });
    await at.close();
    const store = await openPostgres(proxy.url);
    const storage = makeSharedStorage({
      store,
      clock: systemClock,
      log: { error: () => {} },
      places: new Places(undefined),
      outbox: makeOutbox(false),
      key: "key",
    });
    const toNote = (n: number) => ({
      id: randomIds.uuid(),
      codeId,
      timeMs: 1_800_000_000_000 + n,
      sender: { ip: "203.0.113.1", userAgent: `Mozilla/5.0 (iPhone; ${n}) Mobile Safari/604.1` },
    });
    try {
      await storage.save([toNote(0)]);
      // A standby that never says that it has a commit.
      await set("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      await untilHeld(server.url, (pid) => direct.query("SELECT pg_cancel_backend($1)", [pid]));
      proxy.onQuestion = (question, cut) => {
        if (question.includes("COMMIT")) cut();
      };
      const batch = [toNote(1), toNote(2)];
      await expect(storage.save(batch)).rejects.toThrow(/can't be reached/u);
      proxy.onQuestion = () => {};
      const again = storage.save([...batch, toNote(3)]);
      await untilWaiting();
      await set("ALTER SYSTEM RESET synchronous_standby_names");
      await again;
      expect(await ask("SELECT count(*) AS n FROM scans")).toBe(4);
      expect(await ask("SELECT total AS n FROM scan_totals")).toBe(4);
    } finally {
      await storage.close();
      await store.close();
    }
  });

  test("a store that is closed while it reaches for the database again leaves no way open", async () => {
    const store = await openPostgres(proxy.url);
    await direct.end();
    await server.crash();
    await server.start();
    direct = new pg.Client(server.url);
    await direct.connect();
    const ways: (() => void)[] = [];
    proxy.mayAnswer = new Promise<void>((resolve) => ways.push(resolve));
    await new Promise<void>((resolve) => {
      proxy.onQuestion = () => resolve();
    });
    await store.close();
    for (const open of ways) open();
    while (proxy.open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(proxy.open).toBe(0);
  });

  test("tables that a newer makeready changed meanwhile are read on", async () => {
    const store = await openPostgres(server.url);
    // What is asked of another database prepares nothing here.
    const other = await openPostgres(await freshDatabase());
    try {
      const much = Array.from({ length: 400 }, (_, n) => `SELECT ${n} AS n`);
      for (let times = 0; times < 4; times += 1)
        await Promise.all(much.map((sql) => other.rows.get(sql)));
      const read = () => store.db.selectFrom("webhooks").selectAll().execute();
      const write = () => store.write((tx) => tx.selectFrom("webhooks").selectAll().execute());
      for (let n = 0; n < 10; n += 1) await read();
      await write();
      await direct.query("ALTER TABLE webhooks ADD COLUMN more TEXT");
      expect(await read()).toEqual([]);
      await write();
      await direct.query("ALTER TABLE webhooks ADD COLUMN and_more TEXT");
      await expect(write()).rejects.toThrow(/can't be reached/u);
      expect(await write()).toEqual([]);
    } finally {
      await other.close();
      await store.close();
    }
  });

  test("many rows are handed over some at a time", async () => {
    const store = await openPostgres(proxy.url);
    const asked: string[] = [];
    try {
      let sum = 0;
      proxy.onQuestion = (question) => asked.push(question);
      const add = ({ n }: { n: number }): void => void (sum += n);
      const sql = "SELECT n FROM generate_series(1, ?) AS n WHERE n > ?";
      await store.snapshot((rows) => rows.each(sql, [5000, 2], add));
      expect(sum).toBe((5000 * 5001) / 2 - 3);
      expect(asked.filter((one) => one.includes("FETCH 2000"))).toHaveLength(3);
    } finally {
      await store.close();
    }
  });

  test("tables are changed while nothing else writes", async () => {
    const url = await freshDatabase();
    await (await openPostgres(url)).close();
    const other = await openClient(url, () => {});
    const mine = await openClient(url, () => {});
    try {
      await other.query("UPDATE makeready_schema SET version = version - 1");
      await other.query(`SELECT pg_advisory_lock(${WRITE_LOCK})`);
      let isOver = false;
      // What the last step makes is there already: it fails, once it has its turn.
      const migrating = migrate(mine).catch(() => {});
      void migrating.then(() => (isOver = true));
      const waiting = "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted";
      while ((await other.query(waiting)).rows[0]?.n === 0) expect(isOver).toBe(false);
      await other.query("SELECT pg_advisory_unlock_all()");
      await migrating;
    } finally {
      await other.end();
      await mine.end();
    }
  });
});

describe.skipIf(!hasPostgres)("a standby", () => {
  test("takes nothing while it follows, everything when it leads, and keeps no way for those it refused", async () => {
    const primary = await startPostgres();
    const proxy = await openProxy(primary.url);
    const store = await openPostgres(proxy.url);
    const write = (value: string) =>
      store.write((_tx, rows) =>
        rows.run("INSERT INTO meta (key, value) VALUES ('told', ?)", value),
      );
    const standby = await primary.startStandby();
    try {
      const before = proxy.open;
      await write("first");
      proxy.leadTo(standby.url);
      // Some of these find the old way cut.
      for (let n = 0; n < 30; n += 1)
        await expect(write("lost")).rejects.toThrow(/can't be reached/u);
      while (proxy.open > before + 1) await new Promise((resolve) => setImmediate(resolve));
      await primary.crash();
      expect(await askOnce(standby.url, "SELECT pg_promote()")).toBe(true);
      const again = () =>
        store.write((_tx, rows) => rows.all("SELECT value FROM meta WHERE key = 'told'"));
      let rows: unknown;
      while (rows === undefined) rows = await again().catch(() => {});
      expect(rows).toEqual([{ value: "first" }]);
    } finally {
      await store.close();
      await proxy.close();
      await standby.stop();
      await primary.stop();
    }
  });
});
