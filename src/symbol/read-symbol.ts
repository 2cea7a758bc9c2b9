/**
 * Pixels -> the content of a symbol, through zxing-wasm's reader: it shares no code with the writer
 * (docs/spec/symbols.md section 7).
 */
import { type ReadInputBarcodeFormat, readBarcodes, type ReadResult } from "zxing-wasm/reader";

import type { SymbolName } from "../base/shapes/label-art.ts";
import type { PixelImage } from "../qr/read/decode.ts";
import { symbolKinds } from "./symbols.ts";

export interface SymbolReading {
  /** True when symbology and GS1 marks are as wanted. */
  readonly isKind: boolean;
  /** For messages: `EAN-13 (]E0)`. */
  readonly title: string;
  readonly text: string;
}

/**
 * How dark and light are separated: around each pixel, then by the whole picture. The first goes by
 * blocks of 8 pixels; in one of some hundred Data Matrix symbols, and more of Aztec, these fall so
 * that the reader loses the border.
 */
const BINARIZERS = ["LocalAverage", "GlobalHistogram"] as const;

async function readWith(
  name: SymbolName,
  image: PixelImage,
  binarizer: (typeof BINARIZERS)[number],
): Promise<ReadResult[]> {
  const kind = symbolKinds[name];
  const results = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
    formats: [(kind.readWith ?? kind.readAs) as ReadInputBarcodeFormat],
    binarizer,
    tryInvert: false,
    tryDownscale: false,
    // The default would rewrite control characters, such as GS1's separator.
    textMode: "Plain",
    maxNumberOfSymbols: 3,
  });
  return results.filter((result) => result.isValid);
}

/**
 * All symbols of a kind in a picture. `openDecoder` must have loaded the reader: its WebAssembly is
 * shared by all codes.
 */
export async function readSymbols(name: SymbolName, image: PixelImage): Promise<SymbolReading[]> {
  const kind = symbolKinds[name];
  for (const binarizer of BINARIZERS) {
    const found = await readWith(name, image, binarizer);
    if (found.length === 0) continue;
    return found.map(({ format, symbologyIdentifier, text }) => ({
      isKind: format === kind.readAs && isIdentifier(kind.identifier, symbologyIdentifier),
      title: `${format} (${symbologyIdentifier})`,
      text,
    }));
  }
  return [];
}

/**
 * Text symbols have modifiers for ECI as well: any of them means text. One in 43 texts of Code 39
 * ends with what would be its check character; readers then report one.
 */
function isIdentifier(wanted: string, got: string): boolean {
  if (wanted === got) return true;
  const texts: Readonly<Record<string, readonly string[]>> = {
    "]A0": ["]A1"],
    "]d1": ["]d4"],
    "]z0": ["]z3"],
    "]L2": ["]L1"],
  };
  return texts[wanted]?.includes(got) ?? false;
}
