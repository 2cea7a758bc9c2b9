/** The rules of GS1's dictionary for each application identifier (AI). */
import { aiTable } from "./ai-table.ts";
import { findLint, type Lint } from "./lint.ts";

/** One part of a value. Lengths in characters. */
export interface Part {
  readonly min: number;
  readonly max: number;
  readonly isOptional: boolean;
  /** The check of its characters first, then further checks. */
  readonly lints: readonly Lint[];
}

export interface ApplicationIdentifier {
  readonly ai: string;
  readonly title: string;
  readonly parts: readonly Part[];
  /** Every reader knows its length: no separator follows (`*` in the dictionary). */
  readonly isFixed: boolean;
  /** Allowed in the query of a Digital Link (`?` in the dictionary). */
  readonly isAttribute: boolean;
  /** For each rule, one of its groups must be there completely. `n` in a name is any digit. */
  readonly requires: readonly (readonly (readonly string[])[])[];
  /** None of these may be there too. `n` is any digit. */
  readonly excludes: readonly string[];
  /** The path qualifiers in order, one list per alternative; undefined when the AI is no key. */
  readonly qualifiers: readonly (readonly string[])[] | undefined;
}

const characterLints: Readonly<Record<string, string>> = {
  N: "csetnumeric",
  X: "cset82",
  Y: "cset39",
  Z: "cset64",
};

/** `[N..12],csum` -> part. */
function readPart(text: string): Part {
  const [spec = "", ...names] = text.replaceAll(/[[\]]/gu, "").split(",");
  const max = Number(spec.replace(/^\D+/u, ""));
  const lints = [characterLints[spec.charAt(0)] ?? "", ...names].flatMap(
    (name) => findLint(name) ?? [],
  );
  return {
    min: spec.includes("..") ? 1 : max,
    max,
    isOptional: text.startsWith("["),
    lints,
  };
}

const valueOf = (word: string): string => word.slice(word.indexOf("=") + 1);

function readQualifiers(words: readonly string[]): ApplicationIdentifier["qualifiers"] {
  const word = words.find((each) => /^dlpkey(?:=|$)/u.test(each));
  if (word === undefined) return undefined;
  if (!word.includes("=")) return [];
  return valueOf(word)
    .split("|")
    .map((sequence) => sequence.split(","));
}

/** `00`, or `3100-3105` for six of them. */
function readNames(text: string): string[] {
  const [from = "", to = from] = text.split("-");
  const count = Number(to) - Number(from) + 1;
  return Array.from({ length: count }, (_, i) =>
    String(Number(from) + i).padStart(from.length, "0"),
  );
}

function readLine(line: string): ApplicationIdentifier[] {
  const [ais = "", flags = "", parts = "", attributes = "", title = ""] = line.split(";");
  const words = attributes.split(" ");
  const lists = (key: string): string[] =>
    words.filter((word) => word.startsWith(key)).map(valueOf);
  const rules = {
    title,
    parts: parts.split(" ").map(readPart),
    isFixed: flags.includes("*"),
    isAttribute: flags.includes("?"),
    requires: lists("req=").map((list) => list.split(",").map((group) => group.split("+"))),
    excludes: lists("ex=").flatMap((list) => list.split(",")),
    qualifiers: readQualifiers(words),
  };
  return readNames(ais).map((ai) => ({ ai, ...rules }));
}

const table: ReadonlyMap<string, ApplicationIdentifier> = new Map(
  aiTable
    .trim()
    .split("\n")
    .flatMap(readLine)
    .map((entry) => [entry.ai, entry]),
);

/** The rules of an AI, or undefined for one that GS1 doesn't know. */
export function findAi(ai: string): ApplicationIdentifier | undefined {
  return table.get(ai);
}

/** True when `ai` fits a name with `n` for any digit, such as `35nn`. */
export function isMeant(name: string, ai: string): boolean {
  if (!name.includes("n")) return name === ai;
  return name.length === ai.length && Array.from(name).every((c, i) => c === "n" || c === ai[i]);
}
