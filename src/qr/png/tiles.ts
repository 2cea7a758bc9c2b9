/** Modules as pixels, to be stamped into a layer (docs/spec/qr.md section 8). */
import type { Design } from "../draw/design.ts";
import { modulePath } from "../draw/modules.ts";
import { type BitDepth, packPixels, WORD_BITS, WORD_BYTES } from "./png-file.ts";
import { rasterizeSvg } from "./raster.ts";

/** Palette indices 0 to 15 go from the background to the ink of the modules. */
export const INK = 15;

/**
 * Modules as pixels: squares of `pitch` pixels, one for each combination of dark and light in a module
 * and its neighbours. Values are palette indices.
 */
export interface Tiles {
  readonly levels: Uint8Array;
  readonly pitch: number;
  /** Shapes reach into their neighbours: a tile then also depends on those four modules. */
  readonly isReaching: boolean;
}

/**
 * The rows of tiles, each tile once for every place in a word at which its first pixel may lie. Bits
 * beside the tile are 0.
 */
export interface Stamps extends Omit<Tiles, "levels"> {
  readonly words: Uint32Array;
  /** Words of one row of a tile. */
  readonly rowWords: number;
  /** Pixels of a word. */
  readonly places: number;
}

/** The module itself, then its neighbours: bit and place. */
const NEIGHBOURS = [
  { bit: 1, dx: 0, dy: 0 },
  { bit: 2, dx: -1, dy: 0 },
  { bit: 4, dx: 1, dy: 0 },
  { bit: 8, dx: 0, dy: -1 },
  { bit: 16, dx: 0, dy: 1 },
] as const;
const REACHING_TILES = 32;
const PLAIN_TILES = 2;

/**
 * Renders the tiles below each other, each in the middle of a square of three modules. So edges
 * where shapes meet are as smooth as when the whole code is rendered.
 */
export async function makeTiles({ pattern }: Design, pitch: number): Promise<Tiles> {
  const isReaching = pattern === "Diamonds" || pattern === "Triangles";
  const count = isReaching ? REACHING_TILES : PLAIN_TILES;
  let path = "";
  for (let tile = 0; tile < count; tile += 1) {
    for (const { bit, dx, dy } of NEIGHBOURS) {
      if ((tile & bit) !== 0) path += modulePath(pattern, 1 + dx, tile * 3 + 1 + dy);
    }
  }
  const side = pitch * 3;
  const { data } = await rasterizeSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side * count}" viewBox="0 0 3 ${count * 3}"><path d="${path}"/></svg>`,
  );
  const levels = Uint8Array.from({ length: pitch * pitch * count }, (_, i) => {
    const [x, row] = [i % pitch, Math.floor(i / pitch)];
    const y = Math.floor(row / pitch) * side + pitch + (row % pitch);
    const alpha = data[(y * side + pitch + x) * 4 + 3] as number;
    return Math.round((alpha / 255) * INK);
  });
  return { levels, pitch, isReaching };
}

export function toStamps({ levels, ...tiles }: Tiles, bitDepth: BitDepth): Stamps {
  const { pitch } = tiles;
  const places = WORD_BITS / bitDepth;
  const rowWords = Math.ceil((pitch + places - 1) / places);
  const count = levels.length / pitch / pitch;
  const words = new Uint32Array(count * places * pitch * rowWords);
  const bytes = new Uint8Array(words.buffer);
  for (let tile = 0, to = 0; tile < count; tile += 1) {
    for (let place = 0; place < places; place += 1) {
      for (let row = 0; row < pitch; row += 1, to += rowWords * WORD_BYTES) {
        const from = (tile * pitch + row) * pitch;
        packPixels(levels.subarray(from, from + pitch), { bitDepth, place, bytes, to });
      }
    }
  }
  return { ...tiles, words, rowWords, places };
}

/** The tile of a module; also for modules just outside of the code. */
export function tileAt(stamped: Uint8Array, size: number, x: number, y: number): number {
  let tile = 0;
  for (const { bit, dx, dy } of NEIGHBOURS) {
    const [nx, ny] = [x + dx, y + dy];
    if (nx < 0 || ny < 0 || nx >= size || ny >= size) continue;
    if (stamped[ny * size + nx] === 1) tile |= bit;
  }
  return tile;
}
