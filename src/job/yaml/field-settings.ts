/** Edits of a manifest as words of a command line, and back: `FIELD=VALUE`. */
import { isDeepStrictEqual } from "node:util";

import { badUsage, type AppError } from "../../base/errors.ts";
import { readYamlValue, toFlow, type YamlEdit, type YamlValue } from "./edit-yaml.ts";
import { FIELD_HINT, readFieldPath, toFieldPath } from "./field-path.ts";

/** Templates, colours and standard input need no quotes: a shell has taken them off already. */
const PLAIN = /^\s*(?:\{\{|#)|^-?$/u;

function readValue(text: string): YamlValue {
  if (PLAIN.test(text)) return text;
  const value = readYamlValue(text);
  if (typeof value === "boolean") return String(value) === text.trim() ? value : text;
  return value === null || value === undefined ? text : (value as YamlValue);
}

const notAField = (given: string): AppError =>
  badUsage(
    `a field must be written FIELD=VALUE, got ${JSON.stringify(given)}`,
    `for example output.dir=out/test; ${FIELD_HINT}`,
  );

/** `output.dir=out` as an edit. Throws `bad-usage` for another form. */
export function readSetting(text: string): YamlEdit {
  const { path, rest } = readFieldPath(text) ?? {};
  if (path === undefined || rest?.startsWith("=") !== true) throw notAField(text);
  return { path, value: readValue(rest.slice(1)) };
}

/** An edit that takes a field out. Throws `bad-usage` for a wrong name. */
export function readUnset(field: string): YamlEdit {
  const { path, rest } = readFieldPath(field) ?? {};
  if (path !== undefined && rest === "") return { path, value: undefined };
  throw badUsage(
    `--unset must name a field, got ${JSON.stringify(field)}`,
    "for example output.dir or 'source.columns[\"Item No.\"]'",
  );
}

function toValueText(value: YamlValue): string {
  // It would be read as a map.
  if (typeof value === "string" && /:\s/u.test(value)) return toFlow(value);
  const bare = typeof value === "string" ? value : toFlow(value);
  return isDeepStrictEqual(readOrNothing(bare), value) ? bare : toFlow(value);
}

function readOrNothing(text: string): YamlValue | undefined {
  try {
    return readValue(text);
  } catch {
    return undefined;
  }
}

/** Edits in the order in which their words are carried out: fields that go come last. */
export const inOrder = (edits: readonly YamlEdit[]): YamlEdit[] => [
  ...edits.filter(({ value }) => value !== undefined),
  ...edits.filter(({ value }) => value === undefined),
];

/** The arguments of `makeready set` behind the manifest. */
export const toSettingWords = (edits: readonly YamlEdit[]): string[] =>
  inOrder(edits).flatMap(({ path, value }) =>
    value === undefined
      ? ["--unset", toFieldPath(path)]
      : [`${toFieldPath(path)}=${toValueText(value)}`],
  );
