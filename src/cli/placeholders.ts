/** Words in capitals that printed commands have in place of what only the reader knows. */
import { existsSync } from "node:fs";
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { settings } from "../base/settings.ts";
import type { CliContext, Input } from "./context.ts";

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

/** Options whose value somebody may copy from a printed command as it stands. */
const options: Readonly<Record<string, { readonly flag: string; readonly says?: string }>> = {
  publicUrl: { flag: "--public-url", says: PRINTED_ADDRESS },
  changePublicUrl: { flag: "--change-public-url", says: PRINTED_ADDRESS },
  baseUrl: {
    flag: "--base-url",
    says: "the address of the server, such as https://codes.example.com/api/v2",
  },
  out: { flag: "--out" },
  data: { flag: "--data" },
};

/** Variables whose value somebody may copy from a printed line as it stands. */
const variables = ["publicUrl", "baseUrl", "data"] as const;

/**
 * Throws `bad-usage` where an argument, an option or a variable still holds a word that stands for
 * something, unless a file has that name.
 */
export function refusePlaceholders(
  { cwd, env }: Pick<CliContext, "cwd" | "env">,
  input: Input,
): void {
  const given = [
    ...[input.argument, input.second].map((value) => ({ flag: "it", value, says: undefined })),
    ...Object.entries(options).map(([name, { flag, says }]) => ({
      flag,
      value: input.options[name],
      says,
    })),
    ...variables.map((name) => {
      const { variable } = settings[name];
      return { flag: variable, value: env[variable], says: options[name]?.says };
    }),
  ];
  for (const { flag, value, says } of given) {
    const stands = typeof value === "string" ? words[value] : undefined;
    if (stands === undefined || existsSync(path.resolve(cwd, String(value)))) continue;
    const isVariable = flag.startsWith("MAKEREADY_");
    const where =
      flag === "it" ? String(value) : `${flag}${isVariable ? "=" : " "}${String(value)}`;
    throw new AppError(
      "bad-usage",
      `${where}: ${String(value)} must be replaced before you run this`,
      {
        hint: `${String(value)} stands for ${says ?? stands}`,
      },
    );
  }
}
