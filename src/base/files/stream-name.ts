/** Sources that are no files on this computer: standard input, and web addresses. */

import { isUrl } from "../text/url.ts";

export const STANDARD_INPUT = "-";

const WEB = /^https?:\/\//iu;

export const isWebAddress = (file: string): boolean => WEB.test(file);

/** True for a source that must be read or fetched before it can be opened. */
export const isStream = (file: string): boolean => file === STANDARD_INPUT || isWebAddress(file);

/** The name for people: without parts of an address that may be secret. */
export function toStreamName(file: string): string {
  if (file === STANDARD_INPUT) return "standard input";
  if (!isUrl(file)) return file;
  const { origin, pathname } = new URL(file);
  return `${origin}${pathname}`;
}
