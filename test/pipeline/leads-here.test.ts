/** Codes that lead to this computer, of a server that gives each one a port of its own. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { findHere } from "../../src/pipeline/standing/press.ts";
import type { WorkJob } from "../../src/pipeline/stages/work.ts";
import { openState } from "../../src/state/state.ts";
import { plannedRow } from "../state/planned-row.ts";

it("are counted, however many addresses they have", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "leads-here-"));
  const state = openState(folder, { writer: "test", salt: "salt", nowMs: 0 });
  const rows = Array.from({ length: 1502 }, (_, seq) => plannedRow(seq));
  state.adoptPlan(rows, []);
  rows.forEach(({ key }, seq) => {
    state.journal.intend([{ key, ref: "ref", bodyHash: "b", intentAtMs: 1 }]);
    const host = seq === 0 ? "https://s.example" : `http://127.0.0.1:${10_000 + seq}`;
    const shortLink = `${host}/x${seq}`;
    const at = { created: "2026-01-01T00:00:00Z", shortLink, svg: "<svg/>" };
    state.journal.done({ key, remoteId: `id-${seq}`, ...at });
  });
  const job = { source: null } as unknown as WorkJob;
  expect(findHere({ state, job })).toMatchObject([{ code: "codes-lead-here", count: 1501 }]);
  state.close();
});
