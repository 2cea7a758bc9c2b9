import type { ArtItem, TextStyle } from "../../base/shapes/label-art.ts";
import { mmToPt, ptToMm } from "../../base/shapes/units.ts";
import { type Assets, imageKey, placeImage } from "./assets.ts";
import type { SetText } from "./art-texts.ts";
import type { BoxMm } from "../layout/box.ts";
import { BOLD_NAME, FONT_NAME, OVERPRINT_STATE, toNumber } from "../draw/content-stream.ts";
import type { Face } from "../fonts/face.ts";
import { fillInk, type InkNames, isBlackInk, strokeInk } from "../pdf/ink.ts";
import { type PageFrame, toPageX, toPageY } from "../layout/page-frame.ts";
import { ellipsePath, roundedPath } from "../draw/shapes.ts";
import type { FileFonts } from "../draw/show-text.ts";

/** Black text overprints below this size (docs/spec/print.md section 4). */
export const OVERPRINT_BELOW_PT = 12;

const pt = (mm: number): string => toNumber(mmToPt(mm));

/** Names of a file's resources. */
export interface ArtNames extends InkNames {
  imageOf(key: string): string;
  backgroundOf(side: Face["side"]): string;
}

/** The means to draw a label's art. */
export interface ArtPen {
  readonly frame: PageFrame;
  readonly names: ArtNames;
  readonly assets: Assets;
  readonly fonts: FileFonts;
}

/** A label on the trimmed sheet: the origin of its items. */
type Cell = BoxMm;

class Places {
  readonly #frame: PageFrame;
  readonly #cell: Cell;

  constructor(frame: PageFrame, cell: Cell) {
    this.#frame = frame;
    this.#cell = cell;
  }

