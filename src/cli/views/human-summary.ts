import { formatProblems, toPlainText, toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { sayIn } from "../../base/shapes/rows-from.ts";
import { moreFaults, sayCounts, withMore } from "./lists.ts";
import type { PressView, SummaryView } from "./view.ts";
import {
  formatCount,
  formatMany,
  formatRunTime,
  formatSeconds,
  sayNotDone,
} from "../../base/text/words.ts";

const PROBLEMS_SHOWN = 20;

function formatCounts(summary: SummaryView): string {
  const { withoutFiles = 0 } = summary;
  const counts =
    sayCounts([
      [summary.created, "created"],
      [summary.adopted, "found on the server"],
      [summary.changed, summary.changedSays ?? "changed"],
      [summary.unchanged, "unchanged"],
      [summary.failed, "failed"],
      [summary.bad, `bad ${sayIn(summary.from)}`],
      [summary.left, "left to do"],
    ]) || "no rows";
  const { undid } = summary;
  const by =
    undid === undefined
      ? ""
      : `; ${formatCount(undid.runs)} runs since ${formatRunTime(Date.parse(undid.since))} had changed them`;
  const without = withoutFiles === 0 ? "" : `; ${formatCount(withoutFiles)} of them without files`;
  return `${counts}${without}${by}`;
}

function formatHead(summary: SummaryView): string {
  if (summary.interrupted) return `Interrupted: ${summary.job} (state saved)`;
  const { notDone = 0, changedSays = "changed" } = summary;
  if (notDone > 0) return `${sayNotDone(notDone, changedSays)}: ${summary.job}`;
  if (summary.isUnproven === true) return `Done, but the proof found faults: ${summary.job}`;
  if (summary.exitCode !== 0 && summary.needsMending === false) {
    return `Done, but files could not be fetched: ${summary.job}`;
  }
  // An undo mends no rows: it ends well, and counts those that were bad before it.
  if (summary.exitCode !== 0) return `Done, with rows to mend: ${summary.job}`;
  return `Done: ${summary.job}`;
}

/** The verdict, and each warning by name. A rehearsal has a line of its own. */
export function formatPress(press: PressView | undefined): string[] {
  if (press === undefined) return [];
  const { verdict, says, warnings, pictures } = press;
  const name = (pictures === true ? "verdict" : "press").padEnd(9);
  return [
    ...(verdict === "rehearsal" ? [] : [`  ${name} ${says}`]),
    ...warnings.map((warning) => `  warning   ${toPlainText(warning.says)}`),
  ];
}

/** What was made, where it lies, what to do next. */
export function formatSummary(summary: SummaryView, cwd: string): string {
  const calls = `${formatMany(summary.writes, "write")} and ${formatMany(summary.reads, "read")}`;
  const { problemCount = summary.problems.length } = summary;
  const failed = formatProblems(summary.problems.slice(0, PROBLEMS_SHOWN), cwd).map(
    (problem) => `  failed: ${problem}`,
  );
  const width = Math.max(0, ...summary.files.map((file) => toShortPath(file.path, cwd).length));
  return linesOf(
    "",
    formatHead(summary),
    `  ${(summary.things ?? "codes").padEnd(10)}${formatCounts(summary)}`,
    `  took      ${formatSeconds(summary.seconds)}, ${calls}`,
    summary.proof !== undefined && `  proof     ${summary.proof}`,
    ...formatPress(summary.press),
    ...(summary.elsewhere ?? []).map(({ message }) => `  note      ${toPlainText(message)}`),
    summary.isRehearsal && "  REHEARSAL the codes point to this computer: not ready for press",
    ...summary.files.map((file) => `  ${toShortPath(file.path, cwd).padEnd(width)}  ${file.says}`),
    ...withMore(
      failed,
      problemCount,
      (_says, left) => `  … and ${moreFaults(left)} in failed-rows.csv`,
    ),
    ...summary.next.map((step) => `→ ${step}`),
  ).join("\n");
}
