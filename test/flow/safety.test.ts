/** `safety` and `run.max_failures` of jobs that read rows (docs/spec/jobs.md section 1). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const MANIFEST = `version: 1
name: safe
kind: links
source: { file: ../rows.csv, key: [name] }
link: { link: "{{ url }}" }
output: { dir: ../out, files: [svg] }
`;

const makeLinks = (count: number): string =>
  ["name,url", ...Array.from({ length: count }, (_, n) => `${n},https://a.example/${n}`)].join(
    "\n",
  );

function makeLinkJob(count: number, safety: string): JobFolder {
  return makeJobFolder(makeLinks(count), MANIFEST + safety);
}

const summaryOf = (out: string): Record<string, unknown> => {
  const line = out.split("\n").findLast((text) => text.startsWith('{"type":"summary"'));
  return JSON.parse(line ?? "{}") as Record<string, unknown>;
};

describe("safety.confirm_over", () => {
  it("wants a yes for more changes, by a person or --yes; nothing is sent before", async () => {
    const files = makeLinkJob(5, "safety: { confirm_over: 4 }\n");
    const refused = await runInProcess(["run", files.manifest]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("this would make or change 5 links");
    expect(existsSync(files.data)).toBe(false);
    const asked: string[] = [];
    const ask = (question: string): Promise<boolean> => {
      asked.push(question);
      return Promise.resolve(false);
    };
    expect((await runInProcess(["run", files.manifest], { ask })).code).toBe(2);
    expect(asked).toEqual(["make or change 5 links?"]);
    const done = await runInProcess(["run", files.manifest, "--yes", "--json"]);
    expect(summaryOf(done.out)).toMatchObject({ created: 5, things: "links" });
  });

  it("makes the rows that were asked about, and status names a spreadsheet changed meanwhile", async () => {
    const files = makeLinkJob(2, "safety: { confirm_over: 1 }\n");
    const ask = (): Promise<boolean> => {
      writeFileSync(files.csv, makeLinks(3));
      return Promise.resolve(true);
    };
    expect((await runInProcess(["run", files.manifest], { ask })).code).toBe(0);
    const status = await runInProcess(["status", files.manifest]);
    expect(status.out).toContain("the spreadsheet has changed");
    const again = await runInProcess(["run", files.manifest, "--yes", "--json"]);
    expect(summaryOf(again.out)).toMatchObject({ created: 1 });
    const { out } = await runInProcess(["status", files.manifest]);
    expect(out).not.toContain("has changed");
  });

  it("of one change says so", async () => {
    const files = makeLinkJob(2, "safety: { confirm_over: 1 }\n");
    const { err } = await runInProcess(["run", files.manifest]);
    expect(err).toContain("safety.confirm_over allows 1 change without a yes");
  });

  it("counts the changes of this run: --limit leaves the others for a later one", async () => {
    const files = makeLinkJob(10, "safety: { confirm_over: 5 }\n");
    const limited = (count: string) => runInProcess(["run", files.manifest, "--limit", count]);
    const many = await limited("6");
    expect([many.code, many.err]).toEqual([2, expect.stringContaining("make or change 6 links")]);
    expect(many.out + many.err).toContain("more than 5 changes (safety.confirm_over)");
    const few = await limited("5");
    expect(few.code, few.err).toBe(0);
    expect(few.out + few.err).not.toContain("safety.confirm_over");
  });

  it("counts what is to be done, not what is there", async () => {
    const files = makeLinkJob(4, "safety: { confirm_over: 4 }\n");
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    writeFileSync(files.csv, makeLinks(8));
    const more = await runInProcess(["run", files.manifest, "--json"]);
    expect(summaryOf(more.out)).toMatchObject({ created: 4, unchanged: 4 });
  });
});

describe("safety.max_codes", () => {
  it("refuses a job that is larger, in the plan already", async () => {
    const files = makeLinkJob(3, "safety: { max_codes: 2 }\n");
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.code).toBe(2);
    expect(plan.err).toContain("safety.max_codes allows 2 codes, got 3");
    expect((await runInProcess(["run", files.manifest, "--yes"])).code).toBe(2);
    expect(existsSync(files.data)).toBe(false);
  });
});

describe("run.max_failures", () => {
  it("stops the job when the server refuses more rows, and says which", async () => {
    const files = makeJobFolder(
      ["name,url", ...Array.from({ length: 12 }, (_, n) => `${n},https://a.example/${n}`)].join(
        "\n",
      ),
      MANIFEST.replace('"{{ url }}" }', '"{{ url }}", domain: other.example }') +
        "run: { max_failures: 3, concurrency: 1 }\n",
    );
    const stopped = await runInProcess(["run", files.manifest]);
    expect(stopped.code).toBe(3);
    expect(stopped.err).toContain("at most 3 rows may fail, got 4");
    const failed = readFileSync(path.join(files.out, "failed-rows.csv"), "utf8");
    expect(failed.trim().split("\r\n")).toHaveLength(1 + 4);
    expect(failed).toContain("domain");
  });
});

describe("rows that are bad in the spreadsheet", () => {
  /** What `run` says -> whether two bad rows of twenty stop the job. */
  const rules: readonly (readonly [string, string | undefined])[] = [
    ["on_row_error: stop", "run.on_row_error: stop allows no bad row, got 2 bad rows"],
    ["max_failures: 1", "run.max_failures allows 1 failed row, got 2 bad rows"],
    ["max_failures: 5%", "run.max_failures allows 1 failed row, got 2 bad rows"],
    ["max_failures: 10%", undefined],
    ["on_row_error: continue", undefined],
  ];

  it.each(rules)("run.%s", async (rule, says) => {
    const files = makeLinkJob(18, `run: { ${rule} }\n`);
    writeFileSync(files.csv, `${makeLinks(18)}\n18,\n19,\n`);
    const plan = await runInProcess(["plan", files.manifest]);
    const ran = await runInProcess(["run", files.manifest]);
    expect(ran.code).toBe(3);
    expect(readFileSync(path.join(files.out, "failed-rows.csv"), "utf8")).toMatch(
      /\n18,.*\r\n19,/u,
    );
    expect(existsSync(files.data)).toBe(says === undefined);
    if (says === undefined) expect(plan.out).not.toContain("sends nothing");
    else expect(plan.out).toContain(`${says} in the spreadsheet: a run sends nothing`);
    expect(ran.err.includes("nothing was sent")).toBe(says !== undefined);
    expect(ran.err).toContain(says ?? "");
  });
});
