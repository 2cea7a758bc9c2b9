/** The order in which a line is read, and that in which it stands (Unicode Annex 9). The only file that imports bidi-js. */
import bidiFactory, { type Bidi } from "bidi-js";

/** A stretch of one direction; `end` is behind its last character. */
export interface DirectedRun {
  readonly start: number;
  readonly end: number;
  readonly isRtl: boolean;
}

let opened: Bidi | undefined;

/**
 * Loaded on demand: most jobs never need it. The package is CommonJS, though its types say
 * otherwise.
 */
function bidi(): Bidi {
  opened ??= (bidiFactory as unknown as () => Bidi)();
  return opened;
}

/** Letters that are written from the right, and marks that turn the direction of writing. */
const MAY_TURN =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const RIGHT_TO_LEFT_MARK = "\u200f";
const LEFT_TO_RIGHT_MARK = "\u200e";

/** True when a paragraph's first letter is one that is written from the right. */
export function isRightToLeft(text: string): boolean {
  return MAY_TURN.test(text) && bidi().getEmbeddingLevels(text).paragraphs[0]?.level === 1;
}

/** Marks that stand for letters of a direction and show nothing, by the letters' type. */
const marks: Readonly<Record<string, string>> = {
  L: LEFT_TO_RIGHT_MARK,
  R: RIGHT_TO_LEFT_MARK,
  AL: "\u061c",
};

const markOf = (char: string): string => marks[bidi().getBidiCharTypeName(char)] ?? "";

const firstMark = (text: string): string =>
  markOf(Array.from(text).find((char) => markOf(char) !== "") ?? "");

const lastMark = (text: string): string =>
  markOf(Array.from(text).findLast((char) => markOf(char) !== "") ?? "");

/**
 * The lines of a paragraph, each with marks for the paragraph's direction and for the letters
 * before and behind it: digits and signs at its ends then stand as they do in the paragraph.
 */
export function keepDirection(lines: readonly string[], paragraph: string): readonly string[] {
  if (lines.length < 2 || !MAY_TURN.test(paragraph)) return lines;
  const base = isRightToLeft(paragraph) ? RIGHT_TO_LEFT_MARK : LEFT_TO_RIGHT_MARK;
  return lines.map((line, i) => {
    const before = lastMark(lines.slice(0, i).join(""));
    const behind = firstMark(lines.slice(i + 1).join(""));
    return `${base}${before}${line}${behind}`;
  });
}

/** A line in the direction of our own words, even if it begins with others. */
export function asLeftToRight(text: string): string {
  return isRightToLeft(text) ? LEFT_TO_RIGHT_MARK + text : text;
}

/** Foreign words among ours: digits and signs beside them keep their places. */
export function apart(text: string): string {
  return MAY_TURN.test(text) ? `\u2068${text}\u2069` : text;
}

/** A bracket as it stands in text that is read from the right. */
export function mirrored(char: string): string {
  return bidi().getMirroredCharacter(char) ?? char;
}

/** Stretches of a line from left to right. */
export function toVisualRuns(text: string): DirectedRun[] {
  if (!MAY_TURN.test(text)) return [{ start: 0, end: text.length, isRtl: false }];
  const embedding = bidi().getEmbeddingLevels(text);
  const runs: { start: number; end: number; isRtl: boolean; level: number }[] = [];
  for (const at of bidi().getReorderedIndices(text, embedding)) {
    const level = embedding.levels[at] ?? 0;
    const isRtl = level % 2 === 1;
    const last = runs.at(-1);
    if (last?.level === level && at === (isRtl ? last.start - 1 : last.end)) {
      if (isRtl) last.start = at;
      else last.end = at + 1;
    } else {
      runs.push({ start: at, end: at + 1, isRtl, level });
    }
  }
  return runs.map(({ start, end, isRtl }) => ({ start, end, isRtl }));
}
