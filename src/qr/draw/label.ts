/** The label of a frame: one or two lines, fitted into a box (docs/spec/qr.md section 4). */
import { AppError } from "../../base/errors.ts";
import type { Box } from "./outline.ts";
import type { TextOutline } from "./text.ts";

export interface Label {
  readonly primary: TextOutline;
  /** A second, smaller line. */
  readonly secondary: TextOutline | undefined;
}

/** Share of a bar's width and height that a label may take. */
const WIDTH_SHARE = 0.8;
const HEIGHT_SHARE = 0.56;
/** How two lines share the height, with a gap between them. */
const PRIMARY_SHARE = 0.55;
const SECONDARY_SHARE = 0.33;
/** Largest size of the second line, relative to the first. */
const MOST_SECOND_SIZE = 0.7;
/** Smaller letters (modules per em) can't be read where the code itself just can. */
const LEAST_SIZE = 1;
/**
 * Lines with less ink height (in em) are sized as if they had this much: about the height of
 * capitals.
 */
const FLATTEST_INK = 0.76;

/** One em of a line that fills a box, in modules. */
function fitSize(line: TextOutline, box: Box): number {
  return Math.min(
    box.width / line.width,
    box.height / line.height,
    // Otherwise short flat words would be larger than others on a sheet.
    box.height / FLATTEST_INK,
  );
}

function checkSize(field: string, size: number, least: number): void {
  if (size >= least) return;
  const message = `${field} must be short enough to be read, letters of ${least} modules or more, got letters of ${size.toFixed(2)}`;
  const where = { field };
  const hint = `shorten it to about ${Math.floor((size / least) * 100)} % of its length`;
  throw new AppError("design-invalid", message, {
    where,
    hint,
    problems: [{ message, where, hint }],
  });
}

function linePath(line: TextOutline, box: Box, size: number): string {
  const x = box.x + (box.width - line.width * size) / 2 - line.left * size;
  const y = box.y + (box.height - line.height * size) / 2 - line.top * size;
  return line.toPath(x, y, size);
}

interface PlacedLabel {
  /** Makes the path, which takes far longer than to know the size. */
  readonly draw: () => string;
  /** Size of the smallest letters: one em in modules. */
  readonly letters: number;
}

/**
 * The label in the middle of a bar: at most 80% of its width and 56% of its height. Throws
 * `design-invalid` when its letters would be too small to read.
 */
export function placeLabel({ primary, secondary }: Label, bar: Box): PlacedLabel {
  const width = bar.width * WIDTH_SHARE;
  const height = bar.height * HEIGHT_SHARE;
  const x = bar.x + (bar.width - width) / 2;
  const y = bar.y + (bar.height - height) / 2;
  const whole = { x, y, width, height };
  if (secondary === undefined) {
    const size = fitSize(primary, whole);
    checkSize("text", size, LEAST_SIZE);
    return { draw: () => linePath(primary, whole, size), letters: size };
  }
  const upper = { ...whole, height: height * PRIMARY_SHARE };
  const lowerHeight = height * SECONDARY_SHARE;
  const lower = { ...whole, y: y + height - lowerHeight, height: lowerHeight };
  const size = fitSize(primary, upper);
  const secondSize = Math.min(fitSize(secondary, lower), size * MOST_SECOND_SIZE);
  checkSize("text", size, LEAST_SIZE);
  checkSize("text_secondary", secondSize, LEAST_SIZE * MOST_SECOND_SIZE);
  const draw = (): string =>
    linePath(primary, upper, size) + linePath(secondary, lower, secondSize);
  return { draw, letters: Math.min(size, secondSize) };
}
