/** Settings as they were given: a flag wins over the environment. The table: `base/settings.ts`. */
import path from "node:path";

import { AppError } from "../base/errors.ts";
import { readVariable, settings, settingTable, type SettingName } from "../base/settings.ts";
import { readText, type CliContext, type CommandOption, type Input } from "./context.ts";

interface Given {
  readonly text: string;
  /** The flag or the variable: what messages name. */
  readonly from: string;
}

type World = Pick<CliContext, "env">;

const YES = /^(?:true|yes|on|1)$/iu;
const NO = /^(?:false|no|off|0)$/iu;

const toFlag = (name: SettingName): string =>
  settingTable[name].flags?.split(" ")[0] ?? settings[name].variable;

/** Undefined when nobody gave it. */
export function readSetting({ env }: World, input: Input, name: SettingName): Given | undefined {
  const flag = readText(input, name);
  if (flag !== undefined) return { text: flag, from: toFlag(name) };
  const text = readVariable(env, name);
  return text === undefined ? undefined : { text, from: settings[name].variable };
}

/** A setting that is on or off, or holds a text that says more. */
export function readSwitch(world: World, input: Input, name: SettingName): boolean | Given {
  if (input.options[name] === true) return true;
  const given = readSetting(world, input, name);
  if (given === undefined || NO.test(given.text)) return false;
  return YES.test(given.text) ? true : given;
}

/** A setting that is on or off and nothing else. */
export function readOnOff(world: World, input: Input, name: SettingName): boolean {
  const read = readSwitch(world, input, name);
  if (typeof read === "boolean") return read;
  throw new AppError("bad-usage", `${read.from} must be true or false, got ${read.text}`);
}

/** Absolute; undefined when nobody gave it. */
export function readDataDir(
  { env, cwd }: Pick<CliContext, "env" | "cwd">,
  input: Input,
): string | undefined {
  const given = readSetting({ env }, input, "data");
  return given === undefined ? undefined : path.resolve(cwd, given.text);
}

/** The same for who works on a service's data without a job: `.makeready` here by default. */
export const requireDataDir = (
  { env, cwd }: Pick<CliContext, "env" | "cwd">,
  input: Input,
): string => readDataDir({ env, cwd }, input) ?? path.resolve(cwd, ".makeready");

/** The same for what is done on SQLite alone: beside a database, it would be done to the wrong data in silence. */
export function requireSqliteDir(world: CliContext, input: Input, hint: string): string {
  const given = readSetting(world, input, "store");
  if (given === undefined) return requireDataDir(world, input);
  throw new AppError(
    "bad-usage",
    `this works on a data folder with SQLite, but ${given.from} names a database`,
    { hint },
  );
}

/** The option of a setting; its help names the variable, too. */
export function settingOption(
  name: SettingName,
  says: string = settings[name].says,
): CommandOption {
  const { flags, variable } = settingTable[name];
  if (flags === undefined) throw new Error(`${name} must have a flag, got none`);
  return { flags, says: `${says} [${variable}]` };
}
