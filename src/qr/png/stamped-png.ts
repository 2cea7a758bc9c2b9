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
import { modulePath } from "../draw/modules.ts";
import { type IndexedImage, toIndexed } from "./palette.ts";
import { gridView, toPixelGrid } from "./pixel-grid.ts";
import { type PngCompression, toRows, writePaletteRows } from "./png-file.ts";
import { rasterizeSvg } from "./raster.ts";
import { toSvg } from "../draw/svg.ts";
import type { TextShaper } from "../draw/text.ts";

/** Palette indices 0 to 15 go from the background to the ink of the modules. */
const INK = 15;

/**
 * Modules as pixels: `count` squares of `pitch` pixels, one for each combination of dark and light
 * in a module and its neighbours. Values are palette indices.
 */
interface Tiles {
  readonly levels: Uint8Array;
  readonly pitch: number;
  /** Shapes reach into their neighbours: a tile then also depends on those four modules. */
  readonly isReaching: boolean;
}

/** Everything of a design and version except the data modules, as pixels. */
interface StampLayer {
  readonly image: Omit<IndexedImage, "indices">;
  /** As in the PNG: a row is a filter byte and its indices. */
  readonly rows: Uint8Array;
  readonly tiles: Tiles;
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
async function makeTiles({ pattern }: Design, pitch: number): Promise<Tiles> {
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

async function makeLayer(
  code: EncodedCode,
  design: Design,
  widthPx: number,
  shaper: TextShaper | undefined,
): Promise<StampLayer | undefined> {
  const drawing = drawFixedParts(code, design, shaper);
  const grid = toPixelGrid(drawing, widthPx);
  const pixels = await rasterizeSvg(toSvg(drawing, gridView(grid)));
  const image = toIndexed(pixels, toRamp(design));
  if (image === undefined) return undefined;
  const { width, height, colors } = image;
  return {
    image: { width, height, colors },
    rows: toRows(image),
    tiles: await makeTiles(design, grid.pitch),
    left: grid.left + drawing.codeX * grid.pitch,
    top: grid.top + drawing.codeY * grid.pitch,
    cleared: drawing.cleared,
  };
}

/** A copy of a layer, as rows of a PNG, into which tiles are put. */
class Canvas {
  readonly rows: Uint8Array;
  readonly #layer: StampLayer;
  readonly #stride: number;

  /** `room` is memory for the copy, as long as the layer. */
  constructor(layer: StampLayer, room: Uint8Array) {
    room.set(layer.rows);
    this.rows = room;
    this.#layer = layer;
    this.#stride = layer.image.width + 1;
  }

  /** Puts a tile where the layer shows background; drawn parts of the layer stay. */
  put(tile: number, x: number, y: number): void {
    const { rows } = this;
    const stride = this.#stride;
    const { levels, pitch } = this.#layer.tiles;
    let from = tile * pitch * pitch;
    for (let to = this.#at(x, y), end = to + pitch * stride; to < end; to += stride) {
      for (let i = 0; i < pitch; i += 1, from += 1)
        if (rows[to + i] === 0) rows[to + i] = levels[from] as number;
    }
  }

  /**
   * The same where the layer is known to be background. The pieces of a row are too short for `set`
   * to pay.
   */
  copy(tile: number, x: number, y: number): void {
    const { rows } = this;
    const stride = this.#stride;
    const { levels, pitch } = this.#layer.tiles;
    let from = tile * pitch * pitch;
    for (let to = this.#at(x, y), end = to + pitch * stride; to < end; to += stride) {
      for (let i = 0; i < pitch; i += 1, from += 1) rows[to + i] = levels[from] as number;
    }
  }

  /** Position at which a module begins. */
  #at(x: number, y: number): number {
    const { left, top, tiles } = this.#layer;
    return (top + y * tiles.pitch) * this.#stride + 1 + left + x * tiles.pitch;
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

/** The tile of a module; also for modules just outside of the code. */
function tileAt(stamped: Uint8Array, size: number, x: number, y: number): number {
  let tile = 0;
  for (const { bit, dx, dy } of NEIGHBOURS) {
    const [nx, ny] = [x + dx, y + dy];
    if (nx < 0 || ny < 0 || nx >= size || ny >= size) continue;
    if (stamped[ny * size + nx] === 1) tile |= bit;
  }
  return tile;
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

/** The rows of the PNG, unfiltered. */
function stampCode(layer: StampLayer, matrix: QrMatrix, room: Uint8Array): Uint8Array {
  const { tiles, cleared } = layer;
  const canvas = new Canvas(layer, room);
  const stamped = findStamped(matrix, cleared);
  const { size } = matrix;
  if (tiles.isReaching) {
    stampReaching(canvas, stamped, size);
    return canvas.rows;
  }
  for (let y = 0, at = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1, at += 1) {
      if (stamped[at] === 0) continue;
      // Eyes and alignment patterns are never here, so `copy` is safe; with a logo, it isn't.
      if (cleared === undefined) canvas.copy(1, x, y);
      else canvas.put(1, x, y);
    }
  }
  return canvas.rows;
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
  #room = new Uint8Array(0);

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
    const rows = stampCode(layer, code.matrix, this.#roomFor(layer.rows.length));
    return writePaletteRows({ ...layer.image, rows, compression });
  }

  /** Memory shared by all codes: each is packed before the next is stamped. */
  #roomFor(bytes: number): Uint8Array {
    if (this.#room.length !== bytes) this.#room = new Uint8Array(bytes);
    return this.#room;
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
      this.#keep(key, layer?.rows.length ?? 1024);
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
