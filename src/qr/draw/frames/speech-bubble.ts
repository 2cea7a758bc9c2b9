/** `speech-bubble`: a ring, and below it a bar that points up at the code. */
import { drawBubble } from "./bubble.ts";
import type { DrawFrame } from "./frame.ts";

export const speechBubbleFrame: DrawFrame = (input) => drawBubble(input, false);
