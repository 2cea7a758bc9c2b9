/** The bar that carries a label. */
import { placeLabel } from "../label.ts";
import type { Box, Layer } from "../outline.ts";
import type { FrameInput } from "./frame.ts";

const BAR_SHARE = 0.2;
/** A label in a smaller bar can't be read from arm's length. */
const LEAST_BAR = 6;

/** With a second line, the bar is this much higher, so that both can be read. */
const SECOND_LINE_SHARE = 1.35;

/** Height of the bar at a box of `side`, in whole modules. */
export function barHeight({ side, label }: Pick<FrameInput, "side" | "label">): number {
  const height = Math.max(LEAST_BAR, side * BAR_SHARE);
  return Math.ceil(label?.secondary === undefined ? height : height * SECOND_LINE_SHARE);
}

/** The label in the middle of `bar`; nothing when there is none. */
export function labelLayers({ label }: FrameInput, bar: Box, fill: string): Layer[] {
  if (label === undefined) return [];
  const { draw, letters } = placeLabel(label, bar);
  let path: string | undefined;
  return [
    {
      fill,
      letters,
      get path() {
        return (path ??= draw());
      },
    },
  ];
}
