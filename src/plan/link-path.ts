/** What is known of the link that a dynamic code will hold, before its server has made it. */
import type { Wanted } from "../state/row.ts";
import { toDigitalLinkOf } from "./product-wish.ts";

/** Stand in for what does not exist yet: an origin of usual length. */
export const SAMPLE_ORIGIN = "https://short.example.com";
/** The slug of a short link. It has no digits, which take less room: no slug of its length needs a larger code. */
export const SAMPLE_PATH = "/abcdefgh";

/** The slug that a row asks for; null where the server makes one. */
export function toSlugOf(wanted: Wanted): string | null {
  const { link, page, form } = wanted;
  return link?.slug ?? page?.slug ?? form?.slug ?? null;
}

/** Path behind the host: a Digital Link, or the slug of the row; undefined where the server makes it up. */
export function toLinkPath(wanted: Wanted): string | undefined {
  const slug = toSlugOf(wanted);
  return toDigitalLinkOf(wanted) ?? (slug === null ? undefined : `/${slug}`);
}
