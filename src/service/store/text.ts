/** How the store compares and searches text, and makes slugs of it. */
import { isUuid } from "../../api/fields.ts";
import type { Ids } from "../../base/ids/ids.ts";
import { toSlug } from "../../base/text/slug.ts";

/** The form for sorting and finding names: composed, lower-case. */
export function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** A LIKE pattern (escape character `\`) for text that contains `part`. */
export function toContains(part: string): string {
  return `%${foldText(part).replace(/[\\%_]/gu, "\\$&")}%`;
}

const SLUG_CHARACTERS = 100;

/**
 * The slug of a title, or `fallback` when nothing of it can be used. One that reads as an id ends with
 * it: calls that take id or slug would mean the thing of that id.
 */
export function toSlugBase(title: string, fallback: string): string {
  // The cut may be in the middle of a character.
  const cut = toSlug(title)
    .slice(0, SLUG_CHARACTERS)
    .replace(/\p{Cs}$/u, "");
  const slug = cut.replace(/-$/u, "") || fallback;
  return isUuid(slug) ? `${slug}-${fallback}` : slug;
}

/** After this many numbers, a random ending is used. */
const COUNTED_SLUGS = 20;
const RANDOM_CHARACTERS = 6;

/**
 * `base`; if it is taken, `base-2`, `base-3` …; if very many are taken, `base-` and a random ending.
 */
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
