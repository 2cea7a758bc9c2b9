import { AppError } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { listSheets } from "../../print/layout/sheet-files.ts";
import { makeScript } from "../completion/scripts.ts";
import { shells } from "../completion/shells.ts";
import { toCompletion } from "../completion/words.ts";
import type { CliContext, Command, Input } from "../context.ts";

export async function complete(
  context: CliContext,
  input: Input,
  commands: readonly Command[],
): Promise<number> {
  const shell = shells.find((one) => one === input.argument);
  if (shell === undefined) {
    const given = input.argument ?? "none";
    throw new AppError("bad-usage", `shell must be one of ${shells.join(", ")}, got ${given}`, {
      hint: didYouMean(given, shells),
    });
  }
  const sheets = (await listSheets()).map(({ name }) => name);
  context.out(makeScript(shell, { commands: toCompletion(commands), sheets }));
  return 0;
}
