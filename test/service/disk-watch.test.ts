import { expect, test } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { makeLog } from "../../src/base/log.ts";
import { CANT_ASK, CANT_STORE, DiskWatch } from "../../src/service/store/disk-watch.ts";
import { StoreAway } from "../../src/service/store/postgres/store-away.ts";

const toError = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code });

test.each([
  ["a file that is missing", toError("ENOENT: no such file, open 'media/a'", "ENOENT"), undefined],
  ["a sender that went away", toError("aborted", "ECONNRESET"), undefined],
  ["a database that is away", new StoreAway(toError("connect", "ECONNREFUSED")), CANT_ASK],
  ["a database with a full disk", new StoreAway(toError("no space", "53100")), CANT_STORE],
  ["a full disk", Object.assign(new Error("full"), { errcode: 13 }), CANT_STORE],
])("%s is told as what it is", (_, error, told) => {
  const watch = new DiskWatch({ log: makeLog(), clock: fakeClock() });
  expect(watch.takes(error)).toBe(told);
  expect(watch.takesWrites).toBe(told === undefined);
});
