/**
 * The fast path for plain codes: 1 or 2 bits a pixel, every row of modules deflated once
 * (docs/spec/qr.md section 7).
 */
import { parseHexColor } from "../../base/color/color.ts";
import { RowDeflater, ZlibRows } from "./deflate.ts";
import type { Design } from "../draw/design.ts";
import { isDark, type QrMatrix } from "../encode/encode.ts";
import { isEye } from "../draw/eyes.ts";
import type { PixelGrid } from "./pixel-grid.ts";
import {
  type Chunk,
  GREY,
  headerChunk,
  PALETTE,
  type PngCompression,
  toPngFile,
} from "./png-file.ts";
import { QUIET_ZONE } from "../encode/tables.ts";

interface Paint {
  readonly bitDepth: 1 | 2;
  readonly colorType: number;
  readonly chunks: readonly Chunk[];
  /** A byte full of background, data and eye pixels. */
  readonly background: number;
  readonly data: number;
  readonly eye: number;
}

/** True when the fast path draws everything in the design. */
export function isPlain(design: Design): boolean {
  const { pattern, eyeStyle, frame, logo } = design;
  return pattern === "Original" && eyeStyle === "Square" && frame === null && logo === null;
}

function isColor(color: string | null, value: number): boolean {
  if (color === null) return false;
  const { r, g, b } = parseHexColor(color);
  return r === value && g === value && b === value;
}

/** Palette: background, data, eyes; the background may be transparent. */
function toPalette(design: Design, colors: readonly string[]): Chunk[] {
  const background = design.backgroundColor ?? "#ffffff";
  const data = [background, ...colors].flatMap((color) => {
    const { r, g, b } = parseHexColor(color);
    return [r, g, b];
  });
  const palette = { type: "PLTE", data: Uint8Array.from(data) };
  if (design.backgroundColor !== null) return [palette];
  return [palette, { type: "tRNS", data: Uint8Array.of(0) }];
}

function toPaint(design: Design): Paint {
  const { primaryColor, eyeColor, backgroundColor } = design;
  if (eyeColor !== primaryColor) {
    const chunks = toPalette(design, [primaryColor, eyeColor]);
    return { bitDepth: 2, colorType: PALETTE, chunks, background: 0, data: 0x55, eye: 0xaa };
  }
  if (isColor(primaryColor, 0) && isColor(backgroundColor, 255)) {
    return { bitDepth: 1, colorType: GREY, chunks: [], background: 255, data: 0, eye: 0 };
  }
  const chunks = toPalette(design, [primaryColor]);
  return { bitDepth: 1, colorType: PALETTE, chunks, background: 0, data: 255, eye: 255 };
}

/** Takes the bits of `mask` from `value`, and keeps the others. */
function mixByte(row: Uint8Array, at: number, mask: number, value: number): void {
  row[at] = ((row[at] as number) & ~mask) | (value & mask);
}

/** Sets the bits [from, to) of `row` to those of a repeating byte. */
function fillBits(row: Uint8Array, from: number, to: number, value: number): void {
  const first = from >> 3;
  const last = to >> 3;
  const head = 0xff >> (from & 7);
  const tail = (0xff00 >> (to & 7)) & 0xff;
  if (first === last) {
    mixByte(row, first, head & tail, value);
    return;
  }
  mixByte(row, first, head, value);
  row.fill(value, first + 1, last);
  if (tail !== 0) mixByte(row, last, tail, value);
}

/** Draws one row of modules as a scan line behind its filter byte. */
function drawRow(
  row: Uint8Array,
  matrix: QrMatrix,
  y: number,
  draw: { grid: PixelGrid; paint: Paint },
): void {
  const { grid, paint } = draw;
  const bits = grid.pitch * paint.bitDepth;
  const origin = 8 + (grid.left + QUIET_ZONE * grid.pitch) * paint.bitDepth;
  row.fill(paint.background, 1);
  const { size } = matrix;
  let start = -1;
  let startValue = -1;
  for (let x = 0; x <= size; x += 1) {
    const dark = x < size && isDark(matrix, x, y);
    const value = dark ? (isEye(size, x, y) ? paint.eye : paint.data) : -1;
    if (value === startValue) continue;
    if (startValue >= 0) fillBits(row, origin + start * bits, origin + x * bits, startValue);
    start = x;
    startValue = value;
  }
}

/** The PNG file of a plain code on its grid. */
export function drawPlainPng(
  matrix: QrMatrix,
  design: Design,
  { grid, compression }: { readonly grid: PixelGrid; readonly compression: PngCompression },
): Uint8Array {
  const paint = toPaint(design);
  const row = new Uint8Array(1 + Math.ceil((grid.widthPx * paint.bitDepth) / 8));
  const rows = compression === "fast" ? new RowDeflater(row.length) : new ZlibRows();
  row.fill(paint.background, 1);
  const above = grid.top + QUIET_ZONE * grid.pitch;
  rows.add(row, above);
  for (let y = 0; y < matrix.size; y += 1) {
    drawRow(row, matrix, y, { grid, paint });
    rows.add(row, grid.pitch);
  }
  const below = grid.heightPx - above - matrix.size * grid.pitch;
  row.fill(paint.background, 1);
  rows.add(row, below);
  const { widthPx, heightPx } = grid;
  return toPngFile([
    headerChunk({ widthPx, heightPx, bitDepth: paint.bitDepth, colorType: paint.colorType }),
    ...paint.chunks,
    { type: "IDAT", data: rows.finish() },
  ]);
}
