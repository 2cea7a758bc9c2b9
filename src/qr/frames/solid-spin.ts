/** `solid-spin`: twelve blades around a disc, like a saw. */
import { circleHole, polar, toNumbers } from "../outline.ts";
import type { DrawFrame } from "./frame.ts";
import { type Circle, cornerRadius, drawRound, OUTER_SHARE } from "./round.ts";

const BLADES = 12;
const VALLEY_SHARE = 1.05;

function bladesPath({ centre, radius }: Circle): string {
  const step = (Math.PI * 2) / BLADES;
  const outer = radius * OUTER_SHARE;
  const valley = radius * VALLEY_SHARE;
  // The back of a blade bulges a little outwards before it falls to the next one's foot.
  const bulge = radius * (OUTER_SHARE + 0.01);
  let path = `M${toNumbers(...polar(centre, outer, 0))}`;
  for (let blade = 0; blade < BLADES; blade += 1) {
    const end = (blade + 1) * step;
    path += `Q${toNumbers(...polar(centre, bulge, (blade + 0.5) * step), ...polar(centre, valley, end))}`;
    path += `L${toNumbers(...polar(centre, outer, end))}`;
  }
  return `${path}z${circleHole(centre, centre, radius)}`;
}

export const solidSpinFrame: DrawFrame = (input) =>
  drawRound(input, cornerRadius(input.side) * OUTER_SHARE, bladesPath);
