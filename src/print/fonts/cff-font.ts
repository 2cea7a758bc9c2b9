/**
 * Outlines -> a bare CFF font (Adobe technical notes 5176 and 5177), keyed by glyph identifiers, as
 * PDF embeds it. Nothing of the source file is copied but its outlines and widths, so no
 * subroutine or hint can be broken by cutting it down.
 */
import type { Segment } from "./own-font.ts";

export interface CffGlyph {
  /** 1/1000 of the size. */
  readonly width: number;
  readonly outline: readonly Segment[];
}

/** First identifiers of strings of a font's own. */
const REGISTRY_SID = 391;
const ORDERING_SID = 392;

const op = {
  fontBBox: [5],
  charset: [15],
  charStrings: [17],
  private: [18],
  defaultWidthX: [20],
  nominalWidthX: [21],
  ros: [12, 30],
  cidCount: [12, 34],
  fdArray: [12, 36],
  fdSelect: [12, 37],
} as const;

const charOp = { rlineto: 5, rrcurveto: 8, endchar: 14, rmoveto: 21 } as const;

/** Coordinates are rounded to this part of 1/1000 of the size: sums of them stay exact. */
const FRACTIONS = 256;

const round = (value: number): number => Math.round(value * FRACTIONS) / FRACTIONS;

/** A number of a charstring: whole ones short, others as 16.16. */
function charNumber(value: number): number[] {
  if (!Number.isInteger(value)) {
    const bytes = Buffer.alloc(5);
    bytes[0] = 255;
    bytes.writeInt32BE(Math.round(value * 65_536), 1);
    return [...bytes];
  }
  if (value >= -107 && value <= 107) return [value + 139];
  if (value >= 108 && value <= 1131) return [247 + ((value - 108) >> 8), (value - 108) & 0xff];
  if (value >= -1131 && value <= -108) return [251 + ((-value - 108) >> 8), (-value - 108) & 0xff];
  return [28, (value >> 8) & 0xff, value & 0xff];
}

/** A number of a dictionary, always five bytes, so that sizes are known before the offsets. */
function dictNumber(value: number): number[] {
  const bytes = Buffer.alloc(5);
  bytes[0] = 29;
  bytes.writeInt32BE(Math.round(value), 1);
  return [...bytes];
}

const entry = (operator: readonly number[], ...values: readonly number[]): number[] => [
  ...values.flatMap(dictNumber),
  ...operator,
];

function index(items: readonly Uint8Array[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0]);
  const head = Buffer.alloc(3 + (items.length + 1) * 4);
  head.writeUInt16BE(items.length, 0);
  head[2] = 4;
  let offset = 1;
  for (const [i, item] of items.entries()) {
    head.writeUInt32BE(offset, 3 + i * 4);
    offset += item.length;
  }
  head.writeUInt32BE(offset, 3 + items.length * 4);
  return Buffer.concat([head, ...items]);
}

const near = (from = 0, to = 0): number => from + (2 / 3) * (to - from);

/** A quadratic curve as the cubic one that is the same. */
function toCubic([x0, y0]: readonly number[], [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]) {
  return [near(x0, x1), near(y0, y1), near(x2, x1), near(y2, y1), x2, y2];
}

function toCharString({ width, outline }: CffGlyph): Buffer {
  const bytes = charNumber(round(width));
  let [x, y] = [0, 0];
  for (const { type, values } of outline) {
    const operator = { M: charOp.rmoveto, L: charOp.rlineto }[type] ?? charOp.rrcurveto;
    const points = type === "Q" ? toCubic([x, y], values) : values;
    if (points.length === 0) continue;
    for (let i = 0; i + 1 < points.length; i += 2) {
      const [toX, toY] = [round(points[i] ?? 0), round(points[i + 1] ?? 0)];
      bytes.push(...charNumber(toX - x), ...charNumber(toY - y));
      [x, y] = [toX, toY];
    }
    bytes.push(operator);
  }
  return Buffer.from([...bytes, charOp.endchar]);
}

const PRIVATE = Buffer.from([...entry(op.defaultWidthX, -1), ...entry(op.nominalWidthX, 0)]);

/** Every glyph in the one font dictionary. */
function fdSelect(count: number): Buffer {
  const bytes = Buffer.from([3, 0, 1, 0, 0, 0, 0, 0]);
  bytes.writeUInt16BE(count, 6);
  return bytes;
}

/** Identifiers are the glyphs' own numbers. */
function charset(count: number): Buffer {
  const bytes = Buffer.from([2, 0, 1, 0, 0]);
  bytes.writeUInt16BE(Math.max(0, count - 2), 3);
  return bytes;
}

function topDict(count: number, bbox: readonly number[], at: Record<string, number>): Buffer {
  return Buffer.from([
    ...entry(op.ros, REGISTRY_SID, ORDERING_SID, 0),
    ...entry(op.fontBBox, ...bbox),
    ...entry(op.cidCount, count),
    ...entry(op.charset, at["charset"] ?? 0),
    ...entry(op.fdSelect, at["fdSelect"] ?? 0),
    ...entry(op.charStrings, at["charStrings"] ?? 0),
    ...entry(op.fdArray, at["fdArray"] ?? 0),
  ]);
}

/**
 * A CFF font of the glyphs, `.notdef` among them as the first; at least two. Same input, same bytes.
 */
export function makeCff(
  name: string,
  glyphs: readonly CffGlyph[],
  bbox: readonly number[],
): Uint8Array {
  const count = glyphs.length;
  const head = (at: Record<string, number>): Buffer =>
    Buffer.concat([
      Buffer.from([1, 0, 4, 4]),
      index([Buffer.from(name, "latin1")]),
      index([topDict(count, bbox, at)]),
      index([Buffer.from("Adobe", "latin1"), Buffer.from("Identity", "latin1")]),
      index([]),
    ]);
  const parts = {
    charset: charset(count),
    fdSelect: fdSelect(count),
    charStrings: index(glyphs.map(toCharString)),
    private: PRIVATE,
  };
  const at: Record<string, number> = {};
  let offset = head({}).length;
  for (const [part, bytes] of Object.entries(parts)) {
    at[part] = offset;
    offset += bytes.length;
  }
  at["fdArray"] = offset;
  const fontDict = Buffer.from(entry(op.private, PRIVATE.length, at["private"] ?? 0));
  return Buffer.concat([head(at), ...Object.values(parts), index([fontDict])]);
}
