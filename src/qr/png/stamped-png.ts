/**
 * Styled PNGs of many codes (docs/spec/qr.md section 8): everything that they share is rendered
 * once as a layer; then each code stamps its dark modules into a copy.
 */
import { parseHexColor } from "../../base/color/color.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { Design } from "../draw/design.ts";
import { drawFixedParts, type EncodedCode } from "../draw/drawing.ts";
import { isDark, type QrMatrix } from "../encode/encode.ts";
import { DATA, moduleKinds, TIMING } from "../draw/module-kinds.ts";
import { type IndexedImage, toIndexed } from "./palette.ts";
import { gridView, toPixelGrid } from "./pixel-grid.ts";
import {
  type BitDepth,
  bitDepthOf,
  packPixels,
  type PngCompression,
  rowsBytes,
  WORD_BITS,
  WORD_BYTES,
  writePalettePng,
} from "./png-file.ts";
import { rasterizeSvg } from "./raster.ts";
import { toPixelSvg } from "../draw/svg.ts";
import type { TextShaper } from "../draw/text.ts";
import { INK, makeTiles, type Stamps, tileAt, type Tiles, toStamps } from "./tiles.ts";

/** Everything of a design and version except the data modules, as pixels. */
interface StampLayer {
  readonly image: Omit<IndexedImage, "indices"> & { readonly bitDepth: BitDepth };
  /** Its pixels, packed as in the PNG; a row begins at a word. */
  readonly words: Uint32Array;
  readonly rowWords: number;
  readonly stamps: Stamps;
  /** Pixel at which the code begins. */
  readonly left: number;
  readonly top: number;
  readonly cleared: Uint8Array | undefined;
}

/** RGBA word, little-endian. */
function toWord(r: number, g: number, b: number, alpha: number): number {
  return (r | (g << 8) | (b << 16) | (alpha << 24)) >>> 0;
}

function toRamp({ primaryColor, backgroundColor }: Design): number[] {
  const ink = parseHexColor(primaryColor);
  const ground = backgroundColor === null ? undefined : parseHexColor(backgroundColor);
  return Array.from({ length: INK + 1 }, (_, step) => {
    const share = step / INK;
    // On a transparent background, pixels without ink stay empty.
    if (ground === undefined) return step === 0 ? 0 : toWord(ink.r, ink.g, ink.b, share * 255);
    const mix = (from: number, to: number): number => Math.round(from + (to - from) * share);
    return toWord(mix(ground.r, ink.r), mix(ground.g, ink.g), mix(ground.b, ink.b), 255);
  });
}

function replaceAll(indices: Uint8Array, by: Uint8Array): Uint8Array {
  const replaced = new Uint8Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) replaced[i] = by[indices[i] as number] as number;
  return replaced;
}

/** Only the colours in use, where pixels then take fewer bits. Index 0 stays the background. */
function compact(image: IndexedImage, tiles: Tiles) {
  const { indices, colors } = image;
  // All but those of the modules are in use.
  if (colors.length / 4 - (INK + 1) > 1 << 4)
    return { image: { ...image, bitDepth: 8 }, tiles } as const;
  const isUsed = new Uint8Array(256).fill(1, 0, 1);
  for (let i = 0; i < indices.length; i += 1) isUsed[indices[i] as number] = 1;
  for (const level of tiles.levels) isUsed[level] = 1;
  const kept = [...isUsed.keys()].filter((index) => isUsed[index] === 1);
  const bitDepth = bitDepthOf(kept.length);
  if (bitDepth === 8) return { image: { ...image, bitDepth }, tiles };
  const newIndex = new Uint8Array(256);
  for (const [place, index] of kept.entries()) newIndex[index] = place;
  const keptColors = kept.flatMap((index) => [...colors.subarray(index * 4, index * 4 + 4)]);
  return {
    image: {
      ...image,
      indices: replaceAll(indices, newIndex),
      colors: Uint8Array.from(keptColors),
      bitDepth,
    },
    tiles: { ...tiles, levels: replaceAll(tiles.levels, newIndex) },
  };
}

function toWords({ indices, width, height }: IndexedImage, bitDepth: BitDepth) {
  const rowWords = Math.ceil((width * bitDepth) / WORD_BITS);
  const words = new Uint32Array(rowWords * height);
  const bytes = new Uint8Array(words.buffer);
  for (let y = 0; y < height; y += 1) {
    const row = indices.subarray(y * width, (y + 1) * width);
    packPixels(row, { bitDepth, place: 0, bytes, to: y * rowWords * WORD_BYTES });
  }
  return { words, rowWords };
}

