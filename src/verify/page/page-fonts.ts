import { toMessage } from "../../base/errors.ts";
import type { PdfFile } from "../pdf/pdf-file.ts";
import { isArray, nameOf, type PdfDict, type PdfNode } from "../pdf/pdf-node.ts";

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
  for (const block of text.split("beginbfchar").slice(1)) {
    const pairsOf = block.slice(0, Math.max(0, block.indexOf("endbfchar")));
    for (const [, id, units] of pairsOf.matchAll(/<([0-9a-f]+)>\s*<([0-9a-f]+)>/giu)) {
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

/** Bytes from one INDEX of a CFF font to what follows it. */
function indexBytes(bytes: Buffer, at: number): number {
  const count = bytes.readUInt16BE(at);
  if (count === 0) return 2;
  const offsetBytes = bytes.readUInt8(at + 2);
  const data = at + 3 + (count + 1) * offsetBytes;
  return data - at - 1 + bytes.readUIntBE(data - offsetBytes, offsetBytes);
}

/** Operators of a CFF top dictionary whose number is where something lies. */
const CHAR_STRINGS = 17;

/** Glyphs of a bare CFF font: the items of the INDEX that its top dictionary calls CharStrings. */
function countCffGlyphs(bytes: Buffer): number {
  const names = bytes.readUInt8(2);
  const tops = names + indexBytes(bytes, names);
  const offsetBytes = bytes.readUInt8(tops + 2);
  const end = tops + indexBytes(bytes, tops);
  let operand = 0;
  for (let at = tops + 3 + 2 * offsetBytes; at < end;) {
    const first = bytes.readUInt8(at);
    if (first === CHAR_STRINGS) return bytes.readUInt16BE(operand);
    if (first <= 21) at += first === 12 ? 2 : 1;
    else [operand, at] = readOperand(bytes, at);
  }
  return 0;
}

/** A whole number of a CFF dictionary, and where the next one is. */
function readOperand(bytes: Buffer, at: number): [number, number] {
  const first = bytes.readUInt8(at);
  if (first === 28) return [bytes.readInt16BE(at + 1), at + 3];
  if (first === 29) return [bytes.readInt32BE(at + 1), at + 5];
  if (first >= 32 && first <= 246) return [first - 139, at + 1];
  if (first >= 247 && first <= 250)
    return [(first - 247) * 256 + bytes.readUInt8(at + 1) + 108, at + 2];
  if (first >= 251 && first <= 254)
    return [-(first - 251) * 256 - bytes.readUInt8(at + 1) - 108, at + 2];
  throw new RangeError(`CFF operand ${first} is not a whole number`);
}

/** Glyphs of a TrueType file by its `maxp` table; 0 when it has none. */
function countGlyphs(bytes: Buffer): number {
  if (bytes.length < 12) return 0;
  for (let i = 0; i < bytes.readUInt16BE(4); i += 1) {
    const at = 12 + i * 16;
    if (bytes.toString("latin1", at, at + 4) === "maxp")
      return bytes.readUInt16BE(bytes.readUInt32BE(at + 8) + 4);
  }
  return 0;
}

interface FontFile {
  readonly file: Uint8Array;
  readonly glyphCount: number;
}

function readFontFile(
  file: PdfFile,
  descriptor: PdfDict | undefined,
  faults: string[],
): FontFile | undefined {
  const trueType = file.stream(descriptor?.get("FontFile2"));
  const stream = trueType ?? file.stream(descriptor?.get("FontFile3"));
  if (stream === undefined) return undefined;
  try {
    const data = file.data(stream);
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const glyphCount = trueType === undefined ? countCffGlyphs(bytes) : countGlyphs(bytes);
    return { file: data, glyphCount };
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
    file: embedded?.file,
    glyphCount: embedded?.glyphCount ?? 0,
    width: (glyph) => widths.get(glyph) ?? missingWidth,
    textOf: (glyph) => characters.get(glyph),
    faults,
  };
}
