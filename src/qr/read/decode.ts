/**
 * Pixels -> codes, through zxing-wasm's reader (docs/spec/qr.md section 10). The only file that
 * imports it.
 *
 * No I/O here: the reader would fetch its WebAssembly from a content network, so callers read
 * `fileURLToPath(import.meta.resolve(ZXING_WASM))` once and hand the bytes in.
 */
import {
  prepareZXingModule,
  readBarcodes,
  type ReaderOptions,
  type ReadResult,
} from "zxing-wasm/reader";

import { type QrLevel, qrLevels } from "../encode/tables.ts";

/** Specifier of the reader's WebAssembly, `dist/reader/zxing_reader.wasm` in the package. */
export const ZXING_WASM = "zxing-wasm/reader/zxing_reader.wasm";

/** RGBA, 8 bits a channel, row by row. */
export interface PixelImage {
  readonly data: Uint8ClampedArray | Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface DecodeOptions {
  /** The image holds one upright code and nothing else, on whole pixels. Default false. */
  readonly pure?: boolean | undefined;
  /** Searches longer, turned and downscaled too. Default true, false for pure images. */
  readonly tryHarder?: boolean | undefined;
  /** Most codes to look for, 1 to 255. Default 1 for pure images, else 255. */
  readonly max?: number | undefined;
}

export interface DecodedCode {
  /** Exactly what was encoded, control characters included. */
  readonly text: string;
  /** Undefined when the reader doesn't say. */
  readonly level: QrLevel | undefined;
  readonly version: number | undefined;
  readonly hasEci: boolean;
  /** Box around the code in pixels, quiet zone not included. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface QrDecoder {
  /** All codes found, none when there is none. Transparent pixels count as white. */
  decode(image: PixelImage, options?: DecodeOptions): Promise<DecodedCode[]>;
}

/** Lays transparent pixels on white; the same array when there are none. */
function flatten({ data, width, height }: PixelImage): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  if (data.length !== width * height * 4) {
    throw new RangeError(`image must have ${width * height * 4} bytes, got ${data.length}`);
  }
  let at = 3;
  while (at < pixels.length && pixels[at] === 255) at += 4;
  if (at >= pixels.length) return pixels;
  const flat = pixels.slice();
  for (; at < flat.length; at += 4) {
    const alpha = (flat[at] as number) / 255;
    for (let channel = at - 3; channel < at; channel += 1) {
      flat[channel] = (flat[channel] as number) * alpha + 255 * (1 - alpha);
    }
    flat[at] = 255;
  }
  return flat;
}

function toReaderOptions({ pure = false, tryHarder = !pure, max }: DecodeOptions): ReaderOptions {
  return {
    formats: ["QRCode"],
    // Inverted codes read here, but not in most scanners: passing them would be a false proof.
    tryInvert: false,
    // The default rewrites control characters, such as GS1's group separator.
    textMode: "Plain",
    isPure: pure,
    binarizer: pure ? "FixedThreshold" : "LocalAverage",
    tryHarder,
    tryRotate: tryHarder,
    tryDownscale: tryHarder,
    maxNumberOfSymbols: max ?? (pure ? 1 : 255),
  };
}

function toCode(result: ReadResult): DecodedCode {
  const extra = (result.extra === "" ? {} : JSON.parse(result.extra)) as Record<string, unknown>;
  const { topLeft, topRight, bottomLeft, bottomRight } = result.position;
  const xs = [topLeft.x, topRight.x, bottomLeft.x, bottomRight.x];
  const ys = [topLeft.y, topRight.y, bottomLeft.y, bottomRight.y];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const version = Number(extra["Version"]);
  return {
    text: result.text,
    level: qrLevels.find((level) => level === extra["ECLevel"]),
    version: Number.isInteger(version) ? version : undefined,
    hasEci: result.hasECI,
    x,
    y,
    width: Math.max(...xs) - x,
    height: Math.max(...ys) - y,
  };
}

let loading: Promise<unknown> | undefined;

async function load(wasm: Uint8Array): Promise<void> {
  const wasmBinary = wasm.slice().buffer;
  // One module serves the whole process: a second decoder shares it.
  loading ??= prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  try {
    await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** Makes a decoder from the bytes of `ZXING_WASM`. May be called again; rejects on broken bytes. */
export async function openDecoder(wasm: Uint8Array): Promise<QrDecoder> {
  await load(wasm);
  return {
    async decode(image, options = {}) {
      const { width, height } = image;
      const data = flatten(image);
      const results = await readBarcodes(
        { data, width, height } as Parameters<typeof readBarcodes>[0],
        toReaderOptions(options),
      );
      return results.filter((result) => result.isValid).map(toCode);
    },
  };
}
