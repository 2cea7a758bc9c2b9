/** What can be typed, as plain lists for the scripts of shells. Made from the table of commands. */
import type { Argument, Command } from "../command.ts";

/** What stands behind an option or for an argument. */
export type ValueKind =
  | "manifest"
  | "spreadsheet"
  | "folder"
  | "file"
  | "sheet"
  | "sheet or manifest"
  | "words"
  /** Something that can't be listed, such as a number. */
  | "any"
  | "none";

export interface CompletionOption {
  readonly flag: string;
  readonly says: string;
  /** "none" for one that takes no value. */
  readonly value: ValueKind;
}

export interface CompletionCommand {
  readonly name: string;
  readonly says: string;
  readonly options: readonly CompletionOption[];
  readonly argument: ValueKind;
  readonly words: readonly string[];
  /** Behind the first argument. */
  readonly second: ValueKind;
}

/** Name of an option's value, or of an argument -> what it stands for. */
const VALUES: Readonly<Record<string, ValueKind>> = {
  dir: "folder",
  file: "file",
  job: "manifest",
  files: "manifest",
  sheet: "sheet",
  path: "file",
};

/** Where the name of the value says too little. */
const OPTIONS: Readonly<Record<string, ValueKind>> = {
  "init --sheet": "sheet",
  "init --source": "spreadsheet",
  "columns file": "spreadsheet",
  "columns --sheet": "any",
  "sheets what": "sheet or manifest",
  "import-links export": "spreadsheet",
  "move from": "folder",
};

/** What an argument may be: actions stand in backticks, shells with commas. */
function wordsOf({ name, says }: Argument): readonly string[] {
  if (name === "shell") return says.split(", ");
  return name === "action" ? [...says.matchAll(/`(\w+)`/gu)].map(([, word = ""]) => word) : [];
}

function kindOf(command: string, word: string, valueName: string | undefined): ValueKind {
  if (valueName === undefined) return "none";
  return OPTIONS[`${command} ${word}`] ?? VALUES[valueName] ?? "any";
}

function toOption(command: string, { flags, says }: Command["options"][number]): CompletionOption {
  const [, flag = "", value] = /^(--[\w-]+)(?:[ =][<[]([\w=-]+)[>\]])?/u.exec(flags) ?? [];
  return { flag, says, value: kindOf(command, flag, value) };
}

export function toCompletion(commands: readonly Command[]): CompletionCommand[] {
  return commands.map((command) => {
    const { name, summary, argument, second } = command;
    const words = argument === undefined ? [] : wordsOf(argument);
    const first = argument?.name;
    return {
      name,
      says: summary,
      options: command.options.map((option) => toOption(name, option)),
      argument: words.length > 0 ? "words" : kindOf(name, first ?? "", first),
      words,
      second: kindOf(name, second?.name ?? "", second?.name),
    };
  });
}
