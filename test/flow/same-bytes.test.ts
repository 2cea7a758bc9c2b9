import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { sequentialIds } from "../help/sequential-ids.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

/** What is read by people and presses; state, log and report tell of the run itself. */
const COMPARED = /\.(pdf|zip|csv|xlsx|json|svg|png)$/u;

function hashFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names
      .filter((name) => COMPARED.test(name))
      .toSorted()
      .map((name) => [name, sha256(readFileSync(path.join(folder, name)))]),
  );
}

it("the same rows, clock and identifiers give the same bytes in another folder", async () => {
  const runs = [makeJobFolder(makeRows(20)), makeJobFolder(makeRows(20))];
  for (const { manifest } of runs) {
    // One at a time, so that identifiers are given out in the order of the rows.
    const set = ["run.concurrency=1", "output.sheets.sheet=a4-8up-105x74.25"];
    const args = set.flatMap((one) => ["--set", one]);
    const { code, err } = await runInProcess(["run", manifest, ...args], { ids: sequentialIds() });
    expect(code, err).toBe(3);
  }
  const [first, second] = runs.map(({ out }) => hashFiles(out));
  expect(Object.keys(first ?? {})).toContain("tables-north.pdf");
  expect(Object.keys(first ?? {})).toContain("tables-south.zip");
  expect(second).toEqual(first);
});
