/**
 * Plain drawings -> grey pixels, without a graphics library: from the geometry alone, whoever drew
 * it. Codes on whole units become one pixel per unit.
 */
import type { Point } from "../../svg/path.ts";
import type {
  PlainDrawing,
  PlainFill,
  PlainPiece,
  PlainRect,
  PlainShape,
} from "../../svg/plain-drawing.ts";
import type { GreyImage } from "./decode.ts";

/** Codes have no larger grid: 177 modules and a wide margin. */
const MAX_UNITS = 250;
/** Codes have no smaller grid. */
const MIN_UNITS = 21;
/** Darker or lighter than this (of 255), a colour is clearly dark or light. */
const CLEAR = { dark: 64, light: 191 } as const;
/** Number of lines that approximate a curve: at least, one more per this many pixels, at most. */
const CURVE = { lines: 4, px: 6, mostLines: 200 } as const;
/** Limit of work for a picture: rows that edges cross, and pixels that are filled. */
const MAX_STEPS = 8_000_000;

const lumaOf = ([red, green, blue]: PlainFill["color"]): number =>
  (306 * red + 601 * green + 117 * blue + 512) >> 10;

/** The first pixel whose middle is at or behind `units`. */
const firstFrom = (units: number, scale: number): number => Math.ceil(units * scale - 0.5);

/** Pixels inside of a shape, four numbers per span: row, first pixel, end, winding number. */
type Spans = readonly number[];

