import type { Clock } from "../base/clock.ts";
import { AppError } from "../base/errors.ts";
import type { Ids } from "../base/ids.ts";
import { didYouMean } from "../base/suggest.ts";
import type { Transport } from "../client/wire.ts";
import type { ReadStream } from "../pipeline/kept-source.ts";
import type { Questions } from "./questions.ts";

/** Everything outside of the program that commands may touch; tests hand in their own. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Data: standard output. */
  readonly out: (text: string) => void;
  /** Messages and progress: standard error. */
  readonly err: (text: string) => void;
  /** Width of the terminal on standard error, in characters; undefined without one. */
  readonly terminalWidth: number | undefined;
  /** The same of standard output. */
  readonly outWidth?: number | undefined;
  /** Where colours are shown; default: nowhere. */
  readonly colors?: { readonly out: boolean; readonly err: boolean } | undefined;
  /** Name and version of the program. */
  readonly writer: string;
  /** Folder of the program, above its code; default: that of the program that runs. */
  readonly programFolder?: string | undefined;
  /** Labels whose codes are all decoded whatever a job asks for; default: `MOST_DECODED_ALL`. */
  readonly mostDecodedAll?: number | undefined;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Carries requests to a remote server; default: the network. */
  readonly transport?: Transport | undefined;
  /** Reads standard input and fetches what a job names as its source; default: neither. */
  readonly readStream?: ReadStream | undefined;
  /** Asks a person a question for yes or no; undefined where nobody could answer. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Asks what `init` wants to know; undefined where nobody could answer. */
  readonly questions?: Questions | undefined;
  /** Who is logged in, for ledgers; default: nobody is named. */
  readonly user?: string | undefined;
  /** The command line that starts this program, without arguments; default: `makeready`. */
  readonly program?: readonly string[] | undefined;
}

/** What a person typed behind the name of a command. */
export interface Input {
  readonly argument: string | undefined;
  readonly second?: string | undefined;
  /** All behind the first. */
  readonly others?: readonly string[] | undefined;
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export interface CommandOption {
  /** As commander reads it: `--out <dir>`. */
  readonly flags: string;
  readonly says: string;
  /** May be given several times. */
  readonly repeats?: boolean;
}

interface Argument {
  readonly name: string;
  readonly says: string;
  readonly required: boolean;
  /** As many as one likes; behind the first argument only. */
  readonly isList?: boolean;
}

/** `<job>`, `[action]`, `[files...]`. */
export function toArgumentName({ name, required, isList }: Argument): string {
  const full = isList === true ? `${name}...` : name;
  return required ? `<${full}>` : `[${full}]`;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly argument?: Argument;
  /** Behind the first. */
  readonly second?: Argument;
  readonly options: readonly CommandOption[];
  /** Two lines that can be typed as they are. */
  readonly examples: readonly [string, string];
  /** Exit codes beside 0, 1 and 2. */
  readonly exits: readonly number[];
  /** Answers the exit code. */
  run(context: CliContext, input: Input): Promise<number>;
}

/** A text option, or undefined when it was not given. */
export function readText(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === "string" ? value : undefined;
}

export function readFlag(input: Input, name: string): boolean {
  return input.options[name] === true;
}

export function readList(input: Input, name: string): readonly string[] {
  const value = input.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** What the first argument names of the actions of a command; `list` when it is left out. */
export function readAction<Action>(
  input: Input,
  actions: Readonly<Record<string, Action>>,
): Action {
  const name = input.argument ?? "list";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  throw new AppError("bad-usage", `the action must be known, got ${name}`, {
    hint: didYouMean(name, Object.keys(actions)),
  });
}
