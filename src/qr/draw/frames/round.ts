/** Round frames: a square box in the middle of a circle that its corners touch. */
import type { Layer } from "../outline.ts";
import type { FrameArt, FrameInput } from "./frame.ts";
import { withRoundBorder } from "./ring.ts";

/** Outer edge of round art, as a multiple of the radius. */
export const OUTER_SHARE = 1.18;

export interface Circle {
  /** The same on both axes. */
  readonly centre: number;
  /** Half the box's diagonal: nothing is painted nearer to the centre. */
  readonly radius: number;
}

/** Half the diagonal of a box. */
export function cornerRadius(side: number): number {
  return (side * Math.SQRT2) / 2;
}

/**
 * Art that reaches `outer` from the centre; `draw` gives its path. The optional border is a thin
 * circle around it.
 */
export function drawRound(
  input: FrameInput,
  outer: number,
  draw: (circle: Circle) => string,
): FrameArt {
  const { side, color } = input;
  const margin = Math.ceil(outer - side / 2);
  return withRoundBorder(input, (offset) => {
    const width = side + (margin + offset) * 2;
    const circle = { centre: width / 2, radius: cornerRadius(side) };
    const layers: Layer[] = [{ fill: color, path: draw(circle) }];
    return { width, height: width, x: margin + offset, y: margin + offset, layers };
  });
}
