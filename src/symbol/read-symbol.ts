/** Pixels -> what a symbol says, through zxing-wasm's reader: no part of it had to do with drawing (docs/spec/symbols.md section 7). */
import { type ReadInputBarcodeFormat, readBarcodes } from "zxing-wasm/reader";

import type { SymbolName } from "../base/label-art.ts";
import type { PixelImage } from "../qr/read/decode.ts";
import { symbolKinds } from "./symbols.ts";

/** One symbol that was read. */
export interface SymbolReading {
  /** As its row wants it: symbology, and the marks of GS1 in it. */
  readonly isKind: boolean;
  /** For messages: `EAN-13 (]E0)`. */
  readonly title: string;
  readonly text: string;
}

/**
 * All symbols of a kind in a picture. The reader must have been loaded by `openDecoder`; its
 * WebAssembly is one for all codes.
 */
export async function readSymbols(name: SymbolName, image: PixelImage): Promise<SymbolReading[]> {
  const kind = symbolKinds[name];
  const results = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
    formats: [(kind.readWith ?? kind.readAs) as ReadInputBarcodeFormat],
    tryInvert: false,
    tryDownscale: false,
    // The default rewrites control characters, such as the separator of GS1.
    textMode: "Plain",
    maxNumberOfSymbols: 3,
  });
  return results
    .filter((result) => result.isValid)
    .map(({ format, symbologyIdentifier, text }) => ({
      isKind: format === kind.readAs && isIdentifier(kind.identifier, symbologyIdentifier),
      title: `${format} (${symbologyIdentifier})`,
      text,
    }));
}

/**
 * Modifiers of text symbols tell of ECI as well: any of them is text. Of 43 texts of Code 39 one ends with
 * what would be its check character, and readers say so.
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
