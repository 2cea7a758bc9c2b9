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

/** The path under construction. */
export class Path {
  readonly bounds = new Bounds();
  /** One per subpath. */
  readonly parts: Bounds[] = [];
  #part: Bounds | undefined;
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
