/**
 * The program: reads the command line, runs a command, turns errors into words and an exit code.
 * Nothing but this folder touches argv, environment, terminal and exit codes.
 */
import { createInterface } from "node:readline/promises";

import { Command as Program, CommanderError } from "commander";

import { closing } from "../base/flow/closing.ts";
import { ownPackage } from "../base/files/package-files.ts";
import { systemClock } from "../base/time/clock.ts";
import { AppError, badUsage, toMessage, toStack } from "../base/errors.ts";
import { exitCodes, EXIT_INTERRUPTED } from "../base/exit-codes.ts";
import { randomIds } from "../base/ids/ids.ts";
import { readUserName } from "../base/files/user-name.ts";
import { absentCommands, absentOptions, commands } from "./commands/index.ts";
import type { Command } from "./command.ts";
import type { CliContext, Input } from "./context.ts";
import { showCommands, toProgramLine } from "../base/text/program-words.ts";
import { makeJsonView } from "./views/json-view.ts";
import { terminalQuestions } from "./questions.ts";
import { runCommand } from "./run-command.ts";
import { makeReadStream } from "./read-stream.ts";
import { wantsColor } from "./terminal.ts";

const USAGE = 2;
/** How long a first Ctrl-C lets requests end that are in flight. */
const GRACE_MS = 10_000;

function describeExits(command: Command): string {
  const codes = [0, 1, 2, ...command.exits] as (keyof typeof exitCodes)[];
  return codes.map((code) => `  ${String(code).padStart(3)}  ${exitCodes[code]}`).join("\n");
}

function addCommand(
  program: Program,
  command: Command,
  run: (input: Input) => Promise<void>,
): void {
  const sub = program.command(command.name).summary(command.summary).description(command.summary);
  for (const argument of [command.argument, command.second]) {
    if (argument !== undefined) sub.argument(argument.typed, argument.says);
  }
  for (const { flags, says, repeats } of command.options) {
    if (repeats) {
      sub.option(flags, says, (value: string, all?: string[]) => [...(all ?? []), value]);
    } else sub.option(flags, says);
  }
  const examples = command.examples.map((example) => `  ${example}`).join("\n");
  sub.addHelpText("after", `\nExamples:\n${examples}\n\nExit status:\n${describeExits(command)}`);
  sub.action(async () => {
    const [argument, ...others] = sub.args;
    await run({ argument, second: others[0], others, options: sub.opts() });
  });
}

/** Before a command line is understood: programs get their object, people the parser's own words. */
function tellMisuse(argv: readonly string[], context: CliContext, message: string): void {
  const [first = "", ...rest] = message.replace(/^error: /u, "").split("\n");
  const said = rest
    .join(" ")
    .trim()
    .replace(/^\((.*)\)$/u, "$1");
  const hint = said || "makeready --help says what can be given";
  if (argv.includes("--json")) makeJsonView(context).error(badUsage(first, hint));
  else context.err(`${message.trimEnd()}\n(run with --help to see what can be given)\n`);
}

/** Prints a bug with its stack. */
function tellBug(argv: readonly string[], context: CliContext, error: unknown): void {
  const hint = "this is a bug in makeready; your state is saved, run the same command again";
  if (argv.includes("--json")) {
    makeJsonView(context).error(new AppError("bug", toMessage(error), { cause: error, hint }));
  }
  context.err(`${toStack(error)}\n${hint}\n`);
}

/** Runs a command line; answers the exit code. Never throws: a bug is printed with its stack. */
export async function main(argv: readonly string[], given: CliContext): Promise<number> {
  let exitCode = 0;
  const started = toProgramLine(given);
  const show = (text: string): string => showCommands(text, started);
  // Standard error is for people only.
  const context = { ...given, err: (text: string): void => given.err(show(text)) };
  const program = new Program(started)
    .description("from a spreadsheet to press-ready sheets of QR codes")
    .version(ownPackage.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out(show(text)),
      writeErr: context.err,
      outputError: () => undefined,
    })
    .showSuggestionAfterError();
  for (const command of commands) {
    addCommand(program, command, async (input) => {
      exitCode = await runCommand(context, command, input);
    });
  }
  const asked = argv[0] ?? "";
  const absent = Object.hasOwn(absentCommands, asked) ? absentCommands[asked] : undefined;
  if (absent !== undefined) {
    tellMisuse(argv, context, `error: ${asked} is no command: ${absent}`);
    return USAGE;
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      tellBug(argv, context, error);
      return 1;
    }
    if (error.exitCode === 0) return 0;
    // `makeready` alone has shown its help.
    if (error.code === "commander.help") return USAGE;
    const option = /unknown option '([^']+)'/u.exec(error.message)?.[1] ?? "";
    const instead = absentOptions[`${argv[0]} ${option.split("=")[0]}`];
    tellMisuse(argv, context, instead === undefined ? error.message : `error: ${instead}`);
    return USAGE;
  }
}

/** The first signal stops politely, the second at once. Either way nothing is lost. */
function watchSignals(write: (text: string) => void): AbortSignal {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) {
      write("\nstopped at once; the same command goes on where it stopped\n");
      process.exit(EXIT_INTERRUPTED);
    }
    write("\nstopping after what is in flight (again: stop at once; nothing is lost either way)\n");
    stop.abort();
    setTimeout(() => process.exit(EXIT_INTERRUPTED), GRACE_MS).unref();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return stop.signal;
}

const writeError = (text: string): void => {
  process.stderr.write(text);
};

/** A reader that closes the pipe (`makeready sheets | head`) is no error. */
function ignoreClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  // A log that can't be written must not end the program.
  process.stderr.on("error", () => {});
}

/** Anything but a yes is a no. */
async function askPerson(question: string): Promise<boolean> {
  return closing(createInterface({ input: process.stdin, output: process.stderr }), async (lines) =>
    /^\s*y(?:es)?\s*$/iu.test(await lines.question(`${question} [y/N] `)),
  );
}

/** The outside world as this process has it. */
export function makeProcessContext(): CliContext {
  ignoreClosedPipe();
  return {
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    ids: randomIds,
    out: (text) => {
      process.stdout.write(text);
    },
    err: writeError,
    terminalWidth: process.stderr.isTTY ? process.stderr.columns : undefined,
    outWidth: process.stdout.isTTY ? process.stdout.columns : undefined,
    colors: {
      out: wantsColor(process.env, process.stdout.isTTY),
      err: wantsColor(process.env, process.stderr.isTTY),
    },
    writer: `makeready ${ownPackage.version}`,
    signal: watchSignals(writeError),
    readStream: makeReadStream(process.env, process.stdin),
    ask: process.stdin.isTTY && process.stderr.isTTY ? askPerson : undefined,
    questions: process.stdin.isTTY && process.stderr.isTTY ? terminalQuestions : undefined,
    user: readUserName(),
    program: [process.execPath, ...process.argv.slice(1, 2)],
  };
}
