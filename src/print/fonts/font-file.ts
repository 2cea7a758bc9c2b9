/**
 * Checks of a font file before it may be used on sheets (OpenType 1.9: table directory, `OS/2`
 * fsType, `maxp`, `loca`). Fonts come from anywhere: nothing in them is trusted.
 */
import { checkGlyphs } from "./truetype-subset.ts";

/** Metrics of the whole face in 1/1000 of the size, as a PDF font descriptor wants them. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly bbox: readonly [number, number, number, number];
}

const kinds: Readonly<Record<string, "font" | "collection" | "web">> = {
  "\u0000\u0001\u0000\u0000": "font",
  true: "font",
  OTTO: "font",
  ttcf: "collection",
  wOFF: "web",
  wOF2: "web",
};

const HEADER_BYTES = 12;
const ENTRY_BYTES = 16;
const needed = ["head", "hhea", "hmtx", "maxp", "cmap"] as const;

/** fsType: the maker's permission, in its lowest four bits. */
const EMBEDDING = 0x000e;
const RESTRICTED = 0x0002;
const NO_SUBSETTING = 0x0100;
const BITMAPS_ONLY = 0x0200;
const FS_TYPE_AT = 8;
const WEIGHT_AT = 4;
const BOLD_FROM = 600;
const GLYPHS_AT = 4;

/** Tables of a font by tag; undefined when the file is shorter than it says. */
function readTables(file: Buffer): ReadonlyMap<string, Buffer> | undefined {
  const tables = new Map<string, Buffer>();
  const count = file.readUInt16BE(4);
  if (file.length < HEADER_BYTES + count * ENTRY_BYTES) return undefined;
  for (let i = 0; i < count; i += 1) {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    const offset = file.readUInt32BE(at + 8);
    const length = file.readUInt32BE(at + 12);
    if (offset + length > file.length) return undefined;
    tables.set(file.toString("latin1", at, at + 4), file.subarray(offset, offset + length));
  }
  return tables;
}

function embeddingFault(tables: ReadonlyMap<string, Buffer>): string | undefined {
  const os2 = tables.get("OS/2");
  const fsType =
    os2 === undefined || os2.length < FS_TYPE_AT + 2 ? 0 : os2.readUInt16BE(FS_TYPE_AT);
  const says = `got fsType 0x${fsType.toString(16).padStart(4, "0")}`;
  if ((fsType & EMBEDDING) === RESTRICTED)
    return `must be one that its maker allows to embed, ${says} (restricted licence)`;
  if ((fsType & NO_SUBSETTING) !== 0)
    return `must be one whose maker allows to embed parts of it, ${says} (no subsetting)`;
  if ((fsType & BITMAPS_ONLY) !== 0)
    return `must be one whose maker allows to embed its outlines, ${says} (bitmaps only)`;
  return undefined;
}

function tableFault(bytes: Uint8Array, tables: ReadonlyMap<string, Buffer>): string | undefined {
  const missing = needed.filter((tag) => !tables.has(tag));
  if (missing.length > 0)
    return `must be a whole font, got none of its tables ${missing.join(", ")}`;
  const isCff = tables.has("CFF ") || tables.has("CFF2");
  if (isCff && !tables.has("glyf")) return undefined;
  if (!tables.has("glyf") || !tables.has("loca"))
    return "must have outlines (glyf or CFF), got a font of pictures";
  return checkGlyphs(bytes) ? undefined : "must be a whole font, got broken outlines";
}

/** So many fonts are in a collection; undefined for any other file. */
export function countFonts(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isCollection = kinds[file.toString("latin1", 0, 4)] === "collection";
  return isCollection && file.length >= HEADER_BYTES ? file.readUInt32BE(8) : undefined;
}

/**
 * One font of a collection as a file of its own, with the tables that it shares with others (OpenType 1.9,
 * collections). Undefined where the file ends too early.
 */
export function takeFont(bytes: Uint8Array, index: number): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pointer = HEADER_BYTES + index * 4;
  if (pointer + 4 > file.length) return undefined;
  const start = file.readUInt32BE(pointer);
  if (start + HEADER_BYTES > file.length) return undefined;
  const count = file.readUInt16BE(start + 4);
  const directory = Buffer.from(file.subarray(start, start + HEADER_BYTES + count * ENTRY_BYTES));
  if (directory.length < HEADER_BYTES + count * ENTRY_BYTES) return undefined;
  const parts: Buffer[] = [directory];
  let end = directory.length;
  for (let i = 0; i < count; i += 1) {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    const [offset, length] = [directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12)];
    // Tables may lie on each other: a small file must not become a huge one.
    if (offset + length > file.length || end + length > 2 * file.length) return undefined;
    directory.writeUInt32BE(end, at + 8);
    const padding = Buffer.alloc(-length & 3);
    parts.push(file.subarray(offset, offset + length), padding);
    end += length + padding.length;
  }
  return Buffer.concat(parts);
}

/** Why a file can't be a font of sheets, as "must …, got …"; undefined when it can. */
export function findFontFault(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = kinds[file.toString("latin1", 0, 4)];
  if (kind === "collection") return "must be one font, got a collection in a collection";
  if (kind === "web") return "must be a TTF or OTF file, got a web font (WOFF): unpack it first";
  if (kind === undefined || file.length < HEADER_BYTES)
    return `must be a TTF or OTF file, got ${file.length} bytes of something else`;
  const tables = readTables(file);
  if (tables === undefined) return "must be a whole font, got a file that ends too early";
  return tableFault(bytes, tables) ?? embeddingFault(tables);
}

/** Glyphs of a font by its `maxp` table; 0 where it doesn't say. */
export function countGlyphs(maxp: Uint8Array | undefined): number {
  if (maxp === undefined || maxp.length < GLYPHS_AT + 2) return 0;
  return (maxp[GLYPHS_AT] ?? 0) * 256 + (maxp[GLYPHS_AT + 1] ?? 0);
}

/** True for semibold and heavier; false where a font doesn't say. */
export function isBoldFont(os2: Uint8Array | undefined): boolean {
  if (os2 === undefined || os2.length < WEIGHT_AT + 2) return false;
  return (os2[WEIGHT_AT] ?? 0) * 256 + (os2[WEIGHT_AT + 1] ?? 0) >= BOLD_FROM;
}
