import { AppError, isStop } from "../base/errors.ts";
import type { CliContext, Command, Input } from "./context.ts";
import { toDiskError } from "./disk-error.ts";
import { EXIT_INTERRUPTED } from "./exit-codes.ts";
import { makeView } from "./make-view.ts";

/** Runs a command; what a person can mend or must know is shown and becomes its exit code. */
export async function runCommand(
  context: CliContext,
  command: Pick<Command, "run">,
  input: Input,
): Promise<number> {
  try {
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
