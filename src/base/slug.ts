// Letters that NFKD does not take apart.
const SPECIAL: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ŋ: "n",
  ħ: "h",
};

/**
 * Lower-case words joined by hyphens: Latin and Greek
 * accents dropped, other scripts kept, nothing else. `Café
 * München #3` becomes `cafe-munchen-3`. Empty when nothing is left.
 */
export function toSlug(text: string): string {
  return (
    text
      .toWellFormed()
      // First taken apart: 𝓐 and ™ hold capitals that lower case alone does not see.
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[ßæœøđðþłıŋħ]/gu, (letter) => SPECIAL[letter] ?? letter)
      .normalize("NFKD")
      .replace(/(?<=[\p{sc=Latin}\p{sc=Greek}])\p{Mn}+/gu, "")
      .normalize("NFC")
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
      .replace(/^-|-$/gu, "")
  );
}
