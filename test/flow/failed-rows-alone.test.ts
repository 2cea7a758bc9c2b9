/** The list of failed rows is run by itself as the README says. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

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

const says = (name: string): string =>
  `failed-rows.csv has been changed since a run wrote it: it is kept as ${name}`;

it("a list that somebody has changed is kept when a run writes it anew, or needs it no more", async () => {
  const job = makeJobFolder(makeRows(1));
  const list = path.join(job.out, "failed-rows.csv");
  const readKept = (name: string): string => readFileSync(path.join(job.out, name), "utf8");
  const run = () => runInProcess(["run", job.manifest]);
  await run();
  const written = readFileSync(list, "utf8");
  const again = await run();
  expect(again.err).not.toContain("has been changed");
  writeFileSync(list, "mine");
  const second = await run();
  expect([second.code, second.err]).toEqual([
    3,
    expect.stringContaining(says("failed-rows.edited.csv")),
  ]);
  expect(second.err).toContain("--set source.file=");
  expect([readKept("failed-rows.edited.csv"), readFileSync(list, "utf8")]).toEqual([
    "mine",
    written,
  ]);
  expect((await run()).err).not.toContain("has been changed");
  writeFileSync(list, "mine again");
  writeFileSync(job.csv, "site,table,region,Link\nA,1,N,https://a.example/1\n");
  const third = await run();
  expect([third.code, third.err]).toEqual([
    0,
    expect.stringContaining(says("failed-rows.edited-2.csv")),
  ]);
  expect(readKept("failed-rows.edited-2.csv")).toBe("mine again");
  expect(existsSync(list)).toBe(false);
});
