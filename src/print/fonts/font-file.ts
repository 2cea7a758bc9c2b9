/**
 * What a font file must be before it may stand on sheets (OpenType 1.9: table directory, `OS/2`
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

/** fsType: what a font's maker allows, read of its lowest four bits. */
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

/** Why a file can't be a font of sheets, as "must …, got …"; undefined when it can. */
export function findFontFault(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = kinds[file.toString("latin1", 0, 4)];
  if (kind === "collection")
    return "must be a single font (TTF or OTF), got a collection (TTC): take one font out of it";
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
