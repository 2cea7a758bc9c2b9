/** Settings as they were given: a flag wins over the environment. The table: `base/settings.ts`. */
import path from "node:path";

import { parseDuration } from "../base/time/duration.ts";
import { AppError, badUsage } from "../base/errors.ts";
import { readVariable, settings, settingTable, type SettingName } from "../base/settings.ts";
import { toCommandLine } from "../base/text/shell-words.ts";
import type { CliContext, Input } from "./context.ts";

export interface Given {
  readonly text: string;
  /** The flag or the variable: what messages name. */
  readonly from: string;
}

/** What was typed, over what the environment says. */
interface Asked {
  readonly context: Pick<CliContext, "env">;
  readonly input: Input;
}

export interface AskedHere extends Asked {
  readonly context: Pick<CliContext, "env" | "cwd">;
}

const YES = /^(?:true|yes|on|1)$/iu;
const NO = /^(?:false|no|off|0)$/iu;

/** `publicUrl` -> `--public-url`. */
export const toFlag = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

/** Undefined when it was not given. */
export function readSetting({ context, input }: Asked, name: SettingName): Given | undefined {
  const typed = input.options[name];
  if (typeof typed === "string") return { text: typed, from: toFlag(name) };
  const text = readVariable(context.env, name);
  return text === undefined ? undefined : { text, from: settings[name].variable };
}

/** A setting that is on or off, or holds a text that says more. */
export function readSwitch(asked: Asked, name: SettingName): boolean | Given {
  if (asked.input.options[name] === true) return true;
  const given = readSetting(asked, name);
  if (given === undefined || NO.test(given.text)) return false;
  return YES.test(given.text) ? true : given;
}

/** A setting that is on or off and nothing else. */
export function readOnOff(asked: Asked, name: SettingName): boolean {
  const read = readSwitch(asked, name);
  if (typeof read === "boolean") return read;
  throw badUsage(`${read.from} must be true or false, got ${read.text}`);
}

/** Absolute; undefined when it was not given. */
export function readDataDir(asked: AskedHere): string | undefined {
  const given = readSetting(asked, "data");
  return given === undefined ? undefined : path.resolve(asked.context.cwd, given.text);
}

/** The same for commands on a service's data without a job: `.makeready` here by default. */
export const requireDataDir = (asked: AskedHere): string =>
  readDataDir(asked) ?? path.resolve(asked.context.cwd, ".makeready");

/** What is printed instead of the address of a database, which may hold a password. */
const SOME_STORE = "postgres://…";

/** An error whose hint names commands of a service: typed as they stand, they mean the same data. */
export function withSameData({ input }: Asked, error: unknown): unknown {
  if (!(error instanceof AppError) || error.hint === undefined) return error;
  const { data, store } = input.options;
  const words = [
    ...(typeof data === "string" ? [toCommandLine(["--data", data])] : []),
    ...(typeof store === "string" ? [`--store ${SOME_STORE}`] : []),
  ];
  const hint = error.hint.replaceAll(/\bmakeready (?:accounts|webhooks)\b/gu, (command) =>
    [command, ...words].join(" "),
  );
  const { code, message, where, problems, status, cause } = error;
  return new AppError(code, message, { hint, where, problems, status, cause });
}

/** Of TCP. */
export const MOST_PORT = 65_535;

interface Range {
  readonly least: number;
  readonly most?: number;
  /** Default: a whole number. */
  readonly what?: string;
}

/** A whole number; undefined when it was not given. */
export function readWhole(
  given: Given | undefined,
  { least, most, what = "a whole number" }: Range,
): number | undefined {
  if (given === undefined) return undefined;
  const { text, from } = given;
  const number = Number(text);
  if (/^\d{1,15}$/u.test(text) && number >= least && number <= (most ?? number)) return number;
  const end = most === undefined ? "" : ` to ${most}`;
  throw badUsage(`${from} must be ${what} from ${least}${end}, got ${text}`);
}

/** Milliseconds of a time such as `30s`; undefined when nobody gave it. */
export function readDuration(given: Given | undefined): number | undefined {
  if (given === undefined) return undefined;
  const { text, from } = given;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw badUsage(`${from} must be a time with a unit, like "30s", got ${text}`);
}

/** The option of a setting; its help names the variable, too. */
export function settingOption(name: SettingName, says: string = settings[name].says): string {
  const { flags, variable } = settingTable[name];
  if (flags === undefined) throw new Error(`${name} must have a flag, got none`);
  return `${flags}  ${says} [${variable}]`;
}
