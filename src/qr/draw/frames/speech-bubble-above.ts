/** `speech-bubble-above`: a ring, and above it a bar that points down at the code. */
import { drawBubble } from "./bubble.ts";
import type { DrawFrame } from "./frame.ts";

export const speechBubbleAboveFrame: DrawFrame = (input) => drawBubble(input, true);
