import {
  FAILED,
  looseEnds,
  PENDING,
  PRESENT_UNSETTLED,
  TO_ASK,
  VANISHED,
} from "../../src/state/which-rows.ts";
import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { AppError } from "../../src/base/errors.ts";
import { openSqlite, Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { lockFolder } from "../../src/state/lock.ts";
import { KEYS_HONOURED } from "../../src/state/pin.ts";
import { findState } from "../../src/state/find-state.ts";
import { openState, stateFile, type State } from "../../src/state/state.ts";
import type { PlannedRow } from "../../src/state/row.ts";
import { plannedRow } from "./planned-row.ts";

const OPTIONS = { writer: "makeready 0.0.0-test", salt: "salt", nowMs: Date.UTC(2026, 0, 1) };

let folder: string;
let state: State;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  state = openState(folder, OPTIONS);
});

const intent = (key: string) => ({ key, ref: "ref", bodyHash: "b", intentAtMs: 1 });
const made = (key: string, remoteId: string) => ({
  key,
  remoteId,
  created: "2026-01-01T00:00:00Z",
  shortLink: "https://s.example/x",
  svg: "<svg/>",
});

describe("facts about all rows", () => {
  const rows = Array.from({ length: 3 }, (_, seq) => plannedRow(seq));
  afterEach(() => vi.restoreAllMocks());

  it("are read once while no row changes", () => {
    state.adoptPlan(rows, []);
    const all = vi.spyOn(Sqlite.prototype, "all");
    for (let times = 0; times < 3; times += 1) expect(state.count(PENDING)).toBe(3);
    state.setMeta("other", "1");
    state.setPackaged("file a", "print", {});
    expect(state.count(PENDING)).toBe(3);
    expect(all).toHaveBeenCalledTimes(1);
    state.journal.intend([intent("row 0")]);
    expect(state.count(PENDING)).toBe(2);
    expect(all).toHaveBeenCalledTimes(2);
  });

  it("are read again after changes that were undone", async () => {
    state.adoptPlan(rows, []);
    const change = state.commit(() => {
      state.journal.intend([intent("row 0")]);
      expect(state.count(PENDING)).toBe(2);
      throw new Error("undone");
    }, "full");
    await expect(change).rejects.toThrow("undone");
    expect(state.count(PENDING)).toBe(3);
  });

  it("are kept with the seal, for whoever opens the state, until a row changes", () => {
    state.adoptPlan(rows, []);
    expect(state.groups("zip")).toEqual([]);
    expect(state.count(PENDING)).toBe(3);
    state.setSeal("sealed");
    state.close();
    const all = vi.spyOn(Sqlite.prototype, "all");
    const again = openState(folder, OPTIONS);
    expect([again.count(PENDING), again.groups("zip")]).toEqual([3, []]);
    expect(all).not.toHaveBeenCalled();
    again.journal.intend([intent("row 0")]);
    again.close();
    const changed = openState(folder, OPTIONS);
    expect(changed.count(PENDING)).toBe(2);
    changed.close();
  });

  it("are not those of another seal", () => {
    state.adoptPlan(rows, []);
    expect(state.count(PENDING)).toBe(3);
    state.setSeal("sealed");
    state.journal.intend([intent("row 0")]);
    // As a makeready would that doesn't keep them.
    state.setMeta("seal", "sealed by another");
    state.close();
    const again = openState(folder, OPTIONS);
    expect(again.count(PENDING)).toBe(2);
    again.close();
  });
});

