/** What a plan asks of the state: a few statements, however many rows and groups there are. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { noteRemoved } from "../../src/pipeline/files/files-removed.ts";
import { findMissingFiles } from "../../src/pipeline/rows/missing-files.ts";
import { findMoving } from "../../src/pipeline/rows/plan-reads.ts";
import type { Spool } from "../../src/pipeline/rows/spool.ts";
import { openState, type State } from "../../src/state/state.ts";
import { plannedRow } from "../state/planned-row.ts";

const ROWS = 300;
const GROUPS = 40;
const rows = Array.from({ length: ROWS }, (_, seq) =>
  plannedRow(seq, {
    placing: {
      fileBase: `f${seq}`,
      zip: `${seq % GROUPS}.zip`,
      sheets: `${seq % GROUPS}.pdf`,
      caption: [],
    },
  }),
);
/** A plan in which the first row is bad now. */
const spool = {
  good: () => rows.slice(1),
  bad: () => [{ line: 2, cells: {}, problems: [], key: "row 0" }],
} as unknown as Spool;

let state: State;
beforeAll(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "plan-costs-"));
  state = openState(folder, { writer: "makeready 0.0.0-test", salt: "salt", nowMs: 0 });
  state.adoptPlan(rows, []);
  for (const { key, seq } of rows) {
    state.journal.intend([{ key, ref: "ref", bodyHash: "b", intentAtMs: 1 }]);
    const shortLink = seq % 2 === 0 ? `https://s.example/${seq}` : null;
    state.journal.done({ key, remoteId: `id-${seq}`, created: null, shortLink, svg: null });
  }
  for (let group = 0; group < GROUPS; group += 1) {
    const volumes = [{ file: `${group}.pdf` }];
    const kept = { volumes, warnings: [], press: [] };
    state.setPackaged(`sheets ${group}.pdf`, "print", kept);
  }
});
afterAll(() => state.close());

let statements = 0;
beforeEach(() => {
  statements = 0;
  const undo = (["run", "get", "all", "iterate", "view", "iterateView"] as const).map((name) => {
    const original = Reflect.get(Sqlite.prototype, name) as (...args: unknown[]) => unknown;
    Reflect.set(Sqlite.prototype, name, function counted(this: object, ...args: unknown[]) {
      statements += 1;
      return original.apply(this, args);
    });
    return () => Reflect.set(Sqlite.prototype, name, original);
  });
  return () => {
    for (const back of undo) back();
  };
});

it("missing files of good rows", () => {
  const job = { output: { dir: os.tmpdir(), files: [] } } as unknown as Parameters<
    typeof findMissingFiles
  >[0]["job"];
  const asked = { job, state, spool, isLeft: false };
  expect(findMissingFiles(asked)).toMatchObject({ rows: ROWS / 2, links: ROWS / 2 });
  // Each that lacks something is asked for its drawing.
  expect(statements - ROWS / 2).toBeLessThan(5);
});

it("codes of good rows that move to another address", () => {
  const moved = { from: "https://s.example", to: "https://t.example" };
  const server = { baseUrl: "https://api.example/api/v2" } as Parameters<typeof findMoving>[0];
  const moving = findMoving(server, { state, far: { reads: 0, moved }, spool });
  expect(moving).toMatchObject({ codes: ROWS - 1, links: ROWS / 2 - 1 });
  expect(statements).toBeLessThan(5);
});

it("files of groups that go", () => {
  const job = { output: { sheets: {}, files: [] } } as unknown as Parameters<
    typeof noteRemoved
  >[0]["job"];
  const summary = { sheets: [], zips: [] } as unknown as Parameters<
    typeof noteRemoved
  >[0]["summary"];
  const [note] = noteRemoved({ job, state, summary, spool });
  expect(note).toMatchObject({ code: "files-removed" });
  expect((note as { files: readonly string[] }).files).toHaveLength(GROUPS - 1);
  expect(statements).toBeLessThan(10);
});
