/** Words in capitals in printed commands, in place of values that only the reader knows. */
import { existsSync } from "node:fs";
import path from "node:path";

import { badUsage } from "../base/errors.ts";
import { settings } from "../base/settings.ts";
import type { CliContext, Input } from "./context.ts";
import { toFlag } from "./settings.ts";

const PRINTED_ADDRESS =
  "the address under which printed codes will be reached, such as https://go.example.com";

/** What each stands for. */
const words: Readonly<Record<string, string>> = {
  ADDRESS: PRINTED_ADDRESS,
  JOB: "the manifest of your job, such as jobs/menu.yaml",
  FILE: "a file of yours, such as tables.xlsx",
  FOLDER: "a folder of yours, such as out/menu",
  DIR: "a folder of yours, such as out/menu",
  NAME: "a name that you choose, such as menu",
};

/** What whole options stand for, whatever the word. */
const meanings: Readonly<Record<string, string>> = {
  publicUrl: PRINTED_ADDRESS,
  changePublicUrl: PRINTED_ADDRESS,
  baseUrl: "the address of the server, such as https://codes.example.com/api/v2",
};

/** Options and variables whose value somebody may copy from a printed command as it stands. */
const options = ["publicUrl", "changePublicUrl", "baseUrl", "out", "data"] as const;
const variables = ["publicUrl", "baseUrl", "data"] as const;

interface Given {
  readonly value: Input["options"][string];
  /** What is typed before it. */
  readonly before: string;
  readonly says?: string | undefined;
}

function listGiven({ env }: Pick<CliContext, "env">, input: Input): Given[] {
  return [
    ...[input.argument, input.second].map((value) => ({ value, before: "" })),
    ...options.map((name) => ({
      value: input.options[name],
      before: `${toFlag(name)} `,
      says: meanings[name],
    })),
    ...variables.map((name) => {
      const { variable } = settings[name];
      return { value: env[variable], before: `${variable}=`, says: meanings[name] };
    }),
  ];
}

/**
 * Throws `bad-usage` where an argument, an option or a variable still holds such a word, unless a
 * file has that name.
 */
export function refusePlaceholders(context: Pick<CliContext, "cwd" | "env">, input: Input): void {
  for (const { value, before, says } of listGiven(context, input)) {
    const stands = typeof value === "string" ? words[value] : undefined;
    const word = String(value);
    if (stands === undefined || existsSync(path.resolve(context.cwd, word))) continue;
    throw badUsage(
      `${before}${word}: ${word} must be replaced before you run this`,
      `${word} stands for ${says ?? stands}`,
    );
  }
}
