/** `square`: a sharp-cornered ring, 1.5 modules thick. */
import type { DrawFrame } from "./frame.ts";
import { drawRing } from "./ring.ts";

export const squareFrame: DrawFrame = (input) => drawRing(input, { thickness: 1.5, radius: 0 });
