/** What visitors read, in their language. */
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";

const all: readonly Words[] = [en, de, fr, es, it, pt, pl, nl];

const find = (tag: string): Words | undefined => {
  const [language] = tag.trim().toLowerCase().split("-", 1);
  return all.find((words) => words.language === language);
};

/** `de-CH;q=0.8` -> the language and how much it is wanted (RFC 9110, 12.5.4). */
function readWish(wish: string): { readonly words: Words | undefined; readonly weight: number } {
  const [tag = "", ...parameters] = wish.split(";").map((part) => part.trim());
  const weight = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? "1");
  return { words: find(tag), weight: Number.isFinite(weight) ? weight : 0 };
}

/** Longer lists of languages are no browser's. */
const MAX_HEADER = 300;

/** The language that an address asks for by `?lang=de`; undefined when it names none of ours. */
export const readChosen = (url: string): Words | undefined =>
  find(new URL(url).searchParams.get("lang") ?? "");

/** In the language that the address asks for, else the visitor's first one that is here, else English. */
export function wordsFor(request: Request): Words {
  const chosen = readChosen(request.url);
  if (chosen !== undefined) return chosen;
  let [best, bestWeight]: [Words, number] = [en, 0];
  const header = (request.headers.get("accept-language") ?? "").slice(0, MAX_HEADER);
  for (const { words, weight } of header.split(",").map(readWish)) {
    if (words !== undefined && weight > bestWeight) [best, bestWeight] = [words, weight];
  }
  return best;
}

/** Puts values into the `{name}`s of a text. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/gu, (_, name: string) => String(values[name] ?? ""));
