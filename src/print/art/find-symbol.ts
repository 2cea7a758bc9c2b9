/** Where a code is in a flattened drawing, and which of its modules are dark. */
import { MAX_VERSION, sizeOfVersion } from "../../qr/encode/tables.ts";
import type { Point, Segment } from "../../svg/path.ts";
import { SvgUnsupported } from "../../svg/svg-fault.ts";
import type { Rgb, SvgFill } from "./svg-fills.ts";

/** Lines that stand for a curve when points are tested. */
const CURVE_STEPS = 4;

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Contour extends Box {
  /** Closed: the last one leads to the first. */
  readonly points: readonly Point[];
}

export interface Shape extends Box {
  readonly fill: SvgFill;
  readonly isDark: boolean;
  readonly contours: readonly Contour[];
}

const isDarkColor = ([r, g, b]: Rgb): boolean => 0.299 * r + 0.587 * g + 0.114 * b < 128;

/** Shares of a cubic curve's four points in each of its lines' ends. */
const steps = Array.from({ length: CURVE_STEPS }, (_, i) => {
  const t = (i + 1) / CURVE_STEPS;
  const u = 1 - t;
  return [u ** 3, 3 * u * u * t, 3 * u * t * t, t ** 3] as const;
});

/** Adds a curve to an open contour. */
function addCurve(open: Point[], from: Point, [one, two, to]: readonly Point[]): void {
  if (one === undefined || two === undefined || to === undefined) return;
  for (const [a, b, c, d] of steps) {
    open.push([
      a * from[0] + b * one[0] + c * two[0] + d * to[0],
      a * from[1] + b * one[1] + c * two[1] + d * to[1],
    ]);
  }
}

function toContours(segments: readonly Segment[]): Point[][] {
  const contours: Point[][] = [];
  let open: Point[] = [];
  for (const { operator, points } of segments) {
    const [first] = points;
    if (operator === "m" || (operator !== "h" && open.length === 0)) {
      open = [];
      contours.push(open);
    }
    const last = open.at(-1);
    if (operator === "c" && last !== undefined) addCurve(open, last, points);
    else if (operator === "h") {
      const start: Point | undefined = open[0];
      // After a closed contour without a move, the next one begins where it began.
      open = start === undefined ? [] : [start];
      if (start !== undefined) contours.push(open);
    } else if (first !== undefined) open.push(first);
  }
  return contours.filter((contour) => contour.length > 2);
}

const nothing = (): { -readonly [Side in keyof Box]: number } => ({
  left: Infinity,
  top: Infinity,
  right: -Infinity,
  bottom: -Infinity,
});

function aroundAll(boxes: readonly Box[]): Box {
  const all = nothing();
  for (const { left, top, right, bottom } of boxes) {
    all.left = Math.min(all.left, left);
    all.top = Math.min(all.top, top);
    all.right = Math.max(all.right, right);
    all.bottom = Math.max(all.bottom, bottom);
  }
  return all;
}

