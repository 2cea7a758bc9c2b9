import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createInflate, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHUNK_OVERHEAD = 12;
const HEADER_BYTES = 13;
/** In pieces of 8 kB, the longest accepted file has a fifth of this. */
const MAX_CHUNKS = 10_000;

/** Chunks of animated PNG: the proof sees the first picture, people might see another. */
const ANIMATION = new Set(["acTL", "fcTL", "fdAT"]);

/** What a browser would run if it treated the file as a page. */
const MARKUP = /<(?:script|html|body|iframe|img|svg|object|embed|link|meta|style|\?php|!doctype)/iu;

function findExtra(type: string, typed: Buffer): string | undefined {
  if (ANIMATION.has(type)) return "is animated";
  return MARKUP.test(typed.toString("latin1")) ? `carries markup in its ${type} chunk` : undefined;
}

/** No code is drawn this large: 5000 wide, and 1.42 times as high in a speech bubble. */
const MAX_PIXELS = 36_000_000;
/** Colours (iCCP) and texts (zTXt, iTXt), unpacked. */
const MAX_EXTRA_BYTES = 4 * 1024 * 1024;
/** Deflate makes no byte of packed data into more: RFC 1951 copies 258 bytes for two bits at best. */
const MOST_PER_BYTE = 1032;
/** Image data that fills no memory, however little of it a picture needs: a third of the largest one's. */
const HARMLESS_BYTES = 32 * 1024 * 1024;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** In an interlaced picture, rows begin with a byte each, in seven passes. */
const MOST_PASSES = 7;

interface Size {
  readonly width: number;
  readonly height: number;
  /** Most bytes of its image data, unpacked. */
  readonly bytes: number;
}

function readSize(header: Buffer): Size | undefined {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = CHANNELS[header.readUInt8(9)];
  if (width === 0 || height === 0 || channels === undefined) return undefined;
  const row = Math.ceil((width * channels * header.readUInt8(8)) / 8) + 1;
  const isInterlaced = header.readUInt8(12) !== 0;
  const bytes = isInterlaced ? (row + MOST_PASSES) * (height + MOST_PASSES) * 2 : row * height;
  return { width, height, bytes };
}

/** Unpacked at once up to this size: more than any plain code of a sheet has. */
const MAX_AT_ONCE = 1024 * 1024;

/**
 * Room for everything in one piece, and one byte too many: several pieces would be copied once more
 * at the end.
 */
const toChunkSize = (bytes: number): number => Math.max(64, bytes + 1);

/** What the pieces of one stream can unpack to. */
const mostOf = (pieces: readonly Uint8Array[]): number =>
  MOST_PER_BYTE * pieces.reduce((sum, piece) => sum + piece.length, 0);

/** True when the pieces of one stream unpack to more than this. */
async function unpacksBeyond(pieces: readonly Uint8Array[], most: number): Promise<boolean> {
  if (mostOf(pieces) <= most) return false;
  if (most > MAX_AT_ONCE) return unpacksBeyondInPieces(pieces, most);
  try {
    const [first] = pieces;
    const packed = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
    inflateSync(packed, { maxOutputLength: most, chunkSize: toChunkSize(most) });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
  }
}

/** The same, with only one unpacked piece in memory. */
async function unpacksBeyondInPieces(
  pieces: readonly Uint8Array[],
  most: number,
): Promise<boolean> {
  const unpack = createInflate();
  let bytes = 0;
  // A stream that is cut off or damaged ends there: what it shows is proven later.
  const ended = pipeline(Readable.from(pieces), unpack, { end: true }).catch(() => undefined);
  try {
    for await (const piece of unpack) {
      bytes += (piece as Buffer).length;
      if (bytes > most) return true;
    }
  } catch {
    return false;
  } finally {
    unpack.destroy();
    await ended;
  }
  return false;
}

/** Where the packed part of a chunk begins; undefined when nothing is packed. */
function findPacked({ type, data }: Chunk): Uint8Array | undefined {
  const name = data.indexOf(0);
  if (name < 0) return undefined;
  if (type === "zTXt" || type === "iCCP") return data.subarray(name + 2);
  if (type !== "iTXt" || data[name + 1] !== 1) return undefined;
  const translated = data.indexOf(0, data.indexOf(0, name + 3) + 1);
  return translated < 0 ? undefined : data.subarray(translated + 1);
}

async function findBomb(chunks: readonly Chunk[]): Promise<string | undefined> {
  const [header] = chunks;
  const size = header?.data.length === HEADER_BYTES ? readSize(header.data) : undefined;
  if (size === undefined) return "has a header that no PNG has";
  const { width, height, bytes } = size;
  if (width * height > MAX_PIXELS)
    return `must have at most ${MAX_PIXELS} pixels, got ${width} x ${height}`;
  const pixels = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  // Others are only unpacked by the proof, which refuses more than the size, too.
  const mayHarm = mostOf(pixels) > HARMLESS_BYTES;
  if (mayHarm && (await unpacksBeyond(pixels, bytes))) return "unpacks to more than its size";
  for (const chunk of chunks) {
    const packed = findPacked(chunk);
    if (packed !== undefined && (await unpacksBeyond([packed], MAX_EXTRA_BYTES)))
      return `unpacks to more than ${MAX_EXTRA_BYTES} bytes in its ${chunk.type} chunk`;
  }
  return undefined;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** All chunks, or a text with the fault. */
function readChunks(data: Buffer): readonly Chunk[] | string {
  const chunks: Chunk[] = [];
  let offset = SIGNATURE.length;
  while (offset < data.length) {
    if (offset + CHUNK_OVERHEAD > data.length) return "is cut off";
    const length = data.readUInt32BE(offset);
    const end = offset + CHUNK_OVERHEAD + length;
    if (end > data.length) return "is cut off";
    const typed = data.subarray(offset + 4, end - 4);
    const type = typed.subarray(0, 4).toString("latin1");
    if (crc32(typed) !== data.readUInt32BE(end - 4)) return `has a damaged ${type} chunk`;
    if ((chunks.length === 0) !== (type === "IHDR")) return "has no header at its start";
    const extra = type === "IDAT" ? undefined : findExtra(type, typed);
    if (extra !== undefined) return extra;
    if (chunks.length >= MAX_CHUNKS) return `has more than ${MAX_CHUNKS} chunks`;
    chunks.push({ type, data: typed.subarray(4) });
    if (type === "IEND") return end === data.length ? chunks : "has bytes after its end";
    offset = end;
  }
  return "is cut off";
}

/**
 * The fault of a downloaded PNG, or undefined. Checks signature, chunk lengths and CRCs, IHDR
 * first, image data, IEND at the very end (PNG specification, sections 5 and 11), a single picture,
 * no markup, and no data that unpack without end. A truncated file fails.
 */
export async function findPngFault(bytes: Uint8Array): Promise<string | undefined> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!data.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return "is not a PNG";
  const chunks = readChunks(data);
  if (typeof chunks === "string") return chunks;
  if (!chunks.some(({ type }) => type === "IDAT")) return "has no pixels";
  return findBomb(chunks);
}
