/** Sources that are no file of this computer: standard input, and web addresses. */

import { isUrl } from "./url.ts";

export const STANDARD_INPUT = "-";

const WEB = /^https?:\/\//iu;

export const isWebAddress = (file: string): boolean => WEB.test(file);

/** True for what has to be read or fetched before it can be opened. */
export const isStream = (file: string): boolean => file === STANDARD_INPUT || isWebAddress(file);

/** What people are shown: nothing of an address that may be a secret. */
export function toStreamName(file: string): string {
  if (file === STANDARD_INPUT) return "standard input";
  if (!isUrl(file)) return file;
  const { origin, pathname } = new URL(file);
  return `${origin}${pathname}`;
}
