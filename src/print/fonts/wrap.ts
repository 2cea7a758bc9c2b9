/** Words -> lines of a width. */
import { keepDirection } from "./bidi.ts";
import type { CaptionFont } from "./font.ts";
import { isShaped, toLetters, toWordParts } from "./scripts.ts";

export interface Measure {
  readonly font: CaptionFont;
  readonly sizePt: number;
  readonly widthPt: number;
}

export const fitsLine = (text: string, { font, sizePt, widthPt }: Measure): boolean =>
  font.widthPt(text, sizePt) <= widthPt + 1e-6;

const FEW_LETTERS = 64;
/** Letters that join may be narrower on lines than as a whole. */
const SLACK = 1.2;

/**
 * The letters from `from` on; of more than fit with `end` behind them, some that don't: a text without end is
 * neither measured nor copied again for each of its lines.
 */
export function nearLine(
  letters: readonly string[],
  { from = 0, end = "", ...measure }: Measure & { readonly from?: number; readonly end?: string },
): readonly string[] {
  for (let count = FEW_LETTERS; from + count < letters.length; count *= 2) {
    const near = letters.slice(from, from + count);
    if (!fitsLine(near.slice(0, -2).join("") + end, measure)) return near;
  }
  return letters.slice(from);
}

const DASH = /^[-–—/·|]$/u;

/** The best places to cut a long word: after these characters. */
const SOFT_BREAK = /[-/?&=._]/u;

const HYPHEN = "-";
const LETTER = /^[\p{L}\p{N}]$/u;
const VOWEL =
  /^[aeiouy\u00e0-\u00e6\u00e8-\u00ef\u00f2-\u00f6\u00f8-\u00fdāăąēĕėęěĩīĭįıōŏőœũūŭůűųαεηιουωάέήίόύώаеёиоуыэюяєії]$/iu;

/** Letters of other scripts join, or are words of their own: no hyphen stands between them. */
const takesHyphen = (before = "", behind = ""): boolean =>
  LETTER.test(before) && LETTER.test(behind) && !isShaped(before) && !isShaped(behind);

/** So many letters fit with `end` behind them. */
function countFitting(letters: readonly string[], end: string, measure: Measure): number {
  let count = 0;
  while (count < letters.length && fitsLine(letters.slice(0, count + 1).join("") + end, measure))
    count += 1;
  return count;
}

/** A syllable begins there in most languages: a consonant with its vowel, and no letter is left alone. */
const isSyllable = (letters: readonly string[], at: number): boolean =>
  at > 1 &&
  at < letters.length - 1 &&
  !VOWEL.test(letters[at] ?? "") &&
  LETTER.test(letters[at] ?? "") &&
  VOWEL.test(letters[at + 1] ?? "");

interface Cut {
  /** Letters before it, from 1. */
  readonly at: number;
  readonly end: "" | typeof HYPHEN;
}

/**
 * Where a word is cut that is too wide: behind a sign of its own in the second half of what fits;
 * else with a hyphen, where a syllable may begin.
 */
function findCut(letters: readonly string[], measure: Measure): Cut {
  const most = Math.max(1, countFitting(letters, "", measure));
  for (let at = most; at > most / 2; at -= 1) {
    if (SOFT_BREAK.test(letters[at - 1] ?? "")) return { at, end: "" };
  }
  if (!takesHyphen(letters[most - 1], letters[most])) return { at: most, end: "" };
  const last = Math.max(1, countFitting(letters, HYPHEN, measure));
  for (let at = last; at > last / 2; at -= 1) {
    if (isSyllable(letters, at)) return { at, end: HYPHEN };
  }
  return { at: last, end: takesHyphen(letters[last - 1], letters[last]) ? HYPHEN : "" };
}

/** Cuts a word that is wider than the line. */
function breakWord(word: string, measure: Measure): string[] {
  const parts: string[] = [];
  const letters = toLetters(word);
  let from = 0;
  let near = nearLine(letters, measure);
  while (near.length > 1 && !fitsLine(near.join(""), measure)) {
    const { at, end } = findCut(near, measure);
    parts.push(near.slice(0, at).join("") + end);
    from += at;
    near = nearLine(letters, { ...measure, from });
  }
  return [...parts, near.join("")];
}

const countHyphens = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.split(HYPHEN).length - 1, 0);

/** True when words were cut with a hyphen that they don't have. */
export const isHyphenated = (lines: readonly string[], paragraphs: readonly string[]): boolean =>
  countHyphens(lines) > countHyphens(paragraphs);

/**
 * True for paragraphs that are longer than all lines of the room, with the blanks that stand between lines: no
 * wrapping brings them into it, and none is tried.
 */
export function isEndless(
  paragraphs: readonly string[],
  { font, sizePt, widthPt }: Measure,
  heightPt: number,
): boolean {
  const most = SLACK * (widthPt + sizePt) * (1 + heightPt / sizePt);
  return paragraphs.reduce((sum, text) => sum + font.widthPt(text, sizePt), 0) > most;
}

/**
 * Words of a paragraph. `Sea - 7` stays together where the line holds it, else `- 7` does, so that
 * no line ends in a dash or is a lone number.
 */
function splitWords(paragraph: string, measure: Measure): string[] {
  const words: string[] = [];
  for (const word of paragraph.split(" ")) {
    const [before, dash] = words.slice(-2);
    if (before === undefined || dash === undefined || !DASH.test(dash)) {
      words.push(word);
    } else if (fitsLine(`${before} ${dash} ${word}`, measure)) {
      words.splice(-2, 2, `${before} ${dash} ${word}`);
    } else if (fitsLine(`${dash} ${word}`, measure)) {
      words.splice(-1, 1, `${dash} ${word}`);
    } else {
      words.push(word);
    }
  }
  return words;
}

/** Greedy wrap. Undefined when a word is wider than the line and may not be broken, or a letter is. */
function wrap(paragraph: string, measure: Measure, breakWords: boolean): string[] | undefined {
  if (fitsLine(paragraph, measure)) return [paragraph];
  const lines: string[] = [];
  let line = "";
  const wordParts = splitWords(paragraph, measure).flatMap((word) =>
    toWordParts(word).map((whole, i) => ({ whole, glue: i === 0 ? " " : "" })),
  );
  for (const { whole, glue } of wordParts) {
    const broken = !fitsLine(whole, measure);
    if (broken && !breakWords) return undefined;
    const parts = broken ? breakWord(whole, measure) : [whole];
    if (broken && !parts.every((part) => fitsLine(part, measure))) return undefined;
    for (const word of parts) {
      const longer = line === "" ? word : `${line}${glue}${word}`;
      if (line !== "" && !fitsLine(longer, measure)) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
  }
  return [...lines, line];
}

/** Paragraphs as lines; undefined when a word or a letter is too wide. */
export function wrapAll(
  paragraphs: readonly string[],
  measure: Measure,
  breakWords: boolean,
): string[] | undefined {
  const lines: (readonly string[])[] = [];
  for (const paragraph of paragraphs) {
    const wrapped = wrap(paragraph, measure, breakWords);
    if (wrapped === undefined) return undefined;
    lines.push(keepDirection(wrapped, paragraph));
  }
  return lines.flat();
}
