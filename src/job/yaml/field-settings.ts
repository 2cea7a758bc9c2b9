/** Edits of a manifest as words of a command line, and back: `FIELD=VALUE`. */
import { isDeepStrictEqual } from "node:util";

import { badUsage } from "../../base/errors.ts";
import { readYamlValue, toFlow, type YamlEdit, type YamlValue } from "./edit-yaml.ts";

const FIELD = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/u;

/** Templates and colours need no quotes: a shell has taken them off already. */
const PLAIN = /^\s*(?:\{\{|#)|^$/u;

function readValue(text: string): YamlValue {
  if (PLAIN.test(text)) return text;
  const value = readYamlValue(text);
  if (typeof value === "boolean") return String(value) === text.trim() ? value : text;
  return value === null || value === undefined ? text : (value as YamlValue);
}

function readPath(field: string, given: string): readonly string[] {
  if (FIELD.test(field)) return field.split(".");
  throw badUsage(
    `a field must be written FIELD=VALUE, got ${JSON.stringify(given)}`,
    "for example output.dir=out/test",
  );
}

/** `output.dir=out` as an edit. Throws `bad-usage` for another form. */
export function readSetting(text: string): YamlEdit {
  const at = text.indexOf("=");
  const path = readPath(at < 0 ? "" : text.slice(0, at), text);
  return { path, value: readValue(text.slice(at + 1)) };
}

/** An edit that takes a field out. Throws `bad-usage` for a wrong name. */
export const readUnset = (field: string): YamlEdit => ({
  path: readPath(field, field),
  value: undefined,
});

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
    value === undefined ? ["--unset", path.join(".")] : [`${path.join(".")}=${toValueText(value)}`],
  );
