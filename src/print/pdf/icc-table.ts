/** Colour tables of ICC profiles: `lut8Type` and `lut16Type` (ICC.1:2001-04). */

/** A table of a profile as a function of shares: what goes in and what comes out run from 0 to 1. */
export interface IccTable {
  readonly inputs: number;
  readonly outputs: number;
  /** Points along each side of the grid. */
  readonly grid: number;
  at(values: readonly number[]): number[];
}

const HEAD = { matrix: 12, entries16: 48, tables16: 52, tables8: 48 } as const;

/** Where a tag's data stands; undefined when the profile has none, or its end lies beyond the profile. */
function findTag(profile: Uint8Array, tag: string): DataView | undefined {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const count = profile.length < 132 ? 0 : view.getUint32(128);
  for (let i = 0; i < count && 144 + 12 * i <= profile.length; i += 1) {
    const at = 132 + 12 * i;
    if (String.fromCharCode(...profile.subarray(at, at + 4)) !== tag) continue;
    const [offset, length] = [view.getUint32(at + 4), view.getUint32(at + 8)];
    if (offset + length > profile.length || length < HEAD.tables16) return undefined;
    return new DataView(profile.buffer, profile.byteOffset + offset, length);
  }
  return undefined;
}

/** Its value between two entries, on a straight line. */
function readCurve(table: Float64Array, start: number, entries: number, value: number): number {
  const place = Math.min(1, Math.max(0, value)) * (entries - 1);
  const low = Math.min(entries - 2, Math.floor(place));
  const share = place - low;
  const [a, b] = [table[start + low] as number, table[start + low + 1] as number];
  return a + (b - a) * share;
}

interface Lut {
  readonly inputs: number;
  readonly outputs: number;
  readonly grid: number;
  readonly entriesIn: number;
  readonly entriesOut: number;
  /** Input curves, then the grid, then output curves. */
  readonly numbers: Float64Array;
}

/** The grid between its points, straight along each side. */
function interpolate({ inputs, outputs, grid, entriesIn, numbers }: Lut, at: number[]): number[] {
  const start = inputs * entriesIn;
  const low = at.map((value) => Math.min(grid - 2, Math.floor(value * (grid - 1))));
  const share = at.map((value, i) => value * (grid - 1) - (low[i] as number));
  const result = Array.from({ length: outputs }, () => 0);
  for (let corner = 0; corner < 1 << inputs; corner += 1) {
    let weight = 1;
    let index = 0;
    for (let i = 0; i < inputs; i += 1) {
      const isHigh = (corner >> i) & 1;
      const part = share[i] as number;
      weight *= isHigh === 1 ? part : 1 - part;
      index = index * grid + (low[i] as number) + isHigh;
    }
    if (weight === 0) continue;
    for (let o = 0; o < outputs; o += 1)
      result[o] = (result[o] as number) + weight * (numbers[start + index * outputs + o] as number);
  }
  return result;
}

/** Cyan, magenta, yellow, black. */
const MOST_INPUTS = 4;

function readLut(tag: DataView): Lut | undefined {
  const kind = tag.getUint32(0);
  const isWide = kind === 0x6d667432;
  if (!isWide && kind !== 0x6d667431) return undefined;
  const [inputs, outputs, grid] = [tag.getUint8(8), tag.getUint8(9), tag.getUint8(10)];
  const entriesIn = isWide ? tag.getUint16(HEAD.entries16) : 256;
  const entriesOut = isWide ? tag.getUint16(HEAD.entries16 + 2) : 256;
  const count = inputs * entriesIn + grid ** inputs * outputs + outputs * entriesOut;
  const from = isWide ? HEAD.tables16 : HEAD.tables8;
  const isWhole = Math.min(inputs, outputs) > 0 && Math.min(grid, entriesIn, entriesOut) >= 2;
  if (!isWhole || inputs > MOST_INPUTS || from + count * (isWide ? 2 : 1) > tag.byteLength)
    return undefined;
  const numbers = Float64Array.from({ length: count }, (_, i) =>
    isWide ? tag.getUint16(from + 2 * i) / 65535 : tag.getUint8(from + i) / 255,
  );
  return { inputs, outputs, grid, entriesIn, entriesOut, numbers };
}

/** A table of a profile, such as `A2B1`; undefined for one that is not there or of another type. */
export function readIccTable(profile: Uint8Array, tag: string): IccTable | undefined {
  const found = findTag(profile, tag);
  const lut = found && readLut(found);
  if (lut === undefined) return undefined;
  const { inputs, outputs, grid, entriesIn, entriesOut, numbers } = lut;
  const outAt = numbers.length - outputs * entriesOut;
  return {
    inputs,
    outputs,
    grid,
    at(values) {
      const curved = values.map((value, i) => readCurve(numbers, i * entriesIn, entriesIn, value));
      return interpolate(lut, curved).map((value, o) =>
        readCurve(numbers, outAt + o * entriesOut, entriesOut, value),
      );
    },
  };
}
