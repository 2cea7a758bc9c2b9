/** Why a remote server has not told what makeready wanted to know. */
import type { AppError, Problem } from "../../base/errors.ts";
import { nameSetting, type SettingNames } from "./setting-names.ts";

/** How a command is typed, and a setting given. */
interface Commands {
  readonly commandOf: (command: "doctor") => string;
  readonly access: SettingNames;
}

export type Untold =
  /** It was not asked. */
  | { readonly why: "not-set"; readonly missing: "token" | "workspace" }
  | { readonly why: "refused"; readonly status: number }
  /** It is no such server, or has no such workspace. */
  | { readonly why: "no-workspace"; readonly message: string; readonly hint: string }
  | { readonly why: "no-answer" }
  /** It answered, but not this. */
  | { readonly why: "not-shown" };

export function toUntold({ kind, status, message, hint = "" }: AppError): Untold {
  if (kind === "auth")
    return status === undefined
      ? { why: "no-workspace", message, hint }
      : { why: "refused", status };
  return { why: kind === "missing" ? "not-shown" : "no-answer" };
}

/** @param what a clause that begins with "whether" */
export function sayUntold(what: string, untold: Untold): string {
  switch (untold.why) {
    case "not-set":
      return `the server was not asked ${what}: no ${untold.missing} is set`;
    case "refused":
      return `the server refused the token (${untold.status}), so it did not say ${what}`;
    case "no-workspace":
      return `the server did not say ${what}: ${untold.message}`;
    case "no-answer":
      return `the server did not say ${what}: it gave no usable answer`;
    case "not-shown":
      return `the server did not say ${what}: it doesn't show the code that was asked for, or not its link`;
  }
}

/** What to do about it. */
export function hintUntold(untold: Untold, { commandOf, access }: Commands): string {
  const doctor = commandOf("doctor");
  if (untold.why === "not-set")
    return `set ${nameSetting(access, untold.missing)}; to try it: ${doctor}`;
  if (untold.why === "no-workspace") return `${untold.hint}; to try it: ${doctor}`;
  return untold.why === "refused"
    ? `check the token of ${nameSetting(access, "token")} or api.token_file, and what it may read; to try it: ${doctor}`
    : `to see whether the server answers: ${doctor}`;
}

export const warnUntold = (
  what: string,
  untold: Untold,
  ports: Commands,
): Problem & { readonly hint: string } => ({
  message: sayUntold(what, untold),
  hint: hintUntold(untold, ports),
});
