/**
 * The three finder patterns as continuous paths (docs/spec/qr.md section 3): most decoders don't
 * find eyes drawn as single modules.
 */
import type { EyeStyleName } from "./design.ts";
import { type Radii, roundedHole, roundedPath } from "./outline.ts";

interface EyeStyle {
  /** Which corners are rounded: away from the code's centre, beside, towards it, beside. */
  readonly rounded: readonly [boolean, boolean, boolean, boolean];
}

const eyeTable = {
  Square: { rounded: [false, false, false, false] },
  Rounded: { rounded: [true, true, true, true] },
  Drop: { rounded: [true, true, false, true] },
  Leaf: { rounded: [false, true, false, true] },
} as const satisfies Record<EyeStyleName, EyeStyle>;

/**
 * Corner radii in modules. A verifier judges every module of a finder by itself: from a radius of
 * 1.3 on, it sees the corner modules as empty, and with ink loss even earlier. jsQR misses pupils
 * of radius 1 in small pictures of large codes.
 */
const RING_RADIUS = 1.1;
const HOLE_RADIUS = 1;
const PUPIL_RADIUS = 0.86;

/** Quarter turns that bring the outer corner to its place. */
const TURNS = { topLeft: 0, topRight: 1, bottomLeft: 3 } as const;

function toRadii(style: EyeStyle, turns: number, radius: number): Radii {
  const at = (corner: number): number =>
    style.rounded[(corner - turns + 4) % 4] === true ? radius : 0;
  return [at(0), at(1), at(2), at(3)];
}

function eyePath(style: EyeStyle, x: number, y: number, turns: number): string {
  const outer = { x, y, width: 7, height: 7 };
  const hole = { x: x + 1, y: y + 1, width: 5, height: 5 };
  const pupil = { x: x + 2, y: y + 2, width: 3, height: 3 };
  return (
    roundedPath(outer, toRadii(style, turns, RING_RADIUS)) +
    roundedHole(hole, toRadii(style, turns, HOLE_RADIUS)) +
    roundedPath(pupil, toRadii(style, turns, PUPIL_RADIUS))
  );
}

/** Rings and pupils of a code of `size` modules whose top left corner is at `x`, `y`. */
export function eyesPath(name: EyeStyleName, size: number, x: number, y: number): string {
  const style = eyeTable[name];
  return (
    eyePath(style, x, y, TURNS.topLeft) +
    eyePath(style, x + size - 7, y, TURNS.topRight) +
    eyePath(style, x, y + size - 7, TURNS.bottomLeft)
  );
}

/** True for a module of one of the three eyes. */
export function isEye(size: number, x: number, y: number): boolean {
  return (x < 7 && (y < 7 || y >= size - 7)) || (x >= size - 7 && y < 7);
}
