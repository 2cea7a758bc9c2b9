import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { openDecoder, type QrDecoder, ZXING_WASM } from "./decode.ts";

let decoder: Promise<QrDecoder> | undefined;

async function startDecoder(): Promise<QrDecoder> {
  return openDecoder(await readFile(createRequire(import.meta.url).resolve(ZXING_WASM)));
}

/**
 * The only decoder of this process. Its WebAssembly comes from the installed package, never from a
 * network.
 */
export async function loadDecoder(): Promise<QrDecoder> {
  decoder ??= startDecoder();
  return decoder;
}
