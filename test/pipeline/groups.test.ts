import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterEach, expect, it, vi } from "vitest";

import { makeGroups } from "../../src/pipeline/stages/groups.ts";
import type { Work } from "../../src/pipeline/stages/work.ts";
import { openState } from "../../src/state/state.ts";
import { plannedRow } from "../state/planned-row.ts";

afterEach(() => vi.restoreAllMocks());

it.each([
  [2, 0],
  [30, 1],
])(
  "of %d groups, the rows are put into an index %d times before they are read",
  async (n, times) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "groups-"));
    const state = openState(folder, { writer: "makeready test", salt: "salt", nowMs: 0 });
    const placing = { fileBase: "a", zip: null, caption: [] };
    const rows = Array.from({ length: n }, (_, seq) =>
      plannedRow(seq, { placing: { ...placing, sheets: `${seq}.pdf` } }),
    );
    state.adoptPlan(rows, []);
    for (const { key } of rows) {
      state.journal.intend([{ key, ref: "ref", bodyHash: "b", intentAtMs: 1 }]);
      const code = {
        key,
        remoteId: key,
        created: "2026-01-01T00:00:00Z",
        shortLink: "https://s.example",
      };
      state.journal.done({ ...code, svg: "<svg/>" });
    }
    const index = vi.spyOn(state, "indexGroups");
    const read: string[] = [];
    const work = { state, folder, signal: new AbortController().signal, on: () => undefined };
    await makeGroups(work as unknown as Work, {
      kind: "sheets",
      shownAs: "sheets",
      fingerprint: ({ name }) => {
        read.push(...[...state.sheetRows(name, ["key"])].map(({ key }) => key));
        return Promise.resolve("print");
      },
      write: () => Promise.resolve(null),
      filesOf: () => [],
    });
    expect(read.toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
    expect(index.mock.calls).toEqual(Array.from({ length: times }, () => ["sheets"]));
    state.close();
  },
);
