/** What sends reports, on a store whose answers take as long as they like. */
import { EventEmitter, once } from "node:events";

import { expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { makeLog } from "../../src/base/log.ts";
import { openStore } from "../../src/service/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { Deliverer } from "../../src/service/webhooks/deliverer.ts";

/** A store where `reports` wait for one receiver, and a code has a lane for each of its own. */
async function storeOf(reports: readonly (readonly [lane: string, id: string])[]): Promise<Store> {
  const store = openStore(":memory:");
  const add = (sql: string, ...values: string[]): Promise<number> =>
    store.write((_tx, rows) => rows.run(sql, ...values));
  await add(
    "INSERT INTO webhooks (id, workspace_id, url, secret, events, created, failures, next_try, trusted) VALUES ('w', 'w', 'https://receiver.example/', 's', 'scan', 0, 0, 0, 1)",
  );
  for (const [lane, id] of reports)
    await add(
      "INSERT INTO webhook_outbox (webhook_id, lane, event, record_id, created, body) VALUES ('w', ?, 'scan', ?, 0, ?)",
      lane,
      id,
      id,
    );
  for (const lane of new Set(reports.map(([name]) => name)))
    await add(
      "INSERT INTO webhook_lanes (webhook_id, lane, attempts, next_try) VALUES ('w', ?, 0, 0)",
      lane,
    );
  return store;
}

it("goes on with what came while it looked for more", async () => {
  const store = await storeOf([
    ["code", "first"],
    ["code", "second"],
  ]);
  const got: string[] = [];
  const writes = new EventEmitter();
  const isSettled = once(writes, "settled");
  const slow = {
    write: async (work, durability) => {
      const value = await store.write(work, durability);
      // Waiters for this learn of it first.
      setImmediate(() => writes.emit("settled"));
      return value;
    },
    rows: {
      ...store.rows,
      // Over a network: it was true when it was asked.
      get: async (sql: string, ...values: never[]) => {
        const row = await store.rows.get(sql, ...values);
        if (sql.includes("min(next_try)")) await isSettled;
        return row;
      },
    },
  } as Store;
  const clock = fakeClock();
  const deliverer = new Deliverer({
    store: slow,
    clock,
    log: makeLog(),
    isOurs: () => Promise.resolve(true),
    post: (_url, { body }) => {
      got.push(String(body));
      return Promise.resolve(200);
    },
  });
  deliverer.wake();
  await clock.advance(1000);
  expect(got).toEqual(["first", "second"]);
  await deliverer.close();
  await store.close();
});

it("sends nothing more to a receiver that failed while it looked for more", async () => {
  const store = await storeOf([
    ["one", "first"],
    ["other", "second"],
  ]);
  const clock = fakeClock();
  const got: [ms: number, body: string][] = [];
  const began = clock.nowMs();
  let looks = 0;
  const failed = new EventEmitter();
  const isSettled = once(failed, "settled");
  const slow = {
    write: async (work, durability) => {
      const value = await store.write(work, durability);
      setImmediate(() => failed.emit("settled"));
      return value;
    },
    rows: {
      ...store.rows,
      all: async (sql: string, ...values: never[]) => {
        const rows = await store.rows.all(sql, ...values);
        // Sees the first lane alone; the second one came meanwhile.
        if (sql.includes("FROM webhook_lanes") && (looks += 1) === 1) {
          deliverer.wake();
          return rows.slice(0, 1);
        }
        // Over a network: it was true when it was asked.
        if (sql.includes("FROM webhook_lanes") && looks === 2) await isSettled;
        return rows;
      },
    },
  } as Store;
  const deliverer = new Deliverer({
    store: slow,
    clock,
    log: makeLog(),
    isOurs: () => Promise.resolve(true),
    post: (_url, { body }) => {
      got.push([clock.nowMs() - began, String(body)]);
      return Promise.resolve(500);
    },
  });
  deliverer.wake();
  await clock.advance(1000);
  expect(got).toEqual([[0, "first"]]);
  await clock.advance(4000);
  expect(got).toHaveLength(2);
  await deliverer.close();
  await store.close();
});
