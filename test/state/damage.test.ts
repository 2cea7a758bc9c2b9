import { cpSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { beforeEach, describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { lockFolder } from "../../src/state/lock.ts";
import { toStateError } from "../../src/state/schema.ts";
import { openState, stateFile } from "../../src/state/state.ts";
import { plannedRow } from "./planned-row.ts";

const OPTIONS = { writer: "makeready 0.0.0-test", salt: "salt", nowMs: 0 };

let folder: string;
let file: string;

/** As after a run that has ended. In one process an old connection may linger, so it is copied. */
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  file = stateFile(folder);
  const state = openState(folder, OPTIONS);
  state.adoptPlan(
    Array.from({ length: 400 }, (_, n) => plannedRow(n)),
    [],
  );
  state.close();
  const ended = mkdtempSync(path.join(os.tmpdir(), "state-"));
  cpSync(file, stateFile(ended));
  folder = ended;
  file = stateFile(ended);
});

function failure(): AppError {
  try {
    openState(folder, OPTIONS).close();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the state must be refused");
}

describe("a state file", () => {
  it.each([
    ["cut off in the middle", () => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["cut off within its first page", () => truncateSync(file, 1000)],
    ["cut off within its last page", () => truncateSync(file, statSync(file).size - 1000)],
    ["overwritten with text", () => writeFileSync(file, "id,name\n1,table\n".repeat(500))],
    [
      "with a page of zeros",
      () => {
        const bytes = readFileSync(file);
        bytes.fill(0, 8192, 16_384);
        writeFileSync(file, bytes);
      },
    ],
  ])("%s is refused as damaged, with what to do", (_says, harm) => {
    harm();
    const error = failure();
    expect(error).toMatchObject({ code: "state-damaged", exitCode: 6 });
    expect(error.message).toContain(file);
    expect(error.hint).toContain("copy of the output folder");
  });

  it.each([
    ["cut off in the middle", () => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["cut off by its last page", () => truncateSync(file, statSync(file).size - 4096)],
  ])("too large to be read through, %s, is refused too", (_says, harm) => {
    harm();
    expect(() => openState(folder, { ...OPTIONS, maxCheckedBytes: 1000 }).close()).toThrow(
      expect.objectContaining({ code: "state-damaged" }),
    );
  });

  it("too large to be read through, and whole, is opened", () => {
    const state = openState(folder, { ...OPTIONS, maxCheckedBytes: 1000 });
    expect(state.count("1")).toBe(400);
    state.close();
  });

  it("on a disk that is full or can't be written is reported as that, not as a bug", () => {
    for (const message of ["database or disk is full", "attempt to write a readonly database"]) {
      expect(toStateError(file, new Error(message))).toMatchObject({ code: "output-unwritable" });
    }
    const other = new TypeError("x is not a function");
    expect(toStateError(file, other)).toBe(other);
  });

  it("with a row that can't be read is reported as damaged, not as a bug", () => {
    const state = openState(folder, OPTIONS);
    const db = openSqlite(file);
    db.exec("UPDATE rows SET placing = '{', wanted = ''");
    db.close();
    let thrown: unknown;
    try {
      state.row("0");
      state.page("1", { afterSeq: -1, limit: 1 });
    } catch (error) {
      thrown = error;
    } finally {
      state.close();
    }
    expect(toStateError(file, thrown)).toMatchObject({ code: "state-damaged" });
  });

  it("on a disk that fills up within a transaction, which SQLite then ends itself, is reported as full", () => {
    const db = openSqlite(file);
    db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON meta
      BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END`);
    const write = (): unknown => db.transaction(() => db.run("INSERT INTO meta VALUES ('a', 'b')"));
    expect(write).toThrow("database or disk is full");
    expect(write, "the connection can still be used").toThrow("database or disk is full");
    db.close();
  });

  it("of another program is refused, and left as it is", () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
    file = stateFile(folder);
    const db = openSqlite(file);
    db.exec("CREATE TABLE songs (title TEXT)");
    db.close();
    expect(failure()).toMatchObject({ code: "state-foreign", exitCode: 6 });
  });

  it("of nothing is a new state: that much a crash at birth may leave", () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
    writeFileSync(stateFile(folder), "");
    const state = openState(folder, OPTIONS);
    expect(state.count("1")).toBe(0);
    state.close();
  });

  it("that was copied alone, without its journal, is whole, with the same references and what was made", () => {
    const copied = mkdtempSync(path.join(os.tmpdir(), "state-"));
    cpSync(file, stateFile(copied));
    const [original, copy] = [openState(folder, OPTIONS), openState(copied, OPTIONS)];
    expect(copy.toRef("row 1", 1)).toBe(original.toRef("row 1", 1));
    expect(copy.countByState()).toEqual({ pending: 400 });
    original.close();
    copy.close();
  });
});

it("a lock file that is no lock is refused with its name", async () => {
  writeFileSync(
    path.join(folder, "state.db.lock"),
    "not a lock file at all, but long enough\n".repeat(50),
  );
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: "state-damaged",
    message: expect.stringContaining("state.db.lock") as string,
  });
});
