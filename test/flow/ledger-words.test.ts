/** The messages about replacing: a command that can be typed, and no code made void in vain. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, makeRows, type JobFolder } from "./job-folder.ts";

const serialJob = (reprint: string): JobFolder =>
  makeJobFolder(
    "",
    `version: 1
name: passports
kind: codes
source: { rows: 4, serial: { length: 12 } }
code: { type: Link, dynamic: true, qr_data: "https://id.example/{{ serial }}" }
output: { dir: ../out, files: [], index: [csv], sheets: { sheet: a4-24up-63.5x33.9, reprint: ${reprint} } }
`,
  );

const say = (words: readonly string[], { root, manifest }: JobFolder): Promise<InProcess> =>
  runInProcess(
    [...words.slice(0, -1), manifest, ...words.slice(-1)].flatMap((word) => word.split(" ")),
    {
      cwd: root,
    },
  );

it("a question without an answer shows the whole command that confirms it", async () => {
  const files = serialJob("new");
  await say(["run", "--yes"], files);
  const { code, err } = await say(["replace", "--lines 1-2"], files);
  expect(code).toBe(2);
  expect(err).toContain("to say yes: makeready replace jobs/flow.yaml --lines 1-2 --yes");
  const again = await say(["sheets", "reprint", "--lines 1-2"], files);
  expect(again.err).toContain(
    "fresh serials in their place: makeready replace jobs/flow.yaml --lines 1-2",
  );
});

it("a first free label is for labels that are printed again now, not for fresh serials", async () => {
  const files = serialJob("new");
  await say(["run", "--yes"], files);
  const { code, err } = await say(["replace", "--lines 1 --start 5 --yes"], files);
  expect(code).toBe(2);
  expect(err).toContain("--start must be left out: a run prints the fresh serials");
  expect(err).toContain("leave it out, then run the job");
  const again = await say(["sheets", "reprint", "--lines 1 --start 5"], files);
  expect(again.err).toMatch(/fresh serials in their place: makeready replace \S+ --lines 1$/mu);
  const { out } = await say(["replace", "--lines 1 --yes"], files);
  expect(out).toContain("1 code void");
});

it("labels that were replaced already are reported once, and nothing else", async () => {
  const files = serialJob("new");
  await say(["run", "--yes"], files);
  await say(["replace", "--lines 1 --yes"], files);
  const { out } = await say(["replace", "--lines 1 --yes"], files);
  expect(out).toContain("passports: nothing is left to replace\n  1 code was replaced already");
});

it("no code is made void whose fresh serial no run could make", async () => {
  const files = serialJob("new");
  await say(["run", "--yes"], files);
  const other = path.join(files.root, "other");
  const refused = await say(["replace", `--lines 1 --yes --data ${other}`], files);
  expect(refused.code).toBe(6);
  expect(refused.err).toMatch(/must be used with workspace \S+, got none: /u);
  const { out } = await say(["replace", "--lines 1 --yes"], files);
  expect(out).toContain("1 code void, a fresh serial in the place of each");
});

it("bad rows are counted once, and named", async () => {
  const files = makeJobFolder(makeRows(2));
  await say(["run", "--yes"], files);
  const { code, out } = await runInProcess(["reconcile", files.manifest], { cwd: files.root });
  expect(code).toBe(3);
  expect(out).toContain(
    "  does not fit: rows of the source are bad and have no code: mend them and run the job (2): line 4; line 5\n",
  );
});

it("a row with the key of another is counted, and named", async () => {
  const head = "site,table,region,Link\n";
  const files = makeJobFolder(`${head}${toLine("1")}${toLine("2")}${toLine("1", "other")}`);
  const lookAt = () => runInProcess(["reconcile", files.manifest], { cwd: files.root });
  expect((await say(["run", "--yes"], files)).code).toBe(3);
  const bad = "rows of the source are bad and have no code: mend them and run the job";
  const first = await lookAt();
  expect(first.out).toContain(`  does not fit: ${bad} (1): line 4\n`);
  expect(first.code).toBe(3);
  // No row is good: the files of the run before are kept, and so are their codes.
  const lines = ["1", "2", "1"].map((table) => `A,${table},North,htp://nowhere\n`);
  writeFileSync(files.csv, `${head}${lines.join("")}`);
  expect((await say(["run", "--yes"], files)).code).toBe(3);
  expect((await lookAt()).out).toContain(`  does not fit: ${bad} (1): line 4\n`);
});

const toLine = (table: string, to = table): string => `A,${table},North,https://a.example/${to}\n`;

it("codes of rows that vanished, or are bad by now, are counted and named", async () => {
  const head = "site,table,region,Link\n";
  const static_ = ["--set", "code.dynamic=false"];
  const files = makeJobFolder(`${head}${["1", "2", "3"].map((table) => toLine(table)).join("")}`);
  await runInProcess(["run", files.manifest, "--yes", ...static_], { cwd: files.root });
  // A static code can't lead elsewhere: its row is refused, its code stays.
  writeFileSync(files.csv, `${head}${toLine("1")}${toLine("2", "other")}`);
  const ran = await runInProcess(["run", files.manifest, "--yes", ...static_], { cwd: files.root });
  expect(ran.code, ran.err).toBe(3);
  const { code, out } = await runInProcess(["reconcile", files.manifest, ...static_], {
    cwd: files.root,
  });
  expect(code).toBe(3);
  expect(out).toContain("  codes     3 minted, 0 void");
  expect(out).toMatch(
    /does not fit: codes live on whose rows are no longer in the spreadsheet; to file or delete them: makeready retire [^\n]* \(1\): A \/ 3\n/u,
  );
  expect(out).toContain(
    "does not fit: rows are bad today, and their codes live on as they were made: mend them and run the job (1): A / 2\n",
  );
  expect(out).not.toContain("have no code");
  const units = readFileSync(path.join(files.out, "units.csv"), "utf8");
  expect(units).toMatch(/^A \/ 1,2,(?:proven|printed),/mu);
  expect(units).toMatch(/^A \/ 2,3,bad,/mu);
  expect(units).toMatch(/^A \/ 3,4,vanished,/mu);
});

it("a label that is replaced in a rehearsal is as it should be, and not for press", async () => {
  const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
  await say(["run", "--yes"], files);
  const { code, out } = await say(["replace", "--lines 2"], files);
  expect(out).toContain("flow: 1 label on 1 page printed again");
  expect(out).toContain("not ready for press: a rehearsal, the codes point to this computer");
  expect(code).toBe(0);
});

it.each([
  ["new", "fresh serials in their place", "replace"],
  ["forbidden", "to take them out of use", "void"],
])(
  "whole sheets are refused with a command that names their lines (%s)",
  async (policy, says, does) => {
    const files = serialJob(policy);
    writeFileSync(
      files.manifest,
      readFileSync(files.manifest, "utf8").replace("rows: 4", "rows: 30"),
    );
    await say(["run", "--yes"], files);
    const hint = async (sheets: string): Promise<string | undefined> => {
      const { code, err } = await say(["sheets", "reprint", `--sheets ${sheets}`], files);
      expect(code).toBe(2);
      return new RegExp(`${says}: makeready (.+)$`, "mu").exec(err)?.[1];
    };
    expect(await hint("1,2")).toBe(`${does} jobs/flow.yaml --lines 1-30`);
    await say(["void", "--lines 26 --yes"], files);
    const shown = await hint("2");
    expect(shown).toBe(`${does} jobs/flow.yaml --lines 25,27-30`);
    const typed = await runInProcess([...(shown ?? "").split(" "), "--yes"], { cwd: files.root });
    expect([typed.code, typed.out]).toEqual([0, expect.stringContaining("5 codes void")]);
    const done = await say(["sheets", "reprint", "--sheets 2"], files);
    expect(done.err).toContain("their codes are void already: throw these labels away");
    const wrong = await say(["sheets", "reprint", "--sheets 9"], files);
    expect(wrong.err).toContain("--sheets must be sheets of passports.pdf, got 9");
  },
);

it("serials whose codes are not made yet are told from codes that are", async () => {
  const files = serialJob("new");
  await say(["run", "--limit 1"], files);
  const reconcile = (...more: string[]) =>
    runInProcess(["reconcile", files.manifest, ...more], { cwd: files.root });
  const { code, out } = await reconcile();
  expect(code).toBe(3);
  expect(out).toContain("  codes     1 minted, 0 void");
  expect(out).toContain("  rows      3 without a code yet\n");
  expect(out).toContain("does not fit: rows have no code yet: run the job (3)");
  const units = readFileSync(path.join(files.out, "units.csv"), "utf8").trimEnd().split("\n");
  const states = units.slice(1).map((line) => line.split(",")[2]);
  expect(states).toEqual(["proven", "unmade", "unmade", "unmade"]);
  const json = JSON.parse((await reconcile("--json")).out) as object;
  expect(json).toMatchObject({ codes: { minted: 1 }, rows: { present: 1 }, unmade: 3 });
  await say(["run", "--yes"], files);
  const whole = await reconcile();
  expect([whole.code, whole.out]).toEqual([0, expect.stringContaining("codes     4 minted")]);
  expect(whole.out).not.toContain("without a code");
});

it("a job whose first run was killed before sheet-map.json lacks no file: its run did not end", async () => {
  const files = makeJobFolder("site,table,region,Link\nA,1,North,https://a.example/1\n");
  const run = await runInProcess(["run", files.manifest, "--yes"], { cwd: files.root });
  expect(run.code, run.err).toBe(0);
  rmSync(path.join(files.out, "sheet-map.json"));
  const ask = () => runInProcess(["reconcile", files.manifest], { cwd: files.root });
  expect((await ask()).out).toContain("does not fit: sheet-map.json is gone: run the job");
  const db = openSqlite(path.join(files.out, "state.db"));
  db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
  db.close();
  const { code, out } = await ask();
  expect(code).toBe(3);
  expect(out).toContain(
    "does not fit: the last run did not end: files may be missing or unproven; ",
  );
  expect(out).toContain("finish it with: makeready run jobs/flow.yaml");
  expect(out).not.toContain("is gone");
});
