/** Rows that vanished from the spreadsheet: named in plan, report and a file; their codes live on. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { parseIndex } from "./check-output.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [site, table] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ site }} / {{ table }}" }
output: { dir: ../out, files: [svg] }
`;
const HEADER = "site,table,url\n";
const ONE = "Linde,1,https://a.example/1\n";
const TWO = "Linde,2,https://a.example/2\n";
const THREE = "Krone,1,https://a.example/3\n";

const readCsv = (files: JobFolder) =>
  parseIndex(readFileSync(path.join(files.out, "vanished-rows.csv"), "utf8"));

it("rows that vanished are named with key, line, code and file until they are back", async () => {
  const files = makeJobFolder(HEADER + ONE + TWO + THREE, MANIFEST);
  expect(await runInProcess(["run", files.manifest])).toMatchObject({ code: 0 });
  const index = parseIndex(readFileSync(path.join(files.out, "index.csv"), "utf8"));
  const gone = index.find((row) => row["line"] === "3");
  expect(existsSync(path.join(files.out, "vanished-rows.csv"))).toBe(false);

  writeFileSync(files.csv, HEADER + ONE + THREE);
  const says = `"Linde / 2" (line 3): ${gone?.["short_link"]}, ${gone?.["files"]}`;
  const plan = await runInProcess(["plan", files.manifest]);
  expect(plan.out).toContain("1 no longer in the spreadsheet (left alone)");
  expect(plan.out).toContain(says);
  expect(plan.out).toContain("→ to do this: makeready run");
  const early = await runInProcess(["retire", files.manifest]);
  expect(early.out).toMatch(
    /^flow: 1 row has vanished since the last run\. First run: makeready run /u,
  );
  expect(early.out).not.toContain("no code without a row");
  const run = await runInProcess(["run", files.manifest]);
  expect(run.out).toContain(says);
  expect(run.out).toMatch(/vanished-rows\.csv +1 code whose row is no longer in the spreadsheet/u);
  expect(run.out).toContain("makeready retire");
  expect(readCsv(files)).toEqual([{ ...gone, zip: "" }]);
  const report = readFileSync(path.join(files.out, "report.html"), "utf8");
  expect(report).toContain("Vanished rows");
  expect(report).toContain(String(gone?.["short_link"]));

  const done = await runInProcess(["plan", files.manifest]);
  expect(done.out).not.toContain("to do this");
  const again = await runInProcess(["plan", files.manifest, "--json"]);
  expect(JSON.parse(again.out)).toMatchObject({
    gone: 1,
    goneRows: [{ key: gone?.["key"], line: 3, shortLink: gone?.["short_link"] }],
  });
  const sealed = await runInProcess(["run", files.manifest]);
  expect(sealed.out).toContain(says);
  expect(readCsv(files)).toHaveLength(1);

  writeFileSync(files.csv, HEADER + ONE + TWO + THREE);
  const back = await runInProcess(["run", files.manifest]);
  expect(back.out).not.toContain("no longer in the spreadsheet");
  expect(existsSync(path.join(files.out, "vanished-rows.csv"))).toBe(false);
});

it("rows that vanished follow a move of the address, and keep their pictures", async () => {
  const files = makeJobFolder(HEADER + ONE + TWO + THREE, MANIFEST);
  const call = (...args: string[]) =>
    runInProcess([args[0] ?? "", files.manifest, ...args.slice(1)]);
  await call("run");
  writeFileSync(files.csv, HEADER + ONE + THREE);
  await call("run");
  const [before] = readCsv(files);
  const slug = before?.["short_link"]?.split("/").at(-1) ?? "";
  expect((await call("run", "--public-url", "https://go.k.example")).code).toBe(0);
  const link = `https://go.k.example/${slug}`;
  expect(readCsv(files)).toEqual([{ ...before, short_link: link }]);
  const gone = `${link}, ${before?.["files"]} (shows the address before)`;
  expect((await call("plan")).out).toContain(gone);
  expect((await call("retire")).out).toContain(gone);
  expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toContain(
    "(shows the address before)",
  );

  writeFileSync(files.csv, HEADER + ONE + TWO + THREE);
  const back = await call("run", "--json");
  expect(back.code, back.err).toBe(0);
  const index = parseIndex(readFileSync(path.join(files.out, "index.csv"), "utf8"));
  const row = index.find((one) => one["line"] === "3");
  expect(row).toMatchObject({ short_link: link, files: before?.["files"] });
  expect(row?.["sha256"]).not.toBe(before?.["sha256"]);
  expect((await call("plan")).out).not.toContain("shows the address before");
});

it("rows that are bad now are named with their codes, which stay as they were", async () => {
  const files = makeJobFolder(HEADER + ONE + TWO, MANIFEST);
  const call = (...args: string[]) =>
    runInProcess([args[0] ?? "", files.manifest, ...args.slice(1)]);
  await call("run");
  const index = parseIndex(readFileSync(path.join(files.out, "index.csv"), "utf8"));
  const link = index.find((row) => row["line"] === "3")?.["short_link"] ?? "no link";
  writeFileSync(files.csv, `${HEADER}${ONE}Linde,2,not a url\nLinde,3,neither\n`);
  const says = `what an earlier run made of the row stays as it was: ${link}, id `;
  const plan = await call("plan");
  expect(plan.out).toContain("1 unchanged, 1 of bad rows (left as they were)");
  expect(plan.out.split(says)).toHaveLength(2);
  const run = await call("run");
  expect(run.out + run.err).toContain(says);
  const failed = readFileSync(path.join(files.out, "failed-rows.csv"), "utf8");
  expect(failed.split(says)).toHaveLength(2);
  const standing = await call("status");
  expect(standing.out).toMatch(
    new RegExp(
      `2 bad in the spreadsheet, of which 1 made by an earlier run, left as it was: "Linde / 2" .*${link}`,
      "u",
    ),
  );
  const json = JSON.parse((await call("plan", "--json")).out) as object;
  expect(json).toMatchObject({ badWithCode: 1, badCodeRows: [{ shortLink: link, line: 3 }] });
  // Another row of its key is no better: once the first is mended, the code would be that one's.
  writeFileSync(files.csv, `${HEADER}${ONE}Linde,2,not a url\n${TWO}`);
  const twice = await call("plan");
  expect(twice.out).toContain("1 unchanged, 1 of bad rows (left as they were)");
  expect(twice.out.split(says)).toHaveLength(2);
  expect(twice.out).toContain('got "Linde / 2" again (first on line 3)');
});
