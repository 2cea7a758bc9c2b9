/** Reads the QR code in a PNG file, on white. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import sharp from "sharp";

import { openDecoder, ZXING_WASM } from "../../src/qr/read/decode.ts";

export async function readCode(png: Uint8Array): Promise<string | undefined> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve(ZXING_WASM)));
  const { data, info } = await sharp(png)
    .flatten({ background: "#ffffff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoder = await openDecoder(new Uint8Array(wasm));
  const found = await decoder.decode({
    data: new Uint8Array(data),
    width: info.width,
    height: info.height,
  });
  return found[0]?.text;
}
