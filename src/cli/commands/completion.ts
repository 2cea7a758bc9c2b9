import { AppError } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { listSheets } from "../../print/sheet-files.ts";
import { makeScript, shells } from "../completion/scripts.ts";
import { toCompletion } from "../completion/words.ts";
import type { Command } from "../context.ts";

/** @param commands every command; given later, since this is one of them */
export function makeCompletion(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "print what lets bash, zsh or fish complete commands, options, files and sheets",
    argument: { name: "shell", says: shells.join(", "), required: true },
    options: [],
    examples: [
      "source <(makeready completion bash)",
      "makeready completion fish > ~/.config/fish/completions/makeready.fish",
    ],
    exits: [],
    async run(context, input) {
      const shell = shells.find((one) => one === input.argument);
      if (shell === undefined) {
        const given = input.argument ?? "none";
        throw new AppError("bad-usage", `shell must be one of ${shells.join(", ")}, got ${given}`, {
          hint: didYouMean(given, shells),
        });
      }
      const sheets = (await listSheets()).map(({ name }) => name);
      context.out(makeScript(shell, { commands: toCompletion(commands()), sheets }));
      return 0;
    },
  };
}
