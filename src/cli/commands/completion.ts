import { listSheets } from "../../print/layout/sheet-files.ts";
import { makeScript } from "../completion/scripts.ts";
import { shells } from "../completion/shells.ts";
import { toCompletion } from "../completion/words.ts";
import { pickWord, type Call } from "../call.ts";
import type { Command } from "../command.ts";

export async function complete(call: Call, commands: readonly Command[]): Promise<void> {
  const shell = pickWord("shell", shells, call.input.argument ?? "none");
  const sheets = (await listSheets()).map(({ name }) => name);
  call.context.out(makeScript(shell, { commands: toCompletion(commands), sheets }));
}
