/** docs/spec/jobs.md section 1, identity: keys that look the same and are not. */
import { describe, expect, it } from "vitest";

import type { JobRows } from "../../src/job/job.ts";
import { LookalikeKeys } from "../../src/plan/lookalike-keys.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeJobFolder } from "../flow/job-folder.ts";

const source = {
  from: "spreadsheet",
  file: "shelves.csv",
  key: ["shelf"],
  columns: {},
} as unknown as JobRows;

/** The warning of the last key; earlier ones stand on lines 2, 3, … */
function find(keys: readonly string[], from: JobRows = source): string | undefined {
  const lookalikes = new LookalikeKeys(from);
  const lines = new Map<string, number>();
  let message: string | undefined;
  for (const [at, key] of keys.entries()) {
    const row = { line: at + 2, cells: {}, values: {}, problems: [] };
    message = lookalikes.find(row, key, (other) => lines.get(other))[0]?.message;
    lines.set(key, row.line);
  }
  return message;
}

describe("keys that look the same", () => {
  it.each([
    [
      "a zero-width space behind a plain one",
      ["A1", "B1", "A\u200b1"],
      "2 and 4: this one holds U+200B",
    ],
    ["the plain one behind it", ["A\u200b1", "A1"], "2 and 3: they differ"],
    ["two unlike ones", ["A\u200b1", "\u2060A1"], "2 and 3: this one holds U+2060"],
    ["a soft hyphen", ["AB", "A\u00adB"], "this one holds U+00AD"],
    [
      "a blank that doesn't break",
      ["A 1", "A\u00a01"],
      "2 and 3: they differ in what can't be seen",
    ],
    ["a letter in two parts", ["é", "e\u0301"], "2 and 3: they differ in what can't be seen"],
  ])("%s: both lines are reported", (_name, keys, says) => {
    expect(find(keys)).toContain(says);
  });

  it.each([
    ["other letters", ["A\u200b1", "A2"]],
    ["upper and lower case", ["a1", "A1"]],
    ["one with a zero-width space alone", ["A\u200b1"]],
  ])("%s are no such keys", (_name, keys) => {
    expect(find(keys)).toBeUndefined();
  });

  it("are no matter where rows have no key", () => {
    expect(find(["A1", "A\u200b1"], { ...source, key: [] })).toBeUndefined();
  });

  it("are reported by the plan", async () => {
    const files = makeJobFolder(
      "site,table,region,Link\nA,1,North,https://a.example/\nA\u200bA,1,North,https://b.example/\nAA,1,North,https://c.example/\n",
    );
    const { err, out } = await runInProcess(["plan", files.manifest]);
    expect(`${out}${err}`).toMatch(/warning .*"AA \/ 1" on lines 3 and 4/u);
  });
});