async function makeLayer(
  code: EncodedCode,
  design: Design,
  widthPx: number,
  shaper: TextShaper | undefined,
): Promise<StampLayer | undefined> {
  const drawing = drawFixedParts(code, design, shaper);
  const grid = toPixelGrid(drawing, widthPx);
  const pixels = await rasterizeSvg(toPixelSvg(drawing, gridView(grid)));
  const indexed = toIndexed(pixels, toRamp(design));
  if (indexed === undefined) return undefined;
  const { image, tiles } = compact(indexed, await makeTiles(design, grid.pitch));
  const { width, height, colors, bitDepth } = image;
  return {
    image: { width, height, colors, bitDepth },
    ...toWords(image, bitDepth),
    stamps: toStamps(tiles, bitDepth),
    left: grid.left + drawing.codeX * grid.pitch,
    top: grid.top + drawing.codeY * grid.pitch,
    cleared: drawing.cleared,
  };
}

/** The lowest bit of each pixel of a word. */
const LOWEST_BITS = { 1: 0xffffffff, 2: 0x55555555, 4: 0x11111111, 8: 0x01010101 } as const;

/** All bits of those pixels of a word that aren't background. */
function drawnBits(word: number, bitDepth: BitDepth): number {
  let bits = word;
  for (let shift = 1; shift < bitDepth; shift <<= 1) bits |= bits >>> shift;
  return Math.imul(bits & LOWEST_BITS[bitDepth], (1 << bitDepth) - 1);
}

const bytesOf = ({ words, stamps }: StampLayer): number =>
  words.byteLength + stamps.words.byteLength;

/** A copy of a layer into which tiles are put. */
class Canvas {
  readonly #layer: StampLayer;
  readonly #words: Uint32Array;

  /** `room` is memory for the copy, as long as the layer. */
  constructor(layer: StampLayer, room: Uint32Array) {
    room.set(layer.words);
    this.#layer = layer;
    this.#words = room;
  }

  /** Puts a tile where the layer shows background; drawn parts of the layer stay. */
  put(tile: number, x: number, y: number): void {
    const { image, stamps, rowWords: stride } = this.#layer;
    const { words, pitch, rowWords } = stamps;
    const room = this.#words;
    let from = this.#stampAt(tile, x);
    for (let to = this.#at(x, y), end = to + pitch * stride; to < end; to += stride) {
      for (let i = 0; i < rowWords; i += 1, from += 1) {
        const old = room[to + i] as number;
        room[to + i] = old | ((words[from] as number) & ~drawnBits(old, image.bitDepth));
      }
    }
  }

  /** The same where the layer is known to be background. */
  copy(tile: number, x: number, y: number): void {
    const { stamps, rowWords: stride } = this.#layer;
    const { words, pitch, rowWords } = stamps;
    const room = this.#words;
    let from = this.#stampAt(tile, x);
    for (let to = this.#at(x, y), end = to + pitch * stride; to < end; to += stride) {
      for (let i = 0; i < rowWords; i += 1, from += 1)
        room[to + i] = (room[to + i] as number) | (words[from] as number);
    }
  }

  #pixelAt(x: number): number {
    return this.#layer.left + x * this.#layer.stamps.pitch;
  }

  /** Word at which a module begins. */
  #at(x: number, y: number): number {
    const { top, stamps, rowWords } = this.#layer;
    return (top + y * stamps.pitch) * rowWords + Math.floor(this.#pixelAt(x) / stamps.places);
  }

  /** Word at which the stamp of a tile begins. */
  #stampAt(tile: number, x: number): number {
    const { places, pitch, rowWords } = this.#layer.stamps;
    return (tile * places + (this.#pixelAt(x) % places)) * pitch * rowWords;
  }
}

/** 1 for each module that is stamped: dark, of the pattern, not under the logo. */
function findStamped(matrix: QrMatrix, cleared: Uint8Array | undefined): Uint8Array {
  const kinds = moduleKinds(matrix.version);
  const { size } = matrix;
  const stamped = new Uint8Array(kinds.length);
  for (let y = 0, at = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1, at += 1) {
      const isPattern = kinds[at] === DATA || kinds[at] === TIMING;
      if (isPattern && isDark(matrix, x, y) && cleared?.[at] !== 1) stamped[at] = 1;
    }
  }
  return stamped;
}

