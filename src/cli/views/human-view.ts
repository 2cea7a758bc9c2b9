import { type AppError, findSaid, type Problem } from "../../base/errors.ts";
import { formatProblem, toPlainText } from "../../base/text/format-problem.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { formatMany, quoteText } from "../../base/text/words.ts";
import type { CliContext } from "../context.ts";
import { formatPlan } from "./human-plan.ts";
import { formatRetirePlan } from "./human-retire.ts";
import { formatSummary } from "./human-summary.ts";
import { withMore } from "./lists.ts";
import { ProgressLine } from "./progress-line.ts";
import { toPeople } from "../terminal.ts";
import type { ReprintView, View } from "./view.ts";

const LABELS_SHOWN = 20;

/** Names what is about to be printed again, so that no wrong label comes out. */
function formatReprint({ from, sheets, labels }: ReprintView): string {
  if (sheets !== null) {
    const word = sheets.length === 1 ? "sheet" : "sheets";
    return `printing again ${word} ${sheets.join(", ")} of ${from}`;
  }
  const shown = labels.slice(0, LABELS_SHOWN).map(({ place, key, caption, copy }) => {
    const text = caption === "" ? "" : `: ${caption}`;
    const which = copy === undefined ? "" : `, label ${copy} of its row`;
    return toPlainText(`  ${place}, key ${quoteText(showKey(key))}${which}${text}`);
  });
  const files = [...new Set(labels.map(({ file }) => file))].join(", ");
  return [
    `printing again ${formatMany(labels.length, "label")} of ${files}`,
    ...withMore(shown, labels.length, (left) => `  … and ${left} more`),
  ].join("\n");
}

/** What a person sees. Messages go to standard error, results to standard output. */
export function makeHumanView(context: CliContext): View {
  const line = new ProgressLine(context.clock, context.err, context.terminalWidth);
  const people = toPeople(context);
  const say = (text: string): void => {
    line.end();
    people.err(`${text}\n`);
  };
  const tell = (text: string): void => {
    line.end();
    people.out(`${text}\n`);
  };
  const format = (problem: Problem): string => formatProblem(problem, context.cwd);
  return {
    plan: (plan) => tell(formatPlan(plan, context.cwd)),
    retirePlan: (plan) => tell(formatRetirePlan(plan, context.cwd)),
    progress: (progress) => line.show(progress),
    stageEnd: () => line.end(),
    waiting: (message) => say(`… ${message}`),
    warning: (problem) => say(`warning: ${format(problem)}`),
    row: (problem) => say(`failed: ${format(problem)}`),
    reprint: (wanted) => {
      line.end();
      context.out(`${formatReprint(wanted)}\n`);
    },
    summary: (summary) => tell(formatSummary(summary, context.cwd)),
    error: (error) => say(formatError(error, context.cwd)),
  };
}

/** An error with all its problems, one a line. */
export function formatError(error: AppError, cwd: string): string {
  const { message, where, problems } = error;
  const head = `error: ${formatProblem({ message, where }, cwd)}`;
  const said = findSaid(error);
  const lines = (said ? [] : problems).map((problem) => `  ${formatProblem(problem, cwd)}`);
  const hint = error.hint ?? said?.hint;
  return [head, ...lines, ...(hint === undefined ? [] : [`  → ${hint}`])].join("\n");
}
