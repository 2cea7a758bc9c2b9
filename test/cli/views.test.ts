import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { fakeClock } from "../help/fake-clock.ts";
import { sequentialIds } from "../help/sequential-ids.ts";
import type { CliContext } from "../../src/cli/context.ts";
import { formatProblem, toShortPath } from "../../src/base/text/format-problem.ts";
import { sayGone } from "../../src/cli/views/lists.ts";
import { formatPlan } from "../../src/cli/views/human-plan.ts";
import { formatSummary } from "../../src/cli/views/human-summary.ts";
import { formatError, makeHumanView } from "../../src/cli/views/human-view.ts";
import { makeJsonView } from "../../src/cli/views/json-view.ts";
import { formatProgress, ProgressLine } from "../../src/cli/views/progress-line.ts";
import type { PlanView, SummaryView } from "../../src/cli/views/view.ts";
import type { Progress } from "../../src/pipeline/events.ts";
import { formatBytes, formatMany, formatSeconds } from "../../src/base/text/words.ts";
import { describeProof } from "../../src/cli/views/proof-words.ts";
import type { Proof } from "../../src/pipeline/results.ts";

const progress: Progress = {
  stage: "codes",
  done: 1240,
  total: 5000,
  failed: 4,
  lastFailure: "row 77: bad URL",
  writesPerMinute: 58,
  writeLimit: 60,
};

const plan: PlanView = {
  job: "table-codes",
  from: "spreadsheet",
  input: "/shop/samples/tables.csv",
  server: "embedded service",
  isRehearsal: true,
  isLimited: true,
  press: [],
  sheetPages: 3,
  warnings: [{ message: "odd" }],
  notes: ["X-dimension 0.720 mm"],
  summary: {
    rows: 3,
    good: 2,
    bad: 1,
    problems: [
      {
        message: "must be a URL",
        where: { file: "/shop/samples/tables.csv", line: 4, column: "Link" },
      },
    ],
    creates: 2,
    touched: 2,
    updates: 0,
    restyles: 0,
    retags: 0,
    resumes: 0,
    unchanged: 0,
    failedBefore: 0,
    vanished: 1,
    gone: 1,
    goneRows: [
      {
        key: "A",
        line: 4,
        place: "line 4",
        displayName: "A",
        id: "1",
        shortLink: "https://x/a",
        files: ["artwork/a.svg"],
      },
    ],
    stronger: 0,
    grown: 0,
    dynamicCreates: 2,
    folders: ["Tables"],
    zips: [{ name: "a.zip", rows: 2, longestPayload: "", longestPath: "", longestCaption: [] }],
    sheets: [{ name: "a.pdf", rows: 2, longestPayload: "", longestPath: "", longestCaption: [] }],
    renamedFiles: [],
    renamed: 0,
    writes: 3,
    refetches: 0,
    reads: 2,
    secondsAtLimit: 0,
  },
};

const summary: SummaryView = {
  job: "table-codes",
  from: "spreadsheet",
  rows: 3,
  created: 2,
  adopted: 0,
  changed: 0,
  unchanged: 0,
  left: 0,
  failed: 0,
  bad: 1,
  writes: 3,
  reads: 2,
  seconds: 4.2,
  stages: [],
  files: [{ path: "/shop/out/a.pdf", says: "2 codes on 1 sheet" }],
  proof: "all 2 codes read back",
  press: undefined,
  isRehearsal: false,
  problems: [],
  next: ["mend the rows"],
  exitCode: 3,
  interrupted: false,
};

function makeContext(changes: Partial<CliContext> = {}) {
  const texts = { out: "", err: "" };
  const context: CliContext = {
    env: {},
    cwd: "/shop",
    clock: fakeClock(),
    ids: sequentialIds(),
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
    terminalWidth: undefined,
    writer: "makeready test",
    signal: new AbortController().signal,
    ...changes,
  };
  return { context, texts };
}

