/** The label of a frame: one or two lines, fitted into a box (`qr.md` section 4). */
import type { Box } from "./outline.ts";
import type { TextOutline } from "./text.ts";

export interface Label {
  readonly primary: TextOutline;
  /** A second, smaller line. */
  readonly secondary: TextOutline | undefined;
}

/** Share of a bar's width and height that a label may take. */
const WIDTH_SHARE = 0.8;
const HEIGHT_SHARE = 0.6;
/** Two lines share the height so, a gap between them. */
const PRIMARY_SHARE = 0.58;
const SECONDARY_SHARE = 0.3;
/** Ink of a usual line, from the capitals' top to the descenders' foot, in em. */
const USUAL_INK = 0.95;

/** Fits one line into a box, in the middle of it. */
function linePath(line: TextOutline, box: Box): string {
  const size = Math.min(
    box.width / line.width,
    box.height / line.height,
    // Short flat words would grow beyond their neighbours on a sheet.
    box.height / (USUAL_INK * 0.8),
  );
  const x = box.x + (box.width - line.width * size) / 2 - line.left * size;
  const y = box.y + (box.height - line.height * size) / 2 - line.top * size;
  return line.toPath(x, y, size);
}

/** The label in the middle of a bar: at most 80% of its width and 60% of its height. */
export function labelPath({ primary, secondary }: Label, bar: Box): string {
  const width = bar.width * WIDTH_SHARE;
  const height = bar.height * HEIGHT_SHARE;
  const x = bar.x + (bar.width - width) / 2;
  const y = bar.y + (bar.height - height) / 2;
  if (secondary === undefined) return linePath(primary, { x, y, width, height });
  const primaryHeight = height * PRIMARY_SHARE;
  const secondaryHeight = height * SECONDARY_SHARE;
  return (
    linePath(primary, { x, y, width, height: primaryHeight }) +
    linePath(secondary, {
      x,
      y: y + height - secondaryHeight,
      width,
      height: secondaryHeight,
    })
  );
}
