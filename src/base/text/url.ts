/**
 * True for an absolute URL, or for one that `base` makes absolute (WHATWG URL Standard). Not
 * `URL.canParse`: after Node 20 has compiled it, in the middle of a long spreadsheet, it refuses
 * valid addresses such as `https://menü.example`.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== "";
  } catch {
    return false;
  }
}

/**
 * `url` without slashes at its end. Reads each slash once: `/\/+$/` would read a run again from each
 * of its slashes.
 */
export function withoutEndSlash(url: string): string {
  let end = url.length;
  while (url.endsWith("/", end) && end > 0) end -= 1;
  return url.slice(0, end);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|.*\.localhost)$/iu;

/** True for an address that leads to the computer or phone which opens it, and nowhere else. */
export function isLoopbackUrl(url: string): boolean {
  return isUrl(url) && LOOPBACK.test(new URL(url).hostname);
}
