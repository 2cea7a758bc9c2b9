/**
 * Pictures within drawings: logos. They must be embedded PNG or JPEG files, and can't be
 * decompression bombs.
 */
import { SvgFault } from "./svg-fault.ts";
import { headOf } from "../base/text/words.ts";

const MAX_PIXELS = 16_000_000;
const HEAD = /^\s*data:image\/(png|jpe?g);base64,/iu;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/u;
const HEAD_CHARACTERS = 64;
const PNG_START = "\u0089PNG\r\n\u001a\n";
const PNG_SIZE_AT = 16;

interface Size {
  readonly width: number;
  readonly height: number;
}

function readPngSize(file: Buffer): Size | undefined {
  if (file.length < PNG_SIZE_AT + 8 || file.toString("latin1", 0, 8) !== PNG_START)
    return undefined;
  return { width: file.readUInt32BE(PNG_SIZE_AT), height: file.readUInt32BE(PNG_SIZE_AT + 4) };
}

/** Frame headers: C0 to CF, except for the tables at C4, C8 and CC (ITU-T T.81, B.1.1.3). */
export const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpegSize(file: Buffer): Size | undefined {
  if (file.toString("latin1", 0, 3) !== "\u00ff\u00d8\u00ff") return undefined;
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff;) {
    const marker = file[at + 1] ?? 0;
    if (isFrameMarker(marker))
      return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}

/**
 * Pixels of the picture in an address. Throws a SvgFault when the address leads elsewhere, or the
 * content is no PNG or JPEG of a sensible size.
 */
export function readEmbeddedPixels(href: string): number {
  const head = HEAD.exec(href.slice(0, HEAD_CHARACTERS));
  if (head === null) {
    const shown = JSON.stringify(headOf(href.trim(), 60));
    throw new SvgFault(`has a picture that is not in it as PNG or JPEG: ${shown}`);
  }
  const data = href.slice(head[0].length);
  const file = BASE64.test(data) ? Buffer.from(data, "base64") : Buffer.alloc(0);
  const size = head[1]?.toLowerCase() === "png" ? readPngSize(file) : readJpegSize(file);
  if (size === undefined) throw new SvgFault("has a picture that is no PNG or JPEG, as it says");
  const pixels = size.width * size.height;
  if (pixels > 0 && pixels <= MAX_PIXELS) return pixels;
  throw new SvgFault(`has a picture of ${size.width} x ${size.height} pixels`);
}
