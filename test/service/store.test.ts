import { afterEach, describe, expect, it, vi } from "vitest";

import { openSqlite, type Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { migrate } from "../../src/service/store/sqlite/migrate.ts";
import { steps } from "../../src/service/store/sqlite/migrations.ts";
import {
  openStore,
  type SqliteStore as Store,
} from "../../src/service/store/sqlite/sqlite-store.ts";
import { hasPending, openTextIndex } from "../../src/service/store/sqlite/text-index.ts";

let store: Store;

const put = (key: string, value = "v") => store.write((tx) => insert(tx, key, value));
const insert = (tx: Store["db"], key: string, value = "v") =>
  tx.insertInto("meta").values({ key, value }).execute();
const keys = async (): Promise<string[]> =>
  (await store.db.selectFrom("meta").select("key").orderBy("key").execute()).map(({ key }) => key);

describe("write", () => {
  afterEach(() => store.close());

  it("keeps nothing of a work that throws, and all of those beside it", async () => {
    store = openStore(":memory:");
    const results = await Promise.allSettled([
      put("a"),
      store.write(async (tx) => {
        await insert(tx, "lost");
        throw new Error("no");
      }),
      put("b"),
      put("a"),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
    ]);
    expect(await keys()).toEqual(["a", "b"]);
  });

  it("runs works one after another, in order, each seeing the ones before", async () => {
    store = openStore(":memory:");
    const seen = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        store.write(async (tx) => {
          const rows = await tx.selectFrom("meta").select("key").execute();
          await insert(tx, `k${n}`);
          return rows.length;
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it("lets reads go on beside it", async () => {
    store = openStore(":memory:");
    const [, read] = await Promise.all([put("a"), keys(), put("b")]);
    expect(read.length).toBeLessThanOrEqual(1);
    expect(await keys()).toEqual(["a", "b"]);
  });

  it("goes on when a listener throws, and calls the others", async () => {
    store = openStore(":memory:");
    const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
    const heard = vi.fn<() => void>();
    store.onCommit(() => {
      throw new Error("disk I/O error");
    });
    store.onCommit(heard);
    await Promise.all([put("a"), put("b")]);
    await put("c");
    expect(await keys()).toEqual(["a", "b", "c"]);
    expect(heard).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("disk I/O error"));
    warn.mockRestore();
  });

  it("commits what waits before it closes", async () => {
    store = openStore(":memory:");
    const writing = Promise.all(Array.from({ length: 100 }, (_, n) => put(`k${n}`)));
    const closing = store.close();
    await expect(writing).resolves.toHaveLength(100);
    await closing;
    store = openStore(":memory:");
  });
});

/** Tables, indexes and triggers, and how the file is marked. */
const look = (sqlite: Sqlite): unknown[] => [
  sqlite.all("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"),
  sqlite.all("SELECT name, seq FROM sqlite_sequence ORDER BY name"),
  sqlite.all("PRAGMA user_version"),
  sqlite.all("PRAGMA application_id"),
];

it("is the same made at once as by each step since the first", () => {
  const [fresh, old] = [openSqlite(":memory:"), openSqlite(":memory:")];
  migrate(fresh);
  old.exec(`${steps[0] ?? ""}; PRAGMA user_version=1`);
  migrate(old);
  expect(look(fresh)).toEqual(look(old));
  fresh.close();
  old.close();
});

it("comes up to date without FTS5, and indexes every code anew once there is one", () => {
  const sqlite = openSqlite(":memory:");
  const version = steps.findIndex((one) => one.includes("ADD COLUMN gone")) - 1;
  for (const one of steps.slice(0, version)) sqlite.exec(one);
  sqlite.exec(`
    PRAGMA user_version=${version};
    CREATE VIRTUAL TABLE code_text USING fts5(text, content='', contentless_delete=1);
    INSERT INTO code_index (code_id, workspace_id, kind, linked) VALUES ('c', 'w', 'code', 0)`);
  const exec = sqlite.exec.bind(sqlite);
  const without = vi.spyOn(sqlite, "exec").mockImplementation((text) => {
    if (/code_text|code_grams/u.test(text)) throw new Error("no such module: fts5");
    exec(text);
  });
  migrate(sqlite);
  expect([openTextIndex(sqlite), hasPending(sqlite)]).toEqual([false, false]);
  without.mockRestore();
  expect([openTextIndex(sqlite), hasPending(sqlite)]).toEqual([true, true]);
  sqlite.close();
});
