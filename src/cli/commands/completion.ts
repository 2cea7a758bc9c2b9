import { badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { listSheets } from "../../print/layout/sheet-files.ts";
import { makeScript } from "../completion/scripts.ts";
import { shells } from "../completion/shells.ts";
import { toCompletion } from "../completion/words.ts";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";

export async function complete(call: Call, commands: readonly Command[]): Promise<void> {
  const { argument } = call.input;
  const shell = shells.find((one) => one === argument);
  if (shell === undefined) {
    const given = argument ?? "none";
    throw badUsage(
      `shell must be one of ${shells.join(", ")}, got ${given}`,
      didYouMean(given, shells),
    );
  }
  const sheets = (await listSheets()).map(({ name }) => name);
  call.context.out(makeScript(shell, { commands: toCompletion(commands), sheets }));
}
