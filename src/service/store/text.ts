/** How the store compares and searches text, and names it in addresses. */
import type { Ids } from "../../base/ids.ts";
import { toSlug } from "../../base/slug.ts";

/** The form in which names are ordered and found: composed, lower-case. */
export function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** A LIKE pattern (escape character `\`) for text that contains `part`. */
export function toContains(part: string): string {
  return `%${foldText(part).replace(/[\\%_]/gu, "\\$&")}%`;
}

const SLUG_CHARACTERS = 100;

/** The slug of a title, or `fallback` where nothing is left of it. */
export function toSlugBase(title: string, fallback: string): string {
  // The cut may fall into the middle of a character.
  const cut = toSlug(title)
    .slice(0, SLUG_CHARACTERS)
    .replace(/\p{Cs}$/u, "");
  return cut.replace(/-$/u, "") || fallback;
}

/** So many neighbours are tried before a random ending. */
const COUNTED_SLUGS = 20;
const RANDOM_CHARACTERS = 6;

/** `base`, or `base-2`, `base-3` … when taken; among very many of one name `base-` and anything. */
export async function findFreeSlug(
  base: string,
  isTaken: (slug: string) => Promise<boolean>,
  ids: Ids,
): Promise<string> {
  for (let n = 1; ; n += 1) {
    const ending = n > COUNTED_SLUGS ? ids.slug(RANDOM_CHARACTERS) : String(n);
    const candidate = n === 1 ? base : `${base}-${ending}`;
    if (!(await isTaken(candidate))) return candidate;
  }
}
