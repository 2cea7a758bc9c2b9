import { readFile } from "node:fs/promises";

import { toMessage } from "../base/errors.ts";
import type { DecodedCode, QrDecoder } from "../qr/decode.ts";
import { readCodes } from "../qr/read-code.ts";
import { loadDecoder } from "./decoder.ts";
import type { Finding } from "./finding.ts";

/** A PNG file and what its code must say. */
export interface ArtworkFile {
  readonly file: string;
  readonly payload: string;
  /** Whether another text than the payload is as good, where servers may write it in their own way. */
  readonly means?: ((text: string) => boolean) | undefined;
  readonly key?: string | undefined;
}

export interface ArtworkProof {
  readonly files: number;
  readonly decoded: number;
  readonly findings: readonly Finding[];
}

interface Flaw {
  readonly rule: "artwork-missing" | "artwork-damaged" | "artwork-unreadable" | "artwork-mismatch";
  readonly message: string;
}

async function judge(artwork: ArtworkFile, decoder: QrDecoder): Promise<Flaw | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(artwork.file);
  } catch (error) {
    return { rule: "artwork-missing", message: `file must be readable, got ${toMessage(error)}` };
  }
  let codes: DecodedCode[];
  try {
    codes = await readCodes(decoder, bytes);
  } catch (error) {
    return { rule: "artwork-damaged", message: toMessage(error) };
  }
  const [code] = codes;
  if (code === undefined)
    return { rule: "artwork-unreadable", message: "no code can be read in the picture" };
  if (codes.length > 1)
    return { rule: "artwork-mismatch", message: `picture must hold one code, got ${codes.length}` };
  if (code.text === artwork.payload || artwork.means?.(code.text) === true) return undefined;
  const [got, wanted] = [code.text, artwork.payload].map((text) =>
    JSON.stringify(text.slice(0, 200)),
  );
  return { rule: "artwork-mismatch", message: `code must say ${wanted}, got ${got}` };
}

/**
 * Decodes PNG files and compares each with its payload. One file is in memory at a time; never
 * throws for what is wrong with a file: missing, damaged, unreadable and mismatching are findings.
 */
export async function verifyArtwork(
  files: AsyncIterable<ArtworkFile> | Iterable<ArtworkFile>,
): Promise<ArtworkProof> {
  const decoder = await loadDecoder();
  const findings: Finding[] = [];
  let count = 0;
  for await (const artwork of files) {
    count += 1;
    const flaw = await judge(artwork, decoder);
    if (flaw !== undefined)
      findings.push({ severity: "error", ...flaw, file: artwork.file, key: artwork.key });
  }
  return { files: count, decoded: count - findings.length, findings };
}
