/**
 * Imports and exports of a TypeScript source, found in its tokens: TypeScript 7 has no compiler API
 * in JavaScript. It knows comments, strings, templates and regular expressions, so text that only
 * looks like an import doesn't count.
 */

export interface Import {
  /** As written: `./x.ts`, `node:fs`, `zod`. */
  readonly from: string;
  /**
   * `value` loads the module when the importer loads, `type` never (`import type`), `lazy` later
   * (`import()`, `require()`), `url` only names a file (`new URL("./x.ts", import.meta.url)`).
   */
  readonly kind: "value" | "type" | "lazy" | "url";
}

export interface Scanned {
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
}

interface Token {
  readonly kind: "word" | "string" | "mark";
  readonly text: string;
}

const WORD = /[\p{L}\p{N}_$#]+/uy;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/suy;
const COMMENT = /\/\/[^\n]*|\/\*.*?\*\//suy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/uy;
// After these a slash begins a regular expression; after anything else it divides.
const BEFORE_REGEX_WORDS = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "await",
  "yield",
  "void",
]);

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

const isRegexAllowed = (last: Token | undefined): boolean =>
  last === undefined ||
  (last.kind === "word"
    ? BEFORE_REGEX_WORDS.has(last.text)
    : last.kind === "mark" && !/[)\]}]/u.test(last.text));

class Lexer {
  readonly tokens: Token[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads to the end, or to the brace that closes the `${` it stands in. */
  run(isInsideTemplate = false): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const character = this.#source[this.#at] ?? "";
      if (isInsideTemplate && character === "}" && depth === 0) return;
      if (character === "{") depth += 1;
      if (character === "}") depth -= 1;
      this.#step(character);
    }
  }

  #step(character: string): void {
    if (/\s/u.test(character)) this.#at += 1;
    else if (this.#skip(COMMENT)) return;
    else if (character === "`") this.#template();
    else if (this.#take("string", STRING) || this.#take("word", WORD)) return;
    else if (character === "/" && isRegexAllowed(this.tokens.at(-1)) && this.#skip(REGEX)) {
      this.tokens.push({ kind: "string", text: "" });
    } else {
      this.tokens.push({ kind: "mark", text: character });
      this.#at += 1;
    }
  }

  #skip(pattern: RegExp): boolean {
    const text = matchAt(pattern, this.#source, this.#at);
    this.#at += text?.length ?? 0;
    return text !== undefined;
  }

  #take(kind: "word" | "string", pattern: RegExp): boolean {
    const text = matchAt(pattern, this.#source, this.#at);
    if (text === undefined) return false;
    this.#at += text.length;
    this.tokens.push({ kind, text: kind === "string" ? text.slice(1, -1) : text });
    return true;
  }

  /** The text of a template counts for nothing, what stands in `${}` does. */
  #template(): void {
    this.#at += 1;
    const isPlain = this.tokens.length;
    let text = "";
    while (this.#at < this.#source.length && this.#source[this.#at] !== "`") {
      if (this.#source.startsWith("${", this.#at)) {
        this.#at += 2;
        this.run(true);
      } else {
        if (this.#source[this.#at] === "\\") this.#at += 1;
        text += this.#source[this.#at] ?? "";
      }
      this.#at += 1;
    }
    this.#at += 1;
    const hasHoles = this.tokens.length > isPlain;
    this.tokens.push({ kind: "string", text: hasHoles ? "" : text });
  }
}

class Scanner {
  readonly #tokens: readonly Token[];
  readonly imports: Import[] = [];
  hasDefaultExport = false;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  scan(): void {
    this.#tokens.forEach((token, i) => {
      if (token.kind !== "word" || this.#is(i - 1, ".")) return;
      if (token.text === "import") this.#import(i + 1);
      if (token.text === "export") this.#export(i + 1);
      if (token.text === "URL") this.#url(i + 1);
      if (token.text === "require" || token.text === "createRequire") this.#require(i + 1);
    });
  }

  #is(i: number, text: string): boolean {
    const token = this.#tokens[i];
    return token !== undefined && token.kind !== "string" && token.text === text;
  }

  #add(i: number, kind: Import["kind"]): void {
    const token = this.#tokens[i];
    if (token?.kind === "string") this.imports.push({ from: token.text, kind });
  }

  #import(at: number): void {
    if (this.#is(at, ".")) return;
    if (this.#is(at, "(")) {
      this.#add(at + 1, this.#is(at - 2, "typeof") ? "type" : "lazy");
    } else if (this.#tokens[at]?.kind === "string") {
      this.#add(at, "value");
    } else {
      this.#fromClause(at, this.#isTypeOnly(at) ? "type" : "value");
    }
  }

  /** `type` is the keyword, unless it is itself the name that is imported. */
  #isTypeOnly(at: number): boolean {
    if (!this.#is(at, "type")) return false;
    if (this.#is(at + 1, ",") || this.#is(at + 1, "=")) return false;
    return !this.#is(at + 1, "from") || this.#is(at + 2, "from");
  }

  /** Names, braces, commas and stars, then `from` and the module. */
  #fromClause(at: number, kind: Import["kind"]): void {
    for (let i = at; i < this.#tokens.length; i += 1) {
      if (this.#is(i, "from") && this.#tokens[i + 1]?.kind === "string") {
        this.#add(i + 1, kind);
        return;
      }
      const token = this.#tokens[i];
      const isClause = token?.kind === "word" || /^[{},*]$/u.test(token?.text ?? "");
      if (!isClause) return;
    }
  }

  #export(at: number): void {
    if (this.#is(at, "default")) this.hasDefaultExport = true;
    const isType = this.#is(at, "type");
    const list = isType ? at + 1 : at;
    if (this.#is(list, "*")) this.#fromClause(list, isType ? "type" : "value");
    if (!this.#is(list, "{")) return;
    let end = list;
    while (end < this.#tokens.length && !this.#is(end, "}")) {
      if (this.#is(end, "as") && this.#is(end + 1, "default")) this.hasDefaultExport = true;
      end += 1;
    }
    if (this.#is(end + 1, "from")) this.#add(end + 2, isType ? "type" : "value");
  }

  /** `new URL("./x.ts", import.meta.url)` */
  #url(at: number): void {
    const rest = ["import", ".", "meta", ".", "url"];
    const isOurs = this.#is(at, "(") && rest.every((text, i) => this.#is(at + 3 + i, text));
    if (isOurs) this.#add(at + 1, "url");
  }

  /** `require("x")`, `require.resolve("x")`, `createRequire(…)("x")` */
  #require(at: number): void {
    let i = at;
    if (this.#is(i, ".")) i += 2;
    if (!this.#is(i, "(")) return;
    if (this.#tokens[i + 1]?.kind === "string") {
      this.#add(i + 1, "lazy");
      return;
    }
    for (let depth = 0; i < this.#tokens.length; i += 1) {
      if (this.#is(i, "(")) depth += 1;
      if (this.#is(i, ")")) depth -= 1;
      if (depth === 0) break;
    }
    if (this.#is(i + 1, "(")) this.#add(i + 2, "lazy");
  }
}

export function scanSource(source: string): Scanned {
  const lexer = new Lexer(source);
  lexer.run();
  const scanner = new Scanner(lexer.tokens);
  scanner.scan();
  return { imports: scanner.imports, hasDefaultExport: scanner.hasDefaultExport };
}
