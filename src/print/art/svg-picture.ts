/**
 * SVG pictures on labels as vectors (docs/spec/print.md section 4): cleaned like drawings of
 * servers, their shapes filled in inks of the press. Anything but filled shapes is refused by name,
 * and the shapes are compared with a rendering of the file.
 */
import { isBlackish, isWhitish } from "../../base/color/color.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { BLACK_INK, type Ink } from "../../base/shapes/label-art.ts";
import { rasterizeSvgToFit } from "../../qr/png/raster.ts";
import { readSafeSvg } from "../../svg/check-svg.ts";
import type { Segment } from "../../svg/path.ts";
import { type SvgView, viewOf } from "../../svg/view.ts";
import { fillInk, PAPER_INK, plateCount } from "../pdf/ink.ts";
import type { PressColors } from "../pdf/press-color.ts";
import { fillsOf, type Rgb, type SvgFill } from "./svg-fills.ts";
import { toPathData, toPdfPath } from "./svg-path.ts";

/** Units of the longer side for every file: four digits are finer than any press. */
const SIDE = 1000;

/** Enough for any logo; drawings of servers have the same limit. */
export const MAX_SVG_BYTES = 8_000_000;

/** The same fills in units of the picture, from its upper left corner. */
function moved(fills: readonly SvgFill[], { x, y }: SvgView, scale: number): SvgFill[] {
  const move = ({ operator, points }: Segment): Segment => ({
    operator,
    points: points.map(([atX, atY]) => [(atX - x) * scale, (atY - y) * scale] as const),
  });
  return fills.map((fill) => ({ ...fill, segments: fill.segments.map(move) }));
}

export const greyOf = ([r, g, b]: Rgb): Ink => {
  const dark = Math.round((1 - (0.299 * r + 0.587 * g + 0.114 * b) / 255) * 100) / 100;
  return { cmyk: [0, 0, 0, dark], spot: null, tint: 1 };
};

function inkOf([red, green, blue]: Rgb, colors: PressColors): Ink {
  const [r, g, b] = [red, green, blue].map(Math.round) as [number, number, number];
  if (isBlackish({ r, g, b })) return BLACK_INK;
  return isWhitish({ r, g, b }) ? PAPER_INK : colors.inkOf([r, g, b]);
}

/** True for colours that black alone can print. */
export const isGrey = ([r, g, b]: Rgb): boolean => Math.max(r, g, b) - Math.min(r, g, b) <= 2;

/** Pixels of the longer side at which shapes and file are compared. */
const LOOK_PX = 240;
/** Channels may differ by this much, and so many pixels by more. */
const LOOK = { slack: 24, share: 0.002 };

export const hexOf = (color: Rgb): string =>
  `#${color.map((share) => Math.round(share).toString(16).padStart(2, "0")).join("")}`;

async function lookAt(svg: Uint8Array): Promise<{ data: Uint8Array; width: number }> {
  const { data, width } = await rasterizeSvgToFit(svg, LOOK_PX);
  return { data, width };
}

/** False where the file shows more than its shapes, such as blending. */
async function isAlike(
  svg: Uint8Array,
  fills: readonly SvgFill[],
  { width, height }: Pick<SvgView, "width" | "height">,
): Promise<boolean> {
  const paths = fills.map(
    ({ segments, rule, color }) =>
      `<path fill="${hexOf(color)}" fill-rule="${rule}" d="${toPathData(toPdfPath(segments))}"/>`,
  );
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${paths.join("")}</svg>`;
  const [wanted, got] = await Promise.all([lookAt(svg), lookAt(Buffer.from(drawn))]);
  if (wanted.width !== got.width || wanted.data.length !== got.data.length) return false;
  let other = 0;
  for (let i = 0; i < wanted.data.length; i += 4) {
    const alphas = [wanted.data[i + 3] as number, got.data[i + 3] as number] as const;
    const isOther = [0, 1, 2].some((channel) => {
      const [one, two] = [wanted, got].map(({ data }, at) => {
        const alpha = alphas[at] as number;
        return ((data[i + channel] as number) * alpha) / 255 + 255 - alpha;
      }) as [number, number];
      return Math.abs(one - two) > LOOK.slack;
    });
    if (isOther) other += 1;
  }
  return other <= (wanted.data.length / 4) * LOOK.share;
}

/** The shapes of a drawing, its longer side a thousand units, y running downwards. */
export interface SvgShapes {
  readonly width: number;
  readonly height: number;
  readonly fills: readonly SvgFill[];
}

/** Filled shapes; a sentence says why a drawing can't be such, as "must …". Throws SvgFault, SvgUnsupported. */
export async function readSvgShapes(svg: Uint8Array): Promise<SvgShapes | string> {
  const root = await readSafeSvg(svg);
  const view = viewOf(root);
  if (view === undefined) return "must say its size, as viewBox or as width and height";
  const scale = SIDE / Math.max(view.width, view.height);
  const size = { width: view.width * scale, height: view.height * scale };
  const fills = moved(fillsOf(root), view, scale);
  if (fills.length === 0) return "must show something, got no filled shape";
  if (!(await isAlike(svg, fills, size)))
    return "must look like the shapes that it fills, got one that blends, masks or sizes them otherwise";
  return { ...size, fills };
}

/** A drawing in inks, its longer side a thousand units. */
export interface SvgPicture {
  readonly width: number;
  readonly height: number;
  readonly space: "DeviceGray" | "DeviceCMYK";
  /** Operators, y running downwards. */
  readonly drawing: string;
  readonly sha256: string;
  /** It has RGB colours. */
  readonly isConverted: boolean;
}

/** A picture of shapes; a sentence says why it can't be one, as "must …". Throws SvgFault, SvgUnsupported. */
export async function readSvgPicture(
  svg: Uint8Array,
  as: "given" | "gray",
  open: () => Promise<PressColors>,
): Promise<SvgPicture | string> {
  const shapes = await readSvgShapes(svg);
  if (typeof shapes === "string") return shapes;
  const { fills, ...size } = shapes;
  const isConverted = as === "given" && fills.some(({ color }) => !isGrey(color));
  const colors = isConverted ? await open() : undefined;
  const inks = fills.map(({ color }) =>
    colors === undefined ? greyOf(color) : inkOf(color, colors),
  );
  const drawing = fills
    .map(({ segments, rule }, i) => {
      const ink = fillInk(inks[i] ?? BLACK_INK, { spaceOf: () => "" });
      return `${ink}${toPdfPath(segments)}${rule === "evenodd" ? "f*" : "f"}\n`;
    })
    .join("");
  const isBlack = inks.every(
    (ink) => plateCount(ink) === 0 || ink.cmyk.slice(0, 3).every((share) => share === 0),
  );
  return {
    ...size,
    space: isBlack ? "DeviceGray" : "DeviceCMYK",
    drawing,
    sha256: sha256(drawing),
    isConverted,
  };
}
