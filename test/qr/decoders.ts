/** Decoders that share no code with each other: a second, third and fourth opinion. */
import { binarize, Decoder, Detector } from "@nuintun/qrcode";
import jsqr from "jsqr";
import { decode_barcode_with_hints, DecodeHintDictionary, DecodeHintTypes } from "rxing-wasm";

import type { PixelImage } from "../../src/qr/read/decode.ts";
import { openTestDecoder } from "./zxing.ts";

/** The text of the one code in a picture, or undefined. */
export type Read = (image: PixelImage) => Promise<string | undefined> | string | undefined;

export const decoderNames = ["zxing", "rxing", "nuintun", "jsqr"] as const;
export type DecoderName = (typeof decoderNames)[number];

/** RGBA without transparency -> brightness as the reference decoders weigh it. */
function toLumas({ data, width, height }: PixelImage): Uint8Array {
  const lumas = new Uint8Array(width * height);
  for (let i = 0; i < lumas.length; i += 1) {
    const [r, g, b] = [data[i * 4] ?? 0, data[i * 4 + 1] ?? 0, data[i * 4 + 2] ?? 0];
    lumas[i] = Math.round(0.299 * r + 0.587 * g + 0.114 * b);
  }
  return lumas;
}

const readRxing: Read = (image) => {
  const hints = new DecodeHintDictionary();
  hints.set_hint(DecodeHintTypes.PossibleFormats, "qrcode");
  hints.set_hint(DecodeHintTypes.TryHarder, "true");
  try {
    const { width, height } = image;
    return decode_barcode_with_hints(toLumas(image), width, height, hints, true).text();
  } catch {
    return undefined;
  } finally {
    hints.free();
  }
};

const readNuintun: Read = (image) => {
  const found = new Detector().detect(binarize(toLumas(image), image.width, image.height));
  let current = found.next();
  while (current.done !== true) {
    let isRead = false;
    try {
      const { content } = new Decoder().decode(current.value.matrix);
      isRead = true;
      return content;
    } catch {
      // A place that looked like a code: the next one may be it.
    }
    current = found.next(isRead);
  }
  return undefined;
};

// The package is CommonJS: its function hides behind one more `default`.
const jsQr = (jsqr as unknown as { readonly default?: typeof jsqr.default }).default ?? jsqr;

const readJsqr: Read = ({ data, width, height }) => {
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  const options = { inversionAttempts: "dontInvert" } as const;
  return (jsQr as typeof jsqr.default)(pixels, width, height, options)?.data;
};

/** All of them. Pictures must have no transparency. */
export async function openDecoders(): Promise<Record<DecoderName, Read>> {
  const zxing = await openTestDecoder();
  return {
    zxing: async (image) => (await zxing.decode(image, { max: 1 }))[0]?.text,
    rxing: readRxing,
    nuintun: readNuintun,
    jsqr: readJsqr,
  };
}
