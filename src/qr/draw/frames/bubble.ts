/** The speech bubbles: a ring around the code and, at a distance, a bar that points at it. */
import { polygonPath, roundedPath } from "../outline.ts";
import { barHeight, labelLayers } from "./bar.ts";
import { codeBox, type FrameArt, type FrameInput } from "./frame.ts";
import { ringPath, withBorder } from "./ring.ts";

const RING = { thickness: 1, radius: 2 } as const;
const BAR_RADIUS = 2;
/** Between ring and bar; the pointer crosses most of it. */
const GAP = 4;
const POINTER_LENGTH = 3;
const POINTER_WIDTH = 6;

/** Draws ring, bar and pointer; the bar stands below the code, or above it. */
export function drawBubble(input: FrameInput, isAbove: boolean): FrameArt {
  const { side, color, labelColor } = input;
  const bar = barHeight(input);
  return withBorder(input, (offset) => {
    const width = side + RING.thickness * 2;
    const height = width + GAP + bar;
    const top = offset + (isAbove ? bar + GAP : 0);
    const art = { x: offset + RING.thickness, y: top + RING.thickness };
    const barBox = {
      x: offset,
      y: isAbove ? offset : offset + width + GAP,
      width,
      height: bar,
    };
    const middle = offset + width / 2;
    // The pointer begins a little inside the bar, so that no hairline parts them.
    const foot = isAbove ? barBox.y + bar - 0.5 : barBox.y + 0.5;
    const tip = isAbove ? barBox.y + bar + POINTER_LENGTH : barBox.y - POINTER_LENGTH;
    const half = POINTER_WIDTH / 2;
    const [first, last] = isAbove ? [middle + half, middle - half] : [middle - half, middle + half];
    const path =
      ringPath(codeBox(art, side), RING) +
      roundedPath(barBox, [BAR_RADIUS, BAR_RADIUS, BAR_RADIUS, BAR_RADIUS]) +
      polygonPath([
        [first, foot],
        [middle, tip],
        [last, foot],
      ]);
    return {
      ...art,
      width: width + offset * 2,
      height: height + offset * 2,
      layers: [{ fill: color, path }, ...labelLayers(input, barBox, labelColor)],
    };
  });
}
