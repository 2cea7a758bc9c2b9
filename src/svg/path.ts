/** SVG path data -> moves, lines and cubic curves in the same coordinates. */

/** A piece of a path: `m` and `l` have one point, `c` two control points and its end, `h` closes. */
export interface Segment {
  readonly operator: "m" | "l" | "c" | "h";
  readonly points: readonly Point[];
}

/** Number of arguments of each command. */
const ARGUMENTS: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
};

interface Command {
  readonly letter: string;
  readonly values: readonly number[];
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const isSign = (code: number): boolean => code === 0x2b || code === 0x2d;
/** Blank, tab, line feed, form feed, carriage return, comma. */
const isGap = (code: number): boolean =>
  code === 0x20 || code === 0x2c || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
const DOT = 0x2e;
const LETTER_E = 0x65;

/** Positions of an arc's flags, which need no separators, as in `a1 1 0 012 0`. */
const ARC_FLAGS = new Set([3, 4]);

/** Coordinates further out make no sense in any picture. */
const MAX_NUMBER = 1e7;
/** Pieces of one path. The outline of the largest code has a tenth of this. */
const MAX_SEGMENTS = 500_000;

/** Reads path data from left to right; every character once. */
class Scanner {
  readonly #data: string;
  #at = 0;

  constructor(data: string) {
    this.#data = data;
    this.#skip(isGap);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#data.length;
  }

