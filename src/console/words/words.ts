/** The reader's language: the chosen one, else the browser's, else English. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";

import { readLanguages } from "../../base/text/accept-language.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";

export type { Words } from "./en.ts";

export const LANGUAGE_COOKIE = "makeready_console_language";

export const languages: Readonly<Record<string, Words>> = { en, de };

export function wordsFor(c: Context): Words {
  const chosen = getCookie(c, LANGUAGE_COOKIE) ?? "";
  const wanted = [chosen, ...readLanguages(c.req.header("accept-language") ?? "")];
  const found = wanted.find((tag) => Object.hasOwn(languages, tag));
  return languages[found ?? "en"] ?? en;
}
