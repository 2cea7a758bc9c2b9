import { expect, test } from "vitest";

import { pickBuiltIn } from "../../src/base/sqlite/sqlite-module.ts";

test("Node's own SQLite is taken only where it tells the columns of a statement, from 22.16 on", () => {
  const older = { DatabaseSync: Object, StatementSync: { prototype: { all: () => [] } } };
  const newer = {
    DatabaseSync: Object,
    StatementSync: { prototype: { all: () => [], columns: () => [] } },
  };
  expect(pickBuiltIn(undefined)).toBeUndefined();
  expect(pickBuiltIn(older)).toBeUndefined();
  expect(pickBuiltIn(newer)).toBe(newer);
});
