/** `card-above`: a filled panel, its label in a bar above the code. */
import type { DrawFrame } from "./frame.ts";
import { drawPanel } from "./panel.ts";

export const cardAboveFrame: DrawFrame = (input) => drawPanel(input, true);
