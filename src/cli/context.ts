import type { Ports } from "../pipeline/ports.ts";
import type { Questions } from "./questions.ts";

/** Everything outside of the program that commands may touch; tests hand in their own. */
export interface CliContext extends Pick<
  Ports,
  | "clock"
  | "ids"
  | "writer"
  | "programFolder"
  | "mostDecodedAll"
  | "signal"
  | "transport"
  | "readStream"
> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
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
  /** Asks a person for yes or no; undefined where no one could answer. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Asks the questions of `init`; undefined where no one could answer. */
  readonly questions?: Questions | undefined;
  /** Who is logged in, for ledgers; default: no name. */
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
