import { type AppError, findSaid, type Problem } from "../base/errors.ts";
import type { CliContext } from "./context.ts";
import { formatProblem } from "../base/format-problem.ts";
import { formatPlan } from "./human-plan.ts";
import { formatReprint } from "./human-reprint.ts";
import { formatRetirePlan } from "./human-retire.ts";
import { formatSummary } from "./human-summary.ts";
import { ProgressLine } from "./progress-line.ts";
import { toPeople } from "./terminal.ts";
import type { View } from "./view.ts";

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
