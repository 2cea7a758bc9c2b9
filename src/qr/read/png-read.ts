/**
 * PNG -> pixels, with every check that can reveal damage: signature, chunk order, CRCs, inflated
 * length, filters. It proves artwork without trusting another library.
 */
import { crc32, inflateSync } from "node:zlib";

import { AppError } from "../../base/errors.ts";
import { GREY, paeth, PALETTE, PNG_SIGNATURE, RGBA } from "../png/png-file.ts";

/** 8 bits a channel, row by row. */
export interface RgbaImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

export interface PngReadOptions {
  /** Larger images are refused before anything is inflated. Default 36 million, the largest drawing. */
  readonly maxPixels?: number | undefined;
}

const DEFAULT_MAX_PIXELS = 36_000_000;

/** A small file may announce a large size: at most this much memory is taken before data arrive. */
const MAX_CHUNK_BYTES = 4 * 1024 * 1024;

const RGB = 2;
const GREY_ALPHA = 4;

/** Samples of a pixel and the depths allowed, by colour type. */
const COLOR_TYPES: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  [GREY]: { channels: 1, depths: [1, 2, 4, 8] },
  [RGB]: { channels: 3, depths: [8] },
  [PALETTE]: { channels: 1, depths: [1, 2, 4, 8] },
  [GREY_ALPHA]: { channels: 2, depths: [8] },
  [RGBA]: { channels: 4, depths: [8] },
};

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly channels: number;
}

function refuse(message: string): never {
  throw new AppError("verify-failed", `PNG ${message}`);
}

interface RawChunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** All chunks up to IEND, each with a correct CRC; nothing may follow. */
function splitChunks(file: Uint8Array): RawChunk[] {
  if (PNG_SIGNATURE.some((byte, i) => file[i] !== byte)) refuse("must start with its signature");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: RawChunk[] = [];
  let at: number = PNG_SIGNATURE.length;
  while (at + 12 <= file.length) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > file.length) break;
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (crc32(file.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) {
      refuse(`chunk ${JSON.stringify(type)} at byte ${at} must have the CRC it states`);
    }
    chunks.push({ type, data: file.subarray(at + 8, end - 4) });
    at = end;
    if (type !== "IEND") continue;
    if (at !== file.length) refuse(`must end after IEND, got ${file.length - at} bytes more`);
    return chunks;
  }
  return refuse(`must end with IEND, got ${file.length} bytes without it`);
}

function readHeader(chunk: RawChunk | undefined, maxPixels: number): Header {
  if (chunk?.type !== "IHDR" || chunk.data.length !== 13) refuse("must begin with a 13-byte IHDR");
  const view = new DataView(chunk.data.buffer, chunk.data.byteOffset, 13);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, colorType] = [view.getUint8(8), view.getUint8(9)];
  if (width === 0 || height === 0 || width * height > maxPixels) {
    refuse(`must have 1 to ${maxPixels} pixels, got ${width} x ${height}`);
  }
  const kind = COLOR_TYPES[colorType];
  if (kind === undefined || !kind.depths.includes(depth)) {
    refuse(
      `must be grey, palette, RGB or RGBA of at most 8 bits, got type ${colorType}, ${depth} bits`,
    );
  }
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0 || view.getUint8(12) !== 0) {
    refuse("must use deflate, the five filters and no interlacing");
  }
  return { width, height, depth, colorType, channels: kind.channels };
}

function inflate(chunks: readonly RawChunk[], bytes: number): Uint8Array {
  const parts = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  let raw: Uint8Array;
  try {
    const [first] = parts;
    const packed = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
    // Room for everything in one piece: several pieces would be copied once more at the end.
    const chunkSize = Math.min(MAX_CHUNK_BYTES, Math.max(64, bytes + 1));
    raw = inflateSync(packed, { maxOutputLength: bytes + 1, chunkSize });
  } catch (error) {
    throw new AppError("verify-failed", "PNG image data must inflate to its stated size", {
      cause: error,
    });
  }
  if (raw.length !== bytes) refuse(`image data must be ${bytes} bytes, got ${raw.length}`);
  return raw;
}

/** What a filter adds to a byte, from its neighbours. */
const predictors: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Undoes the filters in place; row y begins at y * (1 + rowBytes), after its filter byte. */
function unfilter(raw: Uint8Array, rowBytes: number, pixelBytes: number): void {
  const stride = rowBytes + 1;
  for (let from = 0; from < raw.length; from += stride) {
    const filter = raw[from] as number;
    const predict = predictors[filter];
    if (predict === undefined) refuse(`row must use filter 0 to 4, got ${filter}`);
    if (filter === 0) continue;
    for (let i = 1; i <= rowBytes; i += 1) {
      const at = from + i;
      const inside = i > pixelBytes;
      const left = inside ? (raw[at - pixelBytes] as number) : 0;
      const above = from > 0 ? (raw[at - stride] as number) : 0;
      const corner = inside && from > 0 ? (raw[at - stride - pixelBytes] as number) : 0;
      raw[at] = (raw[at] as number) + predict(left, above, corner);
    }
  }
}

const dataOf = (chunks: readonly RawChunk[], type: string): Uint8Array | undefined =>
  chunks.find((chunk) => chunk.type === type)?.data;

/** RGBA of each grey value; one of them may be transparent. */
function greyLookup(values: number, clear: Uint8Array | undefined): Uint32Array {
  const clearValue = clear === undefined ? -1 : ((clear[0] ?? 0) << 8) | (clear[1] ?? 0);
  return Uint32Array.from({ length: values }, (_, value) => {
    const grey = (value * 255) / (values - 1);
    return toWord([grey, grey, grey], value === clearValue ? 0 : 255);
  });
}

