/** The languages in a browser's request (RFC 9110 section 12.5.4). */

const MAX_TAGS = 20;

/** First subtags of the header, `de` for `de-AT`, the preferred first; refused ones are left out. */
export function readLanguages(header: string): string[] {
  return header
    .split(",")
    .slice(0, MAX_TAGS)
    .map((part) => {
      const [tag = "", ...rest] = part.trim().split(";");
      const q = rest.map((one) => /^\s*q=([\d.]{1,5})\s*$/u.exec(one)?.[1]).find(Boolean);
      const [first = ""] = tag.toLowerCase().split("-", 1);
      return { tag: first, q: q === undefined ? 1 : Number(q) };
    })
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q)
    .map(({ tag }) => tag);
}
