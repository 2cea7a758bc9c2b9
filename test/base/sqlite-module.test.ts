import { expect, test, vi } from "vitest";

import { loadQuietly, pickBuiltIn } from "../../src/base/sqlite/sqlite-module.ts";

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

const warn = (): string => {
  process.emitWarning("SQLite is experimental", "ExperimentalWarning");
  return "loaded";
};

test("is loaded without the warning of Node 22 that its own is experimental; later ones are heard", () => {
  const heard = vi.spyOn(process, "emitWarning").mockReturnValue();
  expect(loadQuietly(warn)).toBe("loaded");
  expect(heard).not.toHaveBeenCalled();
  warn();
  expect(heard).toHaveBeenCalledOnce();
});
