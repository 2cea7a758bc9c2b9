/** What sends reports, on a store whose answers take as long as they like. */
import { EventEmitter, once } from "node:events";

import { expect, it } from "vitest";

import { fakeClock } from "../../src/base/clock.ts";
import { makeLog } from "../../src/base/log.ts";
import { openStore } from "../../src/service/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/service/store/store.ts";
import { Deliverer } from "../../src/service/webhooks/deliverer.ts";

it("goes on with what came while it looked for more", async () => {
  const store = openStore(":memory:");
  await store.write((_tx, rows) =>
    rows.run(
      "INSERT INTO webhooks (id, workspace_id, url, secret, events, created, failures, next_try, trusted) VALUES ('w', 'w', 'https://receiver.example/', 's', 'scan', 0, 0, 0, 1)",
    ),
  );
  for (const id of ["first", "second"])
    await store.write((_tx, rows) =>
      rows.run(
        "INSERT INTO webhook_outbox (webhook_id, lane, event, record_id, created, body) VALUES ('w', 'code', 'scan', ?, 0, ?)",
        id,
        id,
      ),
    );
  await store.write((_tx, rows) =>
    rows.run(
      "INSERT INTO webhook_lanes (webhook_id, lane, attempts, next_try) VALUES ('w', 'code', 0, 0)",
    ),
  );
  const got: string[] = [];
  const writes = new EventEmitter();
  const isSettled = once(writes, "settled");
  const slow = {
    write: async (work, durability) => {
      const value = await store.write(work, durability);
      // Whoever waits for this learns of it first.
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
