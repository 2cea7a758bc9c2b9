import type { Problem } from "../../base/errors.ts";
import { settings, type Environment } from "../../base/settings.ts";

import { mapScalars, toFieldName, type ScalarNode, type TreeNode, type TreePath } from "./tree.ts";

type Piece = { readonly text: string } | { readonly problem: string; readonly hint: string };

const REFERENCE = /^\{([A-Za-z_][A-Za-z0-9_]*)(?::(-|\?)([^}]*))?\}/u;
/** `MAKEREADY_STORE` is an address with a password. */
const SECRET = /TOKEN|SECRET|PASSWORD|^MAKEREADY_STORE$/iu;

function lookUp(match: RegExpExecArray, env: Environment): Piece | "unset" {
  const [, name = "", operator, rest = ""] = match;
  if (SECRET.test(name)) {
    return {
      problem: `manifest must not hold secrets, got \${${name}}`,
      hint: `makeready reads the token from ${settings.token.variable} itself; leave it out of the manifest`,
    };
  }
  const value = env[name];
  if (operator === "-") return { text: value === undefined || value === "" ? rest : value };
  if (operator === "?" && (value === undefined || value === "")) {
    return { problem: rest || `\${${name}} must be set`, hint: `set the variable ${name}` };
  }
  return value === undefined ? "unset" : { text: value };
}

interface Expansion {
  readonly text: string;
  readonly problems: readonly { problem: string; hint: string }[];
  /** Names without value and default. */
  readonly unset: readonly string[];
}

/** `${V}`, `${V:-default}`, `${V:?message}` and `$$`; any other `$` stays as it is. */
export function expandText(text: string, env: Environment): Expansion {
  const problems: { problem: string; hint: string }[] = [];
  const unset: string[] = [];
  let out = "";
  let at = 0;
  for (;;) {
    const dollar = text.indexOf("$", at);
    if (dollar < 0) break;
    out += text.slice(at, dollar);
    at = dollar + 1;
    if (text[at] === "$") {
      out += "$";
      at += 1;
      continue;
    }
    if (text[at] !== "{") {
      out += "$";
      continue;
    }
    const match = REFERENCE.exec(text.slice(at));
    if (match === null) {
      const problem = `variable must be written \${NAME}, \${NAME:-default} or \${NAME:?message}, got ${JSON.stringify(text.slice(dollar))}`;
      problems.push({ problem, hint: "write $$ for a plain dollar sign" });
      out += "$";
      continue;
    }
    const piece = lookUp(match, env);
    if (piece === "unset") unset.push(match[1] ?? "");
    else if ("text" in piece) out += piece.text;
    else problems.push(piece);
    at += match[0].length;
  }
  return { text: out + text.slice(at), problems, unset };
}

const WHOLE_REFERENCE = /^\$\{[^}]*\}$/u;

/** YAML's own idea of a number or a boolean, for values that only the environment gives. */
function toPlainValue(text: string): string | number | boolean {
  if (/^(?:true|false)$/u.test(text)) return text === "true";
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text) ? Number(text) : text;
}

const UNSET = /^variable \$\{[^}]*\} must be set$/u;

/** True of a problem that another environment has not: its variable is not set in this one. */
export const isUnset = ({ message }: Pick<Problem, "message">): boolean => UNSET.test(message);

/**
 * Puts the environment into the values of a tree. Below `api` a variable that is not set means
 * "not configured": the field vanishes, and without base URL the embedded service is used.
 */
export function expandTree(
  root: TreeNode,
  env: Environment,
  file: string,
): { root: TreeNode; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (scalar: ScalarNode, path: TreePath, message: string, hint: string): void => {
    const where = { file, ...scalar.place, field: toFieldName(path) };
    problems.push({ message, where, hint });
  };
  const expand = (scalar: ScalarNode, path: TreePath): ScalarNode | undefined => {
    if (!scalar.text.includes("$") || typeof scalar.value !== "string") return scalar;
    const { text, problems: found, unset } = expandText(scalar.text, env);
    for (const { problem, hint } of found) report(scalar, path, problem, hint);
    if (unset.length > 0 && path[0] === "api") return undefined;
    for (const name of unset) {
      const hint = `set ${name}, or give a default: \${${name}:-…}`;
      report(scalar, path, `variable \${${name}} must be set`, hint);
    }
    const value = WHOLE_REFERENCE.test(scalar.text) ? toPlainValue(text) : text;
    return { ...scalar, value, text, quoted: true, textColumn: undefined };
  };
  return { root: mapScalars(root, expand) ?? root, problems };
}
