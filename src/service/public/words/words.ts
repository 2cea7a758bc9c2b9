/** What visitors read, in their language. */
import { readLanguages } from "../../../base/text/accept-language.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";

const all: readonly Words[] = [en, de, fr, es, it, pt, pl, nl];

const find = (language: string): Words | undefined =>
  all.find((words) => words.language === language);

/** The language in `?lang=de`; undefined when it is none of ours. */
export const readChosen = (url: string): Words | undefined =>
  find(new URL(url).searchParams.get("lang")?.toLowerCase() ?? "");

/**
 * Words in the language of `?lang`, else in the first of the visitor's languages that we have, else
 * English.
 */
export function wordsFor(request: Request): Words {
  const chosen = readChosen(request.url);
  if (chosen !== undefined) return chosen;
  const wanted = readLanguages(request.headers.get("accept-language") ?? "");
  return wanted.map(find).find((words) => words !== undefined) ?? en;
}

/** Fills values into the `{name}`s of a text. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/gu, (_, name: string) => String(values[name] ?? ""));
