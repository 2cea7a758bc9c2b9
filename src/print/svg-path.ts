import { toNumber } from "./content-stream.ts";

/** SVG path data -> PDF path operators in the same coordinates; arcs become cubic curves. */

/** A piece of a path: `m` and `l` have one point, `c` two control points and its end, `h` closes. */
export interface Segment {
  readonly operator: "m" | "l" | "c" | "h";
  readonly points: readonly Point[];
}

const TOKEN = /([a-zA-Z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/gu;

/** Numbers that each command takes. */
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

/** Flags of arcs may stand without separators: `a1 1 0 012 0`. */
function splitFlags(text: string): string {
  const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
  const arc = new RegExp(
    String.raw`(${number})[\s,]*(${number})[\s,]*(${number})[\s,]*([01])[\s,]*([01])[\s,]*(${number})[\s,]*(${number})`,
    "gu",
  );
  return text.replaceAll(/[aA][^a-zA-Z]*/gu, (part) => {
    const fixed = part.slice(1).replaceAll(arc, " $1 $2 $3 $4 $5 $6 $7 ");
    return `${part.charAt(0)}${fixed}`;
  });
}

/** Throws a SyntaxError for what is no path data. */
function readCommands(data: string): Command[] {
  const commands: Command[] = [];
  let letter = "";
  let values: number[] = [];
  const text = splitFlags(data);
  const flush = (): void => {
    if (letter === "") {
      if (values.length > 0) throw new SyntaxError("path data must begin with a command");
      return;
    }
    const count = ARGUMENTS[letter.toLowerCase()];
    if (count === undefined) throw new SyntaxError(`path command must be known, got ${letter}`);
    if (count === 0 ? values.length > 0 : values.length === 0 || values.length % count !== 0) {
      throw new SyntaxError(`path command ${letter} must have ${count} numbers each time`);
    }
    if (count === 0) commands.push({ letter, values });
    for (let i = 0; i < values.length; i += count) {
      const next = letter === "m" ? "l" : letter === "M" ? "L" : letter;
      commands.push({ letter: i === 0 ? letter : next, values: values.slice(i, i + count) });
    }
  };
  let end = 0;
  for (const found of text.matchAll(TOKEN)) {
    if (/[^\s,]/u.test(text.slice(end, found.index))) {
      throw new SyntaxError(`path data has ${JSON.stringify(text.slice(end, found.index))}`);
    }
    end = found.index + found[0].length;
    if (found[1] === undefined) {
      values.push(Number(found[2]));
      continue;
    }
    flush();
    letter = found[1];
    values = [];
  }
  if (/[^\s,]/u.test(text.slice(end))) throw new SyntaxError("path data has foreign characters");
  flush();
  return commands;
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

/** Points of the cubic curves that an arc is made of: two control points and an end each. */
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

const DIGITS = 4;

/** Follows a pen over the commands. */
class Tracer {
  readonly segments: Segment[] = [];
  #at: Point = [0, 0];
  #start: Point = [0, 0];
  /** Last control point of a curve, for the commands that go on smoothly. */
  #control: { readonly kind: "c" | "q"; readonly point: Point } | undefined;

  run({ letter, values }: Command): void {
    const kind = letter.toLowerCase();
    const relative = letter === kind;
    const [ox, oy] = relative ? this.#at : [0, 0];
    const v = (i: number): number => values[i] ?? 0;
    const point = (i: number): Point => [v(i) + ox, v(i + 1) + oy];
    const before = this.#control;
    this.#control = undefined;
    switch (kind) {
      case "m":
        this.#at = point(0);
        this.#start = this.#at;
        this.#emit("m", this.#at);
        return;
      case "l":
        this.#line(point(0));
        return;
      case "h":
        this.#line([v(0) + ox, this.#at[1]]);
        return;
      case "v":
        this.#line([this.#at[0], v(0) + oy]);
        return;
      case "c":
        this.#curve(point(0), point(2), point(4));
        return;
      case "s":
        this.#curve(this.#mirror(before, "c"), point(0), point(2));
        return;
      case "q":
        this.#quadratic(point(0), point(2));
        return;
      case "t":
        this.#quadratic(this.#mirror(before, "q"), point(0));
        return;
      case "a":
        this.#arc(
          { rx: v(0), ry: v(1), turn: v(2), large: v(3) === 1, sweep: v(4) === 1 },
          point(5),
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
    this.segments.push({ operator, points });
  }
}

/** Throws a SyntaxError for what is no path data. */
export function readSvgPath(data: string): readonly Segment[] {
  const tracer = new Tracer();
  for (const command of readCommands(data)) tracer.run(command);
  return tracer.segments;
}

/** Operators of a path that is read. */
export function toPdfPath(segments: readonly Segment[]): string {
  const lines = segments.map(({ operator, points }) =>
    [...points.flat().map((value) => toNumber(value, DIGITS)), operator].join(" "),
  );
  return lines.map((line) => `${line}\n`).join("");
}

/** Throws a SyntaxError for what is no path data. */
export function svgPathToPdf(data: string): string {
  return toPdfPath(readSvgPath(data));
}
