/** The visible part of a drawing. */
import type { SvgElement } from "./read-svg.ts";
import { numbersIn } from "./transform.ts";

/** In units of the drawing. */
export interface SvgView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lengths in the drawing's own units; others aren't convertible. */
const LENGTH = /^\s*\+?(?:\d+(?:\.\d*)?|\.\d+)(?:px)?\s*$/u;

/** Undefined when the file doesn't say it. */
export function viewOf({ attributes }: SvgElement): SvgView | undefined {
  const box = attributes.get("viewBox");
  const sides = ["width", "height"].map((side) => attributes.get(side) ?? "");
  const [x = 0, y = 0, width = 0, height = 0] =
    box === undefined
      ? [0, 0, ...sides.map((side) => (LENGTH.test(side) ? Number.parseFloat(side) : 0))]
      : numbersIn(box);
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
