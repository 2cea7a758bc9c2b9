/** `text-frame`: one ring around code and label, the label in the frame's colour. */
import { barHeight, labelLayers } from "./bar.ts";
import type { DrawFrame, FrameArt, FrameInput } from "./frame.ts";
import { ringPath } from "./ring.ts";

const RING = { thickness: 1, radius: 2 } as const;
const MARGIN = RING.thickness;
/** Below the bar: so the label is about as far from the ring as from the code. */
const FOOT = 1;

function draw(input: FrameInput): FrameArt {
  const { side, color } = input;
  const bar = barHeight(input);
  const inside = { x: MARGIN, y: MARGIN, width: side, height: side + bar + FOOT };
  // The quiet zone already separates code and label: the label may use everything below it.
  const barBox = { ...inside, y: MARGIN + side - 1, height: bar };
  return {
    width: side + MARGIN * 2,
    height: inside.height + MARGIN * 2,
    x: MARGIN,
    y: MARGIN,
    layers: [{ fill: color, path: ringPath(inside, RING) }, ...labelLayers(input, barBox, color)],
  };
}

export const textFrame: DrawFrame = draw;
