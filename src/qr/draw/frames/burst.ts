/** `burst`: a star of 32 points. */
import { circleHole, polar, polygonPath } from "../outline.ts";
import type { DrawFrame } from "./frame.ts";
import { type Circle, cornerRadius, drawRound, OUTER_SHARE } from "./round.ts";

const POINTS = 32;
const VALLEY_SHARE = 1.07;

function starPath({ centre, radius }: Circle): string {
  const corners = Array.from({ length: POINTS * 2 }, (_, i) => {
    const share = i % 2 === 0 ? OUTER_SHARE : VALLEY_SHARE;
    return polar(centre, radius * share, (i * Math.PI) / POINTS);
  });
  return polygonPath(corners) + circleHole(centre, centre, radius);
}

export const burstFrame: DrawFrame = (input) =>
  drawRound(input, cornerRadius(input.side) * OUTER_SHARE, starPath);
