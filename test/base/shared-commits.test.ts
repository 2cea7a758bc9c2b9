import { beforeEach, describe, expect, it, vi } from "vitest";

import { SharedCommits } from "../../src/base/sqlite/shared-commits.ts";
import { openSqlite, type Sqlite } from "../../src/base/sqlite/sqlite.ts";

let db: Sqlite;
let commits: SharedCommits;

beforeEach(() => {
  db = openSqlite(":memory:");
  db.exec("CREATE TABLE rows (n INTEGER PRIMARY KEY) STRICT");
  commits = new SharedCommits(db);
});

const insert = (n: number) => (): number => {
  db.run("INSERT INTO rows VALUES (?)", n);
  return n;
};
const kept = (): unknown[] => db.all("SELECT n FROM rows ORDER BY n").map(({ n }) => n);

describe("changes of one turn of the event loop", () => {
  it("share a commit, which is as durable as the most durable of them", async () => {
    const transaction = vi.spyOn(db, "transaction");
    const results = [
      commits.add(insert(1)),
      commits.add(insert(2), "full"),
      commits.add(insert(3)),
    ];
    expect(kept()).toEqual([]);
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
    expect(transaction.mock.calls.map(([, durability]) => durability)).toEqual(["full"]);
    expect(kept()).toEqual([1, 2, 3]);
  });

  it("are committed one by one when one fails: only that one is undone", async () => {
    const results = await Promise.allSettled([
      commits.add(insert(1)),
      commits.add(insert(1)),
      commits.add(insert(2), "full"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(kept()).toEqual([1, 2]);
  });

  it("are in later commits when they come later", async () => {
    const transaction = vi.spyOn(db, "transaction");
    await commits.add(insert(1));
    await commits.add(insert(2));
    expect(transaction).toHaveBeenCalledTimes(2);
  });
});

describe("a transaction that is joined", () => {
  it("is a transaction of its own where none is open", () => {
    expect(() =>
      db.joined(() => {
        insert(1)();
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(kept()).toEqual([]);
  });

  it("refuses a durable change in one that may be lost", () => {
    expect(() => db.transaction(() => db.joined(insert(1), "full"))).toThrow(/durable/u);
    db.transaction(() => db.joined(insert(1), "full"), "full");
    expect(kept()).toEqual([1]);
  });
});
