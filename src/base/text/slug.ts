// Letters that NFKD doesn't split.
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

/** Languages with their own spelling in slugs. */
export const slugLanguages = ["de"] as const;
export type SlugLanguage = (typeof slugLanguages)[number];

const LETTERS: Readonly<Record<SlugLanguage, Readonly<Record<string, string>>>> = {
  de: { ä: "ae", ö: "oe", ü: "ue", Ä: "Ae", Ö: "Oe", Ü: "Ue" },
};

function spell(text: string, language: SlugLanguage): string {
  const letters = LETTERS[language];
  return text.normalize("NFC").replace(/[^\0-\x7f]/gu, (letter) => letters[letter] ?? letter);
}

/**
 * Lower-case words joined by hyphens: Latin and Greek accents are dropped, other scripts kept,
 * everything else removed. `Café München #3` becomes `cafe-munchen-3`, in German `cafe-muenchen-3`.
 * Empty when nothing is left.
 */
export function toSlug(text: string, language?: SlugLanguage): string {
  const wellFormed = text.toWellFormed();
  return (
    (language === undefined ? wellFormed : spell(wellFormed, language))
      // Split first: 𝓐 and ™ contain capitals that lower-casing alone would miss.
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
