/** How a quiet zone must look in pixels, where objects can't show it: light, and the same all over. */
import type { GreyImage } from "../../qr/read/decode.ts";

/** Grey values, 0 black to 255 white. */
export interface Greys {
  readonly darkest: number;
  readonly lightest: number;
}

/** Paper or a light tint; ours. */
const QUIET = { darkest: 150, spread: 60 };

export function isQuiet({ darkest, lightest }: Greys): boolean {
  return darkest >= QUIET.darkest && lightest - darkest <= QUIET.spread;
}

/** Greys of a rectangle of pixels, left and top included, right and bottom not; outside is paper. */
export function greysIn(
  image: GreyImage,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Greys {
  let [darkest, lightest] = [255, 0];
  for (let y = Math.max(0, top); y < Math.min(image.height, bottom); y += 1) {
    const row = image.data.subarray(
      y * image.width + Math.max(0, left),
      y * image.width + Math.min(image.width, right),
    );
    for (let at = 0; at < row.length; at += 1) {
      const grey = row[at] as number;
      if (grey < darkest) darkest = grey;
      if (grey > lightest) lightest = grey;
    }
  }
  return { darkest, lightest: Math.max(lightest, darkest) };
}

/** Greys of several rectangles together. */
export function greysOf(parts: readonly Greys[]): Greys {
  return {
    darkest: Math.min(255, ...parts.map(({ darkest }) => darkest)),
    lightest: Math.max(0, ...parts.map(({ lightest }) => lightest)),
  };
}
