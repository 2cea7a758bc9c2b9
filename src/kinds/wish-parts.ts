/** Checks of what rows say that several kinds have in common. */
import { isHexColor } from "../base/color.ts";

export const orNull = (text: string): string | null => (text === "" ? null : text);
export const got = (text: string): string => `got ${JSON.stringify(text)}`;

const SLUG = /^[A-Za-z0-9-]{1,100}$/u;

export function checkSlug(slug: string | null): string[] {
  return slug === null || SLUG.test(slug)
    ? []
    : [`slug must be 1 to 100 letters, digits and hyphens, ${got(slug)}`];
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
