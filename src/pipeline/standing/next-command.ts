/**
 * The commands that are shown for the next step. All of them are made here: typed as they stand, they
 * go on with the same job, its folder, its data and its server.
 */
import path from "node:path";

import { toShortPath } from "../../base/text/format-problem.ts";
import { toProgram, type Shell } from "../../base/text/program-words.ts";
import { readVariable } from "../../base/settings.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import type { JobCommand, NextWords } from "../ports.ts";

/** Options that say which job is meant, and where. Every command with a manifest takes them. */
const OF_JOB = {
  out: "--out",
  set: "--set",
  baseUrl: "--base-url",
  publicUrl: "--public-url",
  data: "--data",
  limits: "--limits",
} as const;

/** Options that say how it is carried out, and the commands that take them. */
const OF_STEP: Readonly<Record<string, { flag: string; commands: readonly JobCommand[] }>> = {
  changePublicUrl: { flag: "--change-public-url", commands: ["plan", "run", "retry"] },
  changeServer: { flag: "--change-server", commands: ["plan", "run", "retry"] },
  plan: { flag: "--plan", commands: ["run"] },
  limit: { flag: "--limit", commands: ["run"] },
  patience: { flag: "--patience", commands: ["run", "retry", "undo", "retire"] },
  folder: { flag: "--folder", commands: ["retire"] },
  delete: { flag: "--delete", commands: ["retire"] },
  key: { flag: "--key", commands: ["retire", "replace", "void"] },
  lines: { flag: "--lines", commands: ["replace", "void"] },
  spoiled: { flag: "--spoiled", commands: ["replace", "void"] },
  start: { flag: "--start", commands: ["replace"] },
  by: { flag: "--by", commands: ["replace", "void"] },
  reason: { flag: "--reason", commands: ["replace", "void"] },
  force: { flag: "--force", commands: ["undo"] },
  yes: { flag: "--yes", commands: ["run", "retry", "undo", "retire", "replace", "void"] },
};

/** A path that can't be taken for an option. */
const asPath = (text: string): string => (text.startsWith("-") ? `./${text}` : text);

type Value = string | boolean | readonly string[] | undefined;

/** What was typed, or would have been. */
interface Typed {
  readonly context: Shell;
  readonly input: {
    /** The manifest. */
    readonly argument: string | undefined;
    readonly options: Readonly<Record<string, Value>>;
  };
}

function optionWords(flag: string, value: Value): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  const values = typeof value === "string" ? [value] : value;
  return values.flatMap((one) => (one.startsWith("-") ? [`${flag}=${one}`] : [flag, one]));
}

/** A folder that was named for one call must stay the same in the next. */
const fromShell = ({ env }: Shell, name: string): string | undefined =>
  name === "data" ? readVariable(env, "data") : undefined;

/** Where `--out` of a command is no folder: that of a plan which is saved, and that of `sheets`. */
function folderWords({ context: { cwd }, input }: Typed, isFolder: boolean): string[] {
  const { out } = input.options;
  if (typeof out !== "string") return [];
  return isFolder ? optionWords("--out", out) : ["--set", `output.dir=${path.resolve(cwd, out)}`];
}

/** The command that a job goes on with, from what was typed. */
export function toNextCommand(
  typed: Typed,
  command: JobCommand,
  { more = [], without = [], again = false }: NextWords = {},
): string {
  const { context, input } = typed;
  const { options } = input;
  const isLeft = (name: string): boolean => !without.includes(name) && (again || name !== "yes");
  const manifest = toShortPath(path.resolve(context.cwd, input.argument ?? ""), context.cwd);
  const jobWords = Object.entries(OF_JOB).flatMap(([name, flag]) => {
    if (!isLeft(name) || (more.includes(flag) && name !== "out")) return [];
    return name === "out"
      ? folderWords(typed, !more.includes(flag))
      : optionWords(flag, options[name] ?? fromShell(context, name));
  });
  const stepWords = Object.entries(OF_STEP).flatMap(([name, { flag, commands }]) =>
    commands.includes(command) && isLeft(name) && !more.includes(flag)
      ? optionWords(flag, options[name])
      : [],
  );
  return toCommandLine([
    ...toProgram(context),
    command,
    asPath(manifest),
    ...jobWords,
    ...stepWords,
    ...more,
  ]);
}