/** Place of a shape's first point, in fractions of a pixel, and its scale. */
interface Fit {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Edges of a shape in pixels; an open shape is closed. */
function* edgesOf(
  { segments }: PlainShape,
  { left, top, scale }: Fit,
): Generator<readonly [Point, Point]> {
  const toPixels = ([x, y]: Point): Point => [x * scale + left, y * scale + top];
  let at: Point = [0, 0];
  let start = at;
  for (const { operator, points } of segments) {
    if (operator === "m" || operator === "h") {
      yield [at, start];
      at = points[0] === undefined ? start : toPixels(points[0]);
      start = at;
      continue;
    }
    for (const point of flatten([at, ...points.map(toPixels)])) {
      yield [at, point];
      at = point;
    }
  }
  yield [at, start];
}

interface Crossing {
  readonly x: number;
  readonly winding: number;
}

/** Where edges cross the middles of rows, from the first visible row to the last. */
function crossingsOf(
  shape: PlainShape,
  fit: Fit,
  { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
): Map<number, Crossing[]> | undefined {
  const rows = new Map<number, Crossing[]>();
  let count = 0;
  for (const [[x0, y0], [x1, y1]] of edgesOf(shape, fit)) {
    const last = Math.min(to, Math.ceil(Math.max(y0, y1) - 0.5));
    for (let row = Math.max(from, Math.ceil(Math.min(y0, y1) - 0.5)); row < last; row += 1) {
      count += 1;
      if (count > most) return undefined;
      const x = x0 + ((row + 0.5 - y0) * (x1 - x0)) / (y1 - y0);
      const edge = { x, winding: y1 > y0 ? 1 : -1 };
      const edges = rows.get(row);
      if (edges === undefined) rows.set(row, [edge]);
      else edges.push(edge);
    }
  }
  return rows;
}

function toSpans(rows: ReadonlyMap<number, Crossing[]>): Spans {
  const spans: number[] = [];
  for (const [row, edges] of rows) {
    edges.sort((a, b) => a.x - b.x);
    let winding = 0;
    for (const [i, edge] of edges.entries()) {
      winding += edge.winding;
      const next = edges[i + 1];
      if (winding === 0 || next === undefined) continue;
      spans.push(row, Math.ceil(edge.x - 0.5), Math.ceil(next.x - 0.5), winding);
    }
  }
  return spans;
}

/** Spans of small shapes by their position on the pixels: most codes repeat them. */
const known = new WeakMap<PlainShape, Map<string, Spans>>();
const KNOWN = { fits: 64, rows: 256, segments: 64 } as const;

/** Where a shape's spans for this position are remembered; undefined for large shapes. */
function placeFor(shape: PlainShape, { scale, left, top }: Fit) {
  const isSmall = shape.climb * scale <= KNOWN.rows && shape.segments.length <= KNOWN.segments;
  if (!isSmall) return undefined;
  let fits = known.get(shape);
  if (fits === undefined) {
    fits = new Map();
    known.set(shape, fits);
  }
  return { fits, key: `${scale} ${left.toFixed(6)} ${top.toFixed(6)}` };
}

class Canvas {
  readonly image: GreyImage & { readonly data: Uint8Array };
  readonly #view: PlainRect;
  readonly #scale: number;
  /** Winding number of each pixel, while a path is being filled. */
  #windings: Int32Array | undefined;
  #steps = 0;

  constructor(view: PlainRect, scale: number) {
    this.#view = view;
    this.#scale = scale;
    const width = Math.max(1, Math.round(view.width * scale));
    const height = Math.max(1, Math.round(view.height * scale));
    // Without a drawing, paper is white.
    this.image = { width, height, data: new Uint8Array(width * height).fill(255) };
  }

  /** False when it would take too long. */
  fill({ color, rects, pieces }: PlainFill): boolean {
    const luma = lumaOf(color);
    if (rects === undefined) this.#fillPath(pieces, luma);
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

  /** Fills the pixels whose middles are inside all pieces together (nonzero rule). */
  #fillPath(pieces: readonly PlainPiece[], luma: number): void {
    const { width, height, data } = this.image;
    this.#windings ??= new Int32Array(width * height);
    const windings = this.#windings;
    for (const piece of pieces) this.#wind(piece, windings);
    this.#steps += windings.length;
    for (let pixel = 0; pixel < windings.length; pixel += 1) {
      if (windings[pixel] === 0) continue;
      windings[pixel] = 0;
      data[pixel] = luma;
    }
  }

  #wind({ x, y, shape }: PlainPiece, windings: Int32Array): void {
    const left = (x - this.#view.x) * this.#scale;
    const top = (y - this.#view.y) * this.#scale;
    const [pixelX, pixelY] = [Math.floor(left), Math.floor(top)];
    const fit = { left: left - pixelX, top: top - pixelY, scale: this.#scale };
    const { width, height } = this.image;
    const spans = this.#spansOf(shape, fit, pixelY);
    for (let at = 0; at < spans.length; at += 4) {
      const row = (spans[at] as number) + pixelY;
      this.#steps += 1;
      if (row < 0 || row >= height || this.#steps > MAX_STEPS) continue;
      const from = Math.max(0, (spans[at + 1] as number) + pixelX);
      const to = Math.min(width, (spans[at + 2] as number) + pixelX);
      const winding = spans[at + 3] as number;
      for (let pixel = row * width + from; pixel < row * width + to; pixel += 1)
        windings[pixel] = (windings[pixel] as number) + winding;
      this.#steps += Math.max(0, to - from);
    }
  }

  #spansOf(shape: PlainShape, fit: Fit, pixelY: number): Spans {
    const place = placeFor(shape, fit);
    const found = place?.fits.get(place.key);
    if (found !== undefined) return found;
    // A remembered shape may be anywhere else next time: so all its rows are needed.
    const shown =
      place === undefined
        ? { from: -pixelY, to: this.image.height - pixelY }
        : { from: -Infinity, to: Infinity };
    this.#steps += shape.segments.length * CURVE.mostLines;
    const rows = crossingsOf(shape, fit, { ...shown, most: MAX_STEPS - this.#steps });
    if (rows === undefined) {
      this.#steps = MAX_STEPS + 1;
      return [];
    }
    for (const edges of rows.values()) this.#steps += edges.length;
    const spans = toSpans(rows);
    if (place !== undefined) {
      if (place.fits.size >= KNOWN.fits) place.fits.clear();
      place.fits.set(place.key, spans);
    }
    return spans;
  }
}

/** Points of a line or a cubic curve after its first. */
function flatten([from = [0, 0], one = from, two, end]: readonly Point[]): Point[] {
  if (two === undefined || end === undefined) return [one];
  const way =
    Math.hypot(one[0] - from[0], one[1] - from[1]) +
    Math.hypot(two[0] - one[0], two[1] - one[1]) +
    Math.hypot(end[0] - two[0], end[1] - two[1]);
  const count = Math.min(CURVE.mostLines, CURVE.lines + Math.ceil(way / CURVE.px));
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

/** Numbers of plain drawings have 7 digits at most. */
const isWhole = (value: number): boolean => (value | 0) === value;

const isOnGrid = ({ x, y, width, height }: PlainRect): boolean =>
  isWhole(x) && isWhole(y) && isWhole(width) && isWhole(height);

/** One pixel per unit; undefined unless everything is on whole units and clearly dark or light. */
export function toModules(drawing: PlainDrawing): GreyImage | undefined {
  const { view, fills } = drawing;
  if (!isOnGrid(view) || Math.max(view.width, view.height) > MAX_UNITS) return undefined;
  const isClear = fills.every(({ color, rects }) => {
    const luma = lumaOf(color);
    return rects?.every(isOnGrid) === true && (luma <= CLEAR.dark || luma >= CLEAR.light);
  });
  return isClear ? paint(drawing, 1) : undefined;
}

/** Pixels per unit, a whole number: so repeated shapes fall on pixels in the same way everywhere. */
const UNIT_PX = 4;

/**
 * This many pixels per whole unit; undefined when units can't be modules, or when it takes too long.
 */
export function toUnits(drawing: PlainDrawing): GreyImage | undefined {
  const longer = Math.max(drawing.view.width, drawing.view.height);
  const isOfModules = longer >= MIN_UNITS && longer <= MAX_UNITS;
  return isOfModules ? paint(drawing, UNIT_PX) : undefined;
}

/** Grey of a unit that is mostly ink or mostly background: a black dot of full size has about 64. */
const MOSTLY = { dark: 112, light: 191 } as const;

/**
 * One pixel per unit of what `toUnits` drew: the mean of its pixels, so that small shapes count by
 * the area that they cover. Undefined unless each is mostly ink or mostly background.
 */
export function toCovered({ width, height, data }: GreyImage): GreyImage | undefined {
  if (width % UNIT_PX !== 0 || height % UNIT_PX !== 0) return undefined;
  const units = { width: width / UNIT_PX, height: height / UNIT_PX };
  const covered = new Uint8Array(units.width * units.height).fill(255);
  for (let y = 0, unit = 0; y < height; y += UNIT_PX) {
    for (let x = 0; x < width; x += UNIT_PX, unit += 1) {
      let sum = 0;
      for (let row = 0, at = y * width + x; row < UNIT_PX; row += 1, at += width)
        for (let i = 0; i < UNIT_PX; i += 1) sum += data[at + i] as number;
      const grey = sum / (UNIT_PX * UNIT_PX);
      if (grey > MOSTLY.dark && grey < MOSTLY.light) return undefined;
      if (grey <= MOSTLY.dark) covered[unit] = 0;
    }
  }
  return { ...units, data: covered };
}

/** The drawing with `sidePx` pixels on its longer side; undefined when it takes too long. */
export function toPixels(drawing: PlainDrawing, sidePx: number): GreyImage | undefined {
  return paint(drawing, sidePx / Math.max(drawing.view.width, drawing.view.height));
}
