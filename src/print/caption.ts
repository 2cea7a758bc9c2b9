import { mmToPt } from "../base/units.ts";
import type { CaptionFont } from "./font.ts";

/** Least size of text in one ink (`print.md` section 2). */
export const LEAST_PT = 4;
const READABLE_PT = 6;
export const STEP_PT = 0.5;
/** Line to line, in sizes. */
export const LEADING = 1.25;
/** What letters take above and below the baseline, in sizes: capitals with accents, descenders. */
export const ABOVE = 0.95;
export const BELOW = 0.25;

export interface CaptionRoom {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Size to start from. */
  readonly sizePt: number;
}

/** A caption as it is drawn; `lines` is empty when there is nothing to draw. */
export interface FittedCaption {
  readonly lines: readonly string[];
  readonly sizePt: number;
  /** What a person should know, one sentence each; the caption's own words are not repeated at length. */
  readonly warnings: readonly string[];
}

/**
 * Scripts that need shaping, reordering or stacked marks. They are never drawn letter by letter,
 * which would be wrong; a caption line that has one is left out and reported.
 */
const SHAPED =
  /[\p{M}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Mongolian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** Emoji are drawn as one replacement each: their joiners and variation selectors vanish with them. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\u{FE0E}\u{FE0F}]|\u{20E3}|\u{200D}\p{Extended_Pictographic})*/gu;
/** Control, format and bidi characters show nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

export function quote(text: string): string {
  const chars = Array.from(text);
  return JSON.stringify(chars.length > 40 ? `${chars.slice(0, 39).join("")}…` : text);
}

function codePointName(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${char} U+${hex}`;
}

const REPLACED = "\u{FFFD}";

/** One caption line -> what the font can draw of it, and what it can't. */
export function cleanLine(raw: string, font: CaptionFont): { text: string; warnings: string[] } {
  const missing = new Set<string>();
  const replace = (char: string): string => {
    missing.add(codePointName(char));
    return REPLACED;
  };
  const composed = raw.normalize("NFC").replaceAll(/\s+/gu, " ");
  const plain = composed.replaceAll(EMOJI, (emoji) =>
    font.has(emoji.codePointAt(0) ?? 0) ? emoji : replace(emoji),
  );
  const visible = plain.replaceAll(INVISIBLE, "").trim();
  if (SHAPED.test(visible)) {
    const script = codePointName(SHAPED.exec(visible)?.[0] ?? "");
    return {
      text: "",
      warnings: [
        `caption line ${quote(raw)} is left out: its script needs shaping, which sheets don't do yet (${script})`,
      ],
    };
  }
  const text = Array.from(visible, (char) =>
    font.has(char.codePointAt(0) ?? 0) ? char : replace(char),
  ).join("");
  if (missing.size === 0) return { text, warnings: [] };
  const names = [...missing].join(", ");
  return {
    text,
    warnings: [
      `caption ${quote(raw)} has characters without a glyph, drawn as ${REPLACED}: ${names}`,
    ],
  };
}

export interface Measure {
  readonly font: CaptionFont;
  readonly sizePt: number;
  readonly widthPt: number;
}

export const fitsLine = (text: string, { font, sizePt, widthPt }: Measure): boolean =>
  font.widthPt(text, sizePt) <= widthPt + 1e-6;

const DASH = /^[-–—/·|]$/u;

/** Where a long word may be cut with the least harm: after these. */
const SOFT_BREAK = /[-/?&=._]/u;

/** Length of the first part of a word that is too wide: after punctuation in its second half, else where it must. */
function breakPoint(chars: readonly string[], measure: Measure): number {
  let most = 1;
  while (most < chars.length && fitsLine(chars.slice(0, most + 1).join(""), measure)) most += 1;
  for (let length = most; length > most / 2; length -= 1) {
    if (SOFT_BREAK.test(chars[length - 1] ?? "")) return length;
  }
  return most;
}

