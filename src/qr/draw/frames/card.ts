/** `card`: a filled panel, its label in a bar below the code. */
import type { DrawFrame } from "./frame.ts";
import { drawPanel } from "./panel.ts";

export const cardFrame: DrawFrame = (input) => drawPanel(input, false);