/** RGBA of each palette entry, as many as there are. */
function paletteLookup(chunks: readonly RawChunk[]): Uint32Array {
  const palette = dataOf(chunks, "PLTE");
  const alphas = dataOf(chunks, "tRNS");
  if (palette === undefined || palette.length % 3 !== 0) {
    return refuse("with a palette must have a PLTE chunk of whole colours");
  }
  return Uint32Array.from({ length: palette.length / 3 }, (_, value) =>
    toWord(palette.subarray(value * 3, value * 3 + 3), alphas?.[value] ?? 255),
  );
}

/** One RGBA pixel as a little-endian word. */
function toWord(color: ArrayLike<number>, alpha: number): number {
  const [r, g, b] = [color[0] ?? 0, color[1] ?? 0, color[2] ?? 0];
  return (r | (g << 8) | (b << 16) | (alpha << 24)) >>> 0;
}

/** Brightness of an RGBA word on white, 0 to 255. */
function toLuma(word: number): number {
  const alpha = word >>> 24;
  const luma = 0.299 * (word & 255) + 0.587 * ((word >> 8) & 255) + 0.114 * ((word >> 16) & 255);
  return alpha === 255 ? luma : (luma * alpha) / 255 + 255 - alpha;
}

/** Reads a value of the pixel at a place. */
type PixelReader = (x: number, y: number) => number;

/** Reads a picture pixel by pixel. */
interface PixelReaders {
  /** RGBA word, little-endian. Throws `verify-failed` for a colour outside the palette. */
  readonly pixelAt: PixelReader;
  /** Its brightness on white, 0 to 255. Throws the same. */
  readonly lumaAt: PixelReader;
}

function indexedReader(
  raw: Uint8Array,
  { width, depth }: Header,
  lookup: Uint32Array | Float64Array,
): PixelReader {
  const stride = 1 + Math.ceil((width * depth) / 8);
  const mask = (1 << depth) - 1;
  return (x, y) => {
    const bit = x * depth;
    const byte = raw[y * stride + 1 + (bit >> 3)] as number;
    const found = lookup[(byte >> (8 - depth - (bit & 7))) & mask];
    return found ?? refuse(`pixel ${x}, ${y} must be a colour of the palette`);
  };
}

function sampleReader(raw: Uint8Array, { width, channels }: Header): PixelReader {
  const stride = 1 + width * channels;
  const [green, blue] = channels === 2 ? [0, 0] : [1, 2];
  const hasAlpha = channels === 2 || channels === 4;
  return (x, y) => {
    const at = y * stride + 1 + x * channels;
    const alpha = hasAlpha ? (raw[at + channels - 1] as number) : 255;
    return (
      ((raw[at] as number) |
        ((raw[at + green] as number) << 8) |
        ((raw[at + blue] as number) << 16) |
        (alpha << 24)) >>>
      0
    );
  };
}

function toReaders(raw: Uint8Array, header: Header, chunks: readonly RawChunk[]): PixelReaders {
  if (header.channels > 1) {
    if (header.colorType === RGB && dataOf(chunks, "tRNS") !== undefined) {
      refuse("of type RGB must have no transparent colour");
    }
    const pixelAt = sampleReader(raw, header);
    return { pixelAt, lumaAt: (x, y) => toLuma(pixelAt(x, y)) };
  }
  const lookup =
    header.colorType === GREY
      ? greyLookup(1 << header.depth, dataOf(chunks, "tRNS"))
      : paletteLookup(chunks);
  return {
    pixelAt: indexedReader(raw, header, lookup),
    lumaAt: indexedReader(raw, header, Float64Array.from(lookup, toLuma)),
  };
}

/** A checked PNG whose pixels are read one by one, for callers that need only some. */
export interface OpenPng extends PixelReaders {
  readonly width: number;
  readonly height: number;
}

/**
 * Opens a PNG: grey and palette of 1 to 8 bits, RGB, RGBA, grey with alpha of 8 bits, not
 * interlaced.
 *
 * Throws `verify-failed`, with fault and place, for anything else.
 */
export function openPng(file: Uint8Array, options: PngReadOptions = {}): OpenPng {
  const chunks = splitChunks(file);
  const header = readHeader(chunks[0], options.maxPixels ?? DEFAULT_MAX_PIXELS);
  const { width, height, depth, channels } = header;
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const raw = inflate(chunks, (rowBytes + 1) * height);
  unfilter(raw, rowBytes, Math.max(1, (channels * depth) >> 3));
  return { width, height, ...toReaders(raw, header, chunks) };
}

/** All pixels of a PNG with their transparency. Throws what `openPng` throws. */
export function readPng(file: Uint8Array, options: PngReadOptions = {}): RgbaImage {
  return readPixels(openPng(file, options));
}

/** The same of a file that is open already. */
export function readPixels({ width, height, pixelAt }: OpenPng): RgbaImage {
  const words = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) words[y * width + x] = pixelAt(x, y);
  }
  return { data: new Uint8ClampedArray(words.buffer), width, height };
}

/** The same with transparency on white: all pixels become opaque. Changes `data` in place. */
export function layOnWhite(image: RgbaImage): RgbaImage {
  const { data } = image;
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at] as number;
    if (alpha === 255) continue;
    for (let channel = at - 3; channel < at; channel += 1) {
      data[channel] = ((data[channel] as number) * alpha + 255 * (255 - alpha)) / 255;
    }
    data[at] = 255;
  }
  return image;
}

/** Reads a PNG as a decoder wants it: `readPng`, laid on white. */
export function readPlainPng(file: Uint8Array, options: PngReadOptions = {}): RgbaImage {
  return layOnWhite(readPng(file, options));
}
