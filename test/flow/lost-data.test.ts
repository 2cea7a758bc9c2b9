/** A job whose codes lie in a data folder that is gone, or in another one. */
import { cpSync, rmSync, writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { stateFile } from "../../src/state/state.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: shelves
kind: codes
source: { file: ../rows.csv, key: [shelf] }
code: { type: Link, dynamic: true, qr_data: "https://example.com/{{ shelf }}", display_name: "{{ shelf }}" }
output: { dir: ../out, files: [svg] }
`;

const call = ({ manifest }: JobFolder, command: string, ...more: readonly string[]) =>
  runInProcess([command, manifest, ...more]);

it("is refused by plan and run alike, whether rows have changed or not", async () => {
  const files = makeJobFolder("shelf\nA\nB\n", MANIFEST);
  await call(files, "run");
  cpSync(files.data, `${files.data}-kept`, { recursive: true });
  rmSync(files.data, { recursive: true });
  for (const rows of ["shelf\nA\nB\n", "shelf\nA\nB\nC\n"]) {
    writeFileSync(files.csv, rows);
    for (const command of ["plan", "run"]) {
      const { code, err } = await call(files, command);
      expect(err).toMatch(/must be used with workspace \S+, got none: \S+ holds no codes/u);
      expect(err).toContain(
        "put back the folder that holds its codes, or name its data folder with --data",
      );
      expect(code).toBe(6);
    }
  }
  const other = makeJobFolder("shelf\nA\n", MANIFEST);
  await call(other, "run");
  const foreign = await call(files, "plan", "--data", other.data);
  expect(foreign.err).toMatch(/must be used with workspace \S+, got [0-9a-f-]{36}\n/u);
  const found = await call(files, "run", "--data", `${files.data}-kept`);
  expect(found.code, found.err).toBe(0);
  expect(found.out).toContain("1 created");
});

it("verify names one step where a run was killed and an older copy of the data was put back", async () => {
  const files = makeJobFolder("shelf\nA\n", MANIFEST);
  await call(files, "run");
  cpSync(files.data, `${files.data}-kept`, { recursive: true });
  writeFileSync(files.csv, "shelf\nA\nB\nC\n");
  await call(files, "run");
  rmSync(files.data, { recursive: true });
  cpSync(`${files.data}-kept`, files.data, { recursive: true });
  const db = openSqlite(stateFile(files.out));
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.close();
  rmSync(`${files.out}/artwork/a.svg`);
  const verified = await call(files, "verify");
  expect(verified.code).toBe(3);
  expect(verified.out).toMatch(/to make the codes that are gone anew: makeready retry /u);
  expect(verified.out).toContain("the last run did not end");
  expect(verified.out).not.toContain("makeready run");
  expect((await call(files, "retry", "--yes")).code).toBe(0);
  const whole = await call(files, "verify");
  expect(whole.out).not.toContain("did not end");
});
