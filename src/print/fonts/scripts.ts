/** Properties of writing systems for setting text (Unicode Annexes 24 and 29). */

/**
 * Scripts that need shaping, reordering or stacked marks, and those of East Asia. They are never
 * drawn letter by letter by the bundled fonts.
 */
const SHAPED =
  /[\p{M}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Mongolian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** Latin, Greek, Cyrillic and their signs: a faster test than their properties. */
const SIMPLE = /^[\0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e]*$/u;

/** True for text that has anything of those scripts, or marks of its own. */
export const isShaped = (text: string): boolean => !SIMPLE.test(text) && SHAPED.test(text);

/** Scripts that are told apart for shaping; the rest counts as one. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Syriac}/u,
  /\p{Script=Thaana}/u,
  /\p{Script=Nko}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Oriya}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Malayalam}/u,
  /\p{Script=Sinhala}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Lao}/u,
  /\p{Script=Tibetan}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Khmer}/u,
  /\p{Script=Mongolian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Ethiopic}/u,
  // Written side by side in one word, and found in one font.
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
] as const;

/** Blanks, digits, punctuation, marks: they go with what stands beside them. */
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]/u;

/** A number for the script of a text's first letter; undefined for characters of all scripts. */
export function scriptOf(grapheme: string): number | undefined {
  if (COMMON.test(grapheme)) return undefined;
  return scripts.findIndex((script) => script.test(grapheme));
}

const segmenters: Partial<Record<"grapheme" | "word", Intl.Segmenter>> = {};

/** Parts of a text by ICU. */
function segment(text: string, granularity: "grapheme" | "word"): string[] {
  segmenters[granularity] ??= new Intl.Segmenter("und", { granularity });
  return Array.from(segmenters[granularity].segment(text), (part) => part.segment);
}

/** A text in parts that must not be torn apart: letters with their marks. */
export function toLetters(text: string): string[] {
  return isShaped(text) ? segment(text, "grapheme") : Array.from(text);
}

/** Scripts that put no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Characters that must not end a line, and those that must not begin one. */
const OPENING = /[\p{Ps}\p{Pi}]$/u;
const CLOSING =
  /^[\p{Pe}\p{Pf}\p{Po}\p{M}\p{Lm}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー々〜…‥]/u;

/** A word between blanks in parts between which a line may end; one part where words have blanks. */
export function toWordParts(whole: string): string[] {
  if (SIMPLE.test(whole) || !UNSPACED.test(whole)) return [whole];
  const parts: string[] = [];
  for (const word of segment(whole, "word")) {
    const last = parts.at(-1);
    const joins =
      last !== undefined &&
      (OPENING.test(last) || CLOSING.test(word) || (!UNSPACED.test(last) && !UNSPACED.test(word)));
    if (joins) parts.splice(-1, 1, last + word);
    else parts.push(word);
  }
  return parts;
}
