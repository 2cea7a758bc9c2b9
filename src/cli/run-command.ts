import { toDiskError, toPlaceError } from "../base/files/disk-error.ts";
import { AppError, isStop } from "../base/errors.ts";
import { EXIT_INTERRUPTED } from "../base/exit-codes.ts";
import { Call } from "./call.ts";
import type { Command } from "./command.ts";
import type { CliContext, Input } from "./context.ts";
import { refusePlaceholders } from "./placeholders.ts";

/**
 * Runs a command; shows errors that a person can mend or must know, and turns them into its exit
 * code.
 */
export async function runCommand(
  context: CliContext,
  command: Pick<Command, "run">,
  input: Input,
): Promise<number> {
  const call = new Call(context, input);
  try {
    refusePlaceholders(context, input);
    return (await command.run(call)) ?? 0;
  } catch (thrown) {
    if (isStop(thrown, context.signal)) return EXIT_INTERRUPTED;
    const error = toDiskError(thrown) ?? toPlaceError(thrown) ?? thrown;
    if (!(error instanceof AppError) || error.kind === "bug") throw error;
    call.view.error(error);
    return error.exitCode;
  }
}
