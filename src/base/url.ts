/**
 * True for an absolute URL, or for one that `base` makes absolute (WHATWG URL Standard). Not
 * `URL.canParse`: once Node 20 has compiled it, it refuses addresses such as `https://menü.example`,
 * which are right, and that happens in the middle of a long spreadsheet.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== "";
  } catch {
    return false;
  }
}

/** `url` without the slashes at its end. Each is looked at once: `/\/+$/` goes over a run again from each of its slashes. */
export function withoutEndSlash(url: string): string {
  let end = url.length;
  while (url.endsWith("/", end) && end > 0) end -= 1;
  return url.slice(0, end);
}
