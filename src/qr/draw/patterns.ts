/**
 * The shapes of data modules (docs/spec/qr.md section 3). Ink coverage, not shape, decides whether
 * a code reads. It is never below 0.71: so circles touch, and pointed shapes reach into their
 * neighbours.
 */
import type { PatternName } from "./design.ts";
import { toNumber, toNumbers } from "./outline.ts";

/** How one module is drawn: where its path starts, seen from the module's centre, and the rest. */
export interface Stamp {
  readonly dx: number;
  readonly dy: number;
  /** Relative path data that closes the shape. */
  readonly tail: string;
}

export interface Pattern {
  /** Undefined: whole modules, drawn as runs of rectangles. */
  readonly stamp: ((size: number) => Stamp) | undefined;
  /** Size at a pitch of 1: side, diameter, diagonal, base. */
  readonly size: number;
  /** Smallest size that still reads; tests draw it. */
  readonly leastSize: number;
  /** Timing lines as whole modules. */
  readonly solidTiming: boolean;
}

function square(side: number): Stamp {
  const s = toNumber(side);
  return { dx: -side / 2, dy: -side / 2, tail: `h${s}v${s}h-${s}z` };
}

function circle(diameter: number): Stamp {
  const arc = `a${toNumbers(diameter / 2, diameter / 2)} 0 1 1 `;
  const tail = `${arc}${toNumbers(diameter, 0)}${arc}${toNumbers(-diameter, 0)}z`;
  return { dx: -diameter / 2, dy: 0, tail };
}

function diamond(diagonal: number): Stamp {
  const r = diagonal / 2;
  return { dx: 0, dy: -r, tail: `l${toNumbers(r, r, -r, r, -r, -r)}z` };
}

/** Its centroid is on the module's centre: apex two thirds above, base one third below. */
function triangle(base: number): Stamp {
  return { dx: 0, dy: (-base * 2) / 3, tail: `l${toNumbers(base / 2, base)}h${toNumber(-base)}z` };
}

export const patternTable = {
  Original: { stamp: undefined, size: 1, leastSize: 1, solidTiming: true },
  Squares: { stamp: square, size: 0.92, leastSize: 0.9, solidTiming: false },
  Circles: { stamp: circle, size: 1, leastSize: 0.95, solidTiming: false },
  Diamonds: { stamp: diamond, size: 1.24, leastSize: 1.2, solidTiming: false },
  Triangles: { stamp: triangle, size: 1.3, leastSize: 1.2, solidTiming: false },
} as const satisfies Record<PatternName, Pattern>;
