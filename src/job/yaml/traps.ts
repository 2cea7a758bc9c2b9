/**
 * Finds text that YAML reads in another way than people mean, with the exact fix: `#111111`, `{{ x
 * }}` and `{{ x }}.png` without quotes, and `${X}` without quotes between braces. Lost zeros are
 * found where values are checked.
 */
import type { Problem } from "../../base/errors.ts";

interface Trap {
  /** Offset of the first character of the value. */
  readonly start: number;
  readonly end: number;
  readonly problem: Problem;
}

export interface TrapFindings {
  /** The text with every trapped value replaced by a quoted filler of the same length. */
  readonly text: string;
  readonly problems: readonly Problem[];
}

const COLOUR = /^#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![^\s,\]}])/iu;
const BLOCK_SCALAR = /(?:^|[\s:-])[|>][-+0-9]*[ \t]*(?:#[^]*)?$/u;

interface Line {
  readonly number: number;
  readonly start: number;
  readonly text: string;
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const [at, line] of text.split("\n").entries()) {
    lines.push({ number: at + 1, start, text: line.replace(/\r$/u, "") });
    start += line.length + 1;
  }
  return lines;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isBlank = (line: string): boolean => line.trim() === "";

/** Lines of `|` and `>` texts, in which nothing is special. */
function markBlockScalars(lines: readonly Line[]): Set<number> {
  const inside = new Set<number>();
  let owner: number | undefined;
  for (const line of lines) {
    if (owner !== undefined && (isBlank(line.text) || indentOf(line.text) > owner)) {
      inside.add(line.number);
      continue;
    }
    owner = BLOCK_SCALAR.test(line.text) ? indentOf(line.text) : undefined;
  }
  return inside;
}

/** State that carries over from one line to the next. */
interface WalkState {
  quote: string;
  /** Open brackets and braces. */
  depth: number;
}

interface Candidate {
  readonly start: number;
  readonly isFlow: boolean;
}

/** True where YAML takes the next character for the first of a value. */
function beginsValue(text: string, at: number, state: WalkState): boolean {
  const before = text.slice(0, at).trimEnd();
  if (before === "") return true;
  const last = before.charAt(before.length - 1);
  if (state.depth > 0 && ",[{".includes(last)) return true;
  const hasGap = before.length < at;
  const isAlone = isBlank(before.charAt(before.length - 2));
  return hasGap && (last === ":" || ("-?".includes(last) && isAlone));
}

/** First character of the plain text that reaches up to `at`. */
function startOfPlain(text: string, at: number): number {
  const before = text.slice(0, at);
  const structure = /^.*(?:[,[{]|:\s|(?:^|\s)-\s)\s*/u.exec(before)?.[0].length ?? 0;
  return structure + (before.slice(structure).length - before.slice(structure).trimStart().length);
}

/** Index behind the quoted text that goes on at `from`; the end of the line when it stays open. */
function skipQuoted(text: string, from: number, state: WalkState): number {
  for (let i = from; i < text.length; i += 1) {
    if (state.quote === '"' && text.charAt(i) === "\\") i += 1;
    else if (text.charAt(i) === state.quote) {
      state.quote = "";
      return i + 1;
    }
  }
  return text.length;
}

/** Answers the end of a trapped value, or its start when there is no trap. */
type Take = (candidate: Candidate) => number;

/** End of the trapped value around or behind `at`; `at` itself when there is none. */
function takeTrap(text: string, at: number, state: WalkState, take: Take): number {
  const isFlow = state.depth > 0;
  const isStart = beginsValue(text, at, state);
  const isTemplate = text.startsWith("{{", at) && (isStart || isFlow);
  const isVariable = text.startsWith("${", at) && isFlow;
  const isRemark = text.startsWith("#", at) && isStart;
  if (!isTemplate && !isVariable && !isRemark) return at;
  return Math.max(at, take({ start: isStart ? at : startOfPlain(text, at), isFlow }));
}

/**
 * Goes over one character that is no trap; returns the index behind it and the bracket that it
 * opens.
 */
function stepOver(text: string, at: number, state: WalkState): number {
  const character = text.charAt(at);
  const isStart = beginsValue(text, at, state);
  if (character === "#" && /^\s?$/u.test(text.charAt(at - 1))) return text.length;
  if (isStart && /["']/u.test(character)) {
    state.quote = character;
    return skipQuoted(text, at + 1, state);
  }
  if (/[[{]/u.test(character) && (isStart || state.depth > 0)) state.depth += 1;
  if (/[\]}]/u.test(character)) state.depth = Math.max(0, state.depth - 1);
  return at + 1;
}

/** Walks over one line outside quotes. */
function walkLine(text: string, state: WalkState, take: Take): void {
  let at = state.quote === "" ? 0 : skipQuoted(text, 0, state);
  while (at < text.length) {
    // Blanks begin nothing; the character behind them looks back over them, once.
    if (isBlank(text.charAt(at))) {
      at += 1;
      continue;
    }
    const behind = takeTrap(text, at, state, take);
    at = behind > at ? behind : stepOver(text, at, state);
  }
}

/** End of an unquoted value with `{{ … }}` or `${…}` in it. In a flow collection `,`, `]` and `}` end it. */
function endOfTemplate(text: string, { start, isFlow }: Candidate): number {
  let i = start;
  while (i < text.length) {
    const opens = ["{{", "${"].find((one) => text.startsWith(one, i));
    if (opens !== undefined) {
      const closes = opens === "{{" ? "}}" : "}";
      const close = text.indexOf(closes, i);
      if (close < 0) return text.trimEnd().length;
      i = close + closes.length;
      continue;
    }
    if (isFlow && /[,\]}]/u.test(text.charAt(i))) break;
    if (text.startsWith(" #", i)) break;
    i += 1;
  }
  return start + text.slice(start, i).trimEnd().length;
}

/** `key: #abc` above deeper lines is a key with a remark, not a colour. */
function hasChildren(lines: readonly Line[], at: number): boolean {
  const own = lines[at];
  const next = lines.slice(at + 1).find((line) => !isBlank(line.text));
  return own !== undefined && next !== undefined && indentOf(next.text) > indentOf(own.text);
}

const quoteFor = (value: string): string => (value.includes('"') ? `'${value}'` : `"${value}"`);

function makeTrap(line: Line, span: readonly [number, number], file: string): Trap {
  const text = line.text.slice(span[0], span[1]);
  const value = COLOUR.exec(text)?.[0] ?? text;
  const isColour = value.startsWith("#");
  const why = isColour
    ? "an unquoted # begins a remark, so the value is lost"
    : "an unquoted { begins a map";
  return {
    start: line.start + span[0],
    end: line.start + span[1],
    problem: {
      message: `${isColour ? "colour" : value.includes("{{") ? "template" : "variable"} must be in quotes, got ${value} (${why})`,
      where: { file, line: line.number, column: span[0] + 1 },
      hint: `write ${quoteFor(value)}`,
    },
  };
}

/** End of the trapped value that begins here; its start when there is no trap. */
function endOfTrap(lines: readonly Line[], at: number, candidate: Candidate): number {
  const { start } = candidate;
  const text = lines[at]?.text ?? "";
  if (!text.slice(start).startsWith("#")) return endOfTemplate(text, candidate);
  const colour = COLOUR.exec(text.slice(start))?.[0] ?? "";
  const isRemark = text.slice(0, start).trim() === "" || hasChildren(lines, at);
  if (isRemark || colour === "") return start;
  return candidate.isFlow ? start + colour.length : text.length;
}

const fillerOf = (length: number): string => `"${"x".repeat(Math.max(0, length - 2))}"`;

/** Finds `#111111`, `{{ x }}` and `{{ x }}.png` without quotes. */
export function findTraps(text: string, file: string): TrapFindings {
  const lines = splitLines(text);
  const literal = markBlockScalars(lines);
  const traps: Trap[] = [];
  const state: WalkState = { quote: "", depth: 0 };
  for (const [at, line] of lines.entries()) {
    if (literal.has(line.number)) continue;
    walkLine(line.text, state, (candidate) => {
      const end = endOfTrap(lines, at, candidate);
      if (end > candidate.start) traps.push(makeTrap(line, [candidate.start, end], file));
      return end;
    });
  }
  let repaired = "";
  let done = 0;
  for (const { start, end } of traps) {
    repaired += text.slice(done, start) + fillerOf(end - start);
    done = end;
  }
  return { text: repaired + text.slice(done), problems: traps.map(({ problem }) => problem) };
}
