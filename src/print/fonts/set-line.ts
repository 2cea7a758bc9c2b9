/** A line that one font can't draw letter by letter -> its parts from left to right, each in its font. */
import { mirrored, toVisualRuns } from "./bidi.ts";
import { IGNORABLE, type OwnFont, type ShapedGlyph } from "./own-font.ts";
import { scriptOf, isShaped, toLetters } from "./scripts.ts";

/** Letters of the bundled font, drawn one after another. */
interface PlainPart {
  /** From left to right. */
  readonly text: string;
  /** Brackets stand the other way round. */
  readonly isMirrored: boolean;
  /** In 1/1000 of the size, as all lengths here. */
  readonly advance: number;
}

/** Glyphs that stand for the same characters, in the order in which they are drawn. */
export interface Cluster {
  /** Their characters, as they are read. */
  readonly text: string;
  readonly glyphs: readonly ShapedGlyph[];
}

interface ShapedPart {
  readonly font: OwnFont;
  readonly isRtl: boolean;
  readonly clusters: readonly Cluster[];
  readonly advance: number;
}

export type LinePart = PlainPart | ShapedPart;

/** A line, ready to be drawn. */
export interface SetLine {
  readonly parts: readonly LinePart[];
  /** How far glyphs stand out to the left of where the first part begins. */
  readonly before: number;
  /** From there to where the last glyph ends. */
  readonly advance: number;
  /** How far ink of fonts of the job's own goes up and down from the baseline. */
  readonly above: number;
  readonly below: number;
}

/** The fonts to set lines with. */
export interface LineFonts {
  /** Of the bundled font. */
  has(codePoint: number): boolean;
  advance(codePoint: number): number;
  /** Behind it, first choice first. */
  readonly own: readonly OwnFont[];
}

/** Direction marks act before text is drawn; they are not drawn themselves. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** True for a letter that the bundled font can draw. */
const isPlain = (letter: string, fonts: LineFonts): boolean =>
  !isShaped(letter) &&
  Array.from(letter).every((char) => IGNORABLE.test(char) || fonts.has(char.codePointAt(0) ?? 0));

/** A font's place among all: 0 is the bundled one. Undefined: none can set the letter. */
function fontOf(letter: string, fonts: LineFonts): number | undefined {
  if (isPlain(letter, fonts)) return 0;
  const at = fonts.own.findIndex((font) => font.sets(letter));
  return at < 0 ? undefined : at + 1;
}

/** Letters of a text that no font can set. */
export function missingLetters(text: string, fonts: LineFonts): string[] {
  return toLetters(text).filter((letter) => fontOf(letter, fonts) === undefined);
}

interface Letter {
  readonly text: string;
  readonly start: number;
  /** Undefined until its neighbours decide. */
  script: number | undefined;
  font: number;
}

function canSet(font: number, { text }: Letter, fonts: LineFonts): boolean {
  const own = fonts.own[font - 1];
  return own === undefined ? isPlain(text, fonts) : own.sets(text);
}

/** Letters of one script stand in one font where one has them all; else each in the first that has it. */
function chooseFonts(letters: readonly Letter[], fonts: LineFonts): void {
  const all = Array.from({ length: fonts.own.length + 1 }, (_, i) => i);
  const isNamed = letters.some(({ script }) => script !== undefined);
  if (!isNamed) for (const letter of letters) letter.font = fontOf(letter.text, fonts) ?? 0;
  for (const script of new Set(letters.map((letter) => letter.script))) {
    if (script === undefined) continue;
    const named = letters.filter((letter) => letter.script === script);
    const one = all.find((font) => named.every((letter) => canSet(font, letter, fonts)));
    for (const letter of named) letter.font = one ?? fontOf(letter.text, fonts) ?? 0;
  }
}

/** Blanks, digits and signs go with the letters before them, at the start with those behind. */
function joinCommon(letters: readonly Letter[], fonts: LineFonts): void {
  let before = letters.find(({ script }) => script !== undefined);
  for (const letter of letters) {
    if (letter.script !== undefined) {
      before = letter;
    } else if (before !== undefined) {
      letter.script = before.script;
      letter.font = canSet(before.font, letter, fonts)
        ? before.font
        : (fontOf(letter.text, fonts) ?? 0);
    }
  }
}

