/** name -> frame. Adding a frame is adding a file and a line. */
import type { FrameName } from "../design.ts";
import { borderLargeFrame } from "./border-large.ts";
import { borderSmallFrame } from "./border-small.ts";
import { borderFrame } from "./border.ts";
import { burstFrame } from "./burst.ts";
import { cardAboveFrame } from "./card-above.ts";
import { cardFrame } from "./card.ts";
import { circleViewfinderFrame } from "./circle-viewfinder.ts";
import type { DrawFrame } from "./frame.ts";
import { polkadotFrame } from "./polkadot.ts";
import { roundFrame } from "./round-frame.ts";
import { scatteredLinesFrame } from "./scattered-lines.ts";
import { solidSpinFrame } from "./solid-spin.ts";
import { speechBubbleAboveFrame } from "./speech-bubble-above.ts";
import { speechBubbleFrame } from "./speech-bubble.ts";
import { squareFrame } from "./square.ts";
import { swirlFrame } from "./swirl.ts";
import { textFrame } from "./text-frame.ts";

export const frameTable = {
  border: borderFrame,
  "border-small": borderSmallFrame,
  "border-large": borderLargeFrame,
  square: squareFrame,
  "speech-bubble": speechBubbleFrame,
  "speech-bubble-above": speechBubbleAboveFrame,
  card: cardFrame,
  "card-above": cardAboveFrame,
  "text-frame": textFrame,
  "round-frame": roundFrame,
  "circle-viewfinder": circleViewfinderFrame,
  "solid-spin": solidSpinFrame,
  burst: burstFrame,
  "scattered-lines": scatteredLinesFrame,
  polkadot: polkadotFrame,
  swirl: swirlFrame,
} as const satisfies Record<FrameName, DrawFrame>;
