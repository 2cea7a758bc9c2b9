/** Invisible characters: nobody sees them in a cell, but codes and texts contain them. */
const names: Readonly<Record<string, string>> = {
  "\u00ad": "soft hyphen",
  "\u061c": "Arabic letter mark",
  "\u180e": "Mongolian vowel separator",
  "\u200b": "zero width space",
  "\u200c": "zero width non-joiner",
  "\u200d": "zero width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of embedding",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2060": "word joiner",
  "\u2061": "function application",
  "\u2062": "invisible times",
  "\u2063": "invisible separator",
  "\u2064": "invisible plus",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "end of isolate",
  "\u3164": "Hangul filler",
  "\ufeff": "byte order mark",
};

/**
 * Joiners belong to letters of some scripts and to emoji: between plain ASCII letters they are
 * strays.
 */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff]|(?<=[!-~])[\u200c\u200d](?=[!-~])/gu;

/** Characters of text shown before and after. */
const AROUND = 30;

const NOTHING =
  /^[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff]*$/u;

/** True where a person sees an empty cell. */
export const isUnseen = (text: string): boolean => NOTHING.test(text);

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) >= 0;

function nameOne(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `<U+${digits} ${names[character]}>`;
}

/** The text around the first of them, each in words: `A<U+200B zero width space>1`. */
export function showInvisible(text: string): string {
  const at = text.search(INVISIBLE);
  const [from, to] = [Math.max(0, at - AROUND), at + AROUND];
  const part = text.slice(from, to).replaceAll(INVISIBLE, nameOne);
  return `${from > 0 ? "…" : ""}${part}${to < text.length ? "…" : ""}`;
}
