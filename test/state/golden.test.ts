/** Files that older programs wrote are read by every later one: `vN.in.db` -> `vN.out.txt`. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite.ts";
import { STATE_VERSION } from "../../src/state/schema.ts";
import { openState, stateFile } from "../../src/state/state.ts";

const GOLDEN = path.join(import.meta.dirname, "golden");
const OPTIONS = { writer: "makeready test", salt: "another salt", nowMs: 0 };
const versions = readdirSync(GOLDEN)
  .filter((name) => name.endsWith(".in.db"))
  .map((name) => name.replace(".in.db", ""));

it.each(versions)("a state of %s is read as it was meant", async (version) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  copyFileSync(path.join(GOLDEN, `${version}.in.db`), stateFile(folder));
  const state = openState(folder, OPTIONS);
  const dump = {
    rows: [...state.rows()].map(({ artwork, labels, ...row }) => ({
      ...row,
      svg: state.svg(row.key),
      artwork,
      labels,
    })),
    badRows: [...state.badRows()],
    folder: state.folderId("Tables/Nörd"),
    baseUrl: state.meta("baseUrl"),
    salt: state.meta("salt"),
    createdAt: state.createdAt,
    ref: state.toRef("row 1", 1),
    packaged: state.packaged("zip z.zip"),
    states: state.countByState(),
  };
  expect(state.journal.doubtAllSending()).toBe(1);
  state.close();
  await expect(`${JSON.stringify(dump, null, 2)}\n`).toMatchFileSnapshot(
    path.join(GOLDEN, `${version}.out.txt`),
  );
});

it("an older state is copied before it is brought up to date, once", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  copyFileSync(path.join(GOLDEN, "v1.in.db"), stateFile(folder));
  openState(folder, OPTIONS).close();
  const copy = openSqlite(`${stateFile(folder)}.v1`);
  expect(copy.get("PRAGMA user_version")).toEqual({ user_version: 1 });
  copy.close();
  const db = openSqlite(stateFile(folder));
  expect(db.get("PRAGMA user_version")).toEqual({ user_version: STATE_VERSION });
  expect(db.get("SELECT value FROM meta WHERE key = 'writer'")).toEqual({ value: OPTIONS.writer });
  db.close();
  openState(folder, OPTIONS).close();
  expect(existsSync(`${stateFile(folder)}.v${STATE_VERSION}`)).toBe(false);
});
