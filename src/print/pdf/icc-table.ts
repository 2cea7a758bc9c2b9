/**
 * Colour tables of ICC profiles: `lut8Type` and `lut16Type` (ICC.1:2001-04), `lutAToBType` and
 * `lutBToAType` (ICC.1:2010).
 */

/** A table of a profile as a function of shares, in and out from 0 to 1. */
export interface IccTable {
  readonly inputs: number;
  readonly outputs: number;
  /** Lab is written as 16 bits of version 2 have it, or as 8 bits and version 4 have it. */
  readonly lab: "version-2" | "version-4";
  at(values: readonly number[]): number[];
}

const [LUT_8, LUT_16, A_TO_B, B_TO_A] = [0x6d667431, 0x6d667432, 0x6d414220, 0x6d424120];
const [CURVE, PARAMETRIC] = [0x63757276, 0x70617261];
const HEAD = { least: 32, entries16: 48, tables16: 52, tables8: 48 } as const;

/** Where a tag's data stands; undefined when the profile has none, or its end lies beyond the profile. */
function findTag(profile: Uint8Array, tag: string): DataView | undefined {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const count = profile.length < 132 ? 0 : view.getUint32(128);
  for (let i = 0; i < count && 144 + 12 * i <= profile.length; i += 1) {
    const at = 132 + 12 * i;
    if (String.fromCharCode(...profile.subarray(at, at + 4)) !== tag) continue;
    const [offset, length] = [view.getUint32(at + 4), view.getUint32(at + 8)];
    if (offset + length > profile.length || length < HEAD.least) return undefined;
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

/** Points of a table along each of its sides, and where its numbers begin. */
interface Grid {
  readonly points: readonly number[];
  readonly outputs: number;
  readonly numbers: Float64Array;
  readonly start: number;
}

/** The grid between its points, straight along each side. */
function interpolate({ points, outputs, numbers, start }: Grid, at: readonly number[]): number[] {
  const low = points.map((count, i) =>
    Math.min(count - 2, Math.floor((at[i] as number) * (count - 1))),
  );
  const share = points.map((count, i) => (at[i] as number) * (count - 1) - (low[i] as number));
  const result = Array.from<number>({ length: outputs }).fill(0);
  for (let corner = 0; corner < 1 << points.length; corner += 1) {
    let weight = 1;
    let index = 0;
    for (let i = 0; i < points.length; i += 1) {
      const isHigh = (corner >> i) & 1;
      const part = share[i] as number;
      weight *= isHigh === 1 ? part : 1 - part;
      index = index * (points[i] as number) + (low[i] as number) + isHigh;
    }
    if (weight === 0) continue;
    for (let o = 0; o < outputs; o += 1)
      result[o] = (result[o] as number) + weight * (numbers[start + index * outputs + o] as number);
  }
  return result;
}

/** Cyan, magenta, yellow, black. */
const MOST_INPUTS = 4;

/** Numbers of 8 or 16 bits as shares: a profile has hundreds of thousands of them. */
function readShares(
  tag: DataView,
  from: number,
  { count, isWide }: { readonly count: number; readonly isWide: boolean },
): Float64Array {
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i += 1)
    numbers[i] = isWide ? tag.getUint16(from + 2 * i) / 65535 : tag.getUint8(from + i) / 255;
  return numbers;
}

function readLut(tag: DataView): Lut | undefined {
  const kind = tag.getUint32(0);
  const isWide = kind === LUT_16;
  if (!isWide && kind !== LUT_8) return undefined;
  if (tag.byteLength < HEAD.tables16) return undefined;
  const [inputs, outputs, grid] = [tag.getUint8(8), tag.getUint8(9), tag.getUint8(10)];
  const entriesIn = isWide ? tag.getUint16(HEAD.entries16) : 256;
  const entriesOut = isWide ? tag.getUint16(HEAD.entries16 + 2) : 256;
  const count = inputs * entriesIn + grid ** inputs * outputs + outputs * entriesOut;
  const from = isWide ? HEAD.tables16 : HEAD.tables8;
  const isWhole = Math.min(inputs, outputs) > 0 && Math.min(grid, entriesIn, entriesOut) >= 2;
  if (!isWhole || inputs > MOST_INPUTS || from + count * (isWide ? 2 : 1) > tag.byteLength)
    return undefined;
  const numbers = readShares(tag, from, { count, isWide });
  return { inputs, outputs, grid, entriesIn, entriesOut, numbers };
}

function openLut(lut: Lut, lab: IccTable["lab"]): IccTable {
  const { inputs, outputs, grid, entriesIn, entriesOut, numbers } = lut;
  const outAt = numbers.length - outputs * entriesOut;
  const points = Array.from({ length: inputs }, () => grid);
  const table = { points, outputs, numbers, start: inputs * entriesIn };
  return {
    inputs,
    outputs,
    lab,
    at(values) {
      const curved = values.map((value, i) => readCurve(numbers, i * entriesIn, entriesIn, value));
      return interpolate(table, curved).map((value, o) =>
        readCurve(numbers, outAt + o * entriesOut, entriesOut, value),
      );
    },
  };
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const fixed = (tag: DataView, at: number): number => tag.getInt32(at) / 65536;

type Curve = (value: number) => number;

/** Numbers of a parametric curve of each type, ICC.1:2010 table 65. */
const PARAMETERS = [1, 3, 4, 5, 7];

function readParametric(tag: DataView, at: number): { curve: Curve; length: number } | undefined {
  const type = tag.getUint16(at + 8);
  const count = PARAMETERS[type];
  if (count === undefined) return undefined;
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, i) =>
    fixed(tag, at + 12 + 4 * i),
  );
  const power = (x: number, more = 0): number => Math.max(0, a * x + b) ** g + more;
  const curves: readonly Curve[] = [
    (x) => x ** g,
    (x) => (x >= -b / a ? power(x) : 0),
    (x) => (x >= -b / a ? power(x, c) : c),
    (x) => (x >= d ? power(x) : c * x),
    (x) => (x >= d ? power(x, e) : c * x + f),
  ];
  return { curve: curves[type] as Curve, length: 12 + 4 * count };
}

