/**
 * Plain drawings -> grey pixels, without a graphics library: what a drawing's geometry shows, not
 * what drew it. Codes on whole units become one pixel a unit.
 */
import type { Point, Segment } from "../../svg/path.ts";
import type { PlainDrawing, PlainFill, PlainRect } from "../../svg/plain-drawing.ts";
import type { GreyImage } from "./decode.ts";

/** A larger grid is no code's: 177 modules and a wide margin. */
const MAX_UNITS = 250;
/** Darker and lighter than this, of 255, everybody sees which is which. */
const CLEAR = { dark: 64, light: 191 } as const;
/** Lines that stand in for a curve, at least, and for so many pixels of it one more. */
const CURVE = { lines: 4, px: 6 } as const;
/** Rows that edges cross, and pixels that are filled: what a picture may take. */
const MAX_STEPS = 8_000_000;

const lumaOf = ([red, green, blue]: PlainFill["color"]): number =>
  (306 * red + 601 * green + 117 * blue + 512) >> 10;

/** Pixels of a picture whose middles lie in a span of units. */
const firstFrom = (units: number, scale: number): number => Math.ceil(units * scale - 0.5);

class Canvas {
  readonly image: GreyImage & { readonly data: Uint8Array };
  readonly #view: PlainRect;
  readonly #scale: number;
  #steps = 0;

  constructor(view: PlainRect, scale: number) {
    this.#view = view;
    this.#scale = scale;
    const width = Math.max(1, Math.round(view.width * scale));
    const height = Math.max(1, Math.round(view.height * scale));
    // Paper is white where nothing is drawn.
    this.image = { width, height, data: new Uint8Array(width * height).fill(255) };
  }

  /** False when that takes too long. */
  fill({ color, rects, segments }: PlainFill): boolean {
    const luma = lumaOf(color);
    if (rects === undefined) this.#fillPath(segments, luma);
    else for (const rect of rects) this.#fillRect(rect, luma);
    return this.#steps <= MAX_STEPS;
  }

  #fillRect({ x, y, width, height }: PlainRect, luma: number): void {
    const [left, right] = [x - this.#view.x, x - this.#view.x + width];
    const top = Math.max(0, firstFrom(y - this.#view.y, this.#scale));
    const bottom = Math.min(this.image.height, firstFrom(y - this.#view.y + height, this.#scale));
    const [from, to] = [firstFrom(left, this.#scale), firstFrom(right, this.#scale)];
    for (let row = top; row < bottom && this.#steps <= MAX_STEPS; row += 1)
      this.#fillRow(row, from, to, luma);
  }

  #fillRow(row: number, from: number, to: number, luma: number): void {
    const { width, data } = this.image;
    const [left, right] = [Math.max(0, from), Math.min(width, to)];
    this.#steps += 1;
    if (left >= right) return;
    this.#steps += right - left;
    data.fill(luma, row * width + left, row * width + right);
  }

  /** Fills between the edges that wind round a pixel's middle (nonzero rule). */
  #fillPath(segments: readonly Segment[], luma: number): void {
    const rows: { x: number; winding: number }[][] = [];
    const { height } = this.image;
    const line = ([x0, y0]: Point, [x1, y1]: Point): void => {
      if (y0 === y1) return;
      const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
      const last = Math.min(height, Math.ceil(bottom - 0.5));
      for (let row = Math.max(0, Math.ceil(top - 0.5)); row < last; row += 1) {
        this.#steps += 1;
        if (this.#steps > MAX_STEPS) return;
        const x = x0 + ((row + 0.5 - y0) * (x1 - x0)) / (y1 - y0);
        (rows[row] ??= []).push({ x, winding: y1 > y0 ? 1 : -1 });
      }
    };
    for (const [from, to] of this.#lines(segments)) line(from, to);
    for (const [row, edges = []] of rows.entries()) {
      edges.sort((a, b) => a.x - b.x);
      let winding = 0;
      for (const [i, edge] of edges.entries()) {
        winding += edge.winding;
        const next = edges[i + 1];
        if (winding === 0 || next === undefined) continue;
        this.#fillRow(row, Math.ceil(edge.x - 0.5), Math.ceil(next.x - 0.5), luma);
      }
    }
  }

  /** Edges in pixels; what is open is closed. */
  *#lines(segments: readonly Segment[]): Generator<readonly [Point, Point]> {
    let at: Point = [0, 0];
    let start = at;
    for (const { operator, points } of segments) {
      if (operator === "m" || operator === "h") {
        yield [at, start];
        at = this.#toPixels(points[0]) ?? start;
        start = at;
        continue;
      }
      for (const point of flatten([at, ...points.map((one) => this.#toPixels(one) ?? at)])) {
        yield [at, point];
        at = point;
      }
    }
    yield [at, start];
  }

  #toPixels(point: Point | undefined): Point | undefined {
    if (point === undefined) return undefined;
    const { x, y } = this.#view;
    return [(point[0] - x) * this.#scale, (point[1] - y) * this.#scale];
  }
}

/** Points of a line or a cubic curve behind its first. */
function flatten([from = [0, 0], one = from, two, end]: readonly Point[]): Point[] {
  if (two === undefined || end === undefined) return [one];
  const way =
    Math.hypot(one[0] - from[0], one[1] - from[1]) +
    Math.hypot(two[0] - one[0], two[1] - one[1]) +
    Math.hypot(end[0] - two[0], end[1] - two[1]);
  const count = Math.min(200, CURVE.lines + Math.ceil(way / CURVE.px));
  return Array.from({ length: count }, (_, i) => {
    const t = (i + 1) / count;
    const u = 1 - t;
    const at = (axis: 0 | 1): number =>
      u ** 3 * from[axis] +
      3 * u * u * t * one[axis] +
      3 * u * t * t * two[axis] +
      t ** 3 * end[axis];
    return [at(0), at(1)];
  });
}

function paint({ view, fills }: PlainDrawing, scale: number): GreyImage | undefined {
  const canvas = new Canvas(view, scale);
  return fills.every((fill) => canvas.fill(fill)) ? canvas.image : undefined;
}

const isOnGrid = ({ x, y, width, height }: PlainRect): boolean =>
  Number.isInteger(x) && Number.isInteger(y) && Number.isInteger(width) && Number.isInteger(height);

/**
 * One pixel a unit; undefined unless all is made of whole units, and each either dark or light
 * beyond doubt.
 */
export function toModules(drawing: PlainDrawing): GreyImage | undefined {
  const { view, fills } = drawing;
  if (!isOnGrid(view) || Math.max(view.width, view.height) > MAX_UNITS) return undefined;
  const isClear = fills.every(({ color, rects }) => {
    const luma = lumaOf(color);
    return rects?.every(isOnGrid) === true && (luma <= CLEAR.dark || luma >= CLEAR.light);
  });
  return isClear ? paint(drawing, 1) : undefined;
}

/** The drawing with `sidePx` pixels on its longer side; undefined when that takes too long. */
export function toPixels(drawing: PlainDrawing, sidePx: number): GreyImage | undefined {
  return paint(drawing, sidePx / Math.max(drawing.view.width, drawing.view.height));
}
