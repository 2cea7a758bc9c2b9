/** Lists of failed rows that a run wrote are not taken for lists that a person changed. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { afterEach, expect, it, vi } from "vitest";

import type * as FailedRows from "../../src/pack/failed-rows.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

/** As on a computer where the workbook is open in another program. */
const workbook = vi.hoisted(() => ({ isLocked: false }));

vi.mock("../../src/pack/failed-rows.ts", async (importOriginal) => {
  const lists = await importOriginal<typeof FailedRows>();
  const writeFailedXlsx: typeof FailedRows.writeFailedXlsx = async (...args) => {
    if (workbook.isLocked) throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
    return lists.writeFailedXlsx(...args);
  };
  return { ...lists, writeFailedXlsx };
});

afterEach(() => {
  workbook.isLocked = false;
});

it("of a run that could write one of both only", async () => {
  const job = makeJobFolder(makeRows(1));
  const run = () => runInProcess(["run", job.manifest]);
  const list = path.join(job.out, "failed-rows.csv");
  await run();
  appendFileSync(job.csv, "Bad again,2,North,htp://elsewhere\n");
  workbook.isLocked = true;
  await run();
  expect(readFileSync(list, "utf8")).toContain("Bad again");
  workbook.isLocked = false;
  const again = await run();
  expect([again.code, again.err]).toEqual([3, expect.not.stringContaining("has been changed")]);
  expect(readdirSync(job.out).filter((name) => name.includes("edited"))).toEqual([]);
  // What a person changes is still seen, in each of both.
  for (const name of ["failed-rows.csv", "failed-rows.xlsx"]) {
    appendFileSync(path.join(job.out, name), "mine");
    expect((await run()).err).toContain(`${name} has been changed since a run wrote it`);
  }
});
