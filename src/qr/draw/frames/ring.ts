/** Rings around a box: the borders, and the line that `hasBorder` adds to other frames. */
import { type Box, circleHole, circlePath, growBox, roundedHole, roundedPath } from "../outline.ts";
import type { FrameArt, FrameInput } from "./frame.ts";

export interface RingForm {
  readonly thickness: number;
  /** Outer corner radius. */
  readonly radius: number;
}

/** A ring directly around `box`. */
export function ringPath(box: Box, { thickness, radius }: RingForm): string {
  const inner = Math.max(0, radius - thickness);
  return (
    roundedPath(growBox(box, thickness), [radius, radius, radius, radius]) +
    roundedHole(box, [inner, inner, inner, inner])
  );
}

export function drawRing({ side, color }: FrameInput, form: RingForm): FrameArt {
  const margin = Math.ceil(form.thickness);
  const box = { x: margin, y: margin, width: side, height: side };
  return {
    width: side + margin * 2,
    height: side + margin * 2,
    x: margin,
    y: margin,
    layers: [{ fill: color, path: ringPath(box, form) }],
  };
}

const LINE: RingForm = { thickness: 0.5, radius: 3 };
/** From the art to the outer edge of the line, in whole modules. */
const LINE_MARGIN = 2;

/** Moves art down and right to make room for a line, which `toLine` draws. */
function growArt(
  input: FrameInput,
  draw: (offset: number) => FrameArt,
  toLine: (art: FrameArt) => string,
): FrameArt {
  if (!input.hasBorder) return draw(0);
  const art = draw(LINE_MARGIN);
  const [frame, ...rest] = art.layers;
  const path = (frame?.path ?? "") + toLine(art);
  return { ...art, layers: [{ fill: input.color, path }, ...rest] };
}

/**
 * Adds the border, if wanted: a thin rounded line around everything. `draw` draws the frame at an
 * offset that leaves room for it, and answers its size with the offset on both sides.
 */
export function withBorder(input: FrameInput, draw: (offset: number) => FrameArt): FrameArt {
  return growArt(input, draw, ({ width, height }) =>
    ringPath(growBox({ x: 0, y: 0, width, height }, -LINE.thickness), LINE),
  );
}

/** The same as a circle, for round frames. */
export function withRoundBorder(input: FrameInput, draw: (offset: number) => FrameArt): FrameArt {
  return growArt(input, draw, ({ width }) => {
    const radius = width / 2;
    return circlePath(radius, radius, radius) + circleHole(radius, radius, radius - LINE.thickness);
  });
}
