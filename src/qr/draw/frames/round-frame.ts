/** `round-frame`: a circle around the code. */
import { circleHole, circlePath } from "../outline.ts";
import type { DrawFrame } from "./frame.ts";
import { cornerRadius, drawRound } from "./round.ts";

const THICKNESS = 1.5;

export const roundFrame: DrawFrame = (input) =>
  drawRound(input, cornerRadius(input.side) + THICKNESS, ({ centre, radius }) =>
    [circlePath(centre, centre, radius + THICKNESS), circleHole(centre, centre, radius)].join(""),
  );
