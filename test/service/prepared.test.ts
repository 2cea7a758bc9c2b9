/** Questions that are compiled once: the same answers as if they were built anew. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openStore } from "../../src/service/store/sqlite/sqlite-store.ts";
import { firstOf, prepare, prepareInsert } from "../../src/service/store/prepared.ts";
import type { Store } from "../../src/service/store/store.ts";

let store: Store;
beforeAll(() => {
  store = openStore(":memory:");
});
afterAll(() => store.close());

let built = 0;
const named = prepare((db, { key, but }: { key: string; but: string }) => {
  built += 1;
  return db
    .selectFrom("meta")
    .selectAll()
    .where("key", "=", key)
    .where("value", "!=", but)
    .where("key", "!=", "never");
});
const insert = prepareInsert("meta");

describe("questions that are compiled once", () => {
  it("are built once and answer what is asked each time", async () => {
    await store.write((tx) => insert(tx, { key: "a", value: "1", extra: undefined }));
    await store.write((tx) => insert(tx, { key: "b", value: "2" }));
    const ask = (key: string, but: string) => firstOf(named(store.db, { key, but }));
    expect(await ask("a", "")).toEqual({ key: "a", value: "1" });
    expect(await ask("b", "")).toEqual({ key: "b", value: "2" });
    expect(await ask("a", "1")).toBeUndefined();
    expect(await ask("never", "")).toBeUndefined();
    expect(built).toBe(1);
  });

  it("hold in a transaction, and are undone with it", async () => {
    const writing = store.write(async (tx) => {
      await insert(tx, { key: "c", value: "3" });
      expect(await firstOf(named(tx, { key: "c", but: "" }))).toEqual({ key: "c", value: "3" });
      throw new Error("undone");
    });
    await expect(writing).rejects.toThrow("undone");
    expect(await firstOf(named(store.db, { key: "c", but: "" }))).toBeUndefined();
  });
});