function readSampled(tag: DataView, at: number): { curve: Curve; length: number } | undefined {
  const count = tag.getUint32(at + 8);
  if (at + 12 + 2 * count > tag.byteLength) return undefined;
  const length = 12 + 2 * count;
  if (count === 0) return { curve: (x) => x, length };
  if (count === 1) {
    const power = tag.getUint16(at + 12) / 256;
    return { curve: (x) => x ** power, length };
  }
  const table = Float64Array.from(
    { length: count },
    (_, i) => tag.getUint16(at + 12 + 2 * i) / 65535,
  );
  return { curve: (x) => readCurve(table, 0, count, x), length };
}

/** Curves that stand one behind the other, each on a multiple of four; undefined for other types. */
function readCurves(tag: DataView, from: number, count: number): readonly Curve[] | undefined {
  const curves: Curve[] = [];
  let at = from;
  for (let i = 0; i < count; i += 1) {
    const kind = tag.getUint32(at);
    const read =
      kind === CURVE
        ? readSampled(tag, at)
        : kind === PARAMETRIC
          ? readParametric(tag, at)
          : undefined;
    if (read === undefined) return undefined;
    curves.push(read.curve);
    at += Math.ceil(read.length / 4) * 4;
  }
  return curves;
}

function readGrid(tag: DataView, from: number, { inputs, outputs }: Sides): Grid | undefined {
  const points = Array.from({ length: inputs }, (_, i) => tag.getUint8(from + i));
  const bytes = tag.getUint8(from + 16);
  const count = points.reduce((all, one) => all * one, outputs);
  const at = from + 20;
  if (Math.min(...points) < 2 || (bytes !== 1 && bytes !== 2)) return undefined;
  if (at + count * bytes > tag.byteLength) return undefined;
  const numbers = readShares(tag, at, { count, isWide: bytes === 2 });
  return { points, outputs, numbers, start: 0 };
}

type Step = (values: readonly number[]) => number[];

const applyAll =
  (curves: readonly Curve[]): Step =>
  (values) =>
    values.map((value, i) => clamp((curves[i] as Curve)(clamp(value))));

/** Three by three, then the offsets. */
function readMatrix(tag: DataView, from: number): Step {
  const m = Array.from({ length: 12 }, (_, i) => fixed(tag, from + 4 * i));
  return (values) =>
    [0, 1, 2].map((row) =>
      clamp(
        values.reduce(
          (sum, value, i) => sum + value * (m[row * 3 + i] as number),
          m[9 + row] as number,
        ),
      ),
    );
}

/** From inks to colours; undefined where a part is missing or of another type. */
function readAll(tag: DataView, { inputs, outputs }: Sides, [seen, inks]: Beside) {
  const [b = 0, matrix = 0, m = 0, grid = 0, a = 0] = [12, 16, 20, 24, 28].map((at) =>
    tag.getUint32(at),
  );
  const curvesAt = (at: number, count: number): Step | undefined => {
    if (at === 0) return (values) => [...values];
    const curves = readCurves(tag, at, count);
    return curves && applyAll(curves);
  };
  const table = grid === 0 ? undefined : readGrid(tag, grid, { inputs, outputs });
  if (table === undefined || (matrix !== 0 && seen !== 3)) return undefined;
  const steps = [
    curvesAt(a, inks),
    (values: readonly number[]) => interpolate(table, values),
    curvesAt(m, seen),
    ...(matrix === 0 ? [] : [readMatrix(tag, matrix)]),
    curvesAt(b, seen),
  ];
  const known = steps.filter((step): step is Step => step !== undefined);
  return known.length < steps.length ? undefined : known;
}

type Sides = Pick<IccTable, "inputs" | "outputs">;
/** How many values stand beside the colours that people see, and beside the inks. */
type Beside = readonly [seen: number, inks: number];

/** `lutAToBType`: A curves, grid, M curves, matrix, B curves; `lutBToAType` the other way round. */
function readSteps(tag: DataView): IccTable | undefined {
  const isBack = tag.getUint32(0) === B_TO_A;
  const [inputs, outputs] = [tag.getUint8(8), tag.getUint8(9)];
  if (Math.min(inputs, outputs) === 0 || inputs > MOST_INPUTS) return undefined;
  const steps = readAll(tag, { inputs, outputs }, isBack ? [inputs, outputs] : [outputs, inputs]);
  if (steps === undefined) return undefined;
  const inOrder = isBack ? steps.toReversed() : steps;
  const at = (values: readonly number[]): number[] =>
    inOrder.reduce<number[]>((now, step) => step(now), values.map(clamp));
  return { inputs, outputs, lab: "version-4", at };
}

/** A table of a profile, such as `A2B1`; undefined for one that is not there, broken or of another type. */
export function readIccTable(profile: Uint8Array, tag: string): IccTable | undefined {
  const found = findTag(profile, tag);
  if (found === undefined) return undefined;
  const kind = found.getUint32(0);
  try {
    if (kind === A_TO_B || kind === B_TO_A) return readSteps(found);
  } catch (error) {
    // Places that lie beyond the tag.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const lut = readLut(found);
  return lut && openLut(lut, kind === LUT_16 ? "version-2" : "version-4");
}