describe("rows", () => {
  it("that have something left are found in an index, in states of any age", () => {
    state.adoptPlan(
      Array.from({ length: 20 }, (_, seq) => plannedRow(seq)),
      [],
    );
    const open = ["row 3", "row 11"];
    for (const { key } of state.rows())
      if (!open.includes(key)) {
        state.journal.intend([intent(key)]);
        state.journal.done(made(key, `id of ${key}`));
        state.journal.tagged(key, "t1", []);
      }
    const before = [...state.rows(looseEnds(false))].map(({ key }) => key);
    expect(before).toEqual(open);
    const counts = { asked: state.count(TO_ASK), loose: state.count(looseEnds(false)) };
    state.indexUnsettled();
    expect([...state.rows(looseEnds(false))].map(({ key }) => key)).toEqual(open);
    expect({ asked: state.count(TO_ASK), loose: state.count(looseEnds(false)) }).toEqual(counts);
    state.close();
    const db = openSqlite(stateFile(folder));
    const plans = [TO_ASK, looseEnds(false), PRESENT_UNSETTLED, FAILED].flatMap((where) =>
      db.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM rows WHERE presence = 'present' AND seq > 0 AND (${where}) ORDER BY seq`,
      ),
    );
    db.close();
    expect(plans.map(({ detail }) => detail)).toEqual(
      plans.map(() => expect.stringContaining("rows_unsettled")),
    );
  });

  it("of one group of many are found in an index; the same ones as without it", () => {
    const placing = { fileBase: "a", zip: null, caption: [] };
    state.adoptPlan(
      Array.from({ length: 9 }, (_, seq) =>
        plannedRow(seq, { placing: { ...placing, sheets: `${seq % 3}.pdf` } }),
      ),
      [],
    );
    for (const { key } of state.rows()) {
      state.journal.intend([intent(key)]);
      state.journal.done(made(key, `id of ${key}`));
    }
    const read = () => [...state.sheetRows("1.pdf", ["key"])].map(({ key }) => key);
    expect(read()).toEqual(["row 1", "row 4", "row 7"]);
    state.indexGroups("sheets");
    const asked = vi.spyOn(Sqlite.prototype, "view");
    expect(read()).toEqual(["row 1", "row 4", "row 7"]);
    const sql = String(asked.mock.calls[0]?.[0]);
    asked.mockRestore();
    state.close();
    const db = openSqlite(stateFile(folder));
    const plans = [
      sql,
      "UPDATE rows SET cell = NULL WHERE json_extract(placing, '$.sheets') = ?",
    ].flatMap((one) => db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${one}`));
    db.close();
    expect(plans.map(({ detail }) => detail)).toEqual(
      plans.map(() => expect.stringContaining("rows_by_sheets")),
    );
  });

  it("that are as they were need not be given to a plan that is adopted", () => {
    const rows = Array.from({ length: 4 }, (_, seq) => plannedRow(seq));
    state.adoptPlan(rows, []);
    const census = state.census();
    const same = rows.slice(0, 2).filter((row) => {
      census.known(row.key);
      return census.isSame(row);
    });
    expect(same.map(({ key }) => key)).toEqual(["row 0", "row 1"]);
    const moved = plannedRow(2, { line: 99 });
    census.known("row 2");
    expect(census.isSame(moved)).toBe(false);
    state.adoptPlan(
      [moved],
      [],
      same.map(({ key }) => key),
    );
    expect([...state.rows()].map(({ key, line }) => [key, line])).toEqual([
      ["row 0", 2],
      ["row 1", 3],
      ["row 2", 99],
    ]);
    expect(state.count(VANISHED)).toBe(1);
    const next = state.census();
    next.known("row 3");
    expect(next.isSame(plannedRow(3))).toBe(false);
  });

  it("are known to a plan in any order, and read by pages where it has the order of the last one", () => {
    const rows = Array.from({ length: 250 }, (_, seq) => plannedRow(seq, { line: seq * 3 }));
    state.adoptPlan(rows, []);
    const view = vi.spyOn(Sqlite.prototype, "view");
    const look = (order: readonly PlannedRow[]): number => {
      view.mockClear();
      const census = state.census();
      for (const row of order) {
        const known = census.known(row.key);
        expect([known?.key, known?.wanted, census.isSame(row)]).toEqual([
          row.key,
          row.wanted,
          true,
        ]);
      }
      expect([census.count, census.vanished()]).toEqual([order.length, rows.length - order.length]);
      return view.mock.calls.length;
    };
    try {
      expect(look(rows)).toBeLessThan(20);
      expect(look(rows.filter(({ seq }) => seq % 100 !== 50))).toBeLessThan(30);
      expect(look(rows.toReversed())).toBe(rows.length);
      const pairs = rows.toSorted((a, b) => (b.seq >> 1) - (a.seq >> 1) || a.seq - b.seq);
      expect(look(pairs)).toBeLessThan(2 * rows.length);
      const read = view.mock.results.reduce(
        (sum, { value }) => sum + (value as unknown[]).length,
        0,
      );
      expect(read).toBeLessThan(3 * rows.length);
      const census = state.census();
      expect(
        ["row 0", "row 1", "other", "row 2", "row 2", "row 1"].map((key) => census.known(key)?.key),
      ).toEqual(["row 0", "row 1", undefined, "row 2", "row 2", "row 1"]);
      expect(census.count).toBe(3);
    } finally {
      view.mockRestore();
    }
  });

  it("start pending, in the order of the plan, over page borders", () => {
    const rows = Array.from({ length: 1203 }, (_, seq) => plannedRow(seq));
    state.adoptPlan(rows, []);
    expect(state.countByState()).toEqual({ pending: 1203 });
    expect([...state.rows()].map((row) => row.seq)).toEqual(rows.map((row) => row.seq));
  });

  it("that are gone are read in pages, in their order, though they share places", () => {
    const rows = Array.from({ length: 1203 }, (_, seq) => plannedRow(seq));
    state.adoptPlan(rows, []);
    const later = rows.map((row, at) => ({ ...row, key: `later ${at}` }));
    state.adoptPlan(later, []);
    state.adoptPlan([], []);
    const gone = [...state.many.gone("1")];
    expect(gone).toHaveLength(2406);
    expect(gone).toEqual(state.goneRows());
  });

  it("go pending -> sending -> done and keep what the server said", () => {
    state.adoptPlan([plannedRow(0)], []);
    state.journal.intend([intent("row 0")]);
    expect(state.known("row 0")).toMatchObject({ state: "sending", madeHash: "w1" });
    expect(state.journal.done(made("row 0", "id-1"))).toBe(true);
    expect(state.row("row 0")).toMatchObject({
      state: "done",
      remoteId: "id-1",
      shortLink: "https://s.example/x",
    });
    expect(state.svg("row 0")).toBe("<svg/>");
  });

  it("lack pictures until these are noted, and again when their code is another", () => {
    state.adoptPlan([plannedRow(0)], []);
    state.journal.intend([intent("row 0")]);
    state.journal.done(made("row 0", "id-1"));
    expect(state.pictures.areMissing("row 0")).toBe(true);
    state.pictures.set("row 0", { base: "a", files: [], designHash: "d" });
    expect(state.pictures.areMissing("row 0")).toBe(false);
    state.journal.shown("row 0", null, "<svg/>");
    expect(state.pictures.areMissing("row 0")).toBe(true);
  });

  it("can't be sent twice: an intent for a row that is not pending is a bug", () => {
    state.adoptPlan([plannedRow(0)], []);
    state.journal.intend([intent("row 0")]);
    expect(() => state.journal.intend([intent("row 0")])).toThrow(/must be pending/u);
  });

  it("are in doubt after a restart when their answer never came", () => {
    state.adoptPlan([plannedRow(0), plannedRow(1)], []);
    state.journal.intend([intent("row 0")]);
    state.close();
    state = openState(folder, OPTIONS);
    expect(state.journal.doubtAllSending()).toBe(1);
    expect(state.countByState()).toEqual({ doubt: 1, pending: 1 });
  });

  it("never share a code: the twin that comes second is in doubt", () => {
    state.adoptPlan([plannedRow(0), plannedRow(1)], []);
    state.journal.intend([intent("row 0"), intent("row 1")]);
    expect(state.journal.done(made("row 0", "id-1"))).toBe(true);
    expect(state.journal.done(made("row 1", "id-1"))).toBe(false);
    expect(state.known("row 1")?.state).toBe("doubt");
  });

  it("keep what was made when the wish changes, and vanish when the plan drops them", () => {
    state.adoptPlan([plannedRow(0), plannedRow(1)], []);
    state.journal.intend([intent("row 0")]);
    state.journal.done(made("row 0", "id-1"));
    state.adoptPlan([plannedRow(0, { wantedHash: "w2" })], []);
    expect(state.known("row 0")).toMatchObject({ state: "done", madeHash: "w1", wantedHash: "w2" });
    expect(state.goneRows(VANISHED).map(({ key }) => key)).toEqual(["row 1"]);
    expect([...state.rows()].map((row) => row.key)).toEqual(["row 0"]);
  });

  it("that are bad today are neither printed nor vanished", () => {
    state.adoptPlan([plannedRow(0)], []);
    const problems = [{ message: "must be a URL" }];
    state.adoptPlan([], [{ line: 2, cells: { Link: "x" }, problems, key: "row 0" }]);
    expect([...state.rows()]).toEqual([]);
    expect(state.goneRows(VANISHED).map(({ key }) => key)).toEqual([]);
    expect([...state.bad.list()]).toEqual([{ line: 2, cells: { Link: "x" }, problems }]);
  });

  it("that were refused wait until the plan wants them again", () => {
    state.adoptPlan([plannedRow(0)], []);
    state.journal.intend([intent("row 0")]);
    state.journal.refused("row 0", { message: "no", status: 400 });
    state.adoptPlan([plannedRow(0)], []);
    expect(state.known("row 0")).toMatchObject({ state: "failed", error: { message: "no" } });
    state.adoptPlan([plannedRow(0, { again: true })], []);
    expect(state.known("row 0")).toMatchObject({ state: "pending", error: null });
  });

  it("of a ZIP come by file name, those of sheets in row order", () => {
    const names = ["b", "a", "c"];
    state.adoptPlan(
      names.map((fileBase, seq) =>
        plannedRow(seq, { placing: { fileBase, zip: "z.zip", sheets: "s.pdf", caption: [] } }),
      ),
      [],
    );
    for (let seq = 0; seq < 3; seq += 1) {
      state.journal.intend([intent(`row ${seq}`)]);
      state.journal.done(made(`row ${seq}`, `id-${seq}`));
    }
    expect([...state.zipRows("z.zip")].map((row) => row.placing.fileBase)).toEqual(["a", "b", "c"]);
    expect([...state.sheetRows("s.pdf", ["placing"])].map((row) => row.placing.fileBase)).toEqual(
      names,
    );
    expect(state.groups("zip")).toEqual([{ name: "z.zip", rows: 3, labels: null }]);
  });

  it("have the same fields whether some are asked for or all", () => {
    state.adoptPlan([plannedRow(0), plannedRow(1), plannedRow(2)], []);
    state.journal.intend([intent("row 0"), intent("row 1")]);
    state.journal.done(made("row 0", "id-0"));
    state.journal.done(made("row 1", "id-1"));
    state.adoptPlan([plannedRow(0, { wantedHash: "w2" }), plannedRow(1), plannedRow(2)], []);
    const fields = ["made", "cells", "key", "wanted", "line", "shortLink", "placing"] as const;
    const picked = [...state.pick([...fields, "error", "artwork", "labels"], "1")];
    expect(picked).toHaveLength(3);
    for (const [at, row] of [...state.rows()].entries())
      expect(row).toMatchObject(picked[at] ?? {});
    expect(picked.map((row) => row.made === null)).toEqual([false, false, true]);
  });
});

