import { mmToPt } from "../../base/shapes/units.ts";
import { circlePath, type Line, OVERPRINT_STATE, toNumber } from "./content-stream.ts";
import { cellBox, type LabelSheet } from "../layout/label-sheet.ts";
import { cutPositions } from "./marks.ts";
import { type PageFrame, toPageX, toPageY } from "../layout/page-frame.ts";
import { type PdfObjects, type PdfRef, text } from "../pdf/pdf-objects.ts";
import { ellipsePath, roundedPath } from "./shapes.ts";

/**
 * `PartialCutting` is a kiss cut: through the label, not its backing
 * (docs/spec/print.md section 3).
 */
export const dieSteps = ["Cutting", "PartialCutting"] as const;

/** A line for a cutting plotter: a named ink that is never printed, on a layer that declares it. */
export interface DieLine {
  /** Name of the ink, as the shop's cutter knows it. Default `CutContour`. */
  readonly spot?: string | undefined;
  /** Default `Cutting`. */
  readonly step?: (typeof dieSteps)[number] | undefined;
}

export const DEFAULT_SPOT = "CutContour";
export const DIE_WIDTH_PT = 0.25;
/** Names of the resources that die lines use. */
export const DIE_SPACE = "D";
export const DIE_LAYER = "L";

const pt = (mm: number): string => toNumber(mmToPt(mm));

/** From-to pairs along an axis: labels that touch are one stretch. */
function stretches(
  firstMm: number,
  pitchMm: number,
  sizeMm: number,
  count: number,
): (readonly [number, number])[] {
  if (pitchMm - sizeMm < 1e-3) return [[firstMm, firstMm + (count - 1) * pitchMm + sizeMm]];
  return Array.from(
    { length: count },
    (_, i) => [firstMm + i * pitchMm, firstMm + i * pitchMm + sizeMm] as const,
  );
}

/** The straight cuts of labels with square corners; an edge that two labels share stands once. */
export function straightCuts(sheet: LabelSheet): Line[] {
  const { label, leftMm, topMm, pitchXMm, pitchYMm, columns, rows } = sheet;
  const xs = cutPositions(leftMm, pitchXMm, label.widthMm, columns);
  const ys = cutPositions(topMm, pitchYMm, label.heightMm, rows);
  const across = stretches(leftMm, pitchXMm, label.widthMm, columns);
  const down = stretches(topMm, pitchYMm, label.heightMm, rows);
  return [
    ...xs.flatMap((x) => down.map(([from, to]) => ({ x1: x, y1: from, x2: x, y2: to }))),
    ...ys.flatMap((y) => across.map(([from, to]) => ({ x1: from, y1: y, x2: to, y2: y }))),
  ];
}

function outlines(sheet: LabelSheet, frame: PageFrame): string {
  const { shape, widthMm: width, heightMm: height, cornerRadiusMm: radius } = sheet.label;
  let out = "";
  for (let cell = 0; cell < sheet.perSheet; cell += 1) {
    const box = cellBox(sheet, Math.floor(cell / sheet.columns), cell % sheet.columns);
    const left = toPageX(frame, box.x);
    const bottom = toPageY(frame, box.y + height);
    if (shape === "round")
      out += circlePath({ x: left + width / 2, y: bottom + width / 2, radius: width / 2 });
    else if (shape === "oval") out += ellipsePath(left, bottom, { width, height });
    else out += roundedPath(left, bottom, { width, height, radius });
  }
  return out;
}

function straightPath(sheet: LabelSheet, frame: PageFrame): string {
  const x = (mm: number): string => pt(toPageX(frame, mm));
  const y = (mm: number): string => pt(toPageY(frame, mm));
  const cuts = straightCuts(sheet);
  return cuts.map(({ x1, y1, x2, y2 }) => `${x(x1)} ${y(y1)} m ${x(x2)} ${y(y2)} l\n`).join("");
}

/** The outlines of all labels of a sheet as a path to stroke; shared straight edges stand once. */
export function labelOutlines(sheet: LabelSheet, frame: PageFrame): string {
  const square = sheet.label.shape === "rectangle" && sheet.label.cornerRadiusMm === 0;
  return square ? straightPath(sheet, frame) : outlines(sheet, frame);
}

/** The die lines of a sheet: stroke only, overprinting, in their ink, on their layer where there is one. */
export function drawDieLines(sheet: LabelSheet, frame: PageFrame, hasLayer: boolean): string {
  const path = labelOutlines(sheet, frame);
  const stroke = `q /${OVERPRINT_STATE} gs /${DIE_SPACE} CS 1 SCN ${toNumber(DIE_WIDTH_PT)} w\n${path}S Q\n`;
  return hasLayer ? `/OC /${DIE_LAYER} BDC\n${stroke}EMC\n` : stroke;
}

/** A named ink: shown as `cmyk` where it has no plate. Default: magenta, as die lines are. */
export function addSpot(
  pdf: PdfObjects,
  name: string,
  cmyk: readonly number[] = [0, 1, 0, 0],
): PdfRef {
  const tint = { FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1: [...cmyk], N: 1 };
  return pdf.add(["Separation", name, "DeviceCMYK", tint]);
}

/** The purpose of a layer (ISO 19593-1); only the group Structural has types. */
export interface LayerStep {
  readonly name: string;
  readonly group: string;
  readonly type?: string | undefined;
}

export const dieStep = ({ spot, step }: DieLine): LayerStep => ({
  name: spot ?? DEFAULT_SPOT,
  group: "Structural",
  type: step ?? "Cutting",
});

/** Layers with their processing steps, and their entry in the catalog. */
export function addLayers(
  pdf: PdfObjects,
  steps: readonly LayerStep[],
): { layers: readonly PdfRef[]; properties: PdfRef } {
  const layers = steps.map(({ name, group, type }) => {
    const ofType = type === undefined ? {} : { GTS_ProcStepsType: type };
    const metadata = { GTS_ProcStepsGroup: group, ...ofType };
    return pdf.add({ Type: "OCG", Name: text(name), GTS_Metadata: metadata });
  });
  const view = { Name: text("Default"), Order: layers, ON: layers };
  return { layers, properties: pdf.add({ OCGs: layers, D: view }) };
}
