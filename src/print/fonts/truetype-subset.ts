import { invariant } from "../../base/errors.ts";

/**
 * Cuts a TrueType file down to some of its glyphs. Own code, because the font package packs glyphs
 * of odd length under offsets that only hold even ones, and letters vanish in viewers.
 */
interface Table {
  readonly offset: number;
  readonly length: number;
}

const COMPOSITE = {
  words: 0x0001,
  scale: 0x0008,
  more: 0x0020,
  xyScale: 0x0040,
  twoByTwo: 0x0080,
} as const;
const COMPONENT_HEADER_BYTES = 4;
const GLYPH_HEADER_BYTES = 10;

/** The tables that a PDF viewer needs; outlines, metrics and hinting programs. */
const copiedTables = ["cvt ", "fpgm", "prep"] as const;

/** Bytes from one component of a composite glyph to the next. */
function componentBytes(flags: number): number {
  let bytes = COMPONENT_HEADER_BYTES + ((flags & COMPOSITE.words) === 0 ? 2 : 4);
  if ((flags & COMPOSITE.scale) !== 0) bytes += 2;
  else if ((flags & COMPOSITE.xyScale) !== 0) bytes += 4;
  else if ((flags & COMPOSITE.twoByTwo) !== 0) bytes += 8;
  return bytes;
}

/** A TrueType file, read where needed. */
class TrueTypeFile {
  readonly #bytes: Buffer;
  readonly #tables = new Map<string, Table>();
  readonly #longOffsets: boolean;
  readonly #longMetrics: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = this.#bytes.readUInt16BE(4);
    for (let i = 0; i < count; i += 1) {
      const at = 12 + i * 16;
      const tag = this.#bytes.toString("latin1", at, at + 4);
      this.#tables.set(tag, {
        offset: this.#bytes.readUInt32BE(at + 8),
        length: this.#bytes.readUInt32BE(at + 12),
      });
    }
    this.#longOffsets = this.table("head").readInt16BE(50) === 1;
    this.#longMetrics = this.table("hhea").readUInt16BE(34);
  }

  /** A table's bytes; a missing one is empty. */
  table(tag: string): Buffer {
    const found = this.#tables.get(tag);
    return found === undefined
      ? Buffer.alloc(0)
      : this.#bytes.subarray(found.offset, found.offset + found.length);
  }

  glyph(id: number): Buffer {
    const loca = this.table("loca");
    const at = (index: number): number =>
      this.#longOffsets ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2;
    const [start, end] = [at(id), at(id + 1)];
    const glyf = this.table("glyf");
    if (start > end || end > glyf.length) throw new RangeError("glyph lies outside of the font");
    return glyf.subarray(start, end);
  }

  /** Advance width and left side bearing, font units. */
  metrics(id: number): { advance: number; bearing: number } {
    const hmtx = this.table("hmtx");
    const last = this.#longMetrics - 1;
    if (id <= last)
      return { advance: hmtx.readUInt16BE(id * 4), bearing: hmtx.readInt16BE(id * 4 + 2) };
    return {
      advance: hmtx.readUInt16BE(last * 4),
      bearing: hmtx.readInt16BE(this.#longMetrics * 4 + (id - this.#longMetrics) * 2),
    };
  }
}

/** Calls `visit` with the place of every component's glyph identifier in a composite glyph. */
function eachComponent(glyph: Buffer, visit: (at: number) => void): void {
  if (glyph.length === 0 || glyph.readInt16BE(0) >= 0) return;
  let at = GLYPH_HEADER_BYTES;
  for (;;) {
    const flags = glyph.readUInt16BE(at);
    visit(at + 2);
    if ((flags & COMPOSITE.more) === 0) return;
    at += componentBytes(flags);
  }
}

/** Glyphs to keep in their new order: those asked for, then the parts that composites need, each once. */
function withComponents(font: TrueTypeFile, glyphIds: readonly number[]): number[] {
  const order = [0, ...glyphIds];
  const known = new Set(order);
  for (let i = 0; i < order.length; i += 1) {
    const glyph = font.glyph(order[i] ?? 0);
    eachComponent(glyph, (at) => {
      const part = glyph.readUInt16BE(at);
      if (!known.has(part)) order.push(part);
      known.add(part);
    });
  }
  return order;
}

