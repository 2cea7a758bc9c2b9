/** Lists of failed rows that a run wrote are not taken for lists that a person changed. */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

import { afterEach, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";
import { withApi } from "./seed.ts";

const { rename } = files;

/** As on a computer where the workbook is open in another program. */
function lockWorkbook(): void {
  files.rename = async (from, to) => {
    if (String(to).endsWith("failed-rows.xlsx"))
      throw Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY" });
    await rename(from, to);
  };
  syncBuiltinESMExports();
}

function unlockWorkbook(): void {
  files.rename = rename;
  syncBuiltinESMExports();
}

afterEach(unlockWorkbook);

it("of a run that could write one of both only", async () => {
  const job = makeJobFolder(makeRows(1));
  const run = () => runInProcess(["run", job.manifest]);
  const list = path.join(job.out, "failed-rows.csv");
  await run();
  appendFileSync(job.csv, "Bad again,2,North,htp://elsewhere\n");
  lockWorkbook();
  await run();
  expect(readFileSync(list, "utf8")).toContain("Bad again");
  unlockWorkbook();
  const again = await run();
  expect([again.code, again.err]).toEqual([3, expect.not.stringContaining("has been changed")]);
  expect(readdirSync(job.out).filter((name) => name.includes("edited"))).toEqual([]);
  // What a person changes is still seen, in each of both.
  for (const name of ["failed-rows.csv", "failed-rows.xlsx"]) {
    appendFileSync(path.join(job.out, name), "mine");
    expect((await run()).err).toContain(`${name} has been changed since a run wrote it`);
  }
});

const TOO_LONG = `version: 1
name: restyle
kind: redesign
select: { folder: Tables }
design: { frame: speech-bubble, text: "Hello, {{ display_name }}" }
output: { dir: ../out, files: [svg], index: [csv] }
`;

it("of codes that exist: a changed list is kept, without advice about a spreadsheet that the job hasn't", async () => {
  const job = makeJobFolder("", TOO_LONG);
  await withApi(job.data, async (api) => {
    for (const name of ["table 1", "table in the winter garden"]) {
      const code = { qr_data: "https://a.example/", dynamic: true, display_name: name };
      await api.code({ ...code, folderPath: "Tables" });
    }
  });
  const run = () => runInProcess(["run", job.manifest]);
  const list = path.join(job.out, "failed-rows.csv");
  expect((await run()).code).toBe(3);
  writeFileSync(list, "mine");
  const { err } = await run();
  expect(err).toContain("it is kept as failed-rows.edited.csv");
  expect(err).not.toMatch(/source\.file|spreadsheet/u);
  expect(existsSync(list)).toBe(true);
});
