/** A filled panel around the code with a bar for the label: `card` and `card-above`. */
import { roundedHole, roundedPath } from "../outline.ts";
import { barHeight, labelLayers } from "./bar.ts";
import { codeBox, type FrameArt, type FrameInput } from "./frame.ts";
import { withBorder } from "./ring.ts";

const MARGIN = 1;
const OUTER_RADIUS = 2;
const INNER_RADIUS = 1;

/** Draws the panel; the bar stands below the code, or above it. */
export function drawPanel(input: FrameInput, isAbove: boolean): FrameArt {
  const { side, color, labelColor } = input;
  const bar = barHeight(input);
  return withBorder(input, (offset) => {
    const width = side + MARGIN * 2;
    const height = side + MARGIN + bar;
    const art = { x: offset + MARGIN, y: offset + (isAbove ? bar : MARGIN) };
    const panel = { x: offset, y: offset, width, height };
    const barTop = isAbove ? offset : offset + height - bar;
    const path =
      roundedPath(panel, [OUTER_RADIUS, OUTER_RADIUS, OUTER_RADIUS, OUTER_RADIUS]) +
      roundedHole(codeBox(art, side), [INNER_RADIUS, INNER_RADIUS, INNER_RADIUS, INNER_RADIUS]);
    const barBox = { x: offset, y: barTop, width, height: bar };
    return {
      ...art,
      width: width + offset * 2,
      height: height + offset * 2,
      layers: [{ fill: color, path }, ...labelLayers(input, barBox, labelColor)],
    };
  });
}
