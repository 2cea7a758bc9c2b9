/**
 * A finished PNG -> the code that it shows (docs/spec/qr.md section 10): this proves the file, not
 * the matrix.
 *
 * Most artwork is a plain code on whole pixels: it is sampled once per module and decoded from that.
 * Other large pictures are decoded scaled down first, and from all their pixels only if that finds
 * nothing.
 */
import type { DecodedCode, GreyImage, QrDecoder } from "./decode.ts";
import { layOnWhite, openPng, type OpenPng, readPixels } from "./png-read.ts";
import { MAX_VERSION, QUIET_ZONE } from "../encode/tables.ts";

/** Width of an eye; the first dark run of a plain code. */
const EYE = 7;
const HALF = 128;

interface ModuleGrid {
  /** Pixel of the top left corner, modules of a side, pixels of a module. */
  readonly left: number;
  readonly size: number;
  readonly pitch: number;
}

/**
 * The grid of a plain code with equal margins left and above: the diagonal meets the corner of its
 * eye, which is 7 modules wide. Undefined for any other picture.
 */
function findGrid({ width, height, lumaAt }: OpenPng): ModuleGrid | undefined {
  const isDark = (x: number, y: number): boolean => lumaAt(x, y) < HALF;
  const shorter = Math.min(width, height);
  let left = 0;
  while (left < shorter && !isDark(left, left)) left += 1;
  if (left === shorter) return undefined;
  let eyeEnd = left;
  while (eyeEnd < width && isDark(eyeEnd, left)) eyeEnd += 1;
  let right = width - 1;
  while (!isDark(right, left)) right -= 1;
  const pitch = (eyeEnd - left) / EYE;
  const size = (right + 1 - left) / pitch;
  const version = (size - 17) / 4;
  const isCode = Number.isInteger(pitch) && Number.isInteger(version) && version >= 1;
  if (!isCode || version > MAX_VERSION || left + size * pitch > height) return undefined;
  return { left, size, pitch };
}

/** One pixel per module, quiet zone included. */
function sampleModules(png: OpenPng, { left, size, pitch }: ModuleGrid): GreyImage {
  const side = size + QUIET_ZONE * 2;
  const data = new Uint8Array(side * side).fill(255);
  const middle = left + Math.floor(pitch / 2);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const isDark = png.lumaAt(middle + x * pitch, middle + y * pitch) < HALF;
      if (isDark) data[(y + QUIET_ZONE) * side + x + QUIET_ZONE] = 0;
    }
  }
  return { data, width: side, height: side };
}

/** Sizes at which pictures are read first: fast, and mostly 3 pixels a module or more. */
const SHRUNK_PX = [150, 240] as const;

/**
 * Scales down: every pixel is the mean of two that lie across its block, transparency on white, in
 * grey.
 */
function shrink({ width, height, lumaAt }: OpenPng, factor: number): GreyImage {
  const small = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
  const data = new Uint8Array(small.width * small.height);
  const [near, far] = [factor >> 2, factor - 1 - (factor >> 2)];
  for (let y = 0; y < small.height; y += 1) {
    const [top, bottom] = [y * factor + near, y * factor + far];
    for (let x = 0; x < small.width; x += 1) {
      const [left, right] = [x * factor + near, x * factor + far];
      const sum = lumaAt(left, top) + lumaAt(right, bottom);
      data[y * small.width + x] = Math.round(sum / 2);
    }
  }
  return { data, ...small };
}

function readShrunk(decoder: QrDecoder, png: OpenPng, factor: number): DecodedCode[] {
  const found = decoder.decodeGrey(shrink(png, factor), undefined, { tryHarder: false });
  return found.map((code) => ({
    ...code,
    x: code.x * factor,
    y: code.y * factor,
    width: code.width * factor,
    height: code.height * factor,
  }));
}

/** Reads a scaled-down picture, which is faster. */
function readSmaller(decoder: QrDecoder, png: OpenPng): DecodedCode[] {
  const longer = Math.max(png.width, png.height);
  for (const factor of new Set(SHRUNK_PX.map((size) => Math.floor(longer / size)))) {
    const found = factor < 2 ? [] : readShrunk(decoder, png, factor);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The codes in a PNG file, mostly one. Throws `verify-failed` for a damaged file. An empty list
 * means that the picture is intact but shows no code that scanners can reliably read.
 */
export async function readCodes(decoder: QrDecoder, file: Uint8Array): Promise<DecodedCode[]> {
  const png = openPng(file);
  const grid = findGrid(png);
  if (grid !== undefined) {
    const found = decoder.decodeGrey(sampleModules(png, grid), undefined, { pure: true });
    const { left, size, pitch } = grid;
    const place = { x: left, y: left, width: size * pitch, height: size * pitch };
    if (found.length > 0) return found.map((code) => ({ ...code, ...place }));
  }
  const found = readSmaller(decoder, png);
  return found.length > 0 ? found : decoder.decode(layOnWhite(readPixels(png)));
}
