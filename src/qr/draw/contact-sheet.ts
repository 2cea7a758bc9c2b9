/** A sheet of many codes with their names, to pick a design from. */
import type { Design } from "./design.ts";
import { type Drawing, drawCode } from "./drawing.ts";
import { rectPath, toNumber } from "./outline.ts";
import { toSvg, wholeView } from "./svg.ts";
import type { TextShaper } from "./text.ts";

export interface ContactCell {
  readonly caption: string;
  readonly text: string;
  readonly design: Design;
}

export interface ContactSheetOptions {
  /** Cells of a row. */
  readonly columns: number;
  /** Side of the square for each code. Default 180. */
  readonly cellPx?: number | undefined;
}

const CELL_PX = 180;
/** Around every code. */
const GAP_PX = 14;
const CAPTION_PX = 12;
/** Room for the caption under a code, descenders included. */
const CAPTION_BAND_PX = 26;
const CAPTION_COLOR = "#444444";
const PAPER = "#ffffff";

interface Place {
  readonly x: number;
  readonly y: number;
  readonly cellPx: number;
}

/** The code in the middle of its square, with its proportions. */
function codeElement(drawing: Drawing, { x, y, cellPx }: Place): string {
  const scale = cellPx / Math.max(drawing.width, drawing.height);
  const view = wholeView(drawing, drawing.width * scale);
  const left = toNumber(x + (cellPx - view.widthPx) / 2);
  const top = toNumber(y + (cellPx - view.heightPx) / 2);
  return toSvg(drawing, view).replace("<svg ", `<svg x="${left}" y="${top}" `);
}

/** The caption, centred under its square; a long one is set smaller. */
function captionElement(caption: string, { x, y, cellPx }: Place, shaper: TextShaper): string {
  const line = shaper.outline(caption, "caption");
  const size = Math.min(CAPTION_PX, cellPx / line.width);
  const left = x + (cellPx - line.width * size) / 2 - line.left * size;
  const path = line.toPath(left, y + cellPx + CAPTION_PX + 4, size);
  return `<path fill="${CAPTION_COLOR}" d="${path}"/>`;
}

/**
 * Draws codes in rows on white paper, as SVG. Throws what `drawCode` throws, and `design-invalid`
 * for a caption that no font can write.
 */
export function drawContactSheet(
  cells: readonly ContactCell[],
  options: ContactSheetOptions,
  shaper: TextShaper,
): string {
  const { columns, cellPx = CELL_PX } = options;
  const stepX = cellPx + GAP_PX;
  const stepY = cellPx + CAPTION_BAND_PX + GAP_PX;
  const width = GAP_PX + stepX * Math.min(columns, cells.length);
  const height = GAP_PX + stepY * Math.ceil(cells.length / columns);
  const elements = cells.map(({ caption, text, design }, i) => {
    const place = {
      x: GAP_PX + (i % columns) * stepX,
      y: GAP_PX + Math.floor(i / columns) * stepY,
      cellPx,
    };
    const drawing = drawCode(text, design, shaper);
    return codeElement(drawing, place) + captionElement(caption, place, shaper);
  });
  const paper = `<path fill="${PAPER}" d="${rectPath({ x: 0, y: 0, width, height })}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${paper}${elements.join("")}</svg>`;
}