/** True when every glyph lies in the file and is made of glyphs that do. */
export function checkGlyphs(file: Uint8Array): boolean {
  try {
    const font = new TrueTypeFile(file);
    const count = font.table("maxp").readUInt16BE(4);
    for (let id = 0; id < count; id += 1) {
      font.metrics(id);
      const glyph = font.glyph(id);
      eachComponent(glyph, (at) => {
        if (glyph.readUInt16BE(at) >= count) throw new RangeError("no such glyph");
      });
    }
    return true;
  } catch {
    return false;
  }
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

function packGlyphs(
  font: TrueTypeFile,
  order: readonly number[],
): { glyf: Buffer; loca: Buffer; hmtx: Buffer } {
  const glyphs: Buffer[] = [];
  const indexOf = new Map(order.map((id, index) => [id, index]));
  const loca = Buffer.alloc((order.length + 1) * 4);
  const hmtx = Buffer.alloc(order.length * 4);
  let offset = 0;
  for (const [index, id] of order.entries()) {
    const glyph = padded(Buffer.from(font.glyph(id)));
    eachComponent(glyph, (at) => glyph.writeUInt16BE(indexOf.get(glyph.readUInt16BE(at)) ?? 0, at));
    const { advance, bearing } = font.metrics(id);
    hmtx.writeUInt16BE(advance, index * 4);
    hmtx.writeInt16BE(bearing, index * 4 + 2);
    glyphs.push(glyph);
    offset += glyph.length;
    loca.writeUInt32BE(offset, (index + 1) * 4);
  }
  return { glyf: Buffer.concat(glyphs), loca, hmtx };
}

function changed(table: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(table);
  change(copy);
  return copy;
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

const CHECKSUM_MAGIC = 0xb1b0afba;
const CHECKSUM_AT = 8;

/** Header, directory sorted by tag, tables on 4-byte borders, and the sum over the whole in `head`. */
function assemble(tables: ReadonlyMap<string, Buffer>): Uint8Array {
  const tags = [...tables.keys()].toSorted();
  const power = Math.floor(Math.log2(tags.length));
  const header = Buffer.alloc(12 + tags.length * 16);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(tags.length, 4);
  header.writeUInt16BE(16 * 2 ** power, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(tags.length * 16 - 16 * 2 ** power, 10);
  const bodies: Buffer[] = [];
  let offset = header.length;
  let headAt = 0;
  for (const [i, tag] of tags.entries()) {
    const table = tables.get(tag) ?? Buffer.alloc(0);
    const body = padded(table);
    if (tag === "head") headAt = offset;
    header.write(tag, 12 + i * 16, "latin1");
    header.writeUInt32BE(checksum(body), 16 + i * 16);
    header.writeUInt32BE(offset, 20 + i * 16);
    header.writeUInt32BE(table.length, 24 + i * 16);
    bodies.push(body);
    offset += body.length;
  }
  const file = Buffer.concat([header, ...bodies]);
  file.writeUInt32BE((CHECKSUM_MAGIC - checksum(file)) >>> 0, headAt + CHECKSUM_AT);
  return file;
}

/**
 * A TrueType file with `.notdef` as glyph 0, the glyphs asked for as 1, 2, 3 ... in their order,
 * and after them what composites are made of. Same input, same bytes.
 */
export function subsetTrueType(file: Uint8Array, glyphIds: readonly number[]): Uint8Array {
  const font = new TrueTypeFile(file);
  invariant(font.table("glyf").length > 0, "a font to be cut down must have TrueType outlines");
  const order = withComponents(font, glyphIds);
  const { glyf, loca, hmtx } = packGlyphs(font, order);
  const tables = new Map([
    ["glyf", glyf],
    ["loca", loca],
    ["hmtx", hmtx],
    ["maxp", changed(font.table("maxp"), (maxp) => maxp.writeUInt16BE(order.length, 4))],
    ["hhea", changed(font.table("hhea"), (hhea) => hhea.writeUInt16BE(order.length, 34))],
    [
      "head",
      changed(font.table("head"), (head) => {
        head.writeUInt32BE(0, CHECKSUM_AT);
        head.writeInt16BE(1, 50);
      }),
    ],
  ]);
  for (const tag of copiedTables) {
    if (font.table(tag).length > 0) tables.set(tag, font.table(tag));
  }
  return assemble(tables);
}
