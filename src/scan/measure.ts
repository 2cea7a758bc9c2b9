/**
 * Measures the print in a picture: how much ink spreads, how dark it is, how the sheet lies
 * (docs/scan-back.md).
 */
import { mmToPx, pxToMm } from "../base/shapes/units.ts";
import type { GreyImage, SeenCode } from "../qr/read/decode.ts";
import { cutOut } from "./cut-out.ts";
import { cornersOf } from "./find-sheet.ts";
import { applyFit, findFit, type Fit, type Point } from "./fit.ts";
import type { ScanCell, ScanSheet } from "./sheet.ts";

/** Ink and paper of one code. */
export interface InkMeasure {
  /** How much wider dark modules are than drawn, share of a module: 0.1 = 10 %; less than 0 = narrower. */
  readonly growth: number;
  /** Between ink and paper as the picture shows them, 0 to 1. */
  readonly contrast: number;
}

/** White round the code that is looked at, modules. */
const ROOM = 2;
const PITCH = 8;

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Modules as booleans, with `ROOM` of white on each side. */
function toDark({ data, width }: GreyImage): (column: number, row: number) => boolean {
  return (column, row) => {
    const [x, y] = [column - ROOM, row - ROOM];
    if (x < 0 || y < 0 || x >= width || y >= width) return false;
    return data[y * width + x] === 0;
  };
}

/** A code set upright with white round it, `PITCH` pixels a module; undefined where it can't be. */
function setUpright(image: GreyImage, { corners, modules }: SeenCode): GreyImage | undefined {
  if (modules === undefined || modules.width !== modules.height) return undefined;
  const count = modules.width;
  const square = cornersOf({ x: 0, y: 0, width: count, height: count });
  const fit = findFit(
    square.map((from, at) => ({ from, to: corners[at] ?? from })),
    "projective",
  );
  const side = count + 2 * ROOM;
  return (
    fit &&
    cutOut(image, fit, { square: { x: -ROOM, y: -ROOM, side }, px: side * PITCH, samples: 1 })
  );
}

type IsDark = (column: number, row: number) => boolean;

/** Modules and edges between dark and light, and the places that are all ink or all paper around. */
function surveyModules(isDark: IsDark, side: number) {
  const flat: Record<"ink" | "paper", [number, number][]> = { ink: [], paper: [] };
  let dark = 0;
  let edges = 0;
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const own = isDark(column, row);
      dark += Number(own);
      edges += Number(own !== isDark(column + 1, row)) + Number(own !== isDark(column, row + 1));
      const isFlat = [-1, 0, 1].every((dy) =>
        [-1, 0, 1].every((dx) => isDark(column + dx, row + dy) === own),
      );
      if (isFlat) flat[own ? "ink" : "paper"].push([column, row]);
    }
  }
  return { dark, edges, flat };
}

/** Least number of flat places, and least difference of greys, for a measurement. */
const LEAST = { places: 3, greys: 20 };

/**
 * Compares the area that is dark with that of the modules as they were read: the mean grey of a code stays
 * the same however blurred it is. Undefined when too little of it is flat ink or flat paper.
 */
export function measureInk(image: GreyImage, code: SeenCode): InkMeasure | undefined {
  const cut = setUpright(image, code);
  if (cut === undefined || code.modules === undefined) return undefined;
  const side = cut.width / PITCH;
  const { dark, edges, flat } = surveyModules(toDark(code.modules), side);
  if (Math.min(flat.ink.length, flat.paper.length) < LEAST.places) return undefined;
  const greyOf = (places: readonly [number, number][]): number =>
    meanOf(places.map(([x, y]) => cut.data[((y + 0.5) * cut.width + x + 0.5) * PITCH] ?? 0));
  const [ink, paper] = [greyOf(flat.ink), greyOf(flat.paper)];
  if (paper - ink < LEAST.greys) return undefined;
  const share =
    (paper - cut.data.reduce((sum, grey) => sum + grey, 0) / cut.data.length) / (paper - ink);
  // Each edge moves by half of what a bar grows.
  const growth = (2 * (share * side * side - dark)) / edges;
  return { growth, contrast: (paper - ink) / 255 };
}

/** How a sheet lies in its picture. */
export interface Lie {
  /** Quarters that the picture is turned by, clockwise: 0, 90, 180 or 270. */
  readonly quarter: number;
  /** The rest of the turn, degrees clockwise, -45 to 45. */
  readonly turn: number;
  readonly isMirrored: boolean;
  /** Size as measured by drawn, 1 = true; only where the picture says its resolution. */
  readonly scale?: { readonly x: number; readonly y: number };
  /** The resolution that the picture says. */
  readonly dpi?: number;
  /** Of the upper left corner, to the right and down, mm; only where the picture shows just the paper. */
  readonly offsetMm?: { readonly x: number; readonly y: number };
}

