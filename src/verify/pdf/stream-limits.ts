/**
 * Measures what a renderer would unpack for a page before it gets the file: the renderer itself has
 * no limit.
 */
import { readJpeg } from "../../print/pdf/image-file.ts";
import {
  countBytes,
  isPictureFilter,
  MAX_FILE_BYTES,
  MAX_PICTURE_BYTES,
  MAX_STREAM_BYTES,
  MEGABYTE,
  mostBytes,
  type Packed,
  PdfTooLarge,
  unpackToPicture,
} from "../../print/pdf/pdf-unpack.ts";
import type { PdfFile, PdfPage } from "./pdf-file.ts";
import {
  isArray,
  isStream,
  nameOf,
  type PdfDict,
  type PdfNode,
  type PdfStream,
} from "./pdf-node.ts";
import { reach } from "./reach.ts";

/** Pixels of a row: 8 m at 600 dpi. */
const MAX_COLUMNS = 200_000;

const PICTURE_HINT = "save the PDF again with pictures of at most 600 ppi at their printed size";

interface Size {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
}

/** Sizes of the main header (ITU-T T.800, annex A.5.1). */
const JPX_START = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
const JPX_HEADER_BYTES = 42;

function readJpxSize(data: Uint8Array): Size | undefined {
  const view = Buffer.from(data.buffer, data.byteOffset, data.length);
  const at = view.indexOf(JPX_START);
  if (at < 0 || at + JPX_HEADER_BYTES > view.length) return undefined;
  const [width, height] = [view.readUInt32BE(at + 8), view.readUInt32BE(at + 12)];
  return { width, height, bitsPerPixel: 8 * view.readUInt16BE(at + 40) };
}

/** The size in a picture's own coding. */
function codedSize(packed: Packed, what: string): Size | undefined {
  const coding = packed.filters.find(({ name }) => isPictureFilter(name))?.name;
  if (coding !== "DCTDecode" && coding !== "JPXDecode") return undefined;
  const data = unpackToPicture(packed, { maxBytes: MAX_STREAM_BYTES, what });
  if (coding === "JPXDecode") return readJpxSize(data);
  const frame = readJpeg(data);
  return frame && { ...frame, bitsPerPixel: frame.components * frame.bits };
}

const knownSpaces: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  Indexed: 1,
  Separation: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
};

/** Samples of a pixel. */
function countComponents(file: PdfFile, space: PdfNode | undefined): number {
  const found = file.resolve(space) ?? null;
  const kind = nameOf(isArray(found) ? file.resolve(found[0]) : found);
  if (kind === "DeviceN" && isArray(found)) return Math.max(1, file.array(found[1]).length);
  return knownSpaces[kind ?? ""] ?? 4;
}

/** The size in a picture's dictionary. */
function statedSize(file: PdfFile, dict: PdfDict): Size {
  const number = (key: string, otherwise: number): number => {
    const found = file.resolve(dict.get(key));
    return typeof found === "number" ? found : otherwise;
  };
  const isMask = file.resolve(dict.get("ImageMask")) === true;
  const components = isMask ? 1 : countComponents(file, dict.get("ColorSpace"));
  const bits = isMask ? 1 : number("BitsPerComponent", 8);
  return {
    width: number("Width", 0),
    height: number("Height", 0),
    bitsPerPixel: components * bits,
  };
}

function checkSize({ width, height, bitsPerPixel }: Size, what: string): void {
  const bytes = Math.abs(width * height * bitsPerPixel) / 8;
  if (bytes <= MAX_PICTURE_BYTES) return;
  const most = MAX_PICTURE_BYTES / MEGABYTE;
  throw new PdfTooLarge(
    `must have pictures of at most ${most} MB unpacked, got ${width} x ${height} pixels in ${what}`,
    PICTURE_HINT,
  );
}

/** Rows that a filter would make room for. */
function checkColumns(file: PdfFile, { dict }: PdfStream, what: string): void {
  const parms = file.resolve(dict.get("DecodeParms")) ?? null;
  for (const one of isArray(parms) ? parms : [parms]) {
    const columns = file.resolve(file.dict(one)?.get("Columns"));
    if (typeof columns !== "number" || columns <= MAX_COLUMNS) continue;
    throw new PdfTooLarge(
      `must have rows of at most ${MAX_COLUMNS} pixels, got ${columns} in ${what}`,
      PICTURE_HINT,
    );
  }
}

/**
 * Measures all that a page refers to, except its content, which the reader limits itself. Skips
 * streams that can't reach a cap in any packing. @throws PdfTooLarge beyond a cap
 */
export async function checkStreams(file: PdfFile, page: PdfPage): Promise<void> {
  const shown = new Map([...page.dict].filter(([key]) => key !== "Contents"));
  const streams: { packed: Packed; maxBytes: number; what: string }[] = [];
  for (const { node, object } of reach(file, shown)) {
    if (!isStream(node)) continue;
    const what = object === undefined ? "a stream" : `object ${object}`;
    const packed = file.packed(node);
    const isPicture = nameOf(file.resolve(node.dict.get("Subtype"))) === "Image";
    if (isPicture) checkSize(statedSize(file, node.dict), what);
    const coded = codedSize(packed, what);
    if (coded !== undefined) checkSize(coded, what);
    checkColumns(file, node, what);
    streams.push({ packed, what, maxBytes: isPicture ? MAX_PICTURE_BYTES : MAX_STREAM_BYTES });
  }
  const most = streams.reduce((sum, { packed }) => sum + mostBytes(packed), 0);
  if (most <= MAX_STREAM_BYTES) return;
  let bytes = 0;
  for (const { packed, what, maxBytes } of streams) {
    bytes += await countBytes(packed, { maxBytes, what });
    if (bytes <= MAX_FILE_BYTES) continue;
    throw new PdfTooLarge(
      `must unpack to at most ${MAX_FILE_BYTES / MEGABYTE} MB per page, got more`,
      PICTURE_HINT,
    );
  }
}
