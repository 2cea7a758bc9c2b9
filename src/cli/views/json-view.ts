import type { CliContext } from "../context.ts";
import { showCommands, toProgramLine } from "../../base/text/program-words.ts";
import type { View } from "./view.ts";

/** A line for programs. What to do about a problem begins with what starts this program. */
export function writeJson(context: CliContext, type: string, data: object): void {
  const program = toProgramLine(context);
  const show = (name: string, value: unknown): unknown =>
    (name === "hint" || name === "fix") && typeof value === "string"
      ? showCommands(value, program)
      : value;
  context.out(`${JSON.stringify({ type, ...data }, show)}\n`);
}

/** One JSON object per line on standard output; the same facts as the human view. */
export function makeJsonView(context: CliContext): View {
  const write = (type: string, data: object): void => writeJson(context, type, data);
  let lastProgress = "";
  return {
    plan: ({ summary, ...plan }) => write("plan", { ...plan, ...summary }),
    retirePlan: (plan) => write("plan", plan),
    progress: (progress) => {
      const { done, total, stage } = progress;
      // Every percent, so that a million rows don't become a million lines.
      const step = `${stage} ${total === 0 ? 100 : Math.floor((done * 100) / total)}`;
      if (step === lastProgress) return;
      lastProgress = step;
      write("progress", progress);
    },
    stageEnd: () => undefined,
    waiting: (message) => write("warning", { message }),
    warning: (problem) => write("warning", problem),
    row: (problem) => write("row", problem),
    reprint: (wanted) => write("reprint", wanted),
    summary: (summary) => write("summary", summary),
    error: (error) =>
      write("error", {
        code: error.code,
        message: error.message,
        hint: error.hint,
        where: error.where,
        problems: error.problems,
        exitCode: error.exitCode,
      }),
  };
}