/** The picture is taken for the paper when it is as large, give or take this. */
const PAPER_SLACK_MM = 2;

interface PlacedSheet {
  readonly fit: Fit;
  readonly sheet: ScanSheet;
}

/** Of a page as wide or high as so many times what its codes span, a millimetre says nothing of its size. */
const MOST_PAGES = 8;

const spanOf = (from: readonly number[], sizes: readonly number[]): number =>
  Math.max(...from.map((at, n) => at + (sizes[n] ?? 0))) - Math.min(...from);

/** Whether codes lie far enough apart to tell the size of the paper, both ways. */
export function spanPaper(
  codes: Iterable<Pick<ScanCell, "code">>,
  { pageMm }: Pick<ScanSheet, "pageMm">,
): boolean {
  const boxes = Array.from(codes, ({ code }) => code);
  const across = spanOf(
    boxes.map(({ x }) => x),
    boxes.map(({ width }) => width),
  );
  const down = spanOf(
    boxes.map(({ y }) => y),
    boxes.map(({ height }) => height),
  );
  return across * MOST_PAGES >= pageMm.width && down * MOST_PAGES >= pageMm.height;
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly dpi: number | undefined;
}

/** The fit in the middle of the sheet: where that is seen, and where a millimetre to the right and down leads. */
function lookAtMiddle({ fit, sheet: { pageMm, offsetMm } }: PlacedSheet) {
  const middle = { x: pageMm.width / 2 - offsetMm.x, y: pageMm.height / 2 - offsetMm.y };
  const at = applyFit(fit, middle);
  const right = applyFit(fit, { x: middle.x + 1, y: middle.y });
  const down = applyFit(fit, { x: middle.x, y: middle.y + 1 });
  const [ax, ay, bx, by] = [right.x - at.x, right.y - at.y, down.x - at.x, down.y - at.y];
  const angle = (Math.atan2(ay, ax) * 180) / Math.PI;
  return { at, ax, ay, bx, by, angle, quarters: Math.round(angle / 90) };
}

/** True where the picture shows exactly the paper. */
export function isPaper(placed: PlacedSheet, { width, height, dpi }: PictureSize): boolean {
  if (dpi === undefined) return false;
  const { pageMm } = placed.sheet;
  const [w = 0, h = 0] = [width, height].map((px) => pxToMm(px, dpi));
  const [across, along] = lookAtMiddle(placed).quarters % 2 === 0 ? [w, h] : [h, w];
  return (
    Math.abs(across - pageMm.width) < PAPER_SLACK_MM &&
    Math.abs(along - pageMm.height) < PAPER_SLACK_MM
  );
}

/** How far the middle of the sheet lies from that of the picture, to the right and down of the sheet, mm. */
export function shiftMm(placed: PlacedSheet, { width, height, dpi = 1 }: PictureSize): Point {
  const { at, quarters } = lookAtMiddle(placed);
  const off = { x: at.x - width / 2, y: at.y - height / 2 };
  const turned = (quarters * Math.PI) / 2;
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
  const perMm = mmToPx(1, dpi);
  return { x: (off.x * cos + off.y * sin) / perMm, y: (off.y * cos - off.x * sin) / perMm };
}

/** Looks at the fit in the middle of the sheet. */
export function measureLie(placed: PlacedSheet, picture: PictureSize): Lie {
  const { pageMm } = placed.sheet;
  const { ax, ay, bx, by, angle, quarters } = lookAtMiddle(placed);
  const isMirrored = ax * by - ay * bx < 0;
  const lie = { quarter: (((quarters % 4) + 4) % 4) * 90, turn: angle - quarters * 90, isMirrored };
  if (picture.dpi === undefined) return lie;
  const perMm = mmToPx(1, picture.dpi);
  const { dpi } = picture;
  const scale = { x: Math.hypot(ax, ay) / perMm, y: Math.hypot(bx, by) / perMm };
  if (!isPaper(placed, picture) || isMirrored) return { ...lie, scale, dpi };
  const shift = shiftMm(placed, picture);
  const askew = (lie.turn * Math.PI) / 180;
  const [c, s] = [Math.cos(askew), Math.sin(askew)];
  const [midX, midY] = [pageMm.width / 2, pageMm.height / 2];
  // Measured at the middle; the calibration wants the offset of the upper left corner, about which
  // it turns.
  const x = shift.x + midX - c * scale.x * midX + s * scale.y * midY;
  const y = shift.y + midY - s * scale.x * midX - c * scale.y * midY;
  return { ...lie, scale, dpi, offsetMm: { x, y } };
}
