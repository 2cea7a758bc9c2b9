/** The list of failed rows is run by itself as the README says. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

it("with the path that the README names", async () => {
  const [, options = ""] = /`(--set source\.file=\S+ --out [^`]+)`/u.exec(readme) ?? [];
  const [, manifest = ""] = /```yaml file=shelves\.yaml\n([^]*?)```/u.exec(readme) ?? [];
  const cwd = mkdtempSync(path.join(os.tmpdir(), "makeready-alone-"));
  mkdirSync(path.join(cwd, "jobs"));
  const job = "jobs/shelves.yaml";
  writeFileSync(path.join(cwd, job), manifest);
  const good = "shelf,room,url\nA-01,North,https://a.example/1\n";
  writeFileSync(path.join(cwd, "jobs/shelves.csv"), `${good}A-02,North,htp://a.example/2\n`);
  expect((await runInProcess(["run", job], { cwd })).code).toBe(3);
  const { code, out, err } = await runInProcess(["plan", job, ...options.split(" ")], { cwd });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("1 row: 0 good, 1 bad in jobs/out/shelf-labels/failed-rows.xlsx");
});
