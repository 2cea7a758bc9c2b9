/** Transforms of SVG 1.1, section 7.6. */
import type { Point } from "./path.ts";
import { SvgUnsupported } from "./svg-fault.ts";

export type Matrix = readonly [number, number, number, number, number, number];
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

export const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/giu;

export function numbersIn(text: string): number[] {
  return Array.from(text.matchAll(NUMBER), ([found]) => Number(found));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

function rotation(degrees: number, x: number, y: number): Matrix {
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

const transforms: Readonly<Record<string, (values: readonly number[]) => Matrix>> = {
  matrix: ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => [a, b, c, d, e, f],
  translate: ([x = 0, y = 0]) => [1, 0, 0, 1, x, y],
  scale: ([x = 1, y = x]) => [x, 0, 0, y, 0, 0],
  rotate: ([degrees = 0, x = 0, y = 0]) => rotation(degrees, x, y),
  skewX: ([degrees = 0]) => [1, 0, Math.tan(radians(degrees)), 1, 0, 0],
  skewY: ([degrees = 0]) => [1, Math.tan(radians(degrees)), 0, 1, 0, 0],
};

/** Throws a SvgUnsupported for an unknown transform. */
export function readTransform(text: string | undefined): Matrix {
  let matrix = IDENTITY;
  for (const part of (text ?? "").split(")")) {
    const open = part.indexOf("(");
    if (open < 0) continue;
    const name = part
      .slice(0, open)
      .replace(/^[\s,]+/u, "")
      .trimEnd();
    const transform = Object.hasOwn(transforms, name) ? transforms[name] : undefined;
    if (transform === undefined) throw new SvgUnsupported(`a transform "${name.slice(0, 40)}"`);
    matrix = multiply(matrix, transform(numbersIn(part.slice(open))));
  }
  return matrix;
}