/** Tiles that depend on their neighbours, just outside the code too. */
function stampReaching(canvas: Canvas, stamped: Uint8Array, size: number): void {
  for (let y = -1; y <= size; y += 1) {
    for (let x = -1; x <= size; x += 1) {
      const tile = tileAt(stamped, size, x, y);
      if (tile !== 0) canvas.put(tile, x, y);
    }
  }
}

/** Puts the pixels of a code into `room`. */
function stampCode(layer: StampLayer, matrix: QrMatrix, room: Uint32Array): void {
  const { cleared } = layer;
  const canvas = new Canvas(layer, room);
  const stamped = findStamped(matrix, cleared);
  const { size } = matrix;
  if (layer.stamps.isReaching) {
    stampReaching(canvas, stamped, size);
    return;
  }
  for (let y = 0, at = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1, at += 1) {
      if (stamped[at] === 0) continue;
      // Eyes and alignment patterns are never here, so `copy` is safe; with a logo, it isn't.
      if (cleared === undefined) canvas.copy(1, x, y);
      else canvas.put(1, x, y);
    }
  }
}

const logoKeys = new WeakMap<Uint8Array, string>();

function logoKey(logo: Uint8Array | null): string {
  if (logo === null) return "";
  let key = logoKeys.get(logo);
  if (key === undefined) {
    key = sha256(logo);
    logoKeys.set(logo, key);
  }
  return key;
}

export interface StampOptions {
  readonly widthPx: number;
  readonly shaper: TextShaper | undefined;
  readonly compression: PngCompression;
}

/** Layers in use, the least recently used dropped first when they take too many bytes. */
export class StampLayers {
  readonly #maxBytes: number;
  readonly #layers = new Map<string, Promise<StampLayer | undefined>>();
  readonly #bytes = new Map<string, number>();
  #total = 0;
  #words = new Uint32Array(0);
  #rows = new Uint8Array(0);

  /** `maxBytes` bounds what is kept between calls. Default 32 MiB. */
  constructor(maxBytes = 32 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all layers kept. */
  get bytes(): number {
    return this.#total;
  }

  /**
   * The PNG of an encoded code; undefined when the drawing has too many colours for a palette: then
   * the whole code must be rendered.
   */
  async render(
    code: EncodedCode,
    design: Design,
    { widthPx, shaper, compression }: StampOptions,
  ): Promise<Uint8Array | undefined> {
    const { logo, sizePx: _, errorCorrection: __, ...look } = design;
    const { version, level } = code.matrix;
    const key = JSON.stringify([look, logoKey(logo), version, logo && level, widthPx]);
    const layer = await this.#get(key, () => makeLayer(code, design, widthPx, shaper));
    if (layer === undefined) return undefined;
    // Both rooms are shared by all codes: each is packed before the next is stamped.
    const { image } = layer;
    const { length } = layer.words;
    if (this.#words.length !== length) this.#words = new Uint32Array(length);
    if (this.#rows.length !== rowsBytes(image)) this.#rows = new Uint8Array(rowsBytes(image));
    stampCode(layer, code.matrix, this.#words);
    return writePalettePng({ ...image, words: this.#words, compression }, this.#rows);
  }

  #get(key: string, make: () => Promise<StampLayer | undefined>): Promise<StampLayer | undefined> {
    const known = this.#layers.get(key);
    this.#layers.delete(key);
    const layer = known ?? this.#make(key, make);
    this.#layers.set(key, layer);
    return layer;
  }

  async #make(
    key: string,
    make: () => Promise<StampLayer | undefined>,
  ): Promise<StampLayer | undefined> {
    try {
      const layer = await make();
      this.#keep(key, layer === undefined ? 1024 : bytesOf(layer));
      return layer;
    } catch (error) {
      this.#layers.delete(key);
      throw error;
    }
  }

  #keep(key: string, bytes: number): void {
    this.#bytes.set(key, bytes);
    this.#total += bytes;
    for (const oldest of this.#layers.keys()) {
      if (this.#total <= this.#maxBytes) return;
      const freed = this.#bytes.get(oldest);
      // A layer that is still being made doesn't count yet.
      if (freed === undefined) continue;
      this.#layers.delete(oldest);
      this.#bytes.delete(oldest);
      this.#total -= freed;
    }
  }
}
