/** How the store compares and searches text. */

/** The form in which names are ordered and found: composed, lower-case. */
export function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** A LIKE pattern (escape character `\`) for text that contains `part`. */
export function toContains(part: string): string {
  return `%${foldText(part).replace(/[\\%_]/gu, "\\$&")}%`;
}

/** `base`, or `base-2`, `base-3` … when taken. */
export function toFreeSlug(base: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(base)) return base;
  for (let n = 2; ; n += 1) {
    const candidate = `${base}-${n}`;
    if (!isTaken(candidate)) return candidate;
  }
}
