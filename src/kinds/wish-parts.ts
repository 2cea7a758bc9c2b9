/** Checks of rows that several kinds share. */
import { reservedSlugs, SLUG_RESERVED } from "../api/reserved-slugs.ts";
import {
  isHexColor,
  LEAST_TEXT_CONTRAST,
  parseHexColor,
  toContrastRatio,
} from "../base/color/color.ts";
import { quoteText } from "../base/text/words.ts";
import type { JobCommon } from "../job/job.ts";
import type { Advice } from "../plan/thing.ts";

export const orNull = (text: string): string | null => (text === "" ? null : text);
export const got = (text: string): string => `got ${quoteText(text)}`;

const SLUG = /^[A-Za-z0-9-]{1,100}$/u;

/** Words that makeready keeps for itself are free on other servers. */
export function checkSlug(slug: string | null, { api }: Pick<JobCommon, "api">): string[] {
  if (slug === null) return [];
  if (!SLUG.test(slug)) return [`slug must be 1 to 100 letters, digits and hyphens, ${got(slug)}`];
  const isReserved = api.baseUrl === undefined && reservedSlugs.has(slug.toLowerCase());
  return isReserved ? [`slug ${quoteText(slug)}: ${SLUG_RESERVED}`] : [];
}

export function checkColors(colors: Readonly<Record<string, string | null | undefined>>): string[] {
  return Object.entries(colors).flatMap(([field, color]) =>
    color === null || color === undefined || isHexColor(color)
      ? []
      : [`${field} must be a colour as #rgb or #rrggbb, ${got(color)}`],
  );
}

export const tooLong = (field: string, text: string, most: number): string[] =>
  Array.from(text).length > most ? [`${field} must have at most ${most} characters`] : [];

/** Text of a page and its ground. */
const PAIRS = [
  ["text_color", "bg_color"],
  ["button_text_color", "button_color"],
] as const;

/** Warns of texts that the built-in service shows in another colour, since they would be unreadable. */
export function findFaint(colors: Readonly<Record<string, string | null | undefined>>): Advice[] {
  return PAIRS.flatMap(([inkField, groundField]) => {
    const [ink, ground] = [colors[inkField] ?? "", colors[groundField] ?? ""];
    if (!isHexColor(ink) || !isHexColor(ground)) return [];
    const ratio = toContrastRatio(parseHexColor(ink), parseHexColor(ground));
    if (ratio >= LEAST_TEXT_CONTRAST) return [];
    const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
    const message = `${inkField} ${ink} on ${groundField} ${ground} is hard to read (contrast ${shown}, needed ${LEAST_TEXT_CONTRAST}): the built-in service shows the text in a colour that stands out`;
    return [{ message, hint: "choose a darker or a lighter colour for one of the two" }];
  });
}
