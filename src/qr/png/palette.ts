/** RGBA pixels -> palette indices, for drawings of few colours and the soft edges between them. */

export interface IndexedImage {
  readonly indices: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** RGBA of each index, 4 bytes each. */
  readonly colors: Uint8Array;
}

interface RgbaPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Bits of a channel by which colours are distinguished, finest first. With fewer, bands would show.
 */
const PRECISIONS = [0xff, 0xfc, 0xf8] as const;

/** Each colour and how many pixels have it, most first. */
function countColors(pixels: Uint32Array): [number, number][] {
  const counts = new Map<number, number>();
  // Most pixels equal the one before: so runs of them are counted.
  for (let at = 0; at < pixels.length;) {
    const color = pixels[at] as number;
    const from = at;
    while (pixels[at] === color) at += 1;
    counts.set(color, (counts.get(color) ?? 0) + at - from);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

/** The index of each pixel, looked up once for a run of one colour. */
function toIndices(pixels: Uint32Array, indexOf: (color: number) => number): Uint8Array {
  const indices = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length;) {
    const color = pixels[at] as number;
    const from = at;
    while (pixels[at] === color) at += 1;
    indices.fill(indexOf(color), from, at);
  }
  return indices;
}

/**
 * color -> index; colours that differ only in the lower bits share one. Undefined when there are too
 * many.
 */
function assign(
  counts: readonly [number, number][],
  first: number,
  precision: number,
): Map<number, number> | undefined {
  const mask = (precision * 0x01010101) >>> 0;
  const indexOfBucket = new Map<number, number>();
  const indexOfColor = new Map<number, number>();
  for (const [color] of counts) {
    const bucket = (color & mask) >>> 0;
    let index = indexOfBucket.get(bucket);
    if (index === undefined) {
      index = first + indexOfBucket.size;
      if (index > 255) return undefined;
      indexOfBucket.set(bucket, index);
    }
    indexOfColor.set(color, index);
  }
  return indexOfColor;
}

/**
 * Indexes an image after the `fixed` colours (RGBA words, little-endian), which keep the lowest
 * indices. Similar colours may share the most frequent one of them. Undefined when there are too
 * many colours, as in a photograph.
 */
export function toIndexed(
  { data, width, height }: RgbaPixels,
  fixed: readonly number[],
): IndexedImage | undefined {
  const pixels = new Uint32Array(data.slice().buffer);
  // Of equal ones, the first counts.
  const known = new Map(fixed.map((color, index) => [color, index] as const).toReversed());
  const counts = countColors(pixels).filter(([color]) => !known.has(color));
  const found = PRECISIONS.map((precision) => () => assign(counts, fixed.length, precision));
  const assigned = found.reduce<Map<number, number> | undefined>(
    (map, next) => map ?? next(),
    undefined,
  );
  if (assigned === undefined) return undefined;
  const colors = new Uint32Array(Math.max(fixed.length - 1, ...assigned.values()) + 1);
  colors.set(fixed);
  // The most frequent colour of a bucket comes first and stays.
  for (const [color, index] of [...assigned].toReversed()) colors[index] = color;
  const indexOf = (color: number): number => known.get(color) ?? assigned.get(color) ?? 0;
  return {
    indices: toIndices(pixels, indexOf),
    width,
    height,
    colors: new Uint8Array(colors.buffer),
  };
}
