/** Modules of a design as operators of a page: the shapes of the QR engine, its y running downwards. */
import type { PatternName } from "../../qr/draw/design.ts";
import { type ModuleOptions, type ModulePen, walkModules } from "../../qr/draw/modules.ts";
import { patternTable, type Pattern } from "../../qr/draw/patterns.ts";
import type { QrMatrix } from "../../qr/encode/encode.ts";
import { readSvgPath, type Segment } from "../../svg/path.ts";
import { toNumber } from "./content-stream.ts";

/** No shape needs more than a thousandth of a module. */
const DIGITS = 3;

/** Text of `offset + n` for whole n: every module of a pattern has the same few offsets. */
class Offsets {
  readonly #offset: number;
  readonly #texts: string[] = [];

  constructor(offset: number) {
    this.#offset = offset;
  }

  at(n: number): string {
    return (this.#texts[n] ??= `${toNumber(this.#offset + n, DIGITS)} `);
  }
}

/** One operator of a shape, its points as seen from the module's left upper corner. */
interface Piece {
  readonly points: readonly { readonly x: Offsets; readonly y: Offsets }[];
  readonly operator: string;
}

type Stamp = (x: number, y: number) => string;

const isEither = (value: number, low: number, high: number): boolean =>
  Math.min(Math.abs(value - low), Math.abs(value - high)) < 1e-9;

/** An upright rectangle is one operator. */
function rectangleOf(segments: readonly Segment[]): Stamp | undefined {
  const points = segments.flatMap((segment) => segment.points);
  const isStraight = segments.every(({ operator }) => operator !== "c");
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const isUpright = points.every(
    ([x, y], i) =>
      isEither(x, left, right) &&
      isEither(y, top, bottom) &&
      (i === 0 || x === points[i - 1]?.[0] || y === points[i - 1]?.[1]),
  );
  if (!isStraight || !isUpright || points.length !== 4) return undefined;
  const [atX, atY] = [new Offsets(left), new Offsets(top)];
  const size = `${toNumber(right - left, DIGITS)} ${toNumber(bottom - top, DIGITS)} re\n`;
  return (x, y) => atX.at(x) + atY.at(y) + size;
}

/**
 * How far the handles of half a circle reach, radii: two curves are within 1.2% of its radius, which is less
 * than a hundredth of a module, in a third of the bytes of four.
 */
const HALF_CIRCLE = 1.32;

/** A dot of two curves. */
function makeDot({ size }: Pattern): Stamp {
  const reach = (size / 2) * HALF_CIRCLE;
  const [left, right] = [new Offsets(0.5 - size / 2), new Offsets(0.5 + size / 2)];
  const [middle, above, below] = [0.5, 0.5 - reach, 0.5 + reach].map((y) => new Offsets(y)) as [
    Offsets,
    Offsets,
    Offsets,
  ];
  return (x, y) => {
    const [l, r, m] = [left.at(x), right.at(x), middle.at(y)];
    const [a, b] = [above.at(y), below.at(y)];
    return `${l}${m}m\n${l}${a}${r}${a}${r}${m}c\n${r}${b}${l}${b}${l}${m}c\n`;
  };
}

function makeStamp({ stamp, size }: Pattern): Stamp {
  if (stamp === undefined) return () => "";
  const { dx, dy, tail } = stamp(size);
  const segments = [...readSvgPath(`M${0.5 + dx} ${0.5 + dy}${tail}`)];
  const rectangle = rectangleOf(segments);
  if (rectangle !== undefined) return rectangle;
  const pieces = segments.map(({ operator, points }): Piece => ({
    operator: `${operator}\n`,
    points: points.map(([x, y]) => ({ x: new Offsets(x), y: new Offsets(y) })),
  }));
  return (x, y) => {
    let out = "";
    for (const { points, operator } of pieces) {
      for (const point of points) out += point.x.at(x) + point.y.at(y);
      out += operator;
    }
    return out;
  };
}

const stamps = new Map<string, Stamp>();

const toStamp = (pattern: PatternName, dots: "fine" | "short"): Stamp =>
  pattern === "Circles" && dots === "short"
    ? makeDot(patternTable[pattern])
    : makeStamp(patternTable[pattern]);

class OperatorPen implements ModulePen {
  operators = "";
  readonly stamps: Stamp;

  constructor(stamp: Stamp) {
    this.stamps = stamp;
  }

  run(x: number, y: number, length: number): void {
    this.operators += `${x} ${y} ${length} 1 re\n`;
  }

  stamp(x: number, y: number): void {
    this.operators += this.stamps(x, y);
  }
}

/**
 * Path operators of all dark modules but, unless asked for, the eyes; without a fill. `dots`: those
 * of `code_style` keep their bytes.
 */
export function moduleOperators(
  matrix: QrMatrix,
  pattern: PatternName,
  { dots = "fine", ...options }: ModuleOptions & { readonly dots?: "fine" | "short" },
): string {
  const key = `${dots} ${pattern}`;
  const stamp = stamps.get(key) ?? toStamp(pattern, dots);
  stamps.set(key, stamp);
  const pen = new OperatorPen(stamp);
  walkModules(matrix, pattern, { ...options, pen });
  return pen.operators;
}
