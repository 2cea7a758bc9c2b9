/** `border-large`: a heavy ring, 3 modules thick. */
import type { DrawFrame } from "./frame.ts";
import { drawRing } from "./ring.ts";

export const borderLargeFrame: DrawFrame = (input) => drawRing(input, { thickness: 3, radius: 4 });
