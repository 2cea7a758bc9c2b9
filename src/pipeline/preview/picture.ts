/** Pages of a PDF as pictures for a screen: what is printed, and the paper under it. */
import { closing } from "../../base/flow/closing.ts";
import type { LookedAt } from "../../print/draw/draw-first-sheet.ts";
import type { BoxMm } from "../../print/layout/box.ts";
import { cellBox, type LabelSheet } from "../../print/layout/label-sheet.ts";
import { writeScreenPng } from "../../qr/png/png-file.ts";
import { openRenderer } from "../../verify/pixels/render.ts";

/** Light grey: on paper there is no such line. */
const EDGE = "#8a94a6";
const GRID = "#5b7fb5";
const GRID_MM = 10;

export interface Picture {
  readonly side: "front" | "back";
  readonly svg: string;
  readonly widthMm: number;
  readonly heightMm: number;
}

interface Look {
  readonly sheet: LabelSheet;
  /** Of the longer side. */
  readonly longPx: number;
  /** A line every centimetre. */
  readonly hasGrid: boolean;
}

const tidy = (mm: number): string => String(Math.round(mm * 1000) / 1000);

const rect = ({ x, y, width, height }: BoxMm, more: string): string =>
  `<rect x="${tidy(x)}" y="${tidy(y)}" width="${tidy(width)}" height="${tidy(height)}" ${more}/>`;

/** Where the stock is cut, or will be. */
function drawEdges(sheet: LabelSheet): string {
  const { label, stock } = sheet;
  const dashes = stock === "plain" ? ' stroke-dasharray="1 1"' : "";
  const corner = label.shape === "round" ? label.widthMm / 2 : label.cornerRadiusMm;
  const edges: string[] = [];
  for (let row = 0; row < sheet.rows; row += 1) {
    for (let column = 0; column < sheet.columns; column += 1) {
      edges.push(rect(cellBox(sheet, row, column), `rx="${tidy(corner)}"`));
    }
  }
  return `<g fill="none" stroke="${EDGE}" stroke-width="0.25"${dashes}>${edges.join("")}</g>`;
}

function drawGrid({ page }: LabelSheet): string {
  const lines: string[] = [];
  for (let x = GRID_MM; x < page.widthMm; x += GRID_MM) lines.push(`M${x} 0V${page.heightMm}`);
  for (let y = GRID_MM; y < page.heightMm; y += GRID_MM) lines.push(`M0 ${y}H${page.widthMm}`);
  return `<path d="${lines.join("")}" stroke="${GRID}" stroke-width="0.15" stroke-opacity="0.45"/>`;
}

/** Labels that are gone from a part-used sheet. */
const drawUsed = (used: readonly BoxMm[]): string =>
  `<g fill="${EDGE}" fill-opacity="0.35">${used.map((box) => rect(box, "")).join("")}</g>`;

interface Paper extends Look {
  readonly view: BoxMm;
  readonly used: readonly BoxMm[];
}

function toSvg(png: Uint8Array, { sheet, hasGrid, view, used }: Paper): string {
  const { x, y, width, height } = view;
  const href = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const box = `x="${tidy(x)}" y="${tidy(y)}" width="${tidy(width)}" height="${tidy(height)}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${tidy(width)}mm" height="${tidy(height)}mm" ` +
    `viewBox="${tidy(x)} ${tidy(y)} ${tidy(width)} ${tidy(height)}">` +
    `<image ${box} preserveAspectRatio="none" href="${href}"/>` +
    `${hasGrid ? drawGrid(sheet) : ""}${drawUsed(used)}${drawEdges(sheet)}</svg>`
  );
}

export async function makePictures(looked: LookedAt, look: Look): Promise<Picture[]> {
  return closing(await openRenderer(looked.bytes), async (pdf) => {
    const pictures: Picture[] = [];
    for (const [index, side] of looked.sides.entries()) {
      const view = looked.views[index] as BoxMm;
      const pxPerMm = look.longPx / Math.max(view.width, view.height);
      const { rgba, ...size } = await pdf.paint(index, {
        width: Math.round(view.width * pxPerMm),
        height: Math.round(view.height * pxPerMm),
      });
      const png = writeScreenPng({ data: rgba, ...size });
      const svg = toSvg(png, { ...look, view, used: side === "front" ? looked.used : [] });
      pictures.push({ side, svg, widthMm: view.width, heightMm: view.height });
    }
    return pictures;
  });
}
