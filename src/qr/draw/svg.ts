/**
 * A drawing as SVG (docs/spec/qr.md sections 3 and 4): one path per colour in units of modules. No
 * text elements, clip paths, uses, filters or outside references: every renderer shows the same.
 */
import type { Design } from "./design.ts";
import { type Drawing, drawCode } from "./drawing.ts";
import type { PlacedLogo } from "./logo.ts";
import { type Box, growBox, rectPath, toNumber } from "./outline.ts";
import type { TextShaper } from "./text.ts";

/** The part of a drawing that is shown, in modules, and its size in pixels. */
export interface View extends Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** More digits than path data: a view places every pixel. */
function toFine(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

/** The whole drawing, `widthPx` wide, its height in proportion. */
export function wholeView({ width, height }: Drawing, widthPx: number): View {
  const heightPx = Math.round(((widthPx * height) / width) * 1000) / 1000;
  return { x: 0, y: 0, width, height, widthPx, heightPx };
}

/** Path data is rounded, so the background is drawn a little beyond the view. */
function toGround(view: View): Box {
  const isExact = view.x === 0 && view.y === 0 && Number.isInteger(view.width * 2);
  return isExact ? view : growBox(view, 1);
}

function logoElement({ x, y, width, height, href }: PlacedLogo): string {
  return `<image x="${toNumber(x)}" y="${toNumber(y)}" width="${toNumber(width)}" height="${toNumber(height)}" href="${href}"/>`;
}

/** Writes what is in a view. The same drawing gives the same bytes. */
export function toSvg(drawing: Drawing, view: View): string {
  const viewBox = [view.x, view.y, view.width, view.height].map(toFine).join(" ");
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${view.widthPx}" height="${view.heightPx}" viewBox="${viewBox}">`;
  const background = { fill: drawing.background, path: rectPath(toGround(view)) };
  const paths = [background, ...drawing.layers].map(({ fill, path }) =>
    fill === null || path === "" ? "" : `<path fill="${fill}" d="${path}"/>`,
  );
  return `${head}${paths.join("")}${drawing.logo ? logoElement(drawing.logo) : ""}</svg>`;
}

/** Begins a path, far outside of every view. */
const SLANTED = "M-90 -90l.1 .2l.2 .1z";

/**
 * The same for the rasterizer, whose shortcut for paths of upright edges alone smears wide ones (cairo
 * 1.18 between 2000 and 3000 pixels): so each gets slanted edges, which nobody sees.
 */
export const toPixelSvg = (drawing: Drawing, view: View): string =>
  toSvg(drawing, view).replaceAll(' d="', ` d="${SLANTED}`);

/**
 * The SVG of a code: `design.sizePx` wide, its height in proportion. Labels need a shaper.
 *
 * Throws `payload-too-long`, `payload-malformed`, `design-invalid`.
 */
export function renderSvg(text: string, design: Design, shaper?: TextShaper): string {
  const drawing = drawCode(text, design, shaper);
  return toSvg(drawing, wholeView(drawing, design.sizePx));
}
