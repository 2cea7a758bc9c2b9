/** `circle-viewfinder`: four arcs with round ends beyond the corners of the code. */
import { polar, toNumbers } from "../outline.ts";
import type { DrawFrame } from "./frame.ts";
import { type Circle, cornerRadius, drawRound } from "./round.ts";

const THICKNESS = 1.6;
/** From the box's corners to the middle of the arcs. */
const DISTANCE = 1 + THICKNESS / 2;
/** Half of an arc's opening, radians. */
const HALF_ARC = (28 * Math.PI) / 180;

function arcPath({ centre, radius }: Circle, middle: number): string {
  const outer = radius + DISTANCE + THICKNESS / 2;
  const inner = outer - THICKNESS;
  const cap = `A${toNumbers(THICKNESS / 2, THICKNESS / 2)} 0 0 1 `;
  const [from, to] = [middle - HALF_ARC, middle + HALF_ARC];
  return [
    `M${toNumbers(...polar(centre, outer, from))}`,
    `A${toNumbers(outer, outer)} 0 0 1 ${toNumbers(...polar(centre, outer, to))}`,
    `${cap}${toNumbers(...polar(centre, inner, to))}`,
    `A${toNumbers(inner, inner)} 0 0 0 ${toNumbers(...polar(centre, inner, from))}`,
    `${cap}${toNumbers(...polar(centre, outer, from))}z`,
  ].join("");
}

export const circleViewfinderFrame: DrawFrame = (input) =>
  drawRound(input, cornerRadius(input.side) + DISTANCE + THICKNESS / 2, (circle) =>
    [1, 3, 5, 7].map((eighth) => arcPath(circle, (eighth * Math.PI) / 4)).join(""),
  );
