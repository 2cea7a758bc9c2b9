import type { PixelImage } from "../../src/qr/read/decode.ts";
import { runsOf, type SymbolModules } from "../../src/symbol/write-symbol.ts";

/** Bars of free height are drawn this high, modules. */
const BARS = 15;
const QUIET = 12;

/** A symbol as pixels, with more than its quiet zone; `isBars`: only its first row, high enough. */
export function toImage(modules: SymbolModules, isBars: boolean): PixelImage {
  const scale = isBars ? 2 : 3;
  const rows = isBars ? BARS : modules.height;
  const width = (modules.width + 2 * QUIET) * scale;
  const height = (rows + 2 * QUIET) * scale;
  const pixels = new Uint32Array(width * height).fill(0xffffffff);
  for (let y = 0; y < rows * scale; y += 1) {
    for (const [from, to] of runsOf(modules, isBars ? 0 : Math.floor(y / scale))) {
      const start = (y + QUIET * scale) * width + (from + QUIET) * scale;
      pixels.fill(0xff000000, start, start + (to - from) * scale);
    }
  }
  return { data: new Uint8ClampedArray(pixels.buffer), width, height };
}
