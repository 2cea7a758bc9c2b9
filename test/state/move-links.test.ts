/** Short links of a job of any size get another address: few rows are in memory at once. */
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it, vi } from "vitest";

import { Sqlite } from "../../src/base/sqlite/sqlite.ts";
import { openState } from "../../src/state/state.ts";
import { plannedRow } from "./planned-row.ts";

const ROWS = 1203;
const MOST = 500;

const toLink = (key: string, host: string): string => `https://${host}/${key.slice(4)}`;

it("moves the links of every row, over page borders, and leaves those that stay", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "state-"));
  const state = openState(folder, { writer: "test", salt: "salt", nowMs: 0 });
  const rows = Array.from({ length: ROWS }, (_, seq) => plannedRow(seq));
  state.adoptPlan(rows, []);
  state.selected.take(
    rows.map(({ key, seq }) => {
      const shortLink = seq === 7 ? null : toLink(key, seq % 3 === 0 ? "other" : "old");
      return { key, created: "2026-01-01T00:00:00Z", shortLink, designHash: null };
    }),
  );
  const all = vi.spyOn(Sqlite.prototype, "all");
  const seen: string[] = [];
  state.selected.moveLinks((link) => {
    seen.push(link);
    return link.startsWith("https://old/") ? link.replace("old", "new") : undefined;
  });
  const pages = all.mock.results.map(({ value }) => (value as unknown[]).length);
  all.mockRestore();
  expect(new Set(seen).size).toBe(ROWS - 1);
  expect(seen).toHaveLength(ROWS - 1);
  expect(Math.max(0, ...pages)).toBeLessThanOrEqual(MOST);
  for (const { key, shortLink, seq } of state.rows()) {
    const wanted = seq === 7 ? null : toLink(key, seq % 3 === 0 ? "other" : "new");
    expect(shortLink).toBe(wanted);
  }
  state.close();
});
