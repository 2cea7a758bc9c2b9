/** Logos that are drawings, printed as shapes where their codes' own drawings show a picture of them. */
import { toMessage } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import type { Box } from "../../qr/draw/outline.ts";
import type { Design } from "../../qr/draw/design.ts";
import type { Segment } from "../../svg/path.ts";
import { SvgFault, SvgUnsupported } from "../../svg/svg-fault.ts";
import { toNumber } from "../draw/content-stream.ts";
import { fillInk, type InkNames } from "../pdf/ink.ts";
import type { Rgb, SvgFill } from "./svg-fills.ts";
import { toPdfPath } from "./svg-path.ts";
import { readSvgShapes, type SvgShapes } from "./svg-picture.ts";

export interface LogoShapes extends SvgShapes {
  /** The same for what looks the same. */
  readonly key: string;
}

/** A design for the press: `logoShapes` are the shapes of its `logo`. */
export interface PressDesign extends Design {
  readonly logoShapes?: LogoShapes | undefined;
}

/** The shapes of an SVG; a text names other things in it, or says why shapes are not enough. */
export async function readLogoShapes(svg: Uint8Array): Promise<LogoShapes | string> {
  try {
    const shapes = await readSvgShapes(svg);
    return typeof shapes === "string" ? shapes : { ...shapes, key: sha256(JSON.stringify(shapes)) };
  } catch (error) {
    if (error instanceof SvgUnsupported) return `it has ${toMessage(error)}`;
    if (error instanceof SvgFault) return `it ${toMessage(error)}`;
    throw error;
  }
}

/** The part of the shapes that is shown: round logos are cut from the middle square. */
function viewOf({ width, height }: SvgShapes, isRound: boolean): Box {
  if (!isRound) return { x: 0, y: 0, width, height };
  const side = Math.min(width, height);
  return { x: (width - side) / 2, y: (height - side) / 2, width: side, height: side };
}

/** Of a quarter of a circle, the handles' share of the radius. */
const HANDLE = 0.5523;

/** As operands of a page. */
export const numbers = (...values: readonly number[]): string =>
  values.map((value) => toNumber(value, 4)).join(" ");

function circle({ x, y, width }: Box): string {
  const r = width / 2;
  const [cx, cy, h] = [x + r, y + r, r * HANDLE];
  const curve = (...points: readonly number[]): string => `${numbers(...points)} c\n`;
  return (
    `${numbers(cx + r, cy)} m\n` +
    curve(cx + r, cy + h, cx + h, cy + r, cx, cy + r) +
    curve(cx - h, cy + r, cx - r, cy + h, cx - r, cy) +
    curve(cx - r, cy - h, cx - h, cy - r, cx, cy - r) +
    curve(cx + h, cy - r, cx + r, cy - h, cx + r, cy)
  );
}

const rectangle = ({ x, y, width, height }: Box): string => `${numbers(x, y, width, height)} re\n`;

/** True where no point lies beyond a box. */
const isInside = (fills: readonly SvgFill[], { x, y, width, height }: Box): boolean =>
  fills.every(({ segments }) =>
    segments.every(({ points }) =>
      points.every(
        ([atX, atY]) =>
          atX >= x - 1e-6 && atY >= y - 1e-6 && atX <= x + width + 1e-6 && atY <= y + height + 1e-6,
      ),
    ),
  );

/** Operators of shapes in a box of a drawing that runs downwards. */
export function drawLogoShapes(
  shapes: LogoShapes,
  { at, isRound }: { readonly at: Box; readonly isRound: boolean },
  { inkOf, names }: { readonly inkOf: (color: Rgb) => Ink; readonly names: InkNames },
): string {
  const view = viewOf(shapes, isRound);
  const [byX, byY] = [at.width / view.width, at.height / view.height];
  const place = ({ operator, points }: Segment): Segment => ({
    operator,
    points: points.map(([x, y]) => [at.x + (x - view.x) * byX, at.y + (y - view.y) * byY]),
  });
  const painted = shapes.fills.map(({ segments, rule, color }) => {
    const path = toPdfPath(segments.map(place));
    return `${fillInk(inkOf(color), names)}${path}${rule === "evenodd" ? "f*" : "f"}\n`;
  });
  const cut = isRound ? circle(at) : isInside(shapes.fills, view) ? "" : rectangle(at);
  return cut === "" ? painted.join("") : `q\n${cut}W n\n${painted.join("")}Q\n`;
}
