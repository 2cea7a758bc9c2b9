/**
 * Text from old Mac programs. Almost every byte is a letter in both Mac OS Roman and windows-1252:
 * only the position in words shows which encoding it is.
 */
/**
 * Accented letters of the Mac, inside or at the end of a word, where windows-1252 has signs and
 * capitals: `\x95` is a bullet there, and `ï` behind a vowel of a Mac's word. As characters with the
 * byte's number.
 */
const MAC =
  /(?<=[A-Za-z])[\x81-\x84\x86-\x8b\x8d-\x90\x98\x9b\x9d\x9f\xa7](?=[a-z])|(?<=[aou])\x95(?=[a-z])|(?<=[a-z])[\x8a\x8d-\x90\x9d\x9f]/gu;
/**
 * Letters of windows-1252 in such places, where the Mac has signs and capitals, and `ł` and `ą` of
 * windows-1250.
 */
const WINDOWS =
  /(?<=[A-Za-z])[\xb3\xb9\xdf-\xf6\xf8-\xff](?=[a-z])|(?<=[a-z])[\xb3\xb9\xe0-\xf6\xf8-\xff]/gu;
/** Between dashes and quotes of the Mac, too. */
const WORD = /[A-Za-z\x80-\xcf\xd6-\xff]+/gu;

/** A letter of the Mac, then small ones. */
const MAC_WORD =
  /^[A-Za-z\x80-\x86\xae\xaf\xcb-\xce\xd9\xe5-\xef\xf1-\xf4\x87-\x9f\xbe\xbf\xcf][a-z\x87-\x9f\xa7\xbe\xbf\xcf\xd8\xf5]*$/u;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Bullets and hard blanks of the Mac between words, where windows-1252 has rare capitals. */
const BETWEEN = /[\xa5\xca]+/u;
/** A word of the Mac without its quotes, or the marks behind it. */
const toBare = (word: string): string =>
  (/^\xc7(.+)\xc8$/u.exec(word)?.[1] ?? word).replace(/[\xa8-\xaa\xc9]{1,3}$/u, "");

/** Words list things in windows-1252 where bullets part them: a word of the Mac has one `ï`. */
const isList = (word: string): boolean => word.split("\x95").length > 2;

/** Letters of the Mac in words that its other bytes leave words. */
const countMac = (text: string): number =>
  (text.match(WORD) ?? [])
    .flatMap((word) => word.split(BETWEEN).map(toBare))
    .reduce((sum, word) => sum + (MAC_WORD.test(word) && !isList(word) ? count(word, MAC) : 0), 0);

/** How many letters of the Mac a text has, less those of windows-1252. */
export const weighMac = (text: string): number => countMac(text) - count(text, WINDOWS);
/** A word with such a letter. */
export const findMacWord = (text: string): string | undefined =>
  text.match(WORD)?.find((word) => countMac(word) > 0);