describe("the file", () => {
  it("gives the same reference for the same row, another in another state", () => {
    const other = openState(mkdtempSync(path.join(os.tmpdir(), "state-")), {
      ...OPTIONS,
      salt: "pepper",
    });
    expect(state.toRef("a", 1)).toBe(state.toRef("a", 1));
    expect(state.toRef("a", 1)).toMatch(/^[a-z2-7]{10}$/u);
    expect(state.toRef("a", 2)).not.toBe(state.toRef("a", 1));
    expect(other.toRef("a", 1)).not.toBe(state.toRef("a", 1));
  });

  it("belongs to one server and workspace as soon as something was made there", () => {
    state.pin({ baseUrl: "https://a.example/api/v2", workspace: "mistyped" });
    state.pin({ baseUrl: "https://a.example/api/v2", workspace: "w" });
    state.rememberFolder("Tables", "folder-1");
    state.pin({ baseUrl: "https://a.example/api/v2", workspace: "w" });
    expect(() => state.pin({ baseUrl: "https://b.example/api/v2", workspace: "w" })).toThrow(
      expect.objectContaining({ code: "state-foreign", exitCode: 6 }) as AppError,
    );
  });

  it("belongs to no server while every create was refused, and to one while a code is in doubt", () => {
    const a = { baseUrl: "https://a.example/api/v2", workspace: "w" };
    const b = { baseUrl: "https://b.example/api/v2", workspace: "w" };
    const foreign = expect.objectContaining({ code: "state-foreign" }) as AppError;
    state.pin(a);
    state.setMeta(KEYS_HONOURED, "yes");
    state.adoptPlan([plannedRow(0), plannedRow(1)], []);
    state.journal.intend([intent("row 0")]);
    expect(() => state.refuseForeign(b)).toThrow(foreign);
    state.journal.notSent("row 0");
    state.journal.refused("row 1", { message: "no", status: 400 });
    state.pin(b);
    // What was learned of the other server does not hold for this one.
    expect(state.meta(KEYS_HONOURED)).toBe("no");
    state.journal.intend([intent("row 0")]);
    state.journal.doubt("row 0", null);
    expect(() => state.pin(a)).toThrow(foreign);
    state.journal.gaveUp("row 0", { message: "never answered" });
    expect(() => state.pin(a)).toThrow(foreign);
  });

  it("of a newer makeready is refused and its writer named", () => {
    state.close();
    const db = openSqlite(stateFile(folder));
    db.exec("PRAGMA user_version=99; UPDATE meta SET value='makeready 9.9' WHERE key='writer'");
    db.close();
    expect(() => openState(folder, OPTIONS)).toThrow(/version 99 written by makeready 9\.9/u);
  });

  it("is refused when it is another program's database, and not found where there is none", () => {
    const other = mkdtempSync(path.join(os.tmpdir(), "state-"));
    expect(findState(other, OPTIONS)).toBeUndefined();
    const db = openSqlite(stateFile(other));
    db.exec("PRAGMA user_version=3; CREATE TABLE t (a)");
    db.close();
    expect(() => openState(other, OPTIONS)).toThrow(/must be a makeready state/u);
  });

  it("that is no database at all is an error, not an empty state", () => {
    const other = mkdtempSync(path.join(os.tmpdir(), "state-"));
    writeFileSync(stateFile(other), "not a database, but long enough to be looked at ".repeat(20));
    expect(() => openState(other, OPTIONS)).toThrow(/not a database/u);
  });
});

describe("the lock", () => {
  it("lets one run in, names the holder to the second, and is free after the first", async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toMatchObject({
      code: "job-locked",
      exitCode: 7,
      message: expect.stringContaining(`process ${process.pid}`) as string,
    });
    lock.release();
    (await lockFolder(folder)).release();
  });
});

describe("a seal", () => {
  it.each<[string, (state: State) => void]>([
    ["a new row", (state) => state.adoptPlan([plannedRow(0), plannedRow(1)], [])],
    ["a vanished row", (state) => state.adoptPlan([], [])],
    [
      "a bad row",
      (state) => state.adoptPlan([plannedRow(0)], [{ line: 9, cells: {}, problems: [] }]),
    ],
    ["a move of a row", (state) => state.journal.stepFailed("row 0", { message: "x" })],
    ["a package", (state) => state.setPackaged("zip a.zip", "f", {})],
  ])("is broken by %s", (_what, change) => {
    state.adoptPlan([plannedRow(0)], []);
    state.setSeal("whole");
    state.adoptPlan([plannedRow(0)], []);
    expect(state.seal).toBe("whole");
    change(state);
    expect(state.seal).toBeUndefined();
  });
});