  x(mm: number): number {
    return toPageX(this.#frame, this.#cell.x + mm);
  }

  y(mm: number): number {
    return toPageY(this.#frame, this.#cell.y + mm);
  }
}

function drawShape(
  item: Extract<ArtItem, { kind: "box" | "ellipse" }>,
  places: Places,
  names: InkNames,
): string {
  const { at, radius, fill, stroke, strokePt } = item;
  const [left, bottom] = [places.x(at.x), places.y(at.y + at.height)];
  const most = Math.min(at.width, at.height) / 2;
  const path =
    item.kind === "box"
      ? roundedPath(left, bottom, { ...at, radius: Math.min(radius, most) })
      : ellipsePath(left, bottom, at);
  const area = fill === null ? "" : `${fillInk(fill, names)}${path}f\n`;
  if (stroke === null) return area;
  const overprint = isBlackInk(stroke) ? `/${OVERPRINT_STATE} gs ` : "";
  return `${area}q ${overprint}${strokeInk(stroke, names)}${toNumber(strokePt)} w\n${path}S\nQ\n`;
}

function drawLine(
  item: Extract<ArtItem, { kind: "line" }>,
  places: Places,
  names: InkNames,
): string {
  const [x1, y1] = item.from;
  const [x2, y2] = item.to;
  const overprint = isBlackInk(item.stroke) ? `/${OVERPRINT_STATE} gs ` : "";
  const dash = item.dash === null ? "" : `[${pt(item.dash)}] 0 d\n`;
  const path = `${pt(places.x(x1))} ${pt(places.y(y1))} m ${pt(places.x(x2))} ${pt(places.y(y2))} l S\n`;
  return `q ${overprint}${strokeInk(item.stroke, names)}${toNumber(item.strokePt)} w\n${dash}${path}Q\n`;
}

function drawImage(item: Extract<ArtItem, { kind: "image" }>, places: Places, pen: ArtPen): string {
  const key = imageKey(item);
  const image = pen.assets.images.get(key);
  if (image === undefined) return "";
  const at = placeImage(item, image);
  const matrix = `${pt(at.width)} 0 0 ${pt(at.height)} ${pt(places.x(at.x))} ${pt(places.y(at.y + at.height))} cm`;
  return `q ${matrix} /${pen.names.imageOf(key)} Do Q\n`;
}

function drawBackground(face: Face, places: Places, pen: ArtPen): string {
  const background = pen.assets.backgrounds.get(face.side);
  if (background === undefined) return "";
  const [x, y] = background.originPt;
  const left = mmToPt(places.x(0)) - x;
  const bottom = mmToPt(places.y(face.sheet.label.heightMm)) - y;
  return `q 1 0 0 1 ${toNumber(left)} ${toNumber(bottom)} cm /${pen.names.backgroundOf(face.side)} Do Q\n`;
}

/** The light area under a code or a symbol. */
function drawPanel(item: ArtItem, places: Places, names: InkNames): string {
  const panel = item.kind === "code" || item.kind === "symbol" ? item.panel : null;
  if (panel === null || item.kind === "line") return "";
  const { x, y, width, height } = item.at;
  const path = roundedPath(places.x(x), places.y(y + height), { width, height, radius: 0 });
  return `${fillInk(panel, names)}${path}f\n`;
}

/** All of a label but its codes and texts: background, shapes, pictures in their order, panels. */
export function drawUnder(pen: ArtPen, face: Face, cell: Cell): string {
  const places = new Places(pen.frame, cell);
  let out = drawBackground(face, places, pen);
  let panels = "";
  for (const item of face.art?.items ?? []) {
    if (item.kind === "box" || item.kind === "ellipse") out += drawShape(item, places, pen.names);
    else if (item.kind === "line") out += drawLine(item, places, pen.names);
    else if (item.kind === "image") out += drawImage(item, places, pen);
    else panels += drawPanel(item, places, pen.names);
  }
  return out === "" && panels === "" ? "" : `q\n${out}${panels}Q\n`;
}

interface Turn {
  /** Directions of the text's own x and y on the page. */
  readonly matrix: string;
  /** Own place (across the line, down the block) -> page, mm. */
  place(u: number, v: number): readonly [x: number, y: number];
}

/** How a text lies in its box: its own origin is the upper left corner as it is read. */
function turnOf(rotate: TextStyle["rotate"], at: BoxMm, places: Places): Turn {
  const [left, right] = [places.x(at.x), places.x(at.x + at.width)];
  const [top, bottom] = [places.y(at.y), places.y(at.y + at.height)];
  switch (rotate) {
    case 0:
      return { matrix: "1 0 0 1", place: (u, v) => [left + u, top - v] };
    case 90:
      return { matrix: "0 1 -1 0", place: (u, v) => [left + v, bottom + u] };
    case 180:
      return { matrix: "-1 0 0 -1", place: (u, v) => [right - u, bottom + v] };
    case 270:
      return { matrix: "0 -1 1 0", place: (u, v) => [right - v, top - u] };
  }
}

const shares = { left: 0, center: 0.5, right: 1, top: 0, middle: 0.5, bottom: 1 } as const;

function drawText({ item, fitted }: SetText, places: Places, pen: ArtPen): string {
  const { style, at } = item;
  const { lines, sizePt } = fitted;
  if (lines.length === 0) return "";
  const type = style.bold ? pen.fonts.bold : pen.fonts.regular;
  const { font } = type;
  const { above, below, leading } = font.lineBox(lines);
  const isSideways = style.rotate === 90 || style.rotate === 270;
  const [width, height] = isSideways ? [at.height, at.width] : [at.width, at.height];
  const em = ptToMm(sizePt);
  const block = (lines.length - 1) * leading * em;
  const capital = (font.metrics.capHeight / 1000) * em;
  const highest = above * em;
  const lowest = Math.max(highest, height - below * em - block);
  // In the middle, the eye goes by capitals.
  const middle = Math.min(Math.max((height - block + capital) / 2, highest), lowest);
  const first = { top: highest, middle, bottom: lowest }[style.valign];
  const turn = turnOf(style.rotate, at, places);
  let out = "";
  for (const [i, text] of lines.entries()) {
    const spare = width - ptToMm(font.widthPt(text, sizePt));
    const [x, y] = turn.place(Math.max(0, spare) * shares[style.align], first + i * leading * em);
    out += `${turn.matrix} ${pt(x)} ${pt(y)} Tm ${type.show(text, sizePt)}\n`;
  }
  const overprints = isBlackInk(style.ink) && sizePt < OVERPRINT_BELOW_PT;
  const state = overprints ? `/${OVERPRINT_STATE} gs ` : "";
  const ink = isBlackInk(style.ink) ? "" : fillInk(style.ink, pen.names);
  const name = style.bold ? BOLD_NAME : FONT_NAME;
  return `q ${state}${ink}BT /${name} ${toNumber(sizePt)} Tf\n${out}ET Q\n`;
}

/** The texts of a label, on top of everything else on it. */
export function drawArtTexts(pen: ArtPen, texts: readonly SetText[], cell: Cell): string {
  const places = new Places(pen.frame, cell);
  return texts.map((text) => drawText(text, places, pen)).join("");
}
