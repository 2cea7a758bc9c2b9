/** `border`: a plain ring, 1 modules thick. */
import type { DrawFrame } from "./frame.ts";
import { drawRing } from "./ring.ts";

export const borderFrame: DrawFrame = (input) => drawRing(input, { thickness: 1, radius: 2 });
