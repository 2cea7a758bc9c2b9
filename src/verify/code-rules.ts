import { mmToPt, mmToPx, ptToMm } from "../base/units.ts";
import { cellBox } from "../print/label-sheet.ts";
import { offGridPx } from "../print/device-grid.ts";
import { QUIET_ZONE, sizeOfVersion } from "../qr/tables.ts";
import type { Fault } from "./finding.ts";
import type { BoxPt, Painted } from "./page-content.ts";
import type { PageCheck } from "./page-rules.ts";
import {
  type CellContent,
  containsPt,
  describe,
  growPt,
  isBarPatch,
  isDieLine,
  overlapsPt,
  pageBox,
  type PageContext,
} from "./sheet-context.ts";

/** Checks of every code (`print.md` section 12, rules 16 to 19). */

const PLACE_SLACK_MM = 0.02;
const MODULE_SLACK_MM = 0.0005;
const GRID_SLACK_PX = 0.05;

/** The code of a cell when it is one fill, as it must be. */
function codeOf({ fills }: CellContent): Painted | undefined {
  return fills.length === 1 && fills[0]?.unitPt !== undefined ? fills[0] : undefined;
}

/** Runs a check over every cell and adds where it is. */
function perCell(
  context: PageContext,
  check: (content: CellContent) => readonly string[],
): Fault[] {
  return context.cellContents.flatMap((content) => {
    const { row, column, key } = content.cell;
    return check(content).map((message) => ({ message, page: context.number, row, column, key }));
  });
}

function singleFillFaults(content: CellContent): string[] {
  if (content.fills.length !== 1)
    return [`code must be one path with one fill, got ${content.fills.length} fills`];
  const [fill] = content.fills;
  if (fill?.rectangles === undefined) return ["code must be drawn of rectangles only"];
  if (fill.unitPt === undefined) return ["modules of a code must be equally large"];
  const offMm = Math.max(
    ...fill.box.map((pt, i) => Math.abs(ptToMm(pt - (content.symbol[i] ?? 0)))),
  );
  if (offMm > PLACE_SLACK_MM)
    return [`code must stand where the map says, got it ${offMm.toFixed(3)} mm off`];
  const modules = (fill.box[2] - fill.box[0]) / fill.unitPt;
  const size = sizeOfVersion(content.cell.version);
  return Math.abs(modules - size) > 0.01
    ? [
        `code must be ${size} modules wide (version ${content.cell.version}), got ${modules.toFixed(2)}`,
      ]
    : [];
}

/** Rule 16. */
export const checkSingleFill: PageCheck = (context) => {
  const strays = context.content.painted.filter(
    (painted) =>
      painted.kind === "fill" &&
      !isBarPatch(context, painted) &&
      !context.cellContents.some(({ label }) => overlapsPt(painted.box, label)),
  );
  const found = strays.map(({ box }) => ({
    message: `nothing may be filled outside the labels of the map, got ${describe(box)}`,
    page: context.number,
  }));
  return [...found, ...perCell(context, singleFillFaults)];
};

/** Rule 17. */
export const checkModules: PageCheck = (context) => {
  const { job } = context;
  const { dpi } = job.rule;
  const media = pageBox(context.page, "MediaBox") ?? [0, 0, 0, 0];
  return perCell(context, (content) => {
    const code = codeOf(content);
    if (code?.unitPt === undefined) return [];
    const xMm = ptToMm(code.unitPt);
    const messages: string[] = [];
    if (xMm < job.leastXMm - MODULE_SLACK_MM)
      messages.push(`X must be at least ${job.leastXMm.toFixed(3)} mm, got ${xMm.toFixed(4)}`);
    if (Math.abs(xMm - content.cell.xMm) > MODULE_SLACK_MM)
      messages.push(
        `X must be ${content.cell.xMm.toFixed(4)} mm as the map says, got ${xMm.toFixed(4)}`,
      );
    if (dpi === undefined) return messages;
    if (offGridPx(xMm, dpi) > GRID_SLACK_PX)
      messages.push(`X must be whole pixels at ${dpi} dpi, got ${mmToPx(xMm, dpi).toFixed(3)}`);
    const origin = [code.box[0] - media[0], code.box[1] - media[1]].map((pt) => ptToMm(pt));
    if (origin.some((mm) => offGridPx(mm, dpi) > GRID_SLACK_PX)) {
      messages.push(
        `code must start on the grid of ${dpi} dpi, got ${origin.map((mm) => mmToPx(mm, dpi).toFixed(3)).join(", ")} px`,
      );
    }
    return messages;
  });
};

/** Rule 18. */
export const checkQuietZones: PageCheck = (context) =>
  perCell(context, (content) => {
    const code = codeOf(content);
    if (code?.unitPt === undefined) return [];
    const zone = growPt(code.box, QUIET_ZONE * code.unitPt);
    const intruder = context.content.painted.find(
      (painted) =>
        painted !== code && !isDieLine(context, painted) && overlapsPt(painted.box, zone),
    );
    return intruder === undefined
      ? []
      : [
          `quiet zone of ${QUIET_ZONE}X must be free, got a ${intruder.kind} at ${describe(intruder.box)}`,
        ];
  });

function safeBox(context: PageContext, label: BoxPt): BoxPt {
  const { safe } = context.job.layout;
  const left = label[0] + mmToPt(safe.x);
  const top = label[3] - mmToPt(safe.y);
  return [left, top - mmToPt(safe.height), left + mmToPt(safe.width), top];
}

/** Rule 19. */
export const checkSafeAreas: PageCheck = (context) => {
  const { cellContents, trim, job } = context;
  return perCell(context, (content) => {
    const { cell, label } = content;
    const messages: string[] = [];
    const planned = cellBox(job.sheet, cell.row - 1, cell.column - 1);
    const off = Math.max(Math.abs(planned.x - cell.label.x), Math.abs(planned.y - cell.label.y));
    if (off > PLACE_SLACK_MM)
      messages.push(
        `label must stand where its sheet has row ${cell.row}, column ${cell.column}, got it ${off.toFixed(3)} mm off`,
      );
    if (!containsPt(trim, label)) messages.push("label must lie inside the trimmed sheet");
    const code = codeOf(content);
    if (code?.unitPt !== undefined) {
      const zone = growPt(code.box, QUIET_ZONE * code.unitPt);
      if (!containsPt(safeBox(context, label), zone, 0.03))
        messages.push(`code with its quiet zone must stay in the safe area, got ${describe(zone)}`);
    }
    const neighbour = cellContents.find(
      (other) => other !== content && overlapsPt(other.label, label, 0.05),
    );
    if (neighbour !== undefined)
      messages.push(`label must not overlap that of row ${neighbour.cell.key}`);
    return messages;
  });
};
