/** Pixel helpers for tests. */
import type { PixelImage } from "../../src/qr/read/decode.ts";

export type Color = readonly [number, number, number, number];

export function pixelAt({ data, width }: PixelImage, x: number, y: number): Color {
  const at = (y * width + x) * 4;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, data[at + 3] ?? 0];
}

/** A canvas of one colour. */
export function blankImage(width: number, height: number, color: Color): PixelImage {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set(color, at);
  return { data, width, height };
}
