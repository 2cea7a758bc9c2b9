/** The quiet zone of a code, as it is seen on a rendered page. */
import { mmToPx } from "../../base/shapes/units.ts";
import { growBox } from "../../qr/draw/outline.ts";
import type { BoxMm } from "../../print/layout/box.ts";
import type { GreyImage } from "../../qr/read/decode.ts";
import { greysIn, greysOf, type Greys, isQuiet } from "./quiet.ts";

/** A page as it was rendered, and how fine. */
export interface RenderedPage {
  readonly image: GreyImage;
  readonly dpi: number;
}

/** The part of a label's claim that says what is looked at, and from where. */
interface QuietClaim {
  readonly code: BoxMm;
  readonly quietMm?: number | undefined;
  readonly quietFromMm?: number | undefined;
}

type Offset = { readonly x: number; readonly y: number };
type Edges = readonly [left: number, top: number, right: number, bottom: number];

/** Greys between two rectangles, one inside the other. */
function greysBetween(image: GreyImage, outer: Edges, inner: Edges): Greys {
  const bands: readonly Edges[] = [
    [outer[0], outer[1], outer[2], inner[1]],
    [outer[0], inner[3], outer[2], outer[3]],
    [outer[0], inner[1], inner[0], inner[3]],
    [inner[2], inner[1], outer[2], inner[3]],
  ];
  return greysOf(bands.map((band) => greysIn(image, band)));
}

/** Faults of a quiet zone, at the full resolution of the proof. */
export function findQuietFault(
  { image, dpi }: RenderedPage,
  claim: QuietClaim,
  offset: Offset,
): string | undefined {
  const { quietMm = 0, quietFromMm = 0 } = claim;
  const code = growBox(claim.code, quietFromMm);
  if (quietMm === 0) return undefined;
  const px = (mm: number): number => Math.round(mmToPx(mm, dpi));
  const [left, top] = [px(offset.x + code.x), px(offset.y + code.y)];
  const [right, bottom] = [left + px(code.width), top + px(code.height)];
  // A pixel at the edges may hold a part of the code, or of what is beyond the zone.
  const zone = px(quietMm - quietFromMm) - 1;
  const seen = greysBetween(
    image,
    [left - zone, top - zone, right + zone, bottom + zone],
    [left - 1, top - 1, right + 1, bottom + 1],
  );
  return isQuiet(seen)
    ? undefined
    : `quiet zone must be light and even on its background, got greys from ${seen.darkest} to ${seen.lightest}`;
}

/**
 * The least share of the full resolution that `isEvenZone` may be asked at. What `isQuiet` objects to is a
 * pixel of the full resolution that differs by more than 60 of 255: at half of it, at most four
 * pixels four times as large share that difference, so one of them differs by 3 or more.
 */
export const EVEN_SHARE = 0.5;
/** Slack for the rounding of renderers. */
const EVEN = 2;

/**
 * Whether a quiet zone is light and of one grey, in every pixel that holds a part of it: then it has no fault
 * at the full resolution either. False says nothing.
 */
export function isEvenZone(
  { image, dpi }: RenderedPage,
  { code, quietMm = 0, quietFromMm = 0 }: QuietClaim,
  offset: Offset,
): boolean {
  const edgesOf = ({ x, y, width, height }: BoxMm, out: typeof Math.floor, back: typeof out) =>
    [
      out(mmToPx(offset.x + x, dpi)),
      out(mmToPx(offset.y + y, dpi)),
      back(mmToPx(offset.x + x + width, dpi)),
      back(mmToPx(offset.y + y + height, dpi)),
    ] as const;
  const outer = edgesOf(growBox(code, quietMm), Math.floor, Math.ceil);
  const inner = edgesOf(growBox(code, quietFromMm), Math.ceil, Math.floor);
  const seen = greysBetween(image, outer, inner);
  return isQuiet(seen) && seen.lightest - seen.darkest <= EVEN;
}
