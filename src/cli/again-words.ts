/** The next steps that go on with what was stopped. */
import { formatCount, formatMany } from "../base/words.ts";
import type { CommandOf } from "../pipeline/ports.ts";
import type { NextStep } from "../pipeline/results.ts";

const again: Readonly<Record<"run" | "retry" | "fresh", Parameters<CommandOf>>> = {
  run: ["run", { again: true }],
  retry: ["retry", { again: true }],
  fresh: ["run", { again: true, more: ["--fresh"] }],
};

type RunAgain = Extract<NextStep, { code: "run-again" }>;

/** What is left of a limit; at least one code, since a run can't be told to make none. */
function sayLimited({ made, of }: NonNullable<RunAgain["limit"]>, commandOf: CommandOf): string {
  const left = Math.max(1, of - made);
  const command = commandOf("run", { again: true, more: ["--limit", String(left)] });
  return made < of
    ? `${formatCount(made)} of the ${formatMany(of, "code")} of --limit ${made === 1 ? "is" : "are"} done; to go on with the rest: ${command}`
    : `${of === 1 ? "the code" : `all ${formatMany(of, "code")}`} of --limit ${of === 1 ? "is" : "are"} done; to make the files, with 1 more code at most: ${command}`;
}

export const sayRunAgain = ({ anew, limit }: RunAgain, commandOf: CommandOf): string =>
  limit === undefined
    ? `go on with: ${commandOf(...again[anew ?? "run"])}`
    : sayLimited(limit, commandOf);

export const sayUndoStep = (
  { lostFiles }: Extract<NextStep, { code: "undo-again" }>,
  commandOf: CommandOf,
): string =>
  lostFiles === undefined
    ? `go on with: ${commandOf("undo", { again: true })}`
    : `the files of ${formatMany(lostFiles, "code")} are missing, the codes are put back; to fetch them: ${commandOf("undo", { without: ["force"] })}`;