/** Cuts a word that is wider than the line, at code points. */
function breakWord(word: string, measure: Measure): string[] {
  const parts: string[] = [];
  let rest = Array.from(word);
  while (rest.length > 1 && !fitsLine(rest.join(""), measure)) {
    const length = breakPoint(rest, measure);
    parts.push(rest.slice(0, length).join(""));
    rest = rest.slice(length);
  }
  return [...parts, rest.join("")];
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
  const lines: string[] = [];
  let line = "";
  for (const whole of splitWords(paragraph, measure)) {
    const broken = !fitsLine(whole, measure);
    if (broken && !breakWords) return undefined;
    const parts = broken ? breakWord(whole, measure) : [whole];
    if (broken && !parts.every((part) => fitsLine(part, measure))) return undefined;
    for (const word of parts) {
      const longer = line === "" ? word : `${line} ${word}`;
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

/** Height of a block of lines, from the accents of the first to the descenders of the last. */
export function blockHeightPt(lines: number, sizePt: number): number {
  return lines === 0 ? 0 : sizePt * (ABOVE + BELOW + (lines - 1) * LEADING);
}

interface Attempt {
  readonly sizePt: number;
  readonly breakWords: boolean;
}

/** Readable sizes with whole words, then words may break, first at a readable size: the first that fits is taken. */
function* attempts(startPt: number): Generator<Attempt> {
  for (let pt = startPt; pt >= READABLE_PT; pt -= STEP_PT) yield { sizePt: pt, breakWords: false };
  for (let pt = Math.min(startPt, READABLE_PT); pt >= LEAST_PT; pt -= STEP_PT) {
    yield { sizePt: pt, breakWords: true };
  }
}

/** Paragraphs as lines; undefined when a word or a letter is too wide. */
export function wrapAll(
  paragraphs: readonly string[],
  measure: Measure,
  breakWords: boolean,
): string[] | undefined {
  const lines: string[] = [];
  for (const paragraph of paragraphs) {
    const wrapped = wrap(paragraph, measure, breakWords);
    if (wrapped === undefined) return undefined;
    lines.push(...wrapped);
  }
  return lines;
}

/** Cuts to `count` lines at the least size; the last one ends in a visible ellipsis. */
export function cut(lines: readonly string[], count: number, measure: Measure): string[] {
  const kept = lines.slice(0, count);
  let last = Array.from(kept.pop() ?? "");
  while (last.length > 0 && !fitsLine(`${last.join("")}…`, measure)) last = last.slice(0, -1);
  return [...kept, `${last.join("").trimEnd()}…`];
}

/**
 * Fits a caption into its room: wraps on words, shrinks from `room.sizePt` to 4 pt, breaks words
 * only when nothing else helps, and cuts visibly ("…") with a warning at last. Lines that need
 * shaping are left out, characters without a glyph shown as U+FFFD; both are warned about.
 */
export function fitCaption(
  caption: readonly string[],
  room: CaptionRoom,
  font: CaptionFont,
): FittedCaption {
  const cleaned = caption.map((line) => cleanLine(line, font));
  const warnings = cleaned.flatMap((line) => line.warnings);
  const paragraphs = cleaned.map((line) => line.text).filter((text) => text !== "");
  if (paragraphs.length === 0) return { lines: [], sizePt: room.sizePt, warnings };
  const widthPt = mmToPt(room.widthMm);
  const heightPt = mmToPt(room.heightMm);
  for (const { sizePt, breakWords } of attempts(room.sizePt)) {
    const lines = wrapAll(paragraphs, { font, sizePt, widthPt }, breakWords);
    if (lines !== undefined && blockHeightPt(lines.length, sizePt) <= heightPt + 1e-6)
      return { lines, sizePt, warnings };
  }
  const measure = { font, sizePt: LEAST_PT, widthPt };
  const count = Math.floor((heightPt / LEAST_PT - ABOVE - BELOW) / LEADING + 1 + 1e-6);
  const all = wrapAll(paragraphs, measure, true) ?? [];
  const words = quote(caption.join(" / "));
  if (count < 1 || all.length === 0) {
    return {
      lines: [],
      sizePt: LEAST_PT,
      warnings: [...warnings, `caption ${words} is left out: the label has no room for text`],
    };
  }
  return {
    lines: cut(all, count, measure),
    sizePt: LEAST_PT,
    warnings: [...warnings, `caption ${words} does not fit at ${LEAST_PT} pt and was cut`],
  };
}
