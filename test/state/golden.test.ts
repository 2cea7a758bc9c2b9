/** Files that older programs wrote are read by every later one: `vN.in.db` -> `vN.out.txt`. */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it, vi } from "vitest";

import { openSqlite, Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { findState, readState } from "../../src/state/find-state.ts";
import { lockFolder } from "../../src/state/lock.ts";
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
    badRows: [...state.bad.list()],
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

function makeOldFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  copyFileSync(path.join(GOLDEN, "v1.in.db"), stateFile(folder));
  return folder;
}

function readVersion(file: string): unknown {
  const db = openSqlite(file);
  const version = db.get("PRAGMA user_version")?.["user_version"];
  db.close();
  return version;
}

it("a reader leaves an older state alone while a run has it, and says so", async () => {
  const folder = makeOldFolder();
  const lock = await lockFolder(folder);
  await expect(readState(folder, OPTIONS)).rejects.toMatchObject({
    code: "job-locked",
    message: expect.stringContaining("a run of an older makeready") as string,
  });
  expect(readVersion(stateFile(folder))).toBe(1);
  expect(existsSync(`${stateFile(folder)}.v1`)).toBe(false);
  lock.release();
  (await readState(folder, OPTIONS))?.close();
  expect(readVersion(stateFile(folder))).toBe(STATE_VERSION);
  expect(readVersion(`${stateFile(folder)}.v1`)).toBe(1);
  // Afterwards it can be run.
  (await lockFolder(folder)).release();
});

it("a reader makes nothing, even of a state that goes away meanwhile", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  expect(() => openState(folder, { ...OPTIONS, isReader: true })).toThrow("by another run");
  expect(findState(folder, OPTIONS)).toBeUndefined();
});

it("the copy of an older state is whole, or not there: without it nothing is brought up to date", () => {
  const folder = makeOldFolder();
  const run = vi.spyOn(Sqlite.prototype, "run").mockImplementationOnce((_sql, file) => {
    writeFileSync(String(file), "SQLite format 3");
    throw new Error("database or disk is full");
  });
  expect(() => openState(folder, OPTIONS)).toThrow("must be writable");
  run.mockRestore();
  expect(readVersion(stateFile(folder))).toBe(1);
  expect(readdirSync(folder).filter((name) => name.includes(".v1"))).toEqual([]);
});

it("a copy is not written over by that of a later state, nor is a half one in the way", () => {
  const folder = makeOldFolder();
  writeFileSync(`${stateFile(folder)}.v1`, "an earlier one");
  writeFileSync(`${stateFile(folder)}.v1.part`, "what a killed run left");
  openState(folder, OPTIONS).close();
  expect(readFileSync(`${stateFile(folder)}.v1`, "utf8")).toBe("an earlier one");
  expect(readVersion(`${stateFile(folder)}.v1.2`)).toBe(1);
});
