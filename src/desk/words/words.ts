/** The reader's language: the chosen one, else the browser's, else English. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";

import { readLanguages } from "../../base/text/accept-language.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";

export type { Words } from "./en.ts";

export const LANGUAGE_COOKIE = "makeready_language";

export const languages: Readonly<Record<string, Words>> = { en, de };

/** The first language of the header that there are words for. */
function fromHeader(header: string): Words {
  const found = readLanguages(header).find((tag) => Object.hasOwn(languages, tag));
  return languages[found ?? "en"] ?? en;
}

export function wordsFor(c: Context): Words {
  const chosen = languages[getCookie(c, LANGUAGE_COOKIE) ?? ""];
  return chosen ?? fromHeader(c.req.header("accept-language") ?? "");
}
