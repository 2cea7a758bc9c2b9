/**
 * What a frame is (docs/spec/qr.md section 4): decoration around a box with the code and its quiet
 * zone. Nothing is ever painted inside the box. Lengths in modules.
 */
import type { Label } from "../label.ts";
import type { Box, Layer } from "../outline.ts";

export interface FrameInput {
  /** Side of the box: code and quiet zone. */
  readonly side: number;
  readonly color: string;
  /** Colour of a label on the frame's own colour. */
  readonly labelColor: string;
  /** A thin line around everything. */
  readonly hasBorder: boolean;
  /** Only for frames that show text. */
  readonly label: Label | undefined;
}

export interface FrameArt {
  readonly width: number;
  readonly height: number;
  /** Top left corner of the box: whole numbers, so that modules can fall on whole pixels. */
  readonly x: number;
  readonly y: number;
  /** The frame, then what is painted on it. */
  readonly layers: readonly Layer[];
}

export type DrawFrame = (input: FrameInput) => FrameArt;

/** Box of the code inside art that begins at 0, 0. */
export function codeBox(art: Pick<FrameArt, "x" | "y">, side: number): Box {
  return { x: art.x, y: art.y, width: side, height: side };
}
