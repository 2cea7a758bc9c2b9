/** A command: what can be typed, and the one call that it makes. */
import type { Call } from "./call.ts";

interface Facts {
  readonly name: string;
  readonly summary: string;
  /** Answers the exit code; without one, 0. */
  run(call: Call): Promise<number | void>;
}

/** A command as its table has it: what is typed, two spaces, what it does. */
export interface Row extends Facts {
  /** What is typed behind the command; one with `makeready` in it is the whole line. */
  readonly examples: readonly [string, string];
  /** `<job>  the manifest`, `[files...]  more of them`; two at most. */
  readonly arguments?: readonly string[];
  /** `--out <dir>  output folder`; with dots before the spaces it may be given several times. */
  readonly options: readonly string[];
  /** Exit codes beside 0, 1 and 2; default: none. */
  readonly exits?: readonly number[];
}

export interface CommandOption {
  /** As commander reads it: `--out <dir>`. */
  readonly flags: string;
  readonly says: string;
  /** May be given several times. */
  readonly repeats: boolean;
}

export interface Argument {
  /** As commander reads it: `<job>`, `[action]`, `[files...]`. */
  readonly typed: string;
  readonly name: string;
  readonly says: string;
}

export interface Command extends Facts {
  readonly exits: readonly number[];
  /** Lines that can be typed as they are. */
  readonly examples: readonly string[];
  readonly argument: Argument | undefined;
  /** Behind the first. */
  readonly second: Argument | undefined;
  readonly options: readonly CommandOption[];
}

/** Splits a line of the table into what is typed and its description. */
const GAP = "  ";

function part(line: string): readonly [typed: string, says: string] {
  const at = line.indexOf(GAP);
  return [line.slice(0, at), line.slice(at + GAP.length)];
}

function toOption(line: string): CommandOption {
  const [typed, says] = part(line);
  return { flags: typed.replace(/\.{3}$/u, ""), says, repeats: typed.endsWith("...") };
}

function toArgument(line: string): Argument {
  const [typed, says] = part(line);
  return { typed, name: typed.replace(/^[<[]|(?:\.{3})?[>\]]$/gu, ""), says };
}

export function toCommand(row: Row): Command {
  const [argument, second] = (row.arguments ?? []).map(toArgument);
  const examples = row.examples.map((example) =>
    /(?:^|[ (])makeready /u.test(example) ? example : `makeready ${row.name} ${example}`.trimEnd(),
  );
  const { exits = [] } = row;
  return { ...row, argument, second, options: row.options.map(toOption), examples, exits };
}
