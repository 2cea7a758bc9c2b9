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

/** Brightness as decoders see it: 0 (black) to 1 (white), of the plain sRGB values. */
export function toLuma({ r, g, b }: Rgb): number {
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}
