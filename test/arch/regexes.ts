/** Every regular expression of a source, and whether its time may grow faster than the text it reads. */
import { createRequire } from "node:module";

import { parseSync, Visitor, type Argument } from "oxc-parser";
import { checkSync } from "recheck";

const { version } = createRequire(import.meta.url)("recheck/package.json") as { version: string };

// The checker as JavaScript: it would look for a Java or native one otherwise.
process.env["RECHECK_BACKEND"] = "pure";

/** A regular expression and where it stands. */
export interface FoundRegex {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  readonly flags: string;
}

export interface FoundRegexes {
  readonly literals: readonly FoundRegex[];
  /** `new RegExp(…)` and texts that `match`, `matchAll` and `search` make one of: `file:line: code`. */
  readonly built: readonly string[];
}

const BUILDERS: ReadonlySet<string> = new Set(["match", "matchAll", "search"]);

const isText = (argument: Argument | undefined): boolean =>
  argument?.type === "TemplateLiteral" ||
  (argument?.type === "Literal" && typeof argument.value === "string");

/** Throws for a source that is no TypeScript. */
export function findRegexes(file: string, source: string): FoundRegexes {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const literals: FoundRegex[] = [];
  const built: string[] = [];
  const lineOf = (at: number): number => source.slice(0, at).split("\n").length;
  const build = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    built.push(`${file}:${lineOf(start)}: ${source.slice(start, end)}`);
  };
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      const { pattern, flags } = node.regex;
      literals.push({ file, line: lineOf(node.start), pattern, flags });
    },
    NewExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "RegExp") build(node);
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type === "Identifier" && callee.name === "RegExp") build(node);
      const isMatch =
        callee.type === "MemberExpression" &&
        callee.property.type === "Identifier" &&
        BUILDERS.has(callee.property.name);
      if (isMatch && isText(node.arguments[0])) build(node);
    },
  }).visit(program);
  return { literals, built };
}

/** Without one of these a match has a length that the pattern bounds. */
const REPEATS = /[*+]|\{\d*,\}|\d{2,}\}/u;

/**
 * Neither the clock nor chance has a part in the verdict. Look-behinds and long counts are judged by
 * trial, the others by proof.
 */
const settings = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  randomSeed: 1,
  maxIteration: 2,
  maxInitialGenerationSize: 60,
  maxGenerationSize: 30,
  incubationLimit: 10_000,
} as const;

/** Who judges and how: another one judges all anew. */
export const judge = `recheck ${version} ${JSON.stringify(settings)}`;

/** Undefined when it is linear; else how fast its time grows, and a text that shows it. */
export function findGrowth({
  pattern,
  flags,
}: Pick<FoundRegex, "pattern" | "flags">): string | undefined {
  if (!REPEATS.test(pattern)) return undefined;
  // The checker reads u: what means something else under v, it refuses.
  const verdict = checkSync(pattern, flags.replace("v", "u"), settings);
  if (verdict.status === "safe") return undefined;
  if (verdict.status === "unknown") return `can't be judged (${verdict.error.kind})`;
  return `${verdict.complexity.summary}, as with ${verdict.attack.pattern}`;
}