function boxOf(points: readonly Point[]): Box {
  const box = nothing();
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

export function toShape(fill: SvgFill): Shape {
  const contours = toContours(fill.segments).map((points) => ({ points, ...boxOf(points) }));
  return { fill, isDark: isDarkColor(fill.color), contours, ...aroundAll(contours) };
}

/** Points that may be looked at in one drawing: about a second's worth, ten times the largest code. */
const MAX_STEPS = 300_000_000;

/** Counts down the points that may be looked at. */
interface Budget {
  left: number;
}

function spend(budget: Budget, steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw new SvgUnsupported("more edges than a code has");
}

/** Where a line at `y` enters (+1) and leaves (-1) a shape, from the left. */
function crossings({ contours }: Shape, y: number, budget: Budget): { x: number; turn: number }[] {
  const found: { x: number; turn: number }[] = [];
  spend(budget, contours.length);
  for (const { points, top, bottom } of contours) {
    if (y < top || y > bottom) continue;
    spend(budget, points.length);
    let from = points.at(-1) as Point;
    for (const to of points) {
      if (from[1] <= y !== to[1] <= y) {
        const x = from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
        found.push({ x, turn: from[1] <= y ? 1 : -1 });
      }
      from = to;
    }
  }
  return found.toSorted((a, b) => a.x - b.x);
}

/** Paints a shape onto places along a line at `y`: 1 for dark. */
function paintLine(
  shape: Shape,
  y: number,
  line: { xs: readonly number[]; dark: Uint8Array; budget: Budget },
): void {
  const isEvenOdd = shape.fill.rule === "evenodd";
  const edges = crossings(shape, y, line.budget);
  let winding = 0;
  let next = 0;
  for (const [i, x] of line.xs.entries()) {
    for (let edge = edges[next]; edge !== undefined && edge.x <= x; edge = edges[next]) {
      winding += edge.turn;
      next += 1;
    }
    // Each crossing turns by one, so odd winding is an odd count.
    const isInside = isEvenOdd ? winding % 2 !== 0 : winding !== 0;
    if (isInside) line.dark[i] = shape.isDark ? 1 : 0;
  }
}

interface Canvas {
  readonly shapes: readonly Shape[];
  readonly budget: Budget;
}

/** Which of the places along a line at `y` are dark once everything is painted. */
function sampleLine({ shapes, budget }: Canvas, y: number, xs: readonly number[]): Uint8Array {
  const dark = new Uint8Array(xs.length);
  spend(budget, shapes.length);
  for (const shape of shapes)
    if (y >= shape.top && y <= shape.bottom) paintLine(shape, y, { xs, dark, budget });
  return dark;
}

/** A square that may be the symbol, in units of the drawing. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

const EYE_ROW = [1, 0, 1, 1, 1, 0, 1, 0];

class Sampler {
  readonly #canvas: Canvas;
  readonly #square: Square;
  readonly #size: number;

  constructor(canvas: Canvas, square: Square, size: number) {
    this.#canvas = canvas;
    this.#square = square;
    this.#size = size;
  }

  /** Row `y` of modules, each tested `dx`, `dy` modules off its middle. */
  row(y: number, dx = 0, dy = 0): Uint8Array {
    const { left, top, side } = this.#square;
    const unit = side / this.#size;
    const xs = Array.from({ length: this.#size }, (_, x) => left + (x + 0.5 + dx) * unit);
    return sampleLine(this.#canvas, top + (y + 0.5 + dy) * unit, xs);
  }

  /** True when eyes and timing pattern are where a code of this size has them. */
  get isCode(): boolean {
    const size = this.#size;
    const eyes = this.row(3);
    const last = this.row(size - 4);
    const timing = this.row(6);
    const hasEyes = EYE_ROW.every(
      (dark, x) => eyes[x] === dark && eyes[size - 1 - x] === dark && last[x] === dark,
    );
    return hasEyes && timing.slice(8, size - 8).every((dark, i) => dark === 1 - (i % 2));
  }

  /** All modules; eyes as the standard has them, since designs round their corners off. */
  rows(): Uint8Array[] {
    const size = this.#size;
    const rows = Array.from({ length: size }, (_, y) => this.row(y));
    for (let y = 0; y < EYE_ROW.length; y += 1) {
      for (let x = 0; x < EYE_ROW.length; x += 1) {
        const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
        const dark = ring === 2 || ring === 4 ? 0 : 1;
        (rows[y] as Uint8Array)[x] = dark;
        (rows[y] as Uint8Array)[size - 1 - x] = dark;
        (rows[size - 1 - y] as Uint8Array)[x] = dark;
      }
    }
    return rows;
  }

  /** True when every module is a whole square. */
  isSquare(rows: readonly Uint8Array[]): boolean {
    const off = 0.48;
    return rows.every((row, y) =>
      [-off, off].every((dy) =>
        [-off, off].every((dx) => this.row(y, dx, dy).every((dark, x) => dark === row[x])),
      ),
    );
  }
}

const area = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

/** The dark shapes' own square, and that of the three largest contours: eyes, where modules are pointed. */
function squaresOf(shapes: readonly Shape[]): Square[] {
  const dark = shapes.filter(({ isDark }) => isDark);
  const contours = dark.flatMap((shape) => shape.contours);
  const eyes = contours.toSorted((a, b) => area(b) - area(a)).slice(0, 3);
  return [dark, eyes].flatMap((boxes) => {
    const { left, top, right, bottom } = aroundAll(boxes);
    const [width, height] = [right - left, bottom - top];
    const isSquare = width > 0 && Math.abs(width - height) < 0.01 * width;
    return isSquare ? [{ left, top, side: width }] : [];
  });
}

export interface FoundSymbol {
  readonly square: Square;
  readonly version: number;
  readonly sampler: Sampler;
}

/** Throws `SvgUnsupported` for shapes that take too much looking at. */
export function findSymbol(shapes: readonly Shape[]): FoundSymbol | undefined {
  const budget = { left: MAX_STEPS };
  for (const square of squaresOf(shapes)) {
    for (let version = 1; version <= MAX_VERSION; version += 1) {
      const sampler = new Sampler({ shapes, budget }, square, sizeOfVersion(version));
      if (sampler.isCode) return { square, version, sampler };
    }
  }
  return undefined;
}
