import { AppError, isStop } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";
import type { CliContext, Command, Input } from "./context.ts";
import { toDiskError } from "../base/disk-error.ts";
import { EXIT_INTERRUPTED } from "./exit-codes.ts";
import { makeView } from "./make-view.ts";
import { refusePlaceholders } from "./placeholders.ts";

/** Runs a command; what a person can mend or must know is shown and becomes its exit code. */
export async function runCommand(
  context: CliContext,
  command: Pick<Command, "run">,
  input: Input,
): Promise<number> {
  try {
    refusePlaceholders(context, input);
    return await command.run(context, input);
  } catch (thrown) {
    if (isStop(thrown, context.signal)) return EXIT_INTERRUPTED;
    const error = toDiskError(thrown) ?? thrown;
    if (error instanceof AppError && error.kind !== "bug") {
      makeView(context, input).error(error);
      return error.exitCode;
    }
    throw error;
  }
}

/** What stands behind the name of a command that does several things. */
export type Action = (context: CliContext, input: Input) => Promise<number | void>;

/** Does what the first argument says; without one, `list`. */
export async function runAction(
  actions: ReadonlyMap<string, Action>,
  context: CliContext,
  input: Input,
): Promise<number> {
  const name = input.argument ?? "list";
  const action = actions.get(name);
  if (action === undefined) {
    const names = [...actions.keys()];
    throw new AppError(
      "bad-usage",
      `action must be one of ${names.join(", ")}, got ${JSON.stringify(name)}`,
      {
        hint: /\.ya?ml$/iu.test(name)
          ? `put the action before the file: list ${name}`
          : didYouMean(name, names),
      },
    );
  }
  return (await action(context, input)) ?? 0;
}
