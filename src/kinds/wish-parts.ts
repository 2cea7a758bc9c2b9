/** Checks of what rows say that several kinds have in common. */
import { isHexColor, parseHexColor, toContrastRatio } from "../base/color.ts";

export const orNull = (text: string): string | null => (text === "" ? null : text);
export const got = (text: string): string => `got ${JSON.stringify(text)}`;

const SLUG = /^[A-Za-z0-9-]{1,100}$/u;

export function checkSlug(slug: string | null): string[] {
  return slug === null || SLUG.test(slug)
    ? []
    : [`slug must be 1 to 100 letters, digits and hyphens, ${got(slug)}`];
}

type PageColors = Readonly<Record<string, string | null | undefined>>;

/** Text of a hosted page, and what it stands on. */
export const textPairs = [
  ["text_color", "bg_color"],
  ["button_text_color", "button_color"],
] as const;

/** Below this contrast (WCAG 2.2) nobody sees that there is a text. */
const LEAST_RATIO = 1.5;

/** Texts that have the colour of what they stand on, or nearly. Colours that are none are passed over. */
export function findHiddenText(colors: PageColors): string[] {
  return textPairs.flatMap(([text, ground]) => {
    const [ink, under] = [colors[text] ?? "", colors[ground] ?? ""];
    if (!isHexColor(ink) || !isHexColor(under)) return [];
    if (toContrastRatio(parseHexColor(ink), parseHexColor(under)) >= LEAST_RATIO) return [];
    return [`${text} must be a colour that people can read on ${ground} ${under}, ${got(ink)}`];
  });
}

/** Of a hosted page as a row has it. */
export function checkColors(colors: PageColors): string[] {
  const invalid = Object.entries(colors).flatMap(([field, color]) =>
    color === null || color === undefined || isHexColor(color)
      ? []
      : [`${field} must be a colour as #rgb or #rrggbb, ${got(color)}`],
  );
  return [...invalid, ...findHiddenText(colors)];
}

export const tooLong = (field: string, text: string, most: number): string[] =>
  Array.from(text).length > most ? [`${field} must have at most ${most} characters`] : [];
