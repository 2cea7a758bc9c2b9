/** `border-small`: a thin ring, 0.5 modules thick. */
import type { DrawFrame } from "./frame.ts";
import { drawRing } from "./ring.ts";

export const borderSmallFrame: DrawFrame = (input) =>
  drawRing(input, { thickness: 0.5, radius: 1 });
