/**
 * Streams of PDF files -> their bytes, within caps. A few kilobytes of a PDF can stand for gigabytes,
 * so nothing here is unpacked first and measured then.
 */
import { createInflate, inflateSync } from "node:zlib";

import { decodePDFRawStream, PDFContext, PDFRawStream } from "pdf-lib/cjs/core/index.js";

export const MEGABYTE = 1024 * 1024;

/** A stream that is kept in memory whole. Maps and dense line art for a label stay below 40 MB. */
export const MAX_STREAM_BYTES = 64 * MEGABYTE;
/** The same in rare codings, whose reader takes more memory. */
const MAX_RARE_BYTES = 32 * MEGABYTE;
/** All parts of one page's content. */
export const MAX_CONTENT_BYTES = 96 * MEGABYTE;
/** A stream that is only shown: a CMYK picture of A3 at 600 dpi has 278 MB. */
export const MAX_PICTURE_BYTES = 384 * MEGABYTE;
/** All streams of a file that is shown, since a renderer may hold all of them. */
export const MAX_FILE_BYTES = 1024 * MEGABYTE;
/** ASCII85, then Flate, then the picture's own coding is what programs write. */
const MAX_FILTERS = 4;
/** How many bytes one byte can become: deflate 1032, LZW 1366, run lengths 64, `z` of ASCII85 4. */
const MAX_GROWTH = 1400;

/** A stream holds more than any real file for a press. The message goes on after the file's name. */
export class PdfTooLarge extends Error {
  readonly hint: string;

  constructor(
    message: string,
    hint = "save the PDF again from its program, flattened and without parts that are not shown",
  ) {
    super(message);
    this.hint = hint;
  }
}

export interface PackedFilter {
  readonly name: string;
  /** Of Flate and LZW; 1 is none. */
  readonly predictor?: number | undefined;
  /** Of LZW. */
  readonly earlyChange?: number | undefined;
}

/** A stream as it stands in a file. */
export interface Packed {
  readonly raw: Uint8Array;
  /** The first is undone first. */
  readonly filters: readonly PackedFilter[];
}

/** The cap, and the name of the stream: `the content of page 1`. */
export interface UnpackCap {
  readonly maxBytes: number;
  readonly what: string;
}

const pictureFilters = new Set(["DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode"]);
const otherFilters = new Set(["ASCII85Decode", "ASCIIHexDecode", "LZWDecode", "RunLengthDecode"]);

export const isPictureFilter = (name: string): boolean => pictureFilters.has(name);

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;

/** Refuses a stream. */
export function refuseSize({ maxBytes, what }: UnpackCap, got = "more"): never {
  throw new PdfTooLarge(
    `must unpack to at most ${toMegabytes(maxBytes)} per stream, got ${got} in ${what}`,
  );
}

function checkFilters({ filters }: Packed, what: string): void {
  if (filters.length > MAX_FILTERS) {
    throw new PdfTooLarge(
      `must pack a stream at most ${MAX_FILTERS} times, got ${filters.length} times in ${what}`,
    );
  }
}

function inflate(data: Uint8Array, cap: UnpackCap): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: cap.maxBytes });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") refuseSize(cap);
    throw error;
  }
}

const STEP_BYTES = 65_536;

/** Rare filters, by the package that knows them; counted while they run. */
function decodeOther(data: Uint8Array, filter: PackedFilter, cap: UnpackCap): Uint8Array {
  const context = PDFContext.create();
  const parms = { EarlyChange: filter.earlyChange ?? 1 };
  const dict = context.obj({ Filter: filter.name, DecodeParms: parms });
  const stream = decodePDFRawStream(PDFRawStream.of(dict, data));
  for (let bytes = 0; ;) {
    const got = stream.getBytes(STEP_BYTES).length;
    if (got === 0) break;
    bytes += got;
    if (bytes > cap.maxBytes) refuseSize(cap);
  }
  return stream.decode();
}

function undo(data: Uint8Array, filter: PackedFilter, cap: UnpackCap): Uint8Array {
  const { name, predictor = 1 } = filter;
  if (predictor > 1) throw new SyntaxError(`${cap.what} must be packed without a predictor`);
  if (name === "FlateDecode") return inflate(data, cap);
  if (otherFilters.has(name)) return decodeOther(data, filter, cap);
  throw new SyntaxError(`${cap.what} must be packed as text is, got ${name}`);
}

/**
 * The bytes of a stream, every filter undone within the cap.
 * @throws PdfTooLarge beyond the cap; an Error for damaged data and for filters of pictures
 */
export function unpack(packed: Packed, cap: UnpackCap): Uint8Array {
  checkFilters(packed, cap.what);
  const { maxBytes, what } = cap;
  const rare = { maxBytes: Math.min(maxBytes, MAX_RARE_BYTES), what };
  let data = packed.raw;
  for (const filter of packed.filters)
    data = undo(data, filter, otherFilters.has(filter.name) ? rare : cap);
  if (data.length > cap.maxBytes) refuseSize(cap);
  return data;
}

/** The bytes of a picture in its own coding. Throws what `unpack` throws. */
export function unpackToPicture(packed: Packed, cap: UnpackCap): Uint8Array {
  return unpack(withoutPicture(packed), cap);
}

/** The most that a stream can unpack to, without unpacking it. */
export function mostBytes({ raw, filters }: Packed): number {
  const growing = filters.filter(({ name }) => !pictureFilters.has(name) && name !== "Crypt");
  return raw.length * MAX_GROWTH ** growing.length;
}

async function countInflated(data: Uint8Array, cap: UnpackCap): Promise<number> {
  const stream = createInflate({ chunkSize: STEP_BYTES });
  stream.end(data);
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      if (bytes > cap.maxBytes) refuseSize(cap);
    }
  } catch (error) {
    // Damaged data shows as much as it has.
    if (error instanceof PdfTooLarge) throw error;
  }
  return bytes;
}

/** The part of a stream that its picture's own coding leaves packed. */
function withoutPicture({ raw, filters }: Packed): Packed {
  const end = filters.findIndex(({ name }) => pictureFilters.has(name) || name === "Crypt");
  return { raw, filters: end < 0 ? filters : filters.slice(0, end) };
}

/** How many bytes a stream unpacks to, without keeping them. Throws PdfTooLarge beyond the cap. */
export async function countBytes(packed: Packed, cap: UnpackCap): Promise<number> {
  checkFilters(packed, cap.what);
  const { raw, filters } = withoutPicture(packed);
  const last = filters.at(-1);
  if (last === undefined) return raw.length;
  const inner = { maxBytes: Math.min(cap.maxBytes, MAX_STREAM_BYTES), what: cap.what };
  let data = raw;
  try {
    for (const filter of filters.slice(0, -1))
      data = undo(data, { ...filter, predictor: 1 }, inner);
    if (last.name === "FlateDecode") return await countInflated(data, cap);
    return undo(data, { ...last, predictor: 1 }, inner).length;
  } catch (error) {
    if (error instanceof PdfTooLarge) throw error;
    return data.length;
  }
}
