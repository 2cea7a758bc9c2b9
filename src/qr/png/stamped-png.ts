/**
 * Styled PNGs of many codes (docs/spec/qr.md section 8): what is the same for all of them is
 * rendered once as a layer, each code then stamps its dark modules into a copy.
 */
import { parseHexColor } from "../../base/color.ts";
import { sha256 } from "../../base/ids.ts";
import type { Design } from "../draw/design.ts";
import { drawFixedParts, type EncodedCode } from "../draw/drawing.ts";
import { isDark, type QrMatrix } from "../encode/encode.ts";
import { DATA, moduleKinds, TIMING } from "../draw/module-kinds.ts";
import { modulePath } from "../draw/modules.ts";
import { type IndexedImage, toIndexed } from "./palette.ts";
import { gridView, type PixelGrid, toPixelGrid } from "./pixel-grid.ts";
import { type PngCompression, toRows, writePaletteRows } from "./png-file.ts";
import { rasterizeSvg } from "./raster.ts";
import { toSvg } from "../draw/svg.ts";
import type { TextShaper } from "../draw/text.ts";

/** Palette indices 0 to 15 run from the background to the ink of the modules. */
const INK = 15;

/**
 * Modules on pixels, as ramp indices: `count` squares of `pitch` pixels, one for each way in
 * which a module and those around it can be dark.
 */
interface Tiles {
  readonly levels: Uint8Array;
  readonly pitch: number;
  /** Shapes reach into their neighbours: a tile depends on four of them too. */
  readonly isReaching: boolean;
}

/** Everything of a design and version but the data modules, on pixels. */
interface StampLayer {
  readonly image: Omit<IndexedImage, "indices">;
  /** As they are packed: a row is a filter byte and its indices. */
  readonly rows: Uint8Array;
  readonly tiles: Tiles;
  readonly grid: PixelGrid;
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
    // A renderer leaves nothing in pixels that it never touched.
    if (ground === undefined) return step === 0 ? 0 : toWord(ink.r, ink.g, ink.b, share * 255);
    const mix = (from: number, to: number): number => Math.round(from + (to - from) * share);
    return toWord(mix(ground.r, ink.r), mix(ground.g, ink.g), mix(ground.b, ink.b), 255);
  });
}

/** A module itself, then its neighbours: bit and place. */
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
 * Renders the tiles below each other, every one in the middle of a square of three modules. Where
 * shapes meet their edges are then as smooth as in a whole render.
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
    grid,
    left: grid.left + drawing.codeX * grid.pitch,
    top: grid.top + drawing.codeY * grid.pitch,
    cleared: drawing.cleared,
  };
}

/** Copies a tile to where the layer shows background; what the layer has drawn stays. */
function putTile(canvas: Uint8Array, stride: number, at: number, tile: Uint8Array): void {
  const pitch = Math.sqrt(tile.length);
  for (let i = 0, to = at; i < tile.length; i += pitch, to += stride) {
    for (let x = 0; x < pitch; x += 1) {
      if (canvas[to + x] === 0) canvas[to + x] = tile[i + x] as number;
    }
  }
}

/** The same where the layer is known to be background. */
function copyTile(canvas: Uint8Array, stride: number, at: number, tile: Uint8Array): void {
  const pitch = Math.sqrt(tile.length);
  for (let i = 0, to = at; i < tile.length; i += pitch, to += stride) {
    canvas.set(tile.subarray(i, i + pitch), to);
  }
}

/** 1 for each module that is stamped: dark, of the pattern, not under the logo. */
function findStamped(matrix: QrMatrix, cleared: Uint8Array | undefined): Uint8Array {
  const kinds = moduleKinds(matrix.version);
  return Uint8Array.from(kinds, (kind, at) => {
    const isPattern = kind === DATA || kind === TIMING;
    const [x, y] = [at % matrix.size, Math.floor(at / matrix.size)];
    return isPattern && isDark(matrix, x, y) && cleared?.[at] !== 1 ? 1 : 0;
  });
}

/** Which tile a module takes; also for modules just outside the code. */
function tileAt(stamped: Uint8Array, size: number, x: number, y: number): number {
  let tile = 0;
  for (const { bit, dx, dy } of NEIGHBOURS) {
    const [nx, ny] = [x + dx, y + dy];
    if (nx < 0 || ny < 0 || nx >= size || ny >= size) continue;
    if (stamped[ny * size + nx] === 1) tile |= bit;
  }
  return tile;
}

/** The rows of the PNG, unfiltered. */
function stampCode(layer: StampLayer, matrix: QrMatrix): Uint8Array {
  const { image, rows, tiles, grid, left, top, cleared } = layer;
  const { levels, pitch, isReaching } = tiles;
  const canvas = rows.slice();
  const stride = image.width + 1;
  const stamped = findStamped(matrix, cleared);
  const { size } = matrix;
  const reach = isReaching ? 1 : 0;
  // Eyes, alignment patterns and logos stand where only a shape's tip may come.
  const put = isReaching || cleared !== undefined ? putTile : copyTile;
  for (let y = -reach; y < size + reach; y += 1) {
    for (let x = -reach; x < size + reach; x += 1) {
      const tile = isReaching ? tileAt(stamped, size, x, y) : (stamped[y * size + x] as number);
      if (tile === 0) continue;
      const at = (top + y * grid.pitch) * stride + 1 + left + x * grid.pitch;
      put(canvas, stride, at, levels.subarray(tile * pitch * pitch, (tile + 1) * pitch * pitch));
    }
  }
  return canvas;
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

  /** `maxBytes` bounds what is kept between calls. Default 32 MiB. */
  constructor(maxBytes = 32 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all layers kept. */
  get bytes(): number {
    return this.#total;
  }

  /**
   * The PNG of an encoded code, or undefined when the drawing has too many colours for a palette:
   * then only a whole render is right.
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
    const rows = stampCode(layer, code.matrix);
    return writePaletteRows({ ...layer.image, rows, compression });
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
      // Layers in the making are not counted yet.
      if (freed === undefined) continue;
      this.#layers.delete(oldest);
      this.#bytes.delete(oldest);
      this.#total -= freed;
    }
  }
}
