/** The next steps that go on with what was stopped. */
import { formatMany } from "../base/words.ts";
import type { CommandOf } from "../pipeline/ports.ts";
import type { NextStep } from "../pipeline/results.ts";

const again: Readonly<Record<"run" | "retry" | "fresh", Parameters<CommandOf>>> = {
  run: ["run", { again: true }],
  retry: ["retry", { again: true }],
  fresh: ["run", { again: true, more: ["--fresh"] }],
};

export const sayRunAgain = (
  { anew }: Extract<NextStep, { code: "run-again" }>,
  commandOf: CommandOf,
): string => `go on with: ${commandOf(...again[anew ?? "run"])}`;

export const sayUndoStep = (
  { lostFiles }: Extract<NextStep, { code: "undo-again" }>,
  commandOf: CommandOf,
): string =>
  lostFiles === undefined
    ? `go on with: ${commandOf("undo", { again: true })}`
    : `the files of ${formatMany(lostFiles, "code")} are missing, the codes are put back; to fetch them: ${commandOf("undo", { without: ["force"] })}`;