function toLineLetters(text: string, fonts: LineFonts): Letter[] {
  let start = 0;
  const letters = toLetters(text).map((letter): Letter => {
    const at = start;
    start += letter.length;
    return { text: letter, start: at, script: scriptOf(letter), font: 0 };
  });
  chooseFonts(letters, fonts);
  joinCommon(letters, fonts);
  return letters;
}

interface Item {
  readonly start: number;
  end: number;
  readonly script: number | undefined;
  readonly font: number;
}

/** Stretches of one script and font within a run, as they are read. */
function toItems(
  letters: readonly Letter[],
  { start, end }: { readonly start: number; readonly end: number },
): Item[] {
  const items: Item[] = [];
  for (const { text, start: at, script, font } of letters) {
    if (at < start || at >= end) continue;
    const last = items.at(-1);
    if (last?.font === font && last.script === script) last.end = at + text.length;
    else items.push({ start: at, end: at + text.length, script, font });
  }
  return items;
}

function toClusters(text: string, glyphs: readonly ShapedGlyph[], end: number): Cluster[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].toSorted((a, b) => a - b);
  const textAt = new Map(
    starts.map((start, i) => [
      start,
      text.slice(start, starts[i + 1] ?? end).replaceAll(DIRECTION, ""),
    ]),
  );
  const clusters: { text: string; at: number; glyphs: ShapedGlyph[] }[] = [];
  for (const glyph of glyphs) {
    const last = clusters.at(-1);
    if (last?.at === glyph.cluster) last.glyphs.push(glyph);
    else
      clusters.push({ text: textAt.get(glyph.cluster) ?? "", at: glyph.cluster, glyphs: [glyph] });
  }
  return clusters;
}

function toPart(text: string, item: Item, isRtl: boolean, fonts: LineFonts): LinePart {
  const font = fonts.own[item.font - 1];
  if (font === undefined) {
    const chars = Array.from(text.slice(item.start, item.end)).filter(
      (char) => !IGNORABLE.test(char),
    );
    const shown = isRtl ? chars.map(mirrored) : chars;
    const advance = shown.reduce((sum, char) => sum + fonts.advance(char.codePointAt(0) ?? 0), 0);
    const inOrder = isRtl ? chars.toReversed() : chars;
    return { text: inOrder.join(""), isMirrored: isRtl, advance };
  }
  const glyphs = font.shape(text, { start: item.start, end: item.end, isRtl });
  const advance = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
  return { font, isRtl, advance, clusters: toClusters(text, glyphs, item.end) };
}

/** How far the ink of a line goes. */
function inkOf(parts: readonly LinePart[]): { above: number; below: number } {
  let [above, below] = [0, 0];
  for (const part of parts) {
    if (!("font" in part)) continue;
    for (const { glyph, y } of part.clusters.flatMap(({ glyphs }) => glyphs)) {
      const ink = part.font.ink(glyph);
      if (ink === undefined) continue;
      above = Math.max(above, ink.above + y);
      below = Math.max(below, ink.below - y);
    }
  }
  return { above, below };
}

/** From where to where the glyphs of parts reach: marks and moved letters stand out. */
function reachOf(parts: readonly LinePart[]): { left: number; right: number } {
  let [left, right, pen] = [0, 0, 0];
  for (const part of parts) {
    const end = pen + part.advance;
    right = Math.max(right, end);
    if ("font" in part) {
      for (const { glyph, advance, x } of part.clusters.flatMap(({ glyphs }) => glyphs)) {
        left = Math.min(left, pen + x);
        right = Math.max(right, pen + x + part.font.advance(glyph));
        pen += advance;
      }
    }
    pen = end;
  }
  return { left, right };
}

/** Sets one line. Letters that no font has must have been replaced. */
export function setLine(text: string, fonts: LineFonts): SetLine {
  const letters = toLineLetters(text, fonts);
  const parts = toVisualRuns(text).flatMap((run) => {
    const items = toItems(letters, run);
    return (run.isRtl ? items.toReversed() : items).map((item) =>
      toPart(text, item, run.isRtl, fonts),
    );
  });
  const { left, right } = reachOf(parts);
  return { parts, before: -left, advance: right - left, ...inkOf(parts) };
}
