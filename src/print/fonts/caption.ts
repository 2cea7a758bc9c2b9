import { mmToPt } from "../../base/units.ts";
import { keepDirection } from "./bidi.ts";
import { type CaptionFont, type LineBox, PLAIN_BOX } from "./font.ts";
import { FONTS_FIELD, IGNORABLE } from "./own-font.ts";
import { isShaped, toLetters, toWordParts } from "./scripts.ts";

/** Least size of text in one ink (docs/spec/print.md section 2). */
export const LEAST_PT = 4;
const READABLE_PT = 6;
export const STEP_PT = 0.5;

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

/** Emoji are drawn as one replacement each: their joiners and variation selectors vanish with them. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\u{FE0E}\u{FE0F}]|\u{20E3}|\u{200D}\p{Extended_Pictographic})*/gu;
/** A sign on a key: the sign says it without. */
const KEYCAP = /([0-9#*])\u{FE0F}?\u{20E3}/gu;
/** Control, format and bidi characters show nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
/** Those that don't decide how letters join and in which direction they run. */
const IDLE = /(?![\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069])[\p{Cc}\p{Cf}]/gu;

export function quote(text: string): string {
  const chars = Array.from(text);
  return JSON.stringify(chars.length > 40 ? `${chars.slice(0, 39).join("")}…` : text);
}

/** `北 U+5317`; of letters with marks all that the bundled fonts can't draw. */
function charNames(letter: string): string[] {
  const chars = Array.from(letter);
  const shaped = chars.filter((char) => isShaped(char) && !IGNORABLE.test(char));
  // Flags are two letters without any.
  return (shaped.length === 0 ? chars : shaped).map((char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `${char} U+${hex.padStart(4, "0")}`;
  });
}

const NAMES_SHOWN = 8;

/** Characters of letters, by name. */
export function nameLetters(letters: Iterable<string>): string {
  return nameSome([...new Set([...letters].flatMap(charNames))], NAMES_SHOWN);
}

/** `a, b and 3 more` of `count` things. */
export function nameSome(names: readonly string[], most: number, count = names.length): string {
  const shown = names.slice(0, most).join(", ");
  return count > most ? `${shown} and ${count - most} more` : shown;
}

const REPLACED = "\u{FFFD}";

/** A line as it can be drawn at best, and the letters that no font has. */
interface ReadableLine {
  readonly text: string;
  readonly missing: readonly string[];
}

/** One caption line -> what the fonts can draw of it, what they lack replaced. */
export function readableLine(raw: string, font: CaptionFont): ReadableLine {
  const missing = new Set<string>();
  const replace = (letter: string): string => {
    missing.add(letter);
    return REPLACED;
  };
  const composed = raw
    .normalize("NFC")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(KEYCAP, (keycap, sign: string) =>
      font.missing(keycap).length === 0 ? keycap : sign,
    );
  const plain = composed.replaceAll(EMOJI, (emoji) => {
    const first = String.fromCodePoint(emoji.codePointAt(0) ?? 0);
    return font.missing(first).length === 0 ? first : replace(first);
  });
  const visible = plain.replaceAll(isShaped(plain) ? IDLE : INVISIBLE, "").trim();
  const unknown = new Set(font.missing(visible));
  if (unknown.size === 0) return { text: visible, missing: [...missing] };
  const letters = toLetters(visible);
  const text = letters.map((letter) => (unknown.has(letter) ? replace(letter) : letter)).join("");
  // A script that can't be set is left out: half of a word says something else.
  const isOut = [...unknown].some((letter) => isShaped(letter));
  return { text: isOut ? "" : text, missing: [...missing] };
}

/** One caption line -> what the fonts can draw of it, and a warning of what they can't. */
export function cleanLine(raw: string, font: CaptionFont): { text: string; warnings: string[] } {
  const { text, missing } = readableLine(raw, font);
  if (missing.length === 0) return { text, warnings: [] };
  const names = nameLetters(missing);
  const became = text === "" ? "is left out:" : `shows ${REPLACED} for some characters:`;
  return {
    text,
    warnings: [
      `caption line ${quote(raw)} ${became} no font has ${names}; name one that does in ${FONTS_FIELD}`,
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

/** Cuts a word that is wider than the line, between letters. */
function breakWord(word: string, measure: Measure): string[] {
  const parts: string[] = [];
  let rest = toLetters(word);
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

/** Height of a block of lines, from the accents of the first to the descenders of the last. */
export function blockHeightPt(lines: number, sizePt: number, box: LineBox = PLAIN_BOX): number {
  return lines === 0 ? 0 : sizePt * (box.above + box.below + (lines - 1) * box.leading);
}

/** How many lines a room of this height holds. */
export function linesIn(heightPt: number, sizePt: number, box: LineBox): number {
  return Math.floor((heightPt / sizePt - box.above - box.below) / box.leading + 1 + 1e-6);
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
    lines.push(...keepDirection(wrapped, paragraph));
  }
  return lines;
}

/** Cuts to `count` lines at the least size; the last one ends in a visible ellipsis. */
export function cut(lines: readonly string[], count: number, measure: Measure): string[] {
  const kept = lines.slice(0, count);
  let last = toLetters(kept.pop() ?? "");
  while (last.length > 0 && !fitsLine(`${last.join("")}…`, measure)) last = last.slice(0, -1);
  return [...kept, `${last.join("").trimEnd()}…`];
}

/**
 * Fits a caption into its room: wraps on words, shrinks from `room.sizePt` to 4 pt, breaks words
 * only when nothing else helps, and cuts visibly ("…") with a warning at last. Characters that no
 * font has are shown as U+FFFD, lines in a script that none has left out; both are warned about.
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
    if (lines === undefined) continue;
    const box = font.lineBox(lines);
    if (blockHeightPt(lines.length, sizePt, box) <= heightPt + 1e-6)
      return { lines, sizePt, warnings };
  }
  const measure = { font, sizePt: LEAST_PT, widthPt };
  const all = wrapAll(paragraphs, measure, true) ?? [];
  const count = linesIn(heightPt, LEAST_PT, font.lineBox(all));
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
