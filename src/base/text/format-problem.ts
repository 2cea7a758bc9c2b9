import path from "node:path";

import { toPlace, type Problem } from "../errors.ts";

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/gu;

/** Foreign text for a terminal, without control characters, which could be commands. */
export const toPlainText = (text: string): string => text.replaceAll(CONTROLS, "\ufffd");

/** `samples/tables.csv line 78, column "Link": must be a URL, got "htp://..." (fix)`. */
export const formatProblem = (problem: Problem, cwd: string): string =>
  toPlainText(joinProblem(problem, cwd));

/** One line each. A hint that stands in the line above already is left out. */
export const formatProblems = (problems: readonly Problem[], cwd: string): string[] =>
  problems.map((problem, at) =>
    formatProblem(
      problem.hint === problems[at - 1]?.hint ? { ...problem, hint: undefined } : problem,
      cwd,
    ),
  );

function joinProblem(problem: Problem, cwd: string): string {
  const { where, hint } = problem;
  const fix = hint === undefined ? "" : ` (${hint})`;
  if (where === undefined) return `${problem.message}${fix}`;
  // A place names the file already, by which the sentence may end.
  const tail = where.file === undefined ? undefined : `: ${path.basename(where.file)}`;
  const isNamed = tail !== undefined && problem.message.endsWith(tail);
  const message = isNamed ? problem.message.slice(0, -tail.length) : problem.message;
  const file = where.file === undefined ? undefined : toShortPath(where.file, cwd);
  const place =
    typeof where.column === "number"
      ? toPlace({ ...where, file })
      : [
          [file, where.line === undefined ? undefined : `line ${where.line}`]
            .filter((part) => part !== undefined)
            .join(" "),
          where.row,
          where.column === undefined ? undefined : `column "${where.column}"`,
        ]
          .filter((part) => part !== undefined && part !== "")
          .join(", ");
  return place === "" ? `${message}${fix}` : `${place}: ${message}${fix}`;
}

/** A path as a person would type it: relative if it is below the working folder. */
export function toShortPath(file: string, cwd: string): string {
  const root = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return file.startsWith(root) ? file.slice(root.length) : file;
}
