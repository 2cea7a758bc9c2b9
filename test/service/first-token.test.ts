/** Processes that start at once on one data folder (docs/scale.md). */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { randomIds } from "../../src/base/ids/ids.ts";
import { openAccount } from "../../src/service/auth/accounts.ts";
import { openStore, type SqliteStore } from "../../src/service/store/sqlite/sqlite-store.ts";

let folder: string;
let store: SqliteStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "first-token-"));
  store = openStore(":memory:");
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test("all take the token of the first: limits count by token", async () => {
  const setup = { store, ids: randomIds, clock: systemClock, folder };
  const opened = await Promise.all([1, 2, 3].map(() => openAccount(setup, "shared")));
  const kept = readFileSync(path.join(folder, "token-shared"), "utf8").trim();
  expect(opened.map(({ token }) => token)).toEqual([kept, kept, kept]);
  expect(new Set(opened.map(({ workspaceId }) => workspaceId)).size).toBe(1);
});
