/** Copies of a database in a folder that this process can't write, while others write to it. */
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";

import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { copySqlite, openSqlite, type Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { canMount, mount, unmount } from "../help/mount.ts";

const copyFile = fs.copyFileSync;

/** What others do right after one of the files has been copied. */
function afterEachFile(write: () => void): void {
  fs.copyFileSync = (from, to, mode) => {
    copyFile(from, to, mode);
    write();
  };
  syncBuiltinESMExports();
}

/** The same, after the first of them only. */
function afterFirstFile(write: () => void): void {
  let isFirst = true;
  afterEachFile(() => {
    if (isFirst) write();
    isFirst = false;
  });
}

afterEach(() => {
  fs.copyFileSync = copyFile;
  syncBuiltinESMExports();
});

const TEXT = "x".repeat(3000);

function addRows(db: Sqlite): void {
  db.transaction(() => {
    for (let n = 0; n < 50; n += 1) db.run("INSERT INTO rows (text) VALUES (?)", TEXT);
  });
}

/** As a service does it: the log goes into the file, and is written again from its start. */
function writeOn(db: Sqlite): void {
  db.exec("DELETE FROM rows WHERE id % 2 = 0");
  addRows(db);
  db.exec("PRAGMA wal_checkpoint(RESTART)");
  db.exec("DELETE FROM rows WHERE id % 3 = 0");
}

/** A database, and its folder as a process sees it that can't write there. */
function makeFolders() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-copy-"));
  const [file, seen] = [path.join(folder, "a.db"), mkdtempSync(`${folder}-seen-`)];
  const db = openSqlite(file);
  db.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)");
  addRows(db);
  expect(mount("--bind", folder, seen) && mount("-o", "remount,ro,bind", seen)).toBe(true);
  onTestFinished(() => void unmount(seen));
  const to = path.join(mkdtempSync(`${folder}-to-`), "a.db");
  return { db, file, seen: path.join(seen, "a.db"), to };
}

/** As a process leaves it that was killed: the last rows are in the log only. */
function kill(db: Sqlite, file: string): void {
  const kept = ["", "-wal"].map((end) => [`${file}${end}`, readFileSync(`${file}${end}`)] as const);
  db.close();
  rmSync(`${file}-shm`, { force: true });
  for (const [name, bytes] of kept) writeFileSync(name, bytes);
}

function countWhole(file: string): unknown {
  const db = openSqlite(file);
  try {
    expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
    return db.get("SELECT count(*) AS count FROM rows");
  } finally {
    db.close();
  }
}

describe.runIf(canMount)("a database that this process can't write is copied whole", () => {
  it("while a service writes to it", () => {
    const { db, seen, to } = makeFolders();
    onTestFinished(() => db.close());
    afterEachFile(() => writeOn(db));
    copySqlite(seen, to);
    expect(countWhole(to)).toEqual({ count: 50 });
  });

  it("when a service starts and writes between its two files", () => {
    const { db, file, seen, to } = makeFolders();
    kill(db, file);
    afterFirstFile(() => {
      const started = openSqlite(file);
      onTestFinished(() => started.close());
      writeOn(started);
    });
    copySqlite(seen, to);
    expect(readdirSync(path.dirname(to))).toEqual(["a.db"]);
    const live = openSqlite(file);
    onTestFinished(() => live.close());
    expect(countWhole(to)).toEqual(live.get("SELECT count(*) AS count FROM rows"));
  });

  it("when its writer ends between both files", () => {
    const { db, file, seen, to } = makeFolders();
    kill(db, file);
    afterFirstFile(() => {
      const other = openSqlite(file);
      writeOn(other);
      other.close();
    });
    copySqlite(seen, to);
    const live = openSqlite(file);
    onTestFinished(() => live.close());
    expect(countWhole(to)).toEqual(live.get("SELECT count(*) AS count FROM rows"));
  });

  it("or not at all, with what to do, where its files never stay the same", () => {
    const { db, file, seen, to } = makeFolders();
    kill(db, file);
    afterEachFile(() => {
      const other = openSqlite(file);
      addRows(other);
      other.close();
    });
    expect(() => copySqlite(seen, to)).toThrow(AppError);
    expect(() => copySqlite(seen, to)).toThrow(
      `${seen} must stay as it is while it is copied, but another process keeps changing it`,
    );
  });
});
