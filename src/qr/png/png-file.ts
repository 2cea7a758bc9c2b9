/** The parts of a PNG file that are the same for every writer. */
import { crc32, deflateSync } from "node:zlib";

export const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;

export const GREY = 0;
export const PALETTE = 3;
export const RGBA = 6;

/** `fast` makes files quickly; `small` makes them up to a third as long in several times the time. */
export type PngCompression = "fast" | "small";

/** zlib levels for images that aren't drawn by rows. */
export const zlibLevels = { fast: 2, small: 9 } as const satisfies Record<PngCompression, number>;

export interface Chunk {
  /** Four letters. */
  readonly type: string;
  readonly data: Uint8Array;
}

export interface ImageHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  readonly colorType: number;
}

/** IHDR: not interlaced. */
export function headerChunk({ widthPx, heightPx, bitDepth, colorType }: ImageHeader): Chunk {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, widthPx);
  view.setUint32(4, heightPx);
  data[8] = bitDepth;
  data[9] = colorType;
  return { type: "IHDR", data };
}

/** Signature, chunks with length and CRC, IEND. */
export function toPngFile(chunks: readonly Chunk[]): Uint8Array {
  const all: readonly Chunk[] = [...chunks, { type: "IEND", data: new Uint8Array(0) }];
  const length: number = all.reduce<number>(
    (sum, { data }) => sum + data.length + 12,
    PNG_SIGNATURE.length,
  );
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  file.set(PNG_SIGNATURE);
  let at: number = PNG_SIGNATURE.length;
  for (const { type, data } of all) {
    view.setUint32(at, data.length);
    for (let i = 0; i < 4; i += 1) file[at + 4 + i] = type.charCodeAt(i);
    file.set(data, at + 8);
    view.setUint32(at + 8 + data.length, crc32(file.subarray(at + 4, at + 8 + data.length)));
    at += data.length + 12;
  }
  return file;
}

/** The prediction of a byte from its left, upper and upper left neighbours: PNG's filter 4. */
export function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Bits of a pixel. */
export type BitDepth = 1 | 2 | 4 | 8;

/** The fewest bits in which an index of so many colours (at most 256) fits. */
export const bitDepthOf = (colors: number): BitDepth =>
  ([1, 2, 4] as const).find((bits) => colors <= 1 << bits) ?? 8;

/** Rows of pixels begin at a word in memory, so that many pixels are written at once. */
export const WORD_BYTES = 4;
export const WORD_BITS = 32;

/** Adds pixels to an empty row at the byte `to`, the first of them `place` pixels behind it. */
export function packPixels(
  indices: Uint8Array,
  {
    bitDepth,
    place,
    bytes,
    to,
  }: {
    readonly bitDepth: BitDepth;
    readonly place: number;
    readonly bytes: Uint8Array;
    readonly to: number;
  },
): void {
  if (bitDepth === 8) {
    bytes.set(indices, to + place);
    return;
  }
  for (let i = 0, bit = place * bitDepth; i < indices.length; i += 1, bit += bitDepth) {
    const at = to + (bit >> 3);
    bytes[at] = (bytes[at] as number) | ((indices[i] as number) << (8 - bitDepth - (bit & 7)));
  }
}

interface PaletteImage {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: BitDepth;
  /** RGBA, 4 bytes each. */
  readonly colors: Uint8Array;
  /** Palette indices, packed; each row begins at a word. */
  readonly words: Uint32Array;
  readonly compression: PngCompression;
}

type Pixels = Pick<PaletteImage, "width" | "height" | "bitDepth">;

const rowBytesOf = ({ width, bitDepth }: Pixels): number => Math.ceil((width * bitDepth) / 8);

/** Bytes of all rows as they are packed: a filter byte before each. */
export const rowsBytes = (image: Pixels): number => (rowBytesOf(image) + 1) * image.height;

/** Pixels of a palette -> PNG. `rows` is memory of `rowsBytes` for the rows before they are packed. */
export function writePalettePng(image: PaletteImage, rows: Uint8Array): Uint8Array {
  const { width, height, bitDepth, colors, words, compression } = image;
  const rowBytes = rowBytesOf(image);
  const stride = words.byteLength / height;
  const pixels = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let y = 0, to = 0; y < height; y += 1, to += rowBytes + 1) {
    rows[to] = 0;
    rows.set(pixels.subarray(y * stride, y * stride + rowBytes), to + 1);
  }
  const palette = colors.filter((_, i) => i % 4 !== 3);
  const alphas = colors.filter((_, i) => i % 4 === 3);
  const chunks: Chunk[] = [
    headerChunk({ widthPx: width, heightPx: height, bitDepth, colorType: PALETTE }),
    { type: "PLTE", data: palette },
  ];
  if (alphas.some((alpha) => alpha < 255)) chunks.push({ type: "tRNS", data: alphas });
  chunks.push({ type: "IDAT", data: deflateSync(rows, { level: zlibLevels[compression] }) });
  return toPngFile(chunks);
}

/** RGBA pixels -> PNG, every row filtered by Paeth. */
export function writeRgbaPng(image: {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}): Uint8Array {
  const { data, width, height } = image;
  const stride = width * 4;
  const raw = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const row = y * (stride + 1);
    raw[row] = 4;
    for (let i = 0; i < stride; i += 1) {
      const at = y * stride + i;
      const left = i < 4 ? 0 : (data[at - 4] as number);
      const above = y === 0 ? 0 : (data[at - stride] as number);
      const corner = i < 4 || y === 0 ? 0 : (data[at - stride - 4] as number);
      raw[row + 1 + i] = (data[at] as number) - paeth(left, above, corner);
    }
  }
  return toPngFile([
    headerChunk({ widthPx: width, heightPx: height, bitDepth: 8, colorType: RGBA }),
    { type: "IDAT", data: deflateSync(raw, { level: 9 }) },
  ]);
}

/** RGBA pixels -> PNG, made quickly: for a screen, not for files. */
export function writeScreenPng({
  data,
  width,
  height,
}: {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}): Uint8Array {
  const stride = width * 4;
  const raw = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    raw.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  return toPngFile([
    headerChunk({ widthPx: width, heightPx: height, bitDepth: 8, colorType: RGBA }),
    { type: "IDAT", data: deflateSync(raw, { level: zlibLevels.fast }) },
  ]);
}
