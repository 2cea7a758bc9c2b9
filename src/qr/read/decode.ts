/**
 * Pixels -> codes, through zxing-wasm's reader (docs/spec/qr.md section 10). The only file that
 * imports it.
 *
 * No I/O here: left alone, the reader would fetch its WebAssembly from the internet. So callers
 * read `fileURLToPath(import.meta.resolve(ZXING_WASM))` once and pass the bytes in.
 */
import {
  type Binarizer,
  binarizers,
  characterSets,
  defaultReaderOptions,
  eanAddOnSymbols,
  encodeFormats,
  prepareZXingModule,
  type TextMode,
  textModes,
  type ZXingReaderOptions,
  type ZXingReadResult,
  type ZXingVector,
} from "zxing-wasm/reader";

import { Remembered } from "../../base/flow/remembered.ts";
import { type QrLevel, qrLevels } from "../encode/tables.ts";

/** Import path of the reader's WebAssembly, `dist/reader/zxing_reader.wasm` in the package. */
export const ZXING_WASM = "zxing-wasm/reader/zxing_reader.wasm";

/** RGBA, 8 bits a channel, row by row. */
export interface PixelImage {
  readonly data: Uint8ClampedArray | Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Grey, 8 bits a pixel, row by row, 0 black to 255 white. */
export interface GreyImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A rectangle of pixels inside of a picture. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface DecodeOptions {
  /** The image shows one upright code and nothing else, on whole pixels. Default false. */
  readonly pure?: boolean | undefined;
  /** Searches longer, also turned and scaled down. Default true, false for pure images. */
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

export interface PixelPoint {
  readonly x: number;
  readonly y: number;
}

/** Corners of a code as it stands upright: top left, top right, bottom right, bottom left. */
export type Corners = readonly [PixelPoint, PixelPoint, PixelPoint, PixelPoint];

/** A code of a scan or photo. */
export interface SeenCode extends DecodedCode {
  /** In pixels of the searched part; the order follows the code, however it is turned. */
  readonly corners: Corners;
  /**
   * Share of the error correction that was not needed, 0 to 1; undefined when the reader doesn't say.
   */
  readonly unusedCorrection: number | undefined;
  /** One number per module, row by row, 0 = dark, as it was read; undefined when the reader doesn't say. */
  readonly modules: GreyImage | undefined;
}

export interface LookOptions {
  /** How dark and light are separated. Default: around each pixel. */
  readonly binarizer?: "LocalAverage" | "GlobalHistogram" | "FixedThreshold" | undefined;
  /** Most codes to look for. Default 255, the most that the reader finds at once. */
  readonly max?: number | undefined;
}

export interface QrDecoder {
  /**
   * For a scan or photo: searches as hard as the reader can, also for turned, mirrored and faint
   * codes, and answers corners and unused error correction.
   */
  look(image: GreyImage, options?: LookOptions): SeenCode[];
  /** All codes found; may be none. Transparent pixels count as white. */
  decode(image: PixelImage, options?: DecodeOptions): Promise<DecodedCode[]>;
  /**
   * The same for a part of a grey picture, by default all of it; only that part is copied, once.
   * Places of codes count from the part's corner. Throws RangeError when it is not inside the
   * picture.
   */
  decodeGrey(image: GreyImage, part?: PixelBox, options?: DecodeOptions): DecodedCode[];
}

/** Writes a picture as grey, with transparent pixels on white. */
function writeGrey({ data, width, height }: PixelImage, to: Uint8Array): void {
  for (let pixel = 0, at = 0; pixel < width * height; pixel += 1, at += 4) {
    const luma =
      306 * (data[at] as number) + 601 * (data[at + 1] as number) + 117 * (data[at + 2] as number);
    const alpha = data[at + 3] as number;
    const seen = alpha === 255 ? luma : (luma * alpha) / 255 + 1024 * (255 - alpha);
    to[pixel] = (seen + 512) >> 10;
  }
}

/** The reader's own options are numbers: positions in its lists. */
const placeIn = <Name extends string>(names: readonly Name[], name: Name): number =>
  names.indexOf(name);

/**
 * "QRCode" includes Micro QR. The smallest Micro QR has no error correction, and worn print is easily
 * mistaken for it. Clean modules are read at once as "QRCode" only; a Micro QR among them is left out
 * afterwards.
 */
const FORMATS = {
  pure: encodeFormats(["QRCode"]),
  searched: encodeFormats(["QRCodeModel2"]),
};
/** The name of a full QR code in results. */
const FULL = "QRCode";

const BASE_OPTIONS: Omit<ZXingReaderOptions, "isPure" | "binarizer" | "formats"> = {
  ...defaultReaderOptions,
  // This reader could read inverted codes, but most scanners can't: accepting them would be a false
  // proof.
  tryInvert: false,
  // The default would rewrite control characters, such as GS1's group separator.
  textMode: placeIn<TextMode>(textModes, "Plain"),
  eanAddOnSymbol: placeIn(eanAddOnSymbols, "Ignore"),
  characterSet: placeIn(characterSets, "Unknown"),
};

function toReaderOptions({
  pure = false,
  tryHarder = !pure,
  max,
}: DecodeOptions): ZXingReaderOptions {
  return {
    ...BASE_OPTIONS,
    formats: pure ? FORMATS.pure : FORMATS.searched,
    isPure: pure,
    binarizer: placeIn<Binarizer>(binarizers, pure ? "FixedThreshold" : "LocalAverage"),
    tryHarder,
    tryRotate: tryHarder,
    tryDownscale: tryHarder,
    maxNumberOfSymbols: max ?? (pure ? 1 : 255),
  };
}

function toCode(result: ZXingReadResult): DecodedCode {
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

function toSeenCode(result: ZXingReadResult): SeenCode {
  const { topLeft, topRight, bottomLeft, bottomRight } = result.position;
  const { UEC: unused } = (result.extra === "" ? {} : JSON.parse(result.extra)) as {
    UEC?: unknown;
  };
  const { data, width, height } = result.symbol;
  const left = unused === undefined ? Number.NaN : Number(unused);
  return {
    ...toCode(result),
    corners: [topLeft, topRight, bottomRight, bottomLeft],
    unusedCorrection: Number.isFinite(left) ? left : undefined,
    modules: data.length === 0 ? undefined : { data: Uint8Array.from(data), width, height },
  };
}

/** Parts of the WebAssembly module that the package's types leave out. */
interface ReaderModule {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  /** Reads grey pixels in its memory. */
  readBarcodesFromPixmap(
    pointer: number,
    width: number,
    height: number,
    options: ZXingReaderOptions,
  ): ZXingVector<ZXingReadResult> & { delete(): void };
}

let loading: Promise<ReaderModule> | undefined;

async function load(wasm: Uint8Array): Promise<ReaderModule> {
  const wasmBinary = wasm.slice().buffer;
  // One module for the whole process: a second decoder shares it.
  loading ??= prepareZXingModule({
    overrides: { wasmBinary },
    fireImmediately: true,
  }) as Promise<unknown> as Promise<ReaderModule>;
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** Reads `size` pixels, which `write` puts into the reader's own memory. */
function readWith<Code>(
  module: ReaderModule,
  { width, height }: { readonly width: number; readonly height: number },
  write: (to: Uint8Array) => void,
  {
    options,
    toResult,
  }: { options: ZXingReaderOptions; toResult: (result: ZXingReadResult) => Code },
): Code[] {
  const bytes = width * height;
  const pointer = module._malloc(bytes);
  if (pointer === 0) throw new Error(`the reader must have ${bytes} bytes of memory, got none`);
  try {
    write(module.HEAPU8.subarray(pointer, pointer + bytes));
    const found = module.readBarcodesFromPixmap(pointer, width, height, options);
    try {
      const results = Array.from({ length: found.size() }, (_, at) => found.get(at));
      return results.flatMap((result) =>
        result?.isValid === true && result.format === FULL ? [toResult(result)] : [],
      );
    } finally {
      found.delete();
    }
  } finally {
    module._free(pointer);
  }
}

/**
 * Remembered results for clean modules: a code's PNG and SVG, read one after the other, mostly show
 * the same ones.
 */
const CLEAN_KEPT = 8;
/** The largest code with its quiet zone, a pixel a module. */
const MAX_CLEAN_PIXELS = 185 * 185;

/** True when the picture is only clean modules. */
function isClean(image: GreyImage, part: PixelBox, { pure }: DecodeOptions): boolean {
  const pixels = part.width * part.height;
  return pure === true && pixels === image.data.length && pixels <= MAX_CLEAN_PIXELS;
}

/** Everything that the reader gets of a clean picture: its answer depends on nothing else. */
function toKey({ data, width }: GreyImage, { tryHarder = false, max = 1 }: DecodeOptions): string {
  const pixels = Buffer.from(data.buffer, data.byteOffset, data.length).toString("latin1");
  return `${width} ${String(tryHarder)} ${max} ${pixels}`;
}

/** Makes a decoder from the bytes of `ZXING_WASM`. May be called again; rejects on broken bytes. */
export async function openDecoder(wasm: Uint8Array): Promise<QrDecoder> {
  const module = await load(wasm);
  const clean = new Remembered<DecodedCode[]>(CLEAN_KEPT);
  return {
    async decode(image, options = {}) {
      const { data, width, height } = image;
      if (data.length !== width * height * 4) {
        throw new RangeError(`image must have ${width * height * 4} bytes, got ${data.length}`);
      }
      const how = { options: toReaderOptions(options), toResult: toCode };
      return readWith(module, image, (to) => writeGrey(image, to), how);
    },
    decodeGrey(image, part = { left: 0, top: 0, ...image }, options = {}) {
      const { left, top, width, height } = part;
      const isInside =
        Math.min(left, top) >= 0 &&
        Math.min(width, height) > 0 &&
        left + width <= image.width &&
        top + height <= image.height &&
        image.data.length === image.width * image.height;
      if (!isInside) throw new RangeError("part must be inside of its picture");
      const copyRows = (to: Uint8Array): void => {
        for (let row = 0; row < height; row += 1) {
          const from = (top + row) * image.width + left;
          to.set(image.data.subarray(from, from + width), row * width);
        }
      };
      const read = (): DecodedCode[] =>
        readWith(module, part, copyRows, { options: toReaderOptions(options), toResult: toCode });
      if (!isClean(image, part, options)) return read();
      const key = toKey(image, options);
      let codes = clean.get(key);
      if (codes === undefined) clean.set(key, (codes = read()));
      return [...codes];
    },
    look(image, { binarizer = "LocalAverage", max } = {}) {
      const options = {
        ...toReaderOptions({ tryHarder: true, max }),
        binarizer: placeIn<Binarizer>(binarizers, binarizer),
      };
      return readWith(module, image, (to) => to.set(image.data), { options, toResult: toSeenCode });
    },
  };
}
