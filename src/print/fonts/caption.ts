import { mmToPt } from "../../base/shapes/units.ts";
import type { PressWarningCode } from "../../base/shapes/press-warning.ts";
import { andMore } from "../../base/text/words.ts";
import { type CaptionFont, type LineBox, PLAIN_BOX } from "./font.ts";
import { FONTS_FIELD, IGNORABLE } from "./own-font.ts";
import { isShaped, toLetters } from "./scripts.ts";
import { fitsLine, isEndless, isHyphenated, type Measure, nearLine, wrapAll } from "./wrap.ts";

/** Least size of text in one ink (docs/spec/print.md section 2). */
export const LEAST_PT = 4;
/** Smaller text is hard to read. */
export const READABLE_PT = 6;
const EASY_PT = 8;
export const STEP_PT = 0.5;

export interface CaptionRoom {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Size to start from. */
  readonly sizePt: number;
  /** Words are cut before text is hard to read. Default: only when nothing else helps. */
  readonly cutsWords?: boolean | undefined;
}

/** A warning about a text in one sentence; long texts are cut. */
export interface TextWarning {
  readonly code: PressWarningCode;
  readonly message: string;
}

/** A caption as it is drawn; `lines` is empty when there is nothing to draw. */
export interface FittedCaption {
  readonly lines: readonly string[];
  /** So many lines, from the first, are set in the type of the first line. */
  readonly firstLines: number;
  readonly sizePt: number;
  /** Words stand on more than one line, with a hyphen or without. */
  readonly hasCutWords: boolean;
  /** Words were cut with a hyphen. */
  readonly isHyphenated: boolean;
  readonly warnings: readonly TextWarning[];
}

/** The type of captions. */
export interface CaptionType {
  readonly font: CaptionFont;
  /** Of the first line, where that differs. */
  readonly first?: CaptionFont | undefined;
}

