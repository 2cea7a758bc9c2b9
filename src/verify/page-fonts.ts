import { toMessage } from "../base/errors.ts";
import type { PdfFile } from "./pdf-file.ts";
import { isArray, nameOf, type PdfDict, type PdfNode } from "./pdf-node.ts";

/** A font of a page, as far as its text can be measured and judged. */
export interface PageFont {
  readonly baseName: string;
  /** Bytes of the embedded font file; undefined when it is not embedded. */
  readonly file: Uint8Array | undefined;
  /** Glyphs in that file. */
  readonly glyphCount: number;
  /** 1/1000 of the size. */
  width(glyph: number): number;
  /** The character a glyph shows; undefined when the file doesn't say. */
  textOf(glyph: number): string | undefined;
  /** What could not be read. */
  readonly faults: readonly string[];
}

/** Runs of `W`: `first [w w w]` and `first last w`. */
function readWidths(file: PdfFile, node: PdfNode | undefined): Map<number, number> {
  const widths = new Map<number, number>();
  const values = file.array(node).map((value) => file.resolve(value));
  let i = 0;
  while (i < values.length) {
    const first = Number(values[i]);
    const second = values[i + 1];
    if (isArray(second)) {
      for (const [offset, width] of second.entries()) widths.set(first + offset, Number(width));
      i += 2;
    } else {
      for (let id = first; id <= Number(second); id += 1) widths.set(id, Number(values[i + 2]));
      i += 3;
    }
  }
  return widths;
}

function readToUnicode(file: PdfFile, node: PdfNode | undefined): Map<number, string> {
  const stream = file.stream(node);
  if (stream === undefined) return new Map();
  const text = Buffer.from(file.data(stream)).toString("latin1");
  const pairs = new Map<number, string>();
  for (const [, block] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/gu)) {
    for (const [, id, units] of (block ?? "").matchAll(/<([0-9a-f]+)>\s*<([0-9a-f]+)>/giu)) {
      pairs.set(
        Number.parseInt(id ?? "", 16),
        Buffer.from(units ?? "", "hex")
          .swap16()
          .toString("utf16le"),
      );
    }
  }
  return pairs;
}

/** Glyphs of a TrueType file by its `maxp` table; 0 when it has none. */
function countGlyphs(font: Uint8Array): number {
  const bytes = Buffer.from(font.buffer, font.byteOffset, font.byteLength);
  if (bytes.length < 12) return 0;
  for (let i = 0; i < bytes.readUInt16BE(4); i += 1) {
    const at = 12 + i * 16;
    if (bytes.toString("latin1", at, at + 4) === "maxp")
      return bytes.readUInt16BE(bytes.readUInt32BE(at + 8) + 4);
  }
  return 0;
}

function readFontFile(
  file: PdfFile,
  descriptor: PdfDict | undefined,
  faults: string[],
): Uint8Array | undefined {
  const stream = file.stream(descriptor?.get("FontFile2"));
  if (stream === undefined) return undefined;
  try {
    return file.data(stream);
  } catch (error) {
    faults.push(`font file can't be read: ${toMessage(error)}`);
    return undefined;
  }
}

/** Reads a composite font; simple fonts have no descendants and so come out as not embedded. */
export function readPageFont(file: PdfFile, node: PdfNode): PageFont {
  const font: PdfDict = file.dict(node) ?? new Map();
  const descendant = file.dict(file.array(font.get("DescendantFonts"))[0]);
  const faults: string[] = [];
  const embedded = readFontFile(file, file.dict(descendant?.get("FontDescriptor")), faults);
  const widths = readWidths(file, descendant?.get("W"));
  const missingWidth = Number(file.resolve(descendant?.get("DW")) ?? 1000);
  const characters = readToUnicode(file, font.get("ToUnicode"));
  return {
    baseName: nameOf(file.resolve(font.get("BaseFont"))) ?? "",
    file: embedded,
    glyphCount: embedded === undefined ? 0 : countGlyphs(embedded),
    width: (glyph) => widths.get(glyph) ?? missingWidth,
    textOf: (glyph) => characters.get(glyph),
    faults,
  };
}
