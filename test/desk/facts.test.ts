/** Plan and result say on the desk what the terminal says of them. */
import { expect, test } from "vitest";

import { sayNext } from "../../src/desk/screens/result/next-steps.tsx";
import { judge } from "../../src/desk/screens/result/verdict.ts";
import { de } from "../../src/desk/words/de.ts";
import { en } from "../../src/desk/words/en.ts";
import { NOTHING_DONE } from "../../src/pipeline/standing/counts.ts";
import type { RunResult } from "../../src/pipeline/results.ts";
import { runInProcess } from "../flow/in-process.ts";
import { waitForTask } from "./ask-desk.ts";
import { DeskFolder } from "./desk-folder.ts";

const at = new DeskFolder("facts");

async function run(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await runInProcess(args, { cwd: at.folder });
  expect(code, err).toBe(0);
  return out;
}

async function planned(manifest: string): Promise<string> {
  await at.desk.post(`/job/${manifest}/plan`, {});
  await waitForTask(at.desk, at.folder, manifest);
  return at.textOf(`/job/${manifest}/plan`);
}

const toJob = (output: string, last: number): string => `version: 1
name: big
kind: codes
source: { range: [1, ${last}] }
code: { dynamic: false, type: Text, qr_data: "{{ number }}" }
output: { dir: out, ${output} }
`;

test("a plan names each archive and PDF, also those that go on in volumes", async () => {
  at.write(
    "big.yaml",
    toJob("files: [svg, png], zip: true, sheets: { volume_codes: 4000 }", 10_000),
  );
  const says = await run("plan", "big.yaml");
  expect(says).toContain("big.zip to big-2.zip (10,000 in 2 volumes)");
  expect(says).toContain("big.pdf to big-3.pdf (10,000 in 3 volumes): ");
  const html = await planned("big.yaml");
  expect(html).toContain("<li>big.zip to big-2.zip (10,000 codes in 2 volumes)</li>");
  expect(html).toContain("<li>big.pdf to big-3.pdf (10,000 codes in 3 volumes)</li>");
});

test("a plan for a roll counts repeats and metres, no sheets of paper", async () => {
  at.write("big.yaml", toJob("files: [], sheets: { sheet: { roll: 60, label: [50, 30] } }", 3));
  const html = await planned("big.yaml");
  expect(html).toContain("<li>big.pdf (3 codes)</li>");
  expect(html).toContain("<dt>Length of roll</dt>");
  expect(html).not.toContain("Sheets of paper");
});

const REDESIGN = `version: 1
name: restyle
kind: redesign
select: {}
schedule: { cron: "0 3 1 1 *", timezone: Europe/Berlin }
design: { primary_color: "#003366" }
output: { dir: out-restyle, files: [] }
`;

test("the result of an undo says when the schedule does it again, and what was read back", async () => {
  at.write("big.yaml", toJob("files: [svg]", 2));
  at.write("restyle.yaml", REDESIGN);
  await run("run", "big.yaml");
  await run("run", "restyle.yaml");
  expect(await run("undo", "restyle.yaml")).toContain("the schedule does it again on ");
  const html = await at.textOf("/job/restyle.yaml/result");
  expect(html).toMatch(/The schedule does it again on .*03:00 AM \(Europe\/Berlin\)\. To keep/u);
  expect(html).toContain('<a href="/job/restyle.yaml/schedule">Schedule</a>');
  expect(html).toContain("Done: there was no code to read back");
  expect(html).toContain("The run was undone: 2 codes are as before it.");
  expect(html).toMatch(/Put back<[^0-9]*2</u);
  expect(html).not.toMatch(/Changed|Undo this run/u);
  expect(await at.textOf("/")).toMatch(
    />2 of 2 rows done<.*>2 of the done were put back: the run was undone</su,
  );
});

test("rows that are left, refused or gone are told, with the command that goes on", async () => {
  at.write("rows.csv", "shelf\nA\nB\n");
  at.write(
    "big.yaml",
    toJob("files: []", 2)
      .replace("range: [1, 2]", "file: rows.csv, key: [shelf]")
      .replace("number", "shelf"),
  );
  await run("run", "big.yaml");
  at.write("rows.csv", "shelf\nB\nC\nD\n");
  await run("run", "big.yaml", "--limit", "1");
  const html = await at.textOf("/job/big.yaml/result");
  expect(html).toContain("1 row is left to do. Plan again, then run.");
  expect(html).toContain("1 code has no row any more, and this run left it as it is.");
  expect(html).toContain("makeready retire big.yaml");
  const gone = { code: "retire-rows", count: 2 } as const;
  expect(sayNext(gone, en, "codes")).toContain(" A command files or deletes them.");
  expect(sayNext(gone, en, "links")).toContain(" A command deletes them.");
  expect(sayNext(gone, de, "forms")).toContain(" Ein Befehl legt sie ab.");
  expect(sayNext({ code: "retry-refused" }, de, "codes")).toContain(
    "Der Server hat Zeilen abgelehnt.",
  );
});

test("a job whose fresh serials can't be counted says so, beside the rows that are done", async () => {
  const serials = "rows: 3, serial: { length: 12 }";
  const job = toJob("files: []", 3).replace("range: [1, 3]", serials).replace("number", "serial");
  at.write("big.yaml", job);
  await run("run", "big.yaml");
  at.write(".makeready/serials.db", "no database");
  const html = await at.textOf("/");
  expect(html).toContain("3 of 3 rows done");
  expect(html).toContain("serials.db must be a ledger of serials");
});

test("a result that was interrupted is not called proven", () => {
  const result = { ...NOTHING_DONE, outcome: "interrupted" } as unknown as RunResult;
  expect(judge(result, en)).toEqual(["warn", en.result.unfinished]);
});

test("a check that was stopped is not said to have found something", () => {
  const done = { ...NOTHING_DONE, outcome: "done", files: [] } as unknown as RunResult;
  const fault = { code: "bug", message: "stopped", hint: undefined, problems: [] };
  expect(judge(done, en, { check: { fault } })).toEqual(judge(done, en));
});

test("a rehearsal stays one, and a look that the run has said is not said as if it were newer", () => {
  const look = { code: "codes-plain", count: 1, rows: ["A"], what: [] } as const;
  const codes = { elsewhere: [], looks: [look] };
  const done = { ...NOTHING_DONE, did: "run", outcome: "done", isRehearsal: false } as unknown;
  const told = { ...(done as RunResult), press: { verdict: "ready", warnings: [look] } } as unknown;
  expect(judge(done as RunResult, en, { codes })).toEqual(["warn", en.since.changed]);
  expect(judge(told as RunResult, en, { codes })).toEqual(judge(told as RunResult, en));
  const rehearsal = { ...(done as RunResult), isRehearsal: true };
  expect(judge(rehearsal, en, { codes })).toEqual(["warn", en.result.rehearsal]);
});

test("a run that was paused is unfinished, whatever rows are to be mended, and can go on", () => {
  const paused = { ...NOTHING_DONE, did: "run", outcome: "interrupted", bad: 1 };
  const result = paused as unknown as RunResult;
  expect(judge(result, en)).toEqual(["warn", en.result.unfinished]);
});
