/** Text for people on a terminal: wrapped at spaces, words that judge in colour. Pipes get it plain. */
import { styleText } from "node:util";

import { showCommands, toProgramLine } from "../base/text/program-words.ts";
import type { CliContext } from "./context.ts";

type Style = Parameters<typeof styleText>[0];

/** Beginnings of lines, or whole lines -> how they look. The first that fits counts. */
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/^error:/u, ["bold", "red"]],
  [/^(?: {2})?failed:/u, "red"],
  [/^warning:/u, "yellow"],
  [/^Plan for .*/u, "bold"],
  [/^Done: .*/u, ["bold", "green"]],
  [/^(?:Done, |Interrupted: ).*/u, ["bold", "yellow"]],
  [/^ {2}REHEARSAL\b/u, ["bold", "yellow"]],
  [/^ {2}warning\b/u, "yellow"],
  [/^ {2}(?:bad (?:row|code)|FAILED)\b/u, "red"],
  [/^ {2}ok\b(?= {2})/u, "green"],
  [/^ *→/u, "cyan"],
  [/^(?:ready for press|every picture was read back|all is well)$/u, ["bold", "green"]],
  [/^not ready for press/u, ["bold", "red"]],
];

/** The same line with its beginning in colour. */
export function paintLine(line: string): string {
  const [pattern, style] = STYLES.find(([one]) => one.test(line)) ?? [];
  if (pattern === undefined || style === undefined) return line;
  return line.replace(pattern, (found) => styleText(style, found, { validateStream: false }));
}

const MAX_INDENT_SHARE = 0.5;

/** The part before the text of a line: its indent, a label with its gap, or an arrow. */
const HANGING = /^ *(?:→ |\S+(?: \S+)* {2,})?/u;

function toIndent(line: string, width: number): string {
  const plain = /^ */u.exec(line)?.[0].length ?? 0;
  const hanging = HANGING.exec(line)?.[0].length ?? 0;
  const hasLabel = hanging > plain && hanging <= width * MAX_INDENT_SHARE;
  return " ".repeat(hasLabel ? hanging : plain + 2);
}

/** In backquotes, a command from the program that it begins with, or what has no space. */
const WORD = /`[^`]*`\S*|(?:(?:npx )?makeready|node (?:\S*|(['"]).*?)main\.js\1) \S.*|\S+/gu;

/** Words; a command up to the end of the line is one, so that it can be copied whole. */
const toWords = (text: string): string[] => text.match(WORD) ?? [];

const countLetters = (text: string): number => Array.from(text).length;

/** The pieces of a line that fit the width; words that are longer stay whole. */
export function wrapLine(line: string, width: number): string[] {
  if (countLetters(line) <= width) return [line];
  const head = HANGING.exec(line)?.[0] ?? "";
  const indent = toIndent(line, width);
  const lines: string[] = [];
  let current = head;
  let isEmpty = true;
  for (const word of toWords(line.slice(head.length))) {
    const next = isEmpty ? current + word : `${current} ${word}`;
    if (!isEmpty && countLetters(next) > width) {
      lines.push(current);
      current = indent + word;
    } else {
      current = next;
    }
    isEmpty = false;
  }
  return [...lines, current];
}

export interface Terminal {
  /** In characters; undefined without a terminal. */
  readonly width: number | undefined;
  readonly hasColor: boolean;
}

/** Text of whole lines as the terminal shows it. */
export function toTerminalText(text: string, { width, hasColor }: Terminal): string {
  const lines = text.split("\n");
  const wrapped = width === undefined ? lines : lines.flatMap((line) => wrapLine(line, width));
  return (hasColor ? wrapped.map(paintLine) : wrapped).join("\n");
}

/**
 * `FORCE_COLOR` decides where it is set (0 and false: no colours), then `NO_COLOR`; else a terminal
 * has colours and a pipe has none.
 */
export function wantsColor(
  { FORCE_COLOR: force, NO_COLOR: no, TERM: term }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (force !== undefined) return force !== "0" && force !== "false";
  if (no !== undefined && no !== "") return false;
  return isTerminal && term !== "dumb";
}

/** Where text for people goes; text for programs goes through the context as it is. */
export function toPeople(context: CliContext): Pick<CliContext, "out" | "err"> {
  const { out, err, outWidth, terminalWidth, colors = { out: false, err: false } } = context;
  const program = toProgramLine(context);
  const show = (text: string, terminal: Terminal): string =>
    toTerminalText(showCommands(text, program), terminal);
  return {
    out: (text) => out(show(text, { width: outWidth, hasColor: colors.out })),
    err: (text) => err(show(text, { width: terminalWidth, hasColor: colors.err })),
  };
}
