/** Which language a reader gets: what was chosen, else what the browser asks for, else English. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";

import { de } from "./de.ts";
import { en, type Words } from "./en.ts";

export type { Words } from "./en.ts";

export const LANGUAGE_COOKIE = "makeready_language";

export const languages: Readonly<Record<string, Words>> = { en, de };

/** The first language of the header that there are words for. */
function fromHeader(header: string): Words {
  const wanted = header
    .split(",")
    .slice(0, 20)
    .map((part) => {
      const [tag = "", ...rest] = part.trim().split(";");
      const q = rest.map((one) => /^\s*q=([\d.]{1,5})\s*$/u.exec(one)?.[1]).find(Boolean);
      return {
        words: languages[tag.slice(0, 2).toLowerCase()],
        q: q === undefined ? 1 : Number(q),
      };
    })
    .toSorted((a, b) => b.q - a.q);
  return wanted.find(({ words, q }) => words !== undefined && q > 0)?.words ?? en;
}

export function wordsFor(c: Context): Words {
  const chosen = languages[getCookie(c, LANGUAGE_COOKIE) ?? ""];
  return chosen ?? fromHeader(c.req.header("accept-language") ?? "");
}
