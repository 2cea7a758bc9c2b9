/** An sRGB colour, each channel 0..255. */
export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/iu;

/** True for `#rgb` and `#rrggbb` in any case. */
export function isHexColor(text: string): boolean {
  return HEX.test(text);
}

/** `#rgb` or `#rrggbb` -> channels. Call `isHexColor` first; anything else throws a RangeError. */
export function parseHexColor(text: string): Rgb {
  if (!isHexColor(text)) {
    throw new RangeError(`colour must be #rgb or #rrggbb, got ${JSON.stringify(text)}`);
  }
  const digits = text.length === 4 ? text.slice(1).replace(/./gu, "$&$&") : text.slice(1);
  const value = Number.parseInt(digits, 16);
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255 };
}

/** Limits beyond which nobody distinguishes a colour from black ink, or from paper. */
const NEARLY_BLACK = 0x22;
const NEARLY_WHITE = 0xf0;

export const isBlackish = ({ r, g, b }: Rgb): boolean => Math.max(r, g, b) <= NEARLY_BLACK;
export const isWhitish = ({ r, g, b }: Rgb): boolean => Math.min(r, g, b) >= NEARLY_WHITE;

/** Brightness as decoders see it: 0 (black) to 1 (white), of the plain sRGB values. */
export function toLuma({ r, g, b }: Rgb): number {
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

/** `#rrggbb` of whole channels. */
export function toHexColor({ r, g, b }: Rgb): string {
  const digits = [r, g, b].map((channel) => channel.toString(16).padStart(2, "0"));
  return `#${digits.join("")}`;
}

/** `share` (0..1) of `over` upon `ground`, rounded to whole channels. */
export function mixColors(ground: Rgb, over: Rgb, share: number): Rgb {
  const mix = (from: number, to: number): number => Math.round(from + (to - from) * share);
  return { r: mix(ground.r, over.r), g: mix(ground.g, over.g), b: mix(ground.b, over.b) };
}

/** Reflected share of light of an sRGB channel of 0 to 255. */
export const toLinear = (channel: number): number => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const toLuminance = ({ r, g, b }: Rgb): number =>
  0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);

/** Least contrast ratio of text and ground (WCAG 2.2, 1.4.3). */
export const LEAST_TEXT_CONTRAST = 4.5;

/** How well eyes distinguish two colours, 1 to 21 (WCAG 2.2, contrast ratio). */
export function toContrastRatio(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [toLuminance(one), toLuminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
