/** The page of the result after codes without a row were filed away, and after that was undone. */
import { expect, test } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { runInProcess } from "../flow/in-process.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("retired");

async function type(...words: string[]): Promise<void> {
  const { code, err } = await runInProcess(words, { cwd: at.folder, clock: systemClock });
  expect(code, err).toBe(0);
}

test("the result says which codes have no row now, not which had none after the run", async () => {
  at.write("shelves.csv", "shelf\nA-01\nA-02\nA-03\n");
  at.write(
    "shelves.yaml",
    `version: 1
name: shelves
kind: codes
source: { file: shelves.csv, key: [shelf] }
code: { dynamic: true, qr_data: "https://a.example/{{ shelf }}" }
output: { dir: out, files: [svg] }
`,
  );
  const page = (): Promise<string> => at.textOf("/job/shelves.yaml/result");
  await type("run", "shelves.yaml");
  at.write("shelves.csv", "shelf\nA-01\n");
  await type("run", "shelves.yaml");
  const before = await page();
  expect(before).toContain("2 codes have no rows any more");
  expect(before).toContain("vanished-rows.csv");
  await type("retire", "shelves.yaml", "--key", "A-02", "--folder", "Old", "--yes");
  expect(await page()).toContain("1 code has no row any more");
  await type("retire", "shelves.yaml", "--folder", "Old", "--yes");
  const after = await page();
  for (const stale of ["has no row any more", "have no rows any more", "vanished-rows.csv"])
    expect(after).not.toContain(stale);
  expect(after).toContain("report.html");
  await type("undo", "shelves.yaml", "--yes");
  const undone = await page();
  expect(undone).toContain("1 code has no row any more");
  expect(undone).toContain("vanished-rows.csv");
});
