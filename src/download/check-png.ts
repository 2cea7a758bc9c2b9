import { crc32 } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHUNK_OVERHEAD = 12;

/** Of animated PNG: what is proven is the first picture, what people see may be another. */
const ANIMATION = new Set(["acTL", "fcTL", "fdAT"]);

/** What a browser that takes the file for a page would run. */
const MARKUP = /<(?:script|html|body|iframe|img|svg|object|embed|link|meta|style|\?php|!doctype)/iu;

function findExtra(type: string, typed: Buffer): string | undefined {
  if (ANIMATION.has(type)) return "is animated";
  return MARKUP.test(typed.toString("latin1")) ? `carries markup in its ${type} chunk` : undefined;
}

/**
 * What is wrong with a downloaded PNG, or undefined: signature, chunk lengths and CRCs, IHDR first,
 * image data, IEND at the very end (PNG specification, sections 5 and 11), one picture and no page.
 * A truncated file fails.
 */
export function findPngFault(bytes: Uint8Array): string | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!data.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return "is not a PNG";
  let offset = SIGNATURE.length;
  let hasPixels = false;
  for (let first = true; offset < data.length; first = false) {
    if (offset + CHUNK_OVERHEAD > data.length) return "is cut off";
    const length = data.readUInt32BE(offset);
    const end = offset + CHUNK_OVERHEAD + length;
    if (end > data.length) return "is cut off";
    const typed = data.subarray(offset + 4, end - 4);
    const type = typed.subarray(0, 4).toString("latin1");
    if (crc32(typed) !== data.readUInt32BE(end - 4)) return `has a damaged ${type} chunk`;
    if (first !== (type === "IHDR")) return "has no header at its start";
    const extra = type === "IDAT" ? undefined : findExtra(type, typed);
    if (extra !== undefined) return extra;
    hasPixels ||= type === "IDAT";
    if (type === "IEND") return toEndFault(end === data.length, hasPixels);
    offset = end;
  }
  return "is cut off";
}

function toEndFault(isAtEnd: boolean, hasPixels: boolean): string | undefined {
  if (!isAtEnd) return "has bytes after its end";
  return hasPixels ? undefined : "has no pixels";
}
