/** `solid-spin`: twelve blades around a disc, like a saw. */
import { circleHole, polar, toNumbers } from "../outline.ts";
import type { DrawFrame } from "./frame.ts";
import { type Circle, cornerRadius, drawRound, OUTER_SHARE } from "./round.ts";

const BLADES = 12;
const VALLEY_SHARE = 1.05;
/** How far a blade's tip leans over the next one's foot, as a share of a blade. */
const LEAN = 0.3;

function bladesPath({ centre, radius }: Circle): string {
  const step = (Math.PI * 2) / BLADES;
  const outer = radius * OUTER_SHARE;
  const valley = radius * VALLEY_SHARE;
  const shoulder = radius * (OUTER_SHARE - 0.015);
  const throat = radius * (VALLEY_SHARE + 0.035);
  let path = `M${toNumbers(...polar(centre, valley, 0))}`;
  for (let blade = 0; blade < BLADES; blade += 1) {
    const end = (blade + 1) * step;
    const tip = polar(centre, outer, end + LEAN * step);
    // The back rises in a wide curve to the tip, the front falls in a tight one to the foot.
    path += `Q${toNumbers(...polar(centre, shoulder, (blade + 0.42) * step), ...tip)}`;
    path += `Q${toNumbers(...polar(centre, throat, end), ...polar(centre, valley, end))}`;
  }
  return `${path}z${circleHole(centre, centre, radius)}`;
}

export const solidSpinFrame: DrawFrame = (input) =>
  drawRound(input, cornerRadius(input.side) * OUTER_SHARE, bladesPath);