  command(): string {
    if (!isLetter(this.#code())) this.fail();
    const letter = this.#data.charAt(this.#at);
    this.#at += 1;
    this.#skip(isGap);
    return letter;
  }

  /** True when a number begins here, not a command. */
  get isAtNumber(): boolean {
    return !this.isAtEnd && !isLetter(this.#code());
  }

  /** The numbers of one command. */
  values(count: number, isArc: boolean): number[] {
    const values: number[] = [];
    while (values.length < count) {
      values.push(isArc && ARC_FLAGS.has(values.length) ? this.#flag() : this.#number());
      this.#skip(isGap);
    }
    return values;
  }

  fail(): never {
    const rest = this.#data.slice(this.#at, this.#at + 20);
    throw new SyntaxError(`path data has ${JSON.stringify(rest)}`);
  }

  #flag(): number {
    const value = this.#code() - 0x30;
    if (value !== 0 && value !== 1) this.fail();
    this.#at += 1;
    return value;
  }

  #number(): number {
    const start = this.#at;
    if (isSign(this.#code())) this.#at += 1;
    let digits = this.#skip(isDigit);
    if (this.#code() === DOT) {
      this.#at += 1;
      digits += this.#skip(isDigit);
    }
    if (digits > 0) this.#exponent();
    const value = Number(this.#data.slice(start, this.#at));
    if (digits > 0 && Math.abs(value) <= MAX_NUMBER) return value;
    this.#at = start;
    return this.fail();
  }

  #exponent(): void {
    if ((this.#code() | 0x20) !== LETTER_E) return;
    const start = this.#at;
    this.#at += 1;
    if (isSign(this.#code())) this.#at += 1;
    if (this.#skip(isDigit) === 0) this.#at = start;
  }

  /** NaN at the end. */
  #code(): number {
    return this.#data.charCodeAt(this.#at);
  }

  /** Skips all characters of a kind; answers how many. */
  #skip(isOne: (code: number) => boolean): number {
    const start = this.#at;
    while (isOne(this.#data.charCodeAt(this.#at))) this.#at += 1;
    return this.#at - start;
  }
}

/** The command after more numbers without a letter: lines after a move. */
const toNext = (letter: string): string => (letter === "m" ? "l" : letter === "M" ? "L" : letter);

/** Throws a SyntaxError for invalid path data. */
function* readCommands(data: string): Generator<Command> {
  const scanner = new Scanner(data);
  while (!scanner.isAtEnd) {
    const letter = scanner.command();
    const kind = letter.toLowerCase();
    const count = ARGUMENTS[kind];
    if (count === undefined) throw new SyntaxError(`path command must be known, got ${letter}`);
    yield { letter, values: scanner.values(count, kind === "a") };
    if (count === 0) continue;
    while (scanner.isAtNumber) {
      yield { letter: toNext(letter), values: scanner.values(count, kind === "a") };
    }
  }
}

interface Arc {
  readonly rx: number;
  readonly ry: number;
  /** Degrees. */
  readonly turn: number;
  readonly large: boolean;
  readonly sweep: boolean;
}

export type Point = readonly [x: number, y: number];

/** The cubic curves of an arc: two control points and an end each. */
function arcCurves(from: Point, to: Point, arc: Arc): Point[][] {
  let [rx, ry] = [Math.abs(arc.rx), Math.abs(arc.ry)];
  if (rx === 0 || ry === 0) return [[from, to, to]];
  const phi = (arc.turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
  const [dx, dy] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
  const [x1, y1] = [cos * dx + sin * dy, -sin * dx + cos * dy];
  const tooSmall = (x1 / rx) ** 2 + (y1 / ry) ** 2;
  if (tooSmall > 1) {
    rx *= Math.sqrt(tooSmall);
    ry *= Math.sqrt(tooSmall);
  }
  const below = (rx * y1) ** 2 + (ry * x1) ** 2;
  const factor = Math.sqrt(Math.max(0, (rx * ry) ** 2 - below) / (below || 1));
  const sign = arc.large === arc.sweep ? -1 : 1;
  const [cx1, cy1] = [(sign * factor * rx * y1) / ry, (-sign * factor * ry * x1) / rx];
  const centre: Point = [
    cos * cx1 - sin * cy1 + (from[0] + to[0]) / 2,
    sin * cx1 + cos * cy1 + (from[1] + to[1]) / 2,
  ];
  const start = Math.atan2((y1 - cy1) / ry, (x1 - cx1) / rx);
  let sweep = Math.atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - start;
  if (arc.sweep && sweep < 0) sweep += 2 * Math.PI;
  if (!arc.sweep && sweep > 0) sweep -= 2 * Math.PI;
  const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const step = sweep / parts;
  const k = (4 / 3) * Math.tan(step / 4);
  const place = (x: number, y: number): Point => [
    centre[0] + cos * rx * x - sin * ry * y,
    centre[1] + sin * rx * x + cos * ry * y,
  ];
  return Array.from({ length: parts }, (_, i) => {
    const [a, b] = [start + i * step, start + (i + 1) * step];
    return [
      place(Math.cos(a) - k * Math.sin(a), Math.sin(a) + k * Math.cos(a)),
      place(Math.cos(b) + k * Math.sin(b), Math.sin(b) - k * Math.cos(b)),
      place(Math.cos(b), Math.sin(b)),
    ];
  });
}

const ORIGIN: Point = [0, 0];

const valueAt = (values: readonly number[], i: number): number => values[i] ?? 0;

const pointAt = (values: readonly number[], i: number, [x, y]: Point): Point => [
  valueAt(values, i) + x,
  valueAt(values, i + 1) + y,
];

/** Follows a pen through the commands. */
class Tracer {
  #segments: Segment[] = [];
  #at: Point = [0, 0];
  #start: Point = [0, 0];
  /** Last control point of a curve, for the smooth commands. */
  #control: { readonly kind: "c" | "q"; readonly point: Point } | undefined;

  /** The segments that a command adds. */
  run(command: Command): readonly Segment[] {
    this.#segments = [];
    this.#follow(command);
    return this.#segments;
  }

  #follow({ letter, values }: Command): void {
    const kind = letter.toLowerCase();
    const relative = letter === kind;
    const from = relative ? this.#at : ORIGIN;
    const before = this.#control;
    this.#control = undefined;
    switch (kind) {
      case "m":
        this.#at = pointAt(values, 0, from);
        this.#start = this.#at;
        this.#emit("m", this.#at);
        return;
      case "l":
        this.#line(pointAt(values, 0, from));
        return;
      case "h":
        this.#line([valueAt(values, 0) + from[0], this.#at[1]]);
        return;
      case "v":
        this.#line([this.#at[0], valueAt(values, 0) + from[1]]);
        return;
      case "c":
        this.#curve(pointAt(values, 0, from), pointAt(values, 2, from), pointAt(values, 4, from));
        return;
      case "s":
        this.#curve(this.#mirror(before, "c"), pointAt(values, 0, from), pointAt(values, 2, from));
        return;
      case "q":
        this.#quadratic(pointAt(values, 0, from), pointAt(values, 2, from));
        return;
      case "t":
        this.#quadratic(this.#mirror(before, "q"), pointAt(values, 0, from));
        return;
      case "a":
        this.#arc(
          {
            rx: valueAt(values, 0),
            ry: valueAt(values, 1),
            turn: valueAt(values, 2),
            large: valueAt(values, 3) === 1,
            sweep: valueAt(values, 4) === 1,
          },
          pointAt(values, 5, from),
        );
        return;
      default:
        this.#emit("h");
        this.#at = this.#start;
    }
  }

  #mirror(before: { kind: string; point: Point } | undefined, kind: "c" | "q"): Point {
    if (before?.kind !== kind) return this.#at;
    return [2 * this.#at[0] - before.point[0], 2 * this.#at[1] - before.point[1]];
  }

  #line(to: Point): void {
    this.#emit("l", to);
    this.#at = to;
  }

  #curve(one: Point, two: Point, to: Point): void {
    this.#emit("c", one, two, to);
    this.#at = to;
    this.#control = { kind: "c", point: two };
  }

  #quadratic(control: Point, to: Point): void {
    const toward = (end: Point): Point => [
      end[0] + (2 / 3) * (control[0] - end[0]),
      end[1] + (2 / 3) * (control[1] - end[1]),
    ];
    this.#emit("c", toward(this.#at), toward(to), to);
    this.#at = to;
    this.#control = { kind: "q", point: control };
  }

  #arc(arc: Arc, to: Point): void {
    for (const points of arcCurves(this.#at, to, arc)) this.#emit("c", ...points);
    this.#at = to;
  }

  #emit(operator: Segment["operator"], ...points: readonly Point[]): void {
    this.#segments.push({ operator, points });
  }
}

/** One segment after the other. Throws a SyntaxError when path data become invalid. */
export function* readSvgPath(data: string): Generator<Segment> {
  const tracer = new Tracer();
  let count = 0;
  for (const command of readCommands(data)) {
    const segments = tracer.run(command);
    count += segments.length;
    if (count > MAX_SEGMENTS) {
      throw new SyntaxError(`path must have at most ${MAX_SEGMENTS} pieces`);
    }
    yield* segments;
  }
}
