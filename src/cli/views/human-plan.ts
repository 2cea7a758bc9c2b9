import { formatProblem, formatProblems, toShortPath } from "../../base/text/format-problem.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { sayNoLonger } from "../../base/shapes/rows-from.ts";
import { moreFaults, sayCounts, sayGone, withMore } from "./lists.ts";
import type { PlanView } from "./view.ts";
import { formatCount, formatMany, formatSeconds } from "../../base/text/words.ts";

const PROBLEMS_SHOWN = 20;

/** `label  text`, the label in a column of its own. */
const line = (label: string, text: string): string => `  ${label.padEnd(10)}${text}`;

function formatRows({ summary }: PlanView): string {
  const { rows, good, bad } = summary;
  return bad === 0
    ? formatMany(rows, "row")
    : `${formatMany(rows, "row")}: ${formatCount(good)} good, ${formatCount(bad)} bad`;
}

function formatActions({ summary, isSelection, from }: PlanView): string {
  return (
    sayCounts([
      [summary.creates, "to create"],
      [summary.resumes, "in doubt from an earlier run, to be looked for"],
      [summary.updates, "to update"],
      [summary.restyles, "to restyle"],
      [summary.retags, "to tag"],
      [summary.unchanged, "unchanged"],
      [summary.failedBefore, "refused before (tried again by retry)"],
      [summary.badWithCode ?? 0, "of bad rows (left as they were)"],
      isSelection === true
        ? [summary.vanished, "no longer selected"]
        : [summary.gone, `${sayNoLonger(from)} (left alone)`],
    ]) || "nothing"
  );
}

function formatCalls({ summary, isLimited }: PlanView): string {
  const { writes, writesAtMost, reads, readsAtMost, secondsAtLimit } = summary;
  const calls = `${writesAtMost ? "at most " : ""}${formatMany(writes, "write")}, ${readsAtMost ? "at most " : ""}${formatMany(reads, "read")}`;
  if (writes === 0) return calls;
  const time = `${formatSeconds(secondsAtLimit)} at 60 writes a minute`;
  return isLimited ? `${calls}; about ${time}` : `${calls}; no limit here (${time})`;
}

/** `3 sheets of paper`, `6 labels on 1 sheet of paper`, `26 labels in 3 repeats, 0.77 m of roll`. */
function formatPaper({ sheetPages, sheetLabels, roll }: PlanView): string {
  const labels = sheetLabels === undefined ? "" : `${formatMany(sheetLabels, "label")} on `;
  if (roll === undefined) return `${labels}${formatMany(sheetPages, "sheet")} of paper`;
  const metres = (roll.lengthMm / 1000).toFixed(2);
  return `${formatMany(roll.labels, "label")} in ${formatMany(sheetPages, "repeat")}, ${metres} m of roll`;
}

/** `a.pdf (12)`, `a.pdf to a-3.pdf (1,400 in 3 volumes)`. */
const formatGroups = (
  groups: PlanView["summary"]["sheets"],
  volumes: PlanView["sheetVolumes"] = [],
): string =>
  groups
    .map(({ name, rows }) => {
      const found = volumes.find((one) => one.name === name);
      return found === undefined
        ? `${name} (${formatCount(rows)})`
        : `${name} to ${found.last} (${formatCount(rows)} in ${formatMany(found.count, "volume")})`;
    })
    .join(", ");

const GONE_SHOWN = 10;

function formatGone({ summary }: PlanView): string[] {
  const shown = summary.goneRows.slice(0, GONE_SHOWN).map((row) => line("vanished", sayGone(row)));
  return withMore(shown, summary.gone, (left) =>
    line("vanished", `… and ${left} more; a run lists all in vanished-rows.csv`),
  );
}

/** The plan as a person reads it before anything is sent. */
export function formatPlan(plan: PlanView, cwd: string): string {
  const { summary } = plan;
  const { problemCount = summary.problems.length } = summary;
  const badThing = plan.isSelection === true ? "bad code" : "bad row";
  const bad = formatProblems(summary.problems.slice(0, PROBLEMS_SHOWN), cwd).map((problem) =>
    line(badThing, problem),
  );
  const { zips, sheets, folders } = summary;
  return linesOf(
    `Plan for ${plan.job}`,
    plan.isSelection === true
      ? line(
          "selected",
          `${formatMany(summary.rows, "code")}: ${plan.input === "codes" ? "all that there are" : plan.input}${summary.bad > 0 ? ` (${formatCount(summary.good)} good, ${formatCount(summary.bad)} bad)` : ""}`,
        )
      : line("rows", `${formatRows(plan)} in ${toShortPath(plan.input, cwd)}`),
    line(plan.things ?? "codes", formatActions(plan)),
    folders.length > 0 &&
      line(
        "folders",
        `${formatCount(folders.length)} to ask for: a folder that is there already is not made again`,
      ),
    line("server", plan.server),
    line("calls", formatCalls(plan)),
    zips.length > 0 && line("ZIP", formatGroups(zips, plan.zipVolumes)),
    sheets.length > 0 &&
      line("PDF", `${formatGroups(sheets, plan.sheetVolumes)}: ${formatPaper(plan)}`),
    ...formatGone(plan),
    ...plan.notes.map((note) => line("note", note)),
    ...plan.warnings.map((problem) => line("warning", formatProblem(problem, cwd))),
    ...withMore(bad, problemCount, (_says, left) =>
      line(badThing, `… and ${moreFaults(left)}; a run lists all in failed-rows.csv`),
    ),
    plan.isRehearsal &&
      line(
        "REHEARSAL",
        /^https?:/u.test(plan.server)
          ? "the server is on this computer: its codes point here unless it was started with --public-url"
          : "these codes will point to this computer; name your address with --public-url before printing",
      ),
  ).join("\n");
}