describe("words", () => {
  it("read like a person's", () => {
    expect([0, 45, 90, 479, 3900, 1_000_000].map(formatSeconds)).toEqual([
      "0 s",
      "45 s",
      "2 min",
      "8 min",
      "65 min",
      "277 h 47 min",
    ]);
    expect([1, 2].map((n) => formatMany(n, "row"))).toEqual(["1 row", "2 rows"]);
    expect([12, 2048, 3_500_000].map(formatBytes)).toEqual(["12 B", "2 kB", "3.3 MB"]);
  });

  it("name a place as a person would look for it", () => {
    const where = { file: "/shop/samples/tables.csv", line: 78, column: "Link" };
    expect(formatProblem({ message: "must be a URL", where, hint: "fix the cell" }, "/shop")).toBe(
      'samples/tables.csv line 78, column "Link": must be a URL (fix the cell)',
    );
    expect(
      formatProblem(
        { message: "unknown key", where: { file: "/shop/j.yaml", line: 3, column: 5 } },
        "/shop",
      ),
    ).toBe("j.yaml:3:5: unknown key");
    const twice = { message: "source must have rows, got only a header: a.csv" };
    expect(formatProblem({ ...twice, where: { file: "/shop/a.csv", line: 1 } }, "/shop")).toBe(
      "a.csv line 1: source must have rows, got only a header",
    );
    expect(toShortPath("/shopping/x", "/shop")).toBe("/shopping/x");
  });
});

describe("progress", () => {
  it("a limit that is never reached doesn't count: the time left follows from the pace so far", () => {
    const open = { ...progress, writeLimit: 999_999_999 };
    const said = formatProgress(open, 60_000);
    expect(said).not.toContain("999,999,999");
    expect(said).not.toContain("ETA 0 s");
  });

  it("says counts, percent, rate, time left and failures", () => {
    expect(formatProgress(progress, 60_000)).toBe(
      "codes 1,240/5,000 24% · 58/min of 60/min · ETA 63 min · ok 1,236 · failed 4 (row 77: bad URL)",
    );
  });

  it("draws over one line on a terminal, ten times a second at most", async () => {
    const clock = fakeClock();
    let text = "";
    const line = new ProgressLine(clock, (piece) => (text += piece), 40);
    for (let done = 1; done < 100; done += 1) {
      line.show({ ...progress, done });
      await clock.advance(10);
    }
    expect(text.split("\r").length - 1).toBeLessThanOrEqual(11);
    expect(text).not.toContain("\n");
    for (const drawn of text.split("\r\u001B[2K")) expect(drawn.length).toBeLessThan(40);
  });

  it("elsewhere writes a line every 5 % or 30 s, and always the last", async () => {
    const clock = fakeClock();
    let text = "";
    const line = new ProgressLine(clock, (piece) => (text += piece), undefined);
    for (let done = 0; done <= 100; done += 1) {
      line.show({ ...progress, done, total: 100 });
      await clock.advance(2_000);
    }
    const lines = text.trim().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(20);
    expect(lines.length).toBeLessThanOrEqual(21);
    expect(lines.at(-1)).toContain("100/100 100%");
    line.show({ ...progress, stage: "slow", done: 1, total: 1000 });
    await clock.advance(30_000);
    line.show({ ...progress, stage: "slow", done: 2, total: 1000 });
    expect(text).toContain("slow 2/1,000");
  });
});

