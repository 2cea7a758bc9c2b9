/** zxing-wasm for tests: the writer as oracle, our decoder on the reader. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";

import { openDecoder, type QrDecoder, ZXING_WASM } from "../../src/qr/read/decode.ts";
import { isDark, type QrMatrix } from "../../src/qr/encode/encode.ts";

const read = (specifier: string): Uint8Array =>
  new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(specifier))));

export function openTestDecoder(): Promise<QrDecoder> {
  return openDecoder(read(ZXING_WASM));
}

/** One line of 0 and 1 for each row of modules. */
export function toLines(matrix: QrMatrix): string[] {
  return Array.from({ length: matrix.size }, (_, y) =>
    Array.from({ length: matrix.size }, (_, x) => (isDark(matrix, x, y) ? "1" : "0")).join(""),
  );
}

export type Oracle = (text: string, options: string) => Promise<string[]>;

/** What Zint's core draws, `format` in the names of the package: as `toLines` writes it. */
export async function openOracle(format: "QRCode" | "MicroQRCode" = "QRCode"): Promise<Oracle> {
  const wasmBinary = read("zxing-wasm/writer/zxing_writer.wasm").slice().buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return async (text, options) => {
    const written = await writeBarcode(text, {
      format,
      options,
      scale: 1,
      addQuietZones: false,
    });
    if (written.error !== "") throw new Error(`${written.error}: ${JSON.stringify(text)}`);
    const { data, width, height } = written.symbol;
    return Array.from({ length: height }, (_, y) =>
      Array.from(data.subarray(y * width, (y + 1) * width), (v) => (v === 0 ? "1" : "0")).join(""),
    );
  };
}
