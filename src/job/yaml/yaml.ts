import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from "yaml";

import { type Problem, toMessage } from "../../base/errors.ts";

import type { MapEntry, Place, ScalarNode, TreeNode } from "./tree.ts";

const MAX_DEPTH = 40;
/** Aliases are followed; a few lines of them can mean millions of nodes. */
const MAX_NODES = 20_000;
const MAX_FLOW_DEPTH = 40;
const KNOWN_TAGS = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/u;
const RESERVED_KEYS = new Set(["__proto__", "constructor", "prototype"]);

export interface ParsedText {
  /** Undefined when nothing can be made of the text. */
  readonly root: TreeNode | undefined;
  readonly problems: readonly Problem[];
  /** True when it is no valid YAML: `root` may not be what people meant. */
  readonly isBroken: boolean;
}

/** Thrown inside this file when the document is too big to go on. */
class TooMuch extends Error {}

class Converter {
  readonly problems: Problem[] = [];
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #file: string;
  #nodes = 0;

  constructor(document: Document, lines: LineCounter, file: string) {
    this.#document = document;
    this.#lines = lines;
    this.#file = file;
  }

  place(offset: number | undefined): Place {
    if (offset === undefined) return {};
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  report(message: string, place: Place, hint?: string): void {
    this.problems.push({ message, where: { file: this.#file, ...place }, hint });
  }

  convert(node: unknown, depth = 0): TreeNode {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES)
      throw new TooMuch(`manifest must have at most ${MAX_NODES} values`);
    if (depth > MAX_DEPTH) throw new TooMuch(`manifest must nest at most ${MAX_DEPTH} levels deep`);
    if (isAlias(node)) return this.#convertAlias(node, depth);
    const at = this.place((node as Node | null)?.range?.[0]);
    this.#checkTag(node, at);
    if (isMap(node)) {
      return { kind: "map", place: at, entries: this.#convertEntries(node.items, depth) };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.convert(item, depth + 1));
      return { kind: "list", place: at, items };
    }
    return toScalar(node, at);
  }

  #convertAlias(node: Node, depth: number): TreeNode {
    const target = isAlias(node) ? node.resolve(this.#document) : undefined;
    const at = this.place(node.range?.[0]);
    if (target === undefined) {
      this.report("alias must name an anchor above it, got one that is not there", at);
      return toScalar(undefined, at);
    }
    return this.convert(target, depth + 1);
  }

  #checkTag(node: unknown, at: Place): void {
    const tag = (node as { tag?: string } | null)?.tag;
    if (tag === undefined || KNOWN_TAGS.test(tag)) return;
    this.report(`value must be without a tag, got ${JSON.stringify(tag)}`, at, "leave the tag out");
  }

  #convertEntries(pairs: readonly Pair[], depth: number): MapEntry[] {
    const seen = new Map<string, Place>();
    const entries: MapEntry[] = [];
    for (const pair of pairs) {
      const place = this.place((pair.key as Node | null)?.range?.[0]);
      const key = this.#readKey(pair.key, place);
      if (key === undefined) continue;
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, place);
        entries.push({ key, place, node: this.convert(pair.value, depth + 1) });
      } else {
        const message = `"${key}" must stand here once, got it again (first on line ${first.line})`;
        this.report(message, place, "remove one of the two");
      }
    }
    return entries;
  }

  #readKey(node: unknown, place: Place): string | undefined {
    const key = isScalar(node) ? toScalar(node, place).text : undefined;
    if (key === undefined) {
      this.report("key must be plain text, got a map or a list", place, "put the text in quotes");
    } else if (RESERVED_KEYS.has(key)) {
      this.report(`key must not be a reserved word, got "${key}"`, place, "choose another name");
      return undefined;
    }
    return key;
  }
}

const isPlainValue = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function toScalar(node: unknown, place: Place): ScalarNode {
  if (!isScalar(node)) return { kind: "scalar", place, value: null, text: "", quoted: false };
  const quoted = node.type !== "PLAIN";
  const value = isPlainValue(node.value) ? node.value : null;
  const text = node.source ?? String(value ?? "");
  const textColumn = findTextColumn(node, text, place);
  return { kind: "scalar", place, value, text, quoted, textColumn };
}

/** Where the text begins, when the file has it letter by letter on one line. */
function findTextColumn(node: Scalar, text: string, { column }: Place): number | undefined {
  const [start = 0, end = 0] = node.range ?? [];
  const quotes = node.type === "PLAIN" ? 0 : 1;
  const isVerbatim = end - start === text.length + 2 * quotes && !text.includes("\n");
  return isVerbatim && column !== undefined ? column + quotes : undefined;
}

/**
 * The parser recurses over nested collections and the process dies of it when they are too deep,
 * so depth is bounded before. Quotes are not looked at: a real manifest stays far below.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest > MAX_FLOW_DEPTH || /(?:[-?:][ \t]+){40}/u.test(text) || /^ {400}/mu.test(text);
}

/** The first line of the parser's message, without its own place. */
function toSyntaxMessage(message: string): string {
  const [first = ""] = message.split("\n");
  return `YAML must be well-formed: ${first.replace(/ at line \d+, column \d+:?$/u, "")}`;
}

/**
 * YAML 1.2 or JSON -> tree. Throws nothing: lists all problems, and returns the part that can be
 * read.
 */
export function parseYaml(text: string, file: string): ParsedText {
  const whole = { file, line: 1, column: 1 };
  if (isTooDeep(text)) {
    const message = `manifest must nest at most ${MAX_DEPTH} levels deep`;
    return { root: undefined, problems: [{ message, where: whole }], isBroken: true };
  }
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
    const converter = new Converter(document, lines, file);
    for (const error of document.errors) {
      converter.report(toSyntaxMessage(error.message), converter.place(error.pos[0]));
    }
    if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== "1.2") {
      converter.report("YAML must be version 1.2, got another %YAML line", { line: 1, column: 1 });
    }
    const isEmpty = document.contents === null;
    const root = isEmpty ? undefined : converter.convert(document.contents);
    return { root, problems: converter.problems, isBroken: document.errors.length > 0 };
  } catch (error) {
    const problems = [{ message: toMessage(error), where: whole }];
    return { root: undefined, problems, isBroken: true };
  }
}