describe("the human view", () => {
  it("names a vanished row by its key as well, where that is not its name", () => {
    const gone = { line: 6, place: "line 6", id: "7", shortLink: "https://x/a", files: [] };
    const [named, other] = ["A", "T-005"].map((key) => sayGone({ ...gone, key, displayName: "A" }));
    expect(named).toBe('"A" (line 6): https://x/a');
    expect(other).toBe('"A" (line 6, key "T-005"): https://x/a');
    const contact = (count: string) =>
      sayGone({ ...gone, key: `A /  / {"first_name":"A"}${count}`, displayName: "A" });
    expect(contact("")).toBe(named);
    expect(contact(" #2")).toBe('"A" (line 6, key "A #2"): https://x/a');
  });

  it("shows the plan whole", () => {
    expect(formatPlan(plan, "/shop").split("\n")).toEqual([
      "Plan for table-codes",
      "  rows      3 rows: 2 good, 1 bad in samples/tables.csv",
      "  codes     2 to create, 1 no longer in the spreadsheet (left alone)",
      "  folders   1 to ask for: a folder that is there already is not made again",
      "  server    embedded service",
      "  calls     3 writes, 2 reads; about 0 s at 60 writes a minute",
      "  ZIP       a.zip (2)",
      "  PDF       a.pdf (2): 3 sheets of paper",
      '  vanished  "A" (line 4): https://x/a, artwork/a.svg',
      "  note      X-dimension 0.720 mm",
      "  warning   odd",
      '  bad row   samples/tables.csv line 4, column "Link": must be a URL',
      "  REHEARSAL these codes will point to this computer; name your address with --public-url before printing",
    ]);
  });

  it("ends with what was made, where it lies and what to do", () => {
    const text = formatSummary(summary, "/shop");
    expect(text).toContain("Done, with rows to mend: table-codes");
    expect(text).toContain("2 created, 1 bad in the spreadsheet");
    expect(text).toContain("out/a.pdf  2 codes on 1 sheet");
    expect(text.trimEnd().endsWith("→ mend the rows")).toBe(true);
    expect(formatSummary({ ...summary, isUnproven: true }, "/shop")).toContain(
      "Done, but the proof found faults: table-codes",
    );
    expect(formatSummary({ ...summary, interrupted: true }, "/shop")).toContain(
      "Interrupted: table-codes (state saved)",
    );
  });

  it("lists every problem of an error and the fix", () => {
    const error = new AppError("manifest-invalid", "2 mistakes", {
      where: { file: "/shop/j.yaml" },
      problems: [
        { message: "a", where: { file: "/shop/j.yaml", line: 1, column: 2 } },
        { message: "b" },
      ],
      hint: "look at jobs/",
    });
    expect(formatError(error, "/shop")).toBe(
      "error: j.yaml: 2 mistakes\n  j.yaml:1:2: a\n  b\n  → look at jobs/",
    );
  });

  it("keeps data and messages apart", () => {
    const { context, texts } = makeContext();
    const view = makeHumanView(context);
    view.plan(plan);
    view.waiting("waiting for the rate limit, 23 s");
    view.row({ message: "no" });
    view.summary(summary);
    expect(texts.out).toContain("Plan for");
    expect(texts.out).toContain("Done");
    expect(texts.err).toBe("… waiting for the rate limit, 23 s\nfailed: no\n");
  });
});

describe("the JSON view", () => {
  it("writes one object a line, progress once a percent", () => {
    const { context, texts } = makeContext();
    const view = makeJsonView(context);
    view.plan(plan);
    for (let done = 0; done < 1000; done += 1) view.progress({ ...progress, done, total: 1000 });
    view.error(new AppError("job-locked", "held", { hint: "wait" }));
    view.summary(summary);
    const lines = texts.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => line["type"] === "progress")).toHaveLength(100);
    expect(lines[0]).toMatchObject({ type: "plan", creates: 2, isRehearsal: true });
    expect(lines.at(-2)).toMatchObject({ type: "error", code: "job-locked", exitCode: 7 });
    expect(lines.at(-1)).toMatchObject({ type: "summary", exitCode: 3 });
    expect(texts.err).toBe("");
  });
});

const sayProof = (...keys: string[]): string => {
  const findings = keys.map((key) => ({
    rule: "artwork-unreadable",
    severity: "warning",
    message: `row ${key}: no code can be read in the picture`,
  }));
  const proof = {
    codes: 0,
    decoded: 0,
    errors: 0,
    png: { files: 5, decoded: 5 - keys.length },
    svg: { files: 0, decoded: 0 },
    verification: { findings },
  };
  return describeProof(proof as unknown as Proof, { inReport: true });
};

describe("the line about the proof", () => {
  it("names the codes that a rule warns of, and says of none that no rule is broken", () => {
    expect(sayProof()).toBe("5 PNGs read back, no rule broken");
    expect(sayProof("T-1")).toBe(
      "only 4 of 5 PNGs read back, no error, 1 warning (row T-1: no code can be read in the picture)",
    );
    expect(sayProof("T-1", "T-2", "T-3", "T-4")).toMatch(/row T-3: [^;]+; and 1 more\)$/u);
  });
});
