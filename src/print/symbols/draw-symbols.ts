/** Draws the symbols of one label and says where they lie. */
import { mmToPt } from "../../base/shapes/units.ts";
import type { ArtPen } from "../art/draw-art.ts";
import { haveInkBeneathSymbols } from "./check-symbol-items.ts";
import { overprinted, toNumber, FONT_NAME } from "../draw/content-stream.ts";
import { refuseRow } from "../draw/refuse-row.ts";
import { reductionOf } from "../draw/reduced-code.ts";
import type { Face } from "../fonts/face.ts";
import type { LabelFonts } from "../fonts/label-fonts.ts";
import type { BoxMm } from "../layout/box.ts";
import { toPageX, toPageY } from "../layout/page-frame.ts";
import { drawSymbol } from "./draw-symbol.ts";
import type { SheetJob } from "../sheet-job.ts";
import {
  overprintTexts,
  type Placed,
  placeSymbols,
  type SymbolCell,
  toSymbolCell,
} from "./face-symbols.ts";

interface Pen extends Pick<ArtPen, "fonts"> {
  readonly job: SheetJob;
  readonly labelFonts: LabelFonts;
}

/** One side of one label. */
export interface SymbolsInput {
  /** Its key, for messages, and the texts of its items. */
  readonly record: { readonly key: string; readonly caption: readonly string[] };
  readonly face: Face;
  readonly cell: BoxMm;
}

interface DrawnSymbols {
  readonly operators: string;
  readonly texts: string;
  readonly cells: readonly SymbolCell[];
}

const pt = (mm: number): string => toNumber(mmToPt(mm));

function drawLines({ job, fonts }: Pen, placed: readonly Placed[]): string {
  const shown = placed.flatMap(({ lines }) =>
    lines.map(({ text, x, y, sizePt }) => {
      const at = `${pt(toPageX(job.frame, x))} ${pt(toPageY(job.frame, y))}`;
      const size = Number(toNumber(sizePt));
      return `/${FONT_NAME} ${size} Tf\n1 0 0 1 ${at} Tm ${fonts.regular.show(text, size)}\n`;
    }),
  );
  return overprintTexts(shown.join(""));
}

/** Throws `layout-impossible` for faults that a plan should have refused. */
export function drawSymbols(pen: Pen, { record, face, cell }: SymbolsInput): DrawnSymbols {
  const font = pen.labelFonts.regular;
  const { placed, problems } = placeSymbols({ job: pen.job, face, cell, font }, record.caption);
  if (problems.length > 0) {
    return refuseRow(record.key, "its symbols must be printable", problems);
  }
  if (placed.length === 0) return { operators: "", texts: "", cells: [] };
  const beneath = haveInkBeneathSymbols(face);
  const operators = placed.map((one, i) => {
    const drawn = drawSymbol(one, pen.job.frame, reductionOf(pen.job));
    return beneath[i] === true ? overprinted(drawn) : drawn;
  });
  return {
    operators: operators.join(""),
    texts: drawLines(pen, placed),
    cells: placed.map((one) => toSymbolCell(one, record.caption[one.item.text] ?? "")),
  };
}
