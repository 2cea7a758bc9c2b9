/** What an undo that could not do all of it says, and what goes on with it. */
import { expect, it } from "vitest";

import { formatSummary } from "../../src/cli/views/human-summary.ts";
import { toSummaryView } from "../../src/cli/views/job-words.ts";
import { judge } from "../../src/desk/screens/result/verdict.ts";
import { en } from "../../src/desk/words/en.ts";
import { toResult } from "../../src/pipeline/undo/undo.ts";

type Parts = Parameters<typeof toResult>[0];
type Job = Parameters<typeof toResult>[1];

const parts = {
  ports: { signal: new AbortController().signal, clock: { nowMs: () => 0 } },
  state: { bad: { list: () => [] } },
  stopwatch: { seconds: 1, stages: [] },
} as unknown as Parts;
const job = { name: "menus", kind: "redesign", file: "/shop/menus.yaml", schedule: null } as Job;

/** Of three changes; so many codes are not put back, and so many are without their files. */
const undo = (failed: number, unfetched: number) =>
  toResult(parts, job, {
    counts: {
      undone: 3 - failed,
      wasBack: 0,
      failures: Array.from({ length: failed }, () => ({ message: "changed since" })),
      unfetched: Array.from({ length: unfetched }, () => ({ message: "no answer" })),
      warnings: [],
      gone: [],
    },
    calls: { writes: 3, reads: 3, limited: 0, waitedMs: 0 },
    last: { id: 1, startedAt: "2026-11-01T02:00:00Z", changes: 3, undone: 0 } as never,
  });

const shown = { cwd: "/shop", commandOf: (command: string) => `makeready ${command} menus.yaml` };
const say = (...counts: Parameters<typeof undo>): string =>
  formatSummary(toSummaryView(undo(...counts), shown), "/shop");

it("codes that are not put back stand in its head", () => {
  expect(undo(1, 0)).toMatchObject({ outcome: "rows-failed", failed: 1, notDone: 1, left: 0 });
  expect(say(2, 1)).toContain("Done, but 2 codes were not put back: menus");
  expect(judge(undo(1, 0), en)).toEqual(["warn", "1 code was not put back"]);
});

it("files that did not come are fetched by another undo, not by a run", () => {
  expect(undo(0, 2)).toMatchObject({
    outcome: "rows-failed",
    failed: 0,
    withoutFiles: 2,
    changed: 3,
    left: 0,
  });
  expect(undo(0, 2)).not.toHaveProperty("notDone");
  const says = say(0, 2);
  expect(says).toContain("Done, but files could not be fetched: menus");
  expect(says).toContain(
    "→ the files of 2 codes are missing, the codes are put back; to fetch them: makeready undo menus.yaml",
  );
  expect(judge(undo(0, 1), en)).toEqual([
    "warn",
    "Files of 1 code did not come: undo again to fetch them",
  ]);
});

it("one that is good has nothing to mend", () => {
  expect(toSummaryView(undo(0, 0), shown)).toMatchObject({ exitCode: 0, needsMending: false });
  expect(toSummaryView(undo(1, 0), shown).needsMending).toBe(true);
});

it("rows that were bad before it are counted, and leave it done, as its exit code says", () => {
  const result = { ...undo(0, 0), bad: 3 } as ReturnType<typeof undo>;
  const summary = toSummaryView(result, shown);
  expect(summary.exitCode).toBe(0);
  const says = formatSummary(summary, "/shop");
  expect(says).toContain("Done: menus");
  expect(says).toContain("3 put back, 3 bad among the codes");
  expect(judge(result, en)).toEqual(["good", en.result.done]);
});

it("pages are put back as pages", () => {
  const pages = { ...undo(0, 0), kind: "pages" } as ReturnType<typeof undo>;
  expect(formatSummary(toSummaryView(pages, shown), "/shop")).toMatch(/^ {2}pages +3 put back/mu);
  expect(say(0, 0)).toMatch(/^ {2}codes +3 put back/mu);
});
