/** name -> frame. A new frame is a new line, and a file if it draws something new. */
import type { FrameName } from "../design.ts";
import { drawBubble } from "./bubble.ts";
import { burstFrame } from "./burst.ts";
import { circleViewfinderFrame } from "./circle-viewfinder.ts";
import type { DrawFrame } from "./frame.ts";
import { drawPanel } from "./panel.ts";
import { polkadotFrame } from "./polkadot.ts";
import { drawRing } from "./ring.ts";
import { roundFrame } from "./round-frame.ts";
import { scatteredLinesFrame } from "./scattered-lines.ts";
import { solidSpinFrame } from "./solid-spin.ts";
import { swirlFrame } from "./swirl.ts";
import { textFrame } from "./text-frame.ts";

export const frameTable = {
  border: (input) => drawRing(input, { thickness: 1, radius: 2 }),
  "border-small": (input) => drawRing(input, { thickness: 0.5, radius: 1 }),
  "border-large": (input) => drawRing(input, { thickness: 3, radius: 4 }),
  /** With sharp corners. */
  square: (input) => drawRing(input, { thickness: 1.5, radius: 0 }),
  "speech-bubble": (input) => drawBubble(input, false),
  "speech-bubble-above": (input) => drawBubble(input, true),
  card: (input) => drawPanel(input, false),
  "card-above": (input) => drawPanel(input, true),
  "text-frame": textFrame,
  "round-frame": roundFrame,
  "circle-viewfinder": circleViewfinderFrame,
  "solid-spin": solidSpinFrame,
  burst: burstFrame,
  "scattered-lines": scatteredLinesFrame,
  polkadot: polkadotFrame,
  swirl: swirlFrame,
} as const satisfies Record<FrameName, DrawFrame>;
