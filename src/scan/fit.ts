/**
 * From millimetres of a sheet to pixels of its picture: affine for scanners, projective for cameras
 * (docs/scan-back.md).
 */
import type { PixelPoint } from "../qr/read/decode.ts";

export type Point = PixelPoint;

/** `x' = (a x + b y + c) / (g x + h y + 1)`, `y' = (d x + e y + f) / (g x + h y + 1)`: a to h. */
export type Fit = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
];

/** A point of the sheet and where it is seen. */
export interface Pair {
  readonly from: Point;
  readonly to: Point;
}

export function applyFit([a, b, c, d, e, f, g, h]: Fit, { x, y }: Point): Point {
  const w = g * x + h * y + 1;
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w };
}

/** The way back. Undefined for a fit that leads to a line or a point. */
export function invertFit([a, b, c, d, e, f, g, h]: Fit): Fit | undefined {
  const last = a * e - b * d;
  const det = a * (e - f * h) - b * (d - f * g) + c * (d * h - e * g);
  if (Math.abs(last) < 1e-12 || Math.abs(det) < 1e-12) return undefined;
  const rows = [e - f * h, c * h - b, b * f - c * e, f * g - d, a - c * g, c * d - a * f];
  const [A = 0, B = 0, C = 0, D = 0, E = 0, F = 0] = rows.map((value) => value / last);
  return [A, B, C, D, E, F, (d * h - e * g) / last, (b * g - a * h) / last];
}

const at = (row: readonly number[] | undefined, column: number): number => row?.[column] ?? 0;

/** The row from `column` on with the largest number there, put in its place. */
function pivot(rows: number[][], column: number): number[] {
  let best = column;
  for (let row = column + 1; row < rows.length; row += 1) {
    if (Math.abs(at(rows[row], column)) > Math.abs(at(rows[best], column))) best = row;
  }
  const found = rows[best] as number[];
  rows[best] = rows[column] as number[];
  rows[column] = found;
  return found;
}

/** Gauss with pivots; undefined where the equations don't determine the unknowns. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] | undefined {
  const rows = matrix.map((row, index) => [...row, at(right, index)]);
  for (let column = 0; column < rows.length; column += 1) {
    const own = pivot(rows, column);
    if (Math.abs(at(own, column)) < 1e-10) return undefined;
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const factor = at(row, column) / at(own, column);
      rows[index] = row.map((value, place) => value - factor * at(own, place));
    }
  }
  return rows.map((row, index) => at(row, rows.length) / at(row, index));
}

/** Least squares of `rows * unknowns = right`. */
function leastSquares(rows: readonly number[][], right: readonly number[]): number[] | undefined {
  const size = rows[0]?.length ?? 0;
  const matrix = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  const sums = Array.from({ length: size }, () => 0);
  for (const [index, row] of rows.entries()) {
    for (const [i, factor] of row.entries()) {
      sums[i] = at(sums, i) + factor * at(right, index);
      const line = matrix[i] as number[];
      for (const [j, value] of row.entries()) line[j] = at(line, j) + factor * value;
    }
  }
  return solve(matrix, sums);
}

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Points are moved to a square of about 1, so that the equations stay well-behaved. */
function frameOf(points: readonly Point[]): Frame {
  const count = Math.max(1, points.length);
  const x = points.reduce((sum, point) => sum + point.x, 0) / count;
  const y = points.reduce((sum, point) => sum + point.y, 0) / count;
  const far = points.map((point) => Math.hypot(point.x - x, point.y - y));
  return { x, y, size: Math.max(1e-9, ...far) };
}

const intoFrame = ({ x, y, size }: Frame): Fit => [
  1 / size,
  0,
  -x / size,
  0,
  1 / size,
  -y / size,
  0,
  0,
];
const outOfFrame = ({ x, y, size }: Frame): Fit => [size, 0, x, 0, size, y, 0, 0];

/** First `first`, then `second`. */
function chain(second: Fit, first: Fit): Fit {
  const [p, q] = [second, first].map((fit) => [...fit, 1]) as [number[], number[]];
  const cell = (row: number, column: number): number =>
    [0, 1, 2].reduce((sum, k) => sum + (p[row * 3 + k] ?? 0) * (q[k * 3 + column] ?? 0), 0);
  const last = cell(2, 2);
  const of = (row: number, column: number): number => cell(row, column) / last;
  return [of(0, 0), of(0, 1), of(0, 2), of(1, 0), of(1, 1), of(1, 2), of(2, 0), of(2, 1)];
}

/** The best fit to pairs of points; undefined for fewer than 3 (affine) or 4 (projective), or on a line. */
export function findFit(pairs: readonly Pair[], kind: "affine" | "projective"): Fit | undefined {
  const [from, to] = [frameOf(pairs.map((p) => p.from)), frameOf(pairs.map((p) => p.to))];
  const [enter, leave] = [intoFrame(from), intoFrame(to)];
  const rows: number[][] = [];
  const right: number[] = [];
  for (const pair of pairs) {
    const [{ x, y }, { x: u, y: v }] = [applyFit(enter, pair.from), applyFit(leave, pair.to)];
    const bent = kind === "projective";
    rows.push([x, y, 1, 0, 0, 0, ...(bent ? [-u * x, -u * y] : [])]);
    rows.push([0, 0, 0, x, y, 1, ...(bent ? [-v * x, -v * y] : [])]);
    right.push(u, v);
  }
  if (rows.length < (kind === "affine" ? 6 : 8)) return undefined;
  const found = leastSquares(rows, right);
  if (found === undefined) return undefined;
  // An affine fit has no last two.
  const flat = [...found, 0, 0].slice(0, 8) as unknown as Fit;
  return chain(outOfFrame(to), chain(flat, enter));
}

/** Root mean square error of a fit, pixels. */
export function fitError(fit: Fit, pairs: readonly Pair[]): number {
  const squares = pairs.map(({ from, to }) => {
    const seen = applyFit(fit, from);
    return (seen.x - to.x) ** 2 + (seen.y - to.y) ** 2;
  });
  return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / Math.max(1, squares.length));
}