/** Emoji are drawn as one replacement each: their joiners and variation selectors vanish with them. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\u{FE0E}\u{FE0F}]|\u{20E3}|\u{200D}\p{Extended_Pictographic})*/gu;
/** A sign on a key: the sign says it without. */
const KEYCAP = /([0-9#*])\u{FE0F}?\u{20E3}/gu;
/** Control, format and bidi characters show nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
/** Invisible characters that affect neither the joining nor the direction of letters. */
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
  return `${shown}${andMore(count - most)}`;
}

/** Words of Latin letters and signs, one blank between them: nothing in it is composed or hidden. */
const PLAIN_LINE = /^[!-~\u00C0-\u00FF]+(?: [!-~\u00C0-\u00FF]+)*$/u;

const REPLACED = "\u{FFFD}";

/** A line with the drawable letters, and the letters that no font has. */
interface ReadableLine {
  readonly text: string;
  readonly missing: readonly string[];
}

/** One caption line, with letters that the fonts lack replaced. */
export function readableLine(raw: string, font: CaptionFont): ReadableLine {
  if (PLAIN_LINE.test(raw) && font.missing(raw).length === 0) return { text: raw, missing: [] };
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

/** One line as the fonts can draw it, with a warning of letters that they lack. */
export function cleanLine(
  raw: string,
  font: CaptionFont,
  what: "caption line" | "text of the label" = "caption line",
): { text: string; warnings: TextWarning[] } {
  const { text, missing } = readableLine(raw, font);
  if (missing.length === 0) return { text, warnings: [] };
  const names = nameLetters(missing);
  const isOut = text === "";
  const became = isOut ? "is left out:" : `shows ${REPLACED} for some characters:`;
  const message = `${what} ${quote(raw)} ${became} no font has ${names}; name one that does in ${FONTS_FIELD}`;
  return {
    text,
    warnings: [{ code: isOut ? "lines-left-out" : "characters-replaced", message }],
  };
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

function* wholeWords(fromPt: number, toPt: number): Generator<Attempt> {
  for (let pt = fromPt; pt >= toPt; pt -= STEP_PT) yield { sizePt: pt, breakWords: false };
}

/** Whole words down to easily read sizes; below that, cut words are better. */
function* easyAttempts(startPt: number): Generator<Attempt> {
  yield* wholeWords(startPt, EASY_PT + STEP_PT);
  for (let pt = Math.min(startPt, EASY_PT); pt >= LEAST_PT; pt -= STEP_PT) {
    if (pt >= READABLE_PT) yield { sizePt: pt, breakWords: false };
    yield { sizePt: pt, breakWords: true };
  }
}

/** Readable sizes with whole words, then words may break, first at a readable size. */
function* strictAttempts(startPt: number): Generator<Attempt> {
  yield* wholeWords(startPt, READABLE_PT);
  for (let pt = Math.min(startPt, READABLE_PT); pt >= LEAST_PT; pt -= STEP_PT) {
    yield { sizePt: pt, breakWords: true };
  }
}

/** The first that fits is taken. */
const attempts = ({ sizePt, cutsWords = false }: CaptionRoom): Iterable<Attempt> =>
  cutsWords ? easyAttempts(sizePt) : strictAttempts(sizePt);

/** Cuts to `count` lines at the least size; the last one ends in a visible ellipsis. */
export function cut(lines: readonly string[], count: number, measure: Measure): string[] {
  const kept = lines.slice(0, count);
  let last = nearLine(toLetters(kept.pop() ?? ""), { ...measure, end: "…" });
  while (last.length > 0 && !fitsLine(`${last.join("")}…`, measure)) last = last.slice(0, -1);
  return [...kept, `${last.join("").trimEnd()}…`];
}

interface Block {
  readonly lines: readonly string[];
  readonly firstLines: number;
}

/** Paragraphs of a caption as lines; undefined when a word or a letter is too wide. */
function wrapCaption(
  paragraphs: readonly string[],
  { font, first = font }: CaptionType,
  measure: Omit<Measure, "font">,
  breakWords: boolean,
): Block | undefined {
  if (first === font) {
    const lines = wrapAll(paragraphs, { ...measure, font }, breakWords);
    return lines && { lines, firstLines: 0 };
  }
  const head = wrapAll(paragraphs.slice(0, 1), { ...measure, font: first }, breakWords);
  const rest = wrapAll(paragraphs.slice(1), { ...measure, font }, breakWords);
  if (head === undefined || rest === undefined) return undefined;
  return { lines: [...head, ...rest], firstLines: head.length };
}

/** The height of a block's lines. */
export function captionLineBox(
  { lines, firstLines }: Pick<FittedCaption, "lines" | "firstLines">,
  { font, first = font }: CaptionType,
): LineBox {
  const rest = font.lineBox(lines.slice(firstLines));
  const head = first.lineBox(lines.slice(0, firstLines));
  return {
    above: Math.max(head.above, rest.above),
    below: Math.max(head.below, rest.below),
    leading: Math.max(head.leading, rest.leading),
  };
}

/** The drawable lines of a caption. */
function cleanCaption(caption: readonly string[], { font, first = font }: CaptionType) {
  const warnings: TextWarning[] = [];
  const paragraphs: string[] = [];
  for (const line of caption) {
    const cleaned = cleanLine(line, font);
    warnings.push(...cleaned.warnings);
    if (cleaned.text !== "") paragraphs.push(cleaned.text);
  }
  if (first === font) return { warnings, paragraphs };
  const head = cleanLine(paragraphs[0] ?? "", first);
  return {
    warnings: [...warnings, ...head.warnings],
    paragraphs: [head.text, ...paragraphs.slice(1)].filter((text) => text !== ""),
  };
}

/**
 * Fits a caption into its room: wraps on words, shrinks from `room.sizePt` to 4 pt, cuts words, with
 * a hyphen, only when nothing else helps, and cuts visibly ("…") with a warning at last. Characters
 * that no font has are shown as U+FFFD, lines in a script that none has left out; both are warned
 * about.
 */
export function fitCaption(
  caption: readonly string[],
  room: CaptionRoom,
  type: CaptionType,
): FittedCaption {
  const { paragraphs, warnings } = cleanCaption(caption, type);
  const nothing = { lines: [], firstLines: 0, hasCutWords: false, isHyphenated: false };
  if (paragraphs.length === 0) return { ...nothing, sizePt: room.sizePt, warnings };
  const widthPt = mmToPt(room.widthMm);
  const heightPt = mmToPt(room.heightMm);
  for (const { sizePt, breakWords } of attempts(room)) {
    if (isEndless(paragraphs, { font: type.font, sizePt, widthPt }, heightPt)) continue;
    const block = wrapCaption(paragraphs, type, { sizePt, widthPt }, breakWords);
    if (block === undefined) continue;
    const box = captionLineBox(block, type);
    if (blockHeightPt(block.lines.length, sizePt, box) > heightPt + 1e-6) continue;
    const { lines, firstLines } = block;
    const hasHyphens = breakWords && isHyphenated(lines, paragraphs);
    return {
      lines,
      firstLines,
      sizePt,
      hasCutWords: breakWords,
      isHyphenated: hasHyphens,
      warnings,
    };
  }
  const words = quote(caption.join(" / "));
  const least = cutCaption(paragraphs, type, { sizePt: LEAST_PT, widthPt }, heightPt);
  if (least === undefined) {
    const message = `caption ${words} is left out: the label has no room for text`;
    const left: TextWarning = { code: "captions-left-out", message };
    return { ...nothing, sizePt: LEAST_PT, warnings: [...warnings, left] };
  }
  const message = `caption ${words} does not fit at ${LEAST_PT} pt and was cut`;
  return {
    ...least,
    sizePt: LEAST_PT,
    hasCutWords: true,
    isHyphenated: isHyphenated(least.lines, paragraphs),
    warnings: [...warnings, { code: "captions-cut", message }],
  };
}

/** As many lines as there is room for; undefined when there is none. */
function cutCaption(
  paragraphs: readonly string[],
  type: CaptionType,
  measure: Omit<Measure, "font">,
  heightPt: number,
): Block | undefined {
  const all = wrapCaption(paragraphs, type, measure, true);
  if (all === undefined) return undefined;
  const count = linesIn(heightPt, LEAST_PT, captionLineBox(all, type));
  if (count < 1) return undefined;
  const firstLines = Math.min(all.firstLines, count);
  const font = count > firstLines ? type.font : (type.first ?? type.font);
  return { lines: cut(all.lines, count, { ...measure, font }), firstLines };
}
