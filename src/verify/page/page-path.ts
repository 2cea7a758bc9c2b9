/** Points from the page's lower left corner. */
export type BoxPt = readonly [left: number, bottom: number, right: number, top: number];

export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `a`, then `b`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[1] * b[2],
    a[0] * b[1] + a[1] * b[3],
    a[2] * b[0] + a[3] * b[2],
    a[2] * b[1] + a[3] * b[3],
    a[4] * b[0] + a[5] * b[2] + b[4],
    a[4] * b[1] + a[5] * b[3] + b[5],
  ];
}

/** A growing box in page space. */
export class Bounds {
  #left = Number.POSITIVE_INFINITY;
  #bottom = Number.POSITIVE_INFINITY;
  #right = Number.NEGATIVE_INFINITY;
  #top = Number.NEGATIVE_INFINITY;

  add(m: Matrix, x: number, y: number): void {
    this.include(m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]);
  }

  /** A point of the page. */
  include(px: number, py: number): void {
    if (px < this.#left) this.#left = px;
    if (px > this.#right) this.#right = px;
    if (py < this.#bottom) this.#bottom = py;
    if (py > this.#top) this.#top = py;
  }

  box(grow = 0): BoxPt {
    return [this.#left - grow, this.#bottom - grow, this.#right + grow, this.#top + grow];
  }
}

/** The length of all items of a set, if it is one. */
class Extent {
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;

  add(length: number): void {
    this.#least = Math.min(this.#least, length);
    this.#most = Math.max(this.#most, length);
  }

  get only(): number | undefined {
    return this.#most - this.#least <= 1e-6 ? this.#least : undefined;
  }
}

const isWithin = (value: number, end: number): boolean =>
  end > 0 ? value >= 0 && value <= end : value >= end && value <= 0;

/** One axis of most Bézier curves is pulled by points between its ends: it doesn't turn back. */
const goesOn = (pull1: number, pull2: number, end: number): boolean =>
  isWithin(pull1, end) && isWithin(pull2, end);

/**
 * Where one axis of a Bézier curve turns back between its ends. It turns twice at most, so `which` is 0 or
 * 1; where it doesn't turn, this is its end. All places are counted from where the curve begins.
 */
function turnOf(which: 0 | 1, pull1: number, pull2: number, end: number): number {
  // The derivative: a t² + 2 b t + c.
  const a = end - 3 * pull2 + 3 * pull1;
  const b = pull2 - 2 * pull1;
  const root = Math.sqrt(Math.max(0, b * b - a * pull1));
  // Written so that a near zero loses no digits.
  const q = -(b + (b < 0 ? -root : root));
  const t = which === 0 ? q / a : pull1 / q;
  if (!(t > 0 && t < 1)) return end;
  const s = 1 - t;
  return 3 * s * t * (s * pull1 + t * pull2) + t * t * t * end;
}

const TURNS = [0, 1] as const;

/** The path under construction. */
export class Path {
  readonly bounds = new Bounds();
  /** One per subpath. */
  readonly parts: Bounds[] = [];
  #part: Bounds | undefined;
  #x = 0;
  #y = 0;
  rectangles = 0;
  /** Each of them, where `keepsBoxes` asks for that. */
  readonly boxes: BoxPt[] | undefined;
  readonly #widths = new Extent();
  readonly #heights = new Extent();
  other = false;

  constructor(keepsBoxes = false) {
    this.boxes = keepsBoxes ? [] : undefined;
  }

  start(): void {
    this.#part = new Bounds();
    this.parts.push(this.#part);
  }

  point(m: Matrix, x: number, y: number): void {
    this.other = true;
    const px = m[0] * x + m[2] * y + m[4];
    const py = m[1] * x + m[3] * y + m[5];
    this.#include(px, py);
    this.#x = px;
    this.#y = py;
  }

  /** A curve reaches less far than the points that pull it. */
  curve(m: Matrix, [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0]: readonly number[]): void {
    const fromX = this.#x;
    const fromY = this.#y;
    this.point(m, x3, y3);
    const [x, y] = [this.#x, this.#y];
    const ax = m[0] * x1 + m[2] * y1 + m[4] - fromX;
    const ay = m[1] * x1 + m[3] * y1 + m[5] - fromY;
    const bx = m[0] * x2 + m[2] * y2 + m[4] - fromX;
    const by = m[1] * x2 + m[3] * y2 + m[5] - fromY;
    if (!goesOn(ax, bx, x - fromX))
      for (const which of TURNS) this.#include(fromX + turnOf(which, ax, bx, x - fromX), y);
    if (!goesOn(ay, by, y - fromY))
      for (const which of TURNS) this.#include(x, fromY + turnOf(which, ay, by, y - fromY));
  }

  #include(px: number, py: number): void {
    this.bounds.include(px, py);
    this.#part?.include(px, py);
  }

  rectangle(m: Matrix, [x = 0, y = 0, w = 0, h = 0]: readonly number[]): void {
    this.bounds.add(m, x, y);
    this.bounds.add(m, x + w, y + h);
    this.rectangles += 1;
    this.#widths.add(Math.abs(w * m[0]));
    this.#heights.add(Math.abs(h * m[3]));
    if (this.boxes === undefined) return;
    const own = new Bounds();
    own.add(m, x, y);
    own.add(m, x + w, y + h);
    this.boxes.push(own.box());
  }

  /** Runs are one module wide, or high. */
  get unit(): number | undefined {
    return this.#widths.only ?? this.#heights.only;
  }
}
