/** All data into PostgreSQL and back: every row as it was, and a service that goes on. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { systemClock } from "../../../src/base/time/clock.ts";
import { randomIds } from "../../../src/base/ids/ids.ts";
import { openSqlite } from "../../../src/base/sqlite/sqlite.ts";
import { moveToPostgres, moveToSqlite } from "../../../src/service/move/move-store.ts";
import { openService } from "../../../src/service/service.ts";
import { freshDatabase, hasPostgres } from "../../postgres.ts";
import { makeService, type TestService } from "../make-service.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Everything in the file but SQLite's own index, in an order of its own. */
function readAll(file: string): Record<string, unknown[]> {
  const db = openSqlite(file);
  try {
    const tables = db
      .all<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'code_[gipt]*' AND name <> 'sqlite_sequence'",
      )
      .map(({ name }) => name)
      .filter((name) => name !== "code_tags");
    return Object.fromEntries(
      tables.map((name) => [
        name,
        db
          .all(`SELECT * FROM ${name}`)
          .map((row) => JSON.stringify(row))
          .toSorted(),
      ]),
    );
  } finally {
    db.close();
  }
}

async function fill(at: TestService): Promise<string> {
  const top = await at.folder("Ünïcode ż");
  const below = await at.folder("Below", top.id);
  const code = await at.code({
    dynamic: true,
    folder: below.id,
    tags: ["a", "b"],
    display_name: "Searched Ż",
  });
  await at.code({ qr_type: "vCard", dynamic: true, vcard: { first_name: "Ann" } });
  await at.send("POST", "/gs1/products/create/", {
    workspace: at.workspace,
    identifier_type: "gtin",
    identifier_value: "09506000134352",
  });
  await at.scan(code.shortlink_url);
  await at.rollUp();
  await at.scan(code.shortlink_url, "another phone");
  await at.send("PATCH", `/qrcode/${code.id}/update/`, { qr_data: "https://example.com/changed" });
  return code.shortlink_url as string;
}

const look = async (at: TestService) => {
  const list = (await at.get(`/workspace/${at.workspace}/qrcodes/?q=searched`)).body;
  const { total_scans: scans } = (await at.get(`/workspace/${at.workspace}/analytics/`)).body;
  return { found: list.count, scans };
};

describe.skipIf(!hasPostgres)("move-store", () => {
  let dataDir: string;
  let url: string;
  const file = (name = "service.db"): string => path.join(dataDir, name);
  // SQLite, also where all other services have PostgreSQL.
  const open = (more = {}) => makeService({ dataDir, ids: randomIds, store: undefined, ...more });
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), "move-store-"));
    url = await freshDatabase();
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
  const move = () => ({ dataDir, url, clock: systemClock });
  /** A service that was closed here lets go of its file once its statements are collected. */
  const toPostgres = async (more = {}) => {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return moveToPostgres({ ...move(), ...more });
  };

  test("there and back, every row is what it was", async () => {
    const before = await open();
    await fill(before);
    await before.close();
    const all = readAll(file());
    const there = await toPostgres();
    expect(there.rows).toBeGreaterThan(20);
    expect(existsSync(file())).toBe(false);
    const back = await moveToSqlite(move());
    expect(back.rows).toBe(there.rows);
    expect(readAll(file())).toEqual(all);
  });

  test("the service goes on where it was, in either store", async () => {
    const first = await open();
    const link = await fill(first);
    await first.close();
    await toPostgres();
    const visit = async (at: TestService): Promise<string | null> =>
      (await at.scan(link)).headers.get("location");
    // Scans are stored by the time that a service is closed, at the latest.
    const second = await open({ store: url });
    expect(await look(second)).toEqual({ found: 1, scans: 2 });
    expect(await visit(second)).toBe("https://example.com/changed");
    await second.code({ dynamic: true });
    await second.close();
    await moveToSqlite(move());
    const third = await open();
    expect(await look(third)).toEqual({ found: 1, scans: 3 });
    expect(await visit(third)).toBe("https://example.com/changed");
    await third.code({ dynamic: true });
    await third.close();
    const fourth = await open();
    expect(await look(fourth)).toEqual({ found: 1, scans: 4 });
    await fourth.close();
  });

  test("a data folder that isn't there is made, unless the database can't be reached", async () => {
    const first = await open();
    await first.close();
    await toPostgres();
    const fresh = path.join(dataDir, "a", "fresh");
    const away = "postgres://nobody@127.0.0.1:1/none";
    await expect(moveToSqlite({ ...move(), dataDir: fresh, url: away })).rejects.toMatchObject({
      code: "server-unavailable",
    });
    expect(existsSync(path.join(dataDir, "a"))).toBe(false);
    const { file: there } = await moveToSqlite({ ...move(), dataDir: fresh });
    expect(there).toBe(path.join(fresh, "service.db"));
    const taken = path.join(there, "below");
    await expect(moveToSqlite({ ...move(), dataDir: taken })).rejects.toThrow(/data folder/u);
  });

  test("nothing is moved into a store with data, or out of one that is served", async () => {
    const served = await open({ store: url });
    await expect(moveToSqlite(move())).rejects.toMatchObject({ code: "data-locked" });
    await served.close();
    const sqlite = await open();
    await sqlite.close();
    await expect(moveToSqlite(move())).rejects.toMatchObject({ code: "bad-usage" });
    await expect(toPostgres()).rejects.toThrow(/must be empty, but it has accounts/u);
    expect(existsSync(file())).toBe(true);
    writeFileSync(file("service.db.moved"), "the store before an earlier move");
    await expect(toPostgres()).rejects.toThrow(/is there already/u);
    rmSync(file("service.db.moved"));
    const sole = await openService({ dataDir, isSole: true, drawingThreads: 0 });
    // A move waits a while for a process that is being stopped.
    const clock = { ...systemClock, sleep: () => Promise.resolve() };
    await expect(toPostgres({ clock })).rejects.toMatchObject({
      code: "data-locked",
    });
    await sole.close();
  });

  test("nothing is moved while a job has the store open; then the file is alone", async () => {
    const job = await open();
    await fill(job);
    await expect(toPostgres()).rejects.toMatchObject({
      code: "data-locked",
      message: `${file()} is used by another process`,
    });
    expect(existsSync(file())).toBe(true);
    await job.close();
    await toPostgres();
    const ofStore = readdirSync(dataDir).filter((name) => name.startsWith("service.db"));
    expect(ofStore).toEqual(["service.db.moved"]);
    // As moves of before left them.
    writeFileSync(file("service.db-wal"), "of the moved store");
    writeFileSync(file("service.db-shm"), "");
    await moveToSqlite(move());
    expect(readdirSync(dataDir).filter((name) => name.startsWith("service.db"))).toEqual([
      "service.db",
      "service.db.moved",
      "service.db.moved-wal",
    ]);
  });
});
