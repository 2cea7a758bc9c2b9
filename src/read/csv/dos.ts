/**
 * Text from programs of DOS, code page 437 or 850. As with the Mac, almost every byte is a letter or a
 * sign in windows-1252, too: only the place in words tells. Characters have the byte's number.
 */

interface Letters {
  /** In words of small letters, or behind their last one. */
  readonly small: RegExp;
  /** Rare in the middle of words. */
  readonly rare: RegExp;
  /** Between capitals. */
  readonly capital: RegExp;
  /** A capital behind a small letter. */
  readonly wrong: RegExp;
}

/** Where windows-1252 has quotes, dashes or dots that stand between words, a byte says nothing. */
const DOS: Letters = {
  small:
    /(?<=[A-Za-z\x80-\xff])[\x81-\x84\x86-\x8c\x93\x94\x9b\xa1-\xa4](?=[\x80-\xff]?[a-z])|(?<=[a-z])[\x81-\x83\x88\x8a\x8c\x8d\xa1\xa2](?![A-Za-z\x80-\xff])/gu,
  rare: /(?<=[a-z])[\x8d\x95](?=[a-z])/gu,
  // The others are capitals or apostrophes in windows-1250 and windows-1252, or capitals of the Mac.
  capital: /(?<=[A-Z])[\x90\x99\x9a](?=[A-Z])/gu,
  wrong: /(?<=[a-z])[\x80\x8e-\x90\x92\x99\x9a\xa5]/gu,
};
const MAC: Letters = {
  small:
    /(?<=[A-Za-z\x80-\xff])[\x87-\x92\x94-\x97\x99-\x9c\x9e\x9f\xa7\xbe\xbf\xcf](?=[\x80-\xff]?[a-z])|(?<=[a-z])[\x8a\x8d-\x90\x9d\x9f](?![A-Za-z\x80-\xff])/gu,
  rare: /(?<=[a-z])[\x93\x98\x9d](?=[a-z])/gu,
  capital: /(?<=[A-Z])[\x80-\x86\xae\xaf\xcb\xcc](?=[A-Z])/gu,
  wrong: /(?<=[a-z])[\x80-\x86\xae\xaf\xcb\xcc]/gu,
};

/** Letters of windows-1252 and windows-1250 in small words; `ß` of DOS is `á` there, so it says nothing. */
const WINDOWS =
  /(?<=[A-Za-z])[\xb3\xb9\xdf\xe0\xe2-\xf6\xf8-\xff](?=[a-z])|(?<=[a-z])[\xb3\xb9\xe0\xe2-\xf6\xf8-\xff]/gu;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const score = (text: string, { small, rare, capital, wrong }: Letters): number =>
  2 * (count(text, small) + count(text, capital) - count(text, wrong)) + count(text, rare);

export const scoreDos = (text: string): number => score(text, DOS);
export const scoreMac = (text: string): number => score(text, MAC);
export const scoreWindows = (text: string): number => 2 * count(text, WINDOWS);

/** The letters of code page 850 from `\x80` on. */
const PAGE_850 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑ";
const SHARP_S = "\xe1";

/** A word as DOS has it. */
export const readDos = (word: string): string =>
  word.replaceAll(/[\x80-\xa5\xe1]/gu, (byte) =>
    byte === SHARP_S ? "ß" : PAGE_850.charAt(byte.charCodeAt(0) - 0x80),
  );

const WORD = /[A-Za-z\x80-\xff]+/gu;

/** A word that looks like DOS. */
export const findDosWord = (text: string): string | undefined =>
  text.match(WORD)?.find((word) => scoreDos(word) > 0);
