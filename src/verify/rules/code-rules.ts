import { BLACK_INK, type Ink } from "../../base/shapes/label-art.ts";
import { mmToPx, ptToMm } from "../../base/shapes/units.ts";
import { contrastFindings } from "../../print/art/check-art.ts";
import { distinctInks, PAPER_INK } from "../../print/pdf/ink.ts";
import { printedInks } from "../../print/art/server-code.ts";
import { type CodeStyle, fillCount } from "../../print/art/styled-code.ts";
import { cellBox } from "../../print/layout/label-sheet.ts";
import { offGridPx } from "../../print/layout/device-grid.ts";
import { reductionEdges, reductionOf } from "../../print/draw/reduced-code.ts";
import { QUIET_ZONE, sizeOfVersion } from "../../qr/encode/tables.ts";
import type { Fault } from "./finding.ts";
import { isBarPatch } from "./mark-inks.ts";
import type { BoxPt } from "../page/page-path.ts";
import type { Painted } from "../page/painted.ts";
import {
  type CellContent,
  containsPt,
  describe,
  finishOf,
  growPt,
  hasArt,
  isDieLine,
  isInk,
  isInSafeArea,
  overlapsPt,
  pageBox,
  type PageCheck,
  type PageContext,
} from "./sheet-context.ts";

/** Checks of every code (docs/spec/print.md section 12, rules 16 to 19). */

const PLACE_SLACK_MM = 0.02;
const MODULE_SLACK_MM = 0.0005;
const GRID_SLACK_PX = 0.05;

/** A code as it is drawn. */
interface DrawnCode {
  readonly box: BoxPt;
  readonly unitPt: number;
}

/** Pointed modules reach this far beyond their square, in modules. */
const POINTED = 0.4;

function unionOf(fills: readonly Painted[]): BoxPt {
  const edge = (i: 0 | 1 | 2 | 3, pick: (...values: number[]) => number): number =>
    pick(...fills.map(({ box }) => box[i]));
  return [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)];
}

/** True for codes that are printed in their server's shapes. */
const isShaped = ({ cell }: CellContent): boolean => (cell.fills ?? 0) > 0;

/** How a code that is drawn from its payload looks; undefined for whole modules in black. */
const styleOf = ({ job }: PageContext, { cell }: CellContent): CodeStyle | undefined =>
  cell.fills === undefined && cell.design === undefined ? job.codeStyle : undefined;

function wantedFills(context: PageContext, content: CellContent): number {
  const { design, fills } = content.cell;
  if (design !== undefined) return design.marks;
  return isShaped(content) ? (fills ?? 0) : fillCount(styleOf(context, content));
}

/** True when the edges are at most this far apart. */
const isSameSquare = (a: BoxPt, b: BoxPt, slackPt: number): boolean =>
  a.every((pt, i) => Math.abs(pt - (b[i] ?? 0)) <= slackPt);

/** The inks of a code. */
function inksOfCode(context: PageContext, content: CellContent): readonly Ink[] {
  if (content.cell.design !== undefined)
    return [BLACK_INK, PAPER_INK, ...(context.job.options.designInks ?? [])];
  if (isShaped(content)) return printedInks(context.job.drawingInks);
  const style = styleOf(context, content);
  return style === undefined ? [BLACK_INK] : distinctInks([style.ink, style.eyeInk]);
}

/** The code in its server's shapes: its dark ones fill the square of the map, light ones stay near. */
function shapedCodeOf(
  context: PageContext,
  { fills, cell, symbol }: CellContent,
): DrawnCode | undefined {
  const unitPt = (symbol[2] - symbol[0]) / sizeOfVersion(cell.version);
  const dark = fills.filter((fill) => !isInk(context, fill, PAPER_INK));
  const isWhole = dark.length > 0 && isSameSquare(unionOf(dark), symbol, POINTED * unitPt);
  const isInside = containsPt(growPt(symbol, QUIET_ZONE * unitPt), unionOf(fills), 0.05);
  return isWhole && isInside ? { box: symbol, unitPt } : undefined;
}

/** Of a designed code: its modules stand by themselves, all else is a part of a form. */
const isModules = ({ kind, part }: Painted): boolean => kind === "fill" && part === undefined;

/** A designed code: its eyes fill the square of the map, its drawing stays in its box. */
function designedCodeOf({ fills, cell, symbol }: CellContent): DrawnCode | undefined {
  const unitPt = (symbol[2] - symbol[0]) / sizeOfVersion(cell.version);
  const eyes = fills.find(
    ({ kind, part, box }) =>
      kind === "fill" && part !== undefined && isSameSquare(box, symbol, 0.1 * unitPt),
  );
  if (eyes === undefined || fills.filter(isModules).length !== 1) return undefined;
  const { box } = eyes;
  return { box, unitPt: (box[2] - box[0]) / sizeOfVersion(cell.version) };
}

/** The whole square of a code whose modules are narrower: its eyes end that much before. */
function reducedCodeOf(context: PageContext, { fills, cell }: CellContent): DrawnCode | undefined {
  const reduction = reductionOf(context.job);
  if (reduction === undefined) return undefined;
  const { low, high } = reductionEdges(reduction);
  const pixel = 72 / reduction.dpi;
  const [left, bottom, right, top] = unionOf(fills);
  const box: BoxPt = [
    left - low * pixel,
    bottom - low * pixel,
    right + high * pixel,
    top + high * pixel,
  ];
  return { box, unitPt: (box[2] - box[0]) / sizeOfVersion(cell.version) };
}

/** The code of a cell, if it is drawn as it must be. */
function codeOf(context: PageContext, content: CellContent): DrawnCode | undefined {
  const { fills, cell } = content;
  if (fills.length !== wantedFills(context, content)) return undefined;
  const [first] = fills;
  if (cell.design !== undefined) return designedCodeOf(content);
  if (isShaped(content)) return shapedCodeOf(context, content);
  const codeStyle = styleOf(context, content);
  if (codeStyle === undefined && reductionOf(context.job) !== undefined)
    return reducedCodeOf(context, content);
  if (codeStyle === undefined)
    return first?.unitPt === undefined ? undefined : { box: first.box, unitPt: first.unitPt };
  return styledCodeOf(codeStyle, content);
}

/** A code in the job's pattern and inks. */
function styledCodeOf(
  codeStyle: CodeStyle,
  { fills, cell, symbol }: CellContent,
): DrawnCode | undefined {
  const size = sizeOfVersion(cell.version);
  const union = unionOf(fills);
  const isPointed = codeStyle.pattern === "Diamonds" || codeStyle.pattern === "Triangles";
  // Eyes end where the symbol does; pointed modules may reach beyond it.
  const box = isPointed ? symbol : union;
  const unitPt = (box[2] - box[0]) / size;
  const outer = growPt(box, (isPointed ? POINTED : 0) * unitPt);
  return containsPt(outer, union, 0.05) ? { box, unitPt } : undefined;
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

/** Faults in the shapes and inks of a code. */
function lookFault(context: PageContext, content: CellContent): string | undefined {
  const { fills } = content;
  const [fill] = fills;
  const isPlain = content.cell.design === undefined && !isShaped(content);
  if (isPlain && styleOf(context, content) === undefined) {
    if (fill?.rectangles === undefined) return "code must be drawn of rectangles only";
    const isReduced = reductionOf(context.job) !== undefined;
    if (fill.unitPt === undefined && !isReduced) return "modules of a code must be equally large";
    return isInk(context, fill, BLACK_INK) ? undefined : "code must be 0 0 0 1 k";
  }
  const inks = inksOfCode(context, content);
  const foreign = fills.find(
    (one) => one.kind === "fill" && !inks.some((ink) => isInk(context, one, ink)),
  );
  if (foreign === undefined) return undefined;
  return `code must be in its inks, got ${foreign.ink.space} ${foreign.ink.values.join(" ")}`;
}

function singleFillFaults(context: PageContext, content: CellContent): string[] {
  const { fills, cell, symbol } = content;
  const wanted = wantedFills(context, content);
  if (fills.length !== wanted) {
    const rule = wanted === 1 ? "one path with one fill" : `${wanted} fills`;
    return [`code must be ${rule}, got ${fills.length} fills`];
  }
  const look = lookFault(context, content);
  if (look !== undefined) return [look];
  const code = codeOf(context, content);
  if (code === undefined) return ["code must keep to its square, got it larger"];
  const offMm = Math.max(...code.box.map((pt, i) => Math.abs(ptToMm(pt - (symbol[i] ?? 0)))));
  if (offMm > PLACE_SLACK_MM)
    return [`code must stand where the map says, got it ${offMm.toFixed(3)} mm off`];
  const modules = (code.box[2] - code.box[0]) / code.unitPt;
  const size = sizeOfVersion(cell.version);
  return Math.abs(modules - size) > 0.01
    ? [`code must be ${size} modules wide (version ${cell.version}), got ${modules.toFixed(2)}`]
    : [];
}

/** Rule 16. */
export const checkSingleFill: PageCheck = (context) => {
  const strays = context.content.painted.filter(
    (painted) =>
      painted.kind === "fill" &&
      !isBarPatch(context, painted) &&
      finishOf(context, painted) === undefined &&
      !context.labelAreas.some((area) =>
        hasArt(context.face) ? containsPt(area, painted.box, 0.6) : overlapsPt(painted.box, area),
      ),
  );
  const found = strays.map(({ box }) => ({
    message: `nothing may be filled outside the labels of the map, got ${describe(box)}`,
    page: context.number,
  }));
  return [...found, ...perCell(context, (content) => singleFillFaults(context, content))];
};

/** Rule 17. */
export const checkModules: PageCheck = (context) => {
  const { job } = context;
  const { dpi } = job.rule;
  const media = pageBox(context.page, "MediaBox") ?? [0, 0, 0, 0];
  return perCell(context, (content) => {
    const code = codeOf(context, content);
    if (code === undefined) return [];
    const xMm = ptToMm(code.unitPt);
    const messages: string[] = [];
    if (xMm < job.leastXMm - MODULE_SLACK_MM)
      messages.push(`X must be at least ${job.leastXMm.toFixed(3)} mm, got ${xMm.toFixed(4)}`);
    if (Math.abs(xMm - content.cell.xMm) > MODULE_SLACK_MM)
      messages.push(
        `X must be ${content.cell.xMm.toFixed(4)} mm as the map says, got ${xMm.toFixed(4)}`,
      );
    // A default grid is not required, and older files don't keep it.
    if (dpi === undefined || job.rule.leastOnGridMm !== undefined) return messages;
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

/** The rule `decoded` looks at what lies beneath a code. */
const isBeneath = (painted: Painted): boolean => painted.kind === "form";

/** The mark that reaches into a quiet zone and isn't hidden under the code's ground. */
function findIntruder(
  context: PageContext,
  content: CellContent,
  zone: BoxPt,
): Painted | undefined {
  const { painted } = context.content;
  const from = content.ground === undefined ? 0 : painted.indexOf(content.ground) + 1;
  for (let i = from; i < painted.length; i += 1) {
    const other = painted[i];
    if (other === undefined || content.fills.includes(other)) continue;
    if (isDieLine(context, other) || isBeneath(other)) continue;
    if (finishOf(context, other) !== undefined) continue;
    if (overlapsPt(other.box, zone)) return other;
  }
  return undefined;
}

/** The ground of a code must be light enough for it. */
function groundFaults(context: PageContext, content: CellContent): string[] {
  const { ground } = content;
  if (ground === undefined) return [];
  const { inks } = context.job;
  const ink = inks.find((one) => isInk(context, ground, one));
  if (ink === undefined) return ["area under the code must be in an ink of the job"];
  // Paper-white parts of a code are light on purpose.
  const all = inksOfCode(context, content).filter((one) => one !== PAPER_INK);
  const modules = content.fills.filter(isModules);
  const isDesigned = content.cell.design !== undefined;
  const codeInks = isDesigned
    ? all.filter((one) => modules.some((mark) => isInk(context, mark, one)))
    : all;
  return codeInks.flatMap((one) =>
    contrastFindings(one, ink).flatMap(({ isRefused, message }) =>
      isRefused ? [`code ${message}`] : [],
    ),
  );
}

/** Rule 18. */
export const checkQuietZones: PageCheck = (context) =>
  perCell(context, (content) => {
    const code = codeOf(context, content);
    if (code === undefined) return [];
    const zone = growPt(code.box, QUIET_ZONE * code.unitPt);
    const intruder = findIntruder(context, content, zone);
    const faults = groundFaults(context, content);
    return intruder === undefined
      ? faults
      : [
          ...faults,
          `quiet zone of ${QUIET_ZONE}X must be free, got a ${intruder.kind} at ${describe(intruder.box)}`,
        ];
  });

/** Rule 19. */
export const checkSafeAreas: PageCheck = (context) => {
  const { cellContents, trim, face } = context;
  return perCell(context, (content) => {
    const { cell, label } = content;
    const messages: string[] = [];
    const planned = cellBox(face.sheet, cell.row - 1, cell.column - 1);
    const off = Math.max(Math.abs(planned.x - cell.label.x), Math.abs(planned.y - cell.label.y));
    if (off > PLACE_SLACK_MM)
      messages.push(
        `label must stand where its sheet has row ${cell.row}, column ${cell.column}, got it ${off.toFixed(3)} mm off`,
      );
    if (!containsPt(trim, label)) messages.push("label must lie inside the trimmed sheet");
    const code = codeOf(context, content);
    if (code !== undefined) {
      const zone = growPt(code.box, QUIET_ZONE * code.unitPt);
      if (!isInSafeArea(context, label, { box: zone, slackPt: 0.03 }))
        messages.push(`code with its quiet zone must stay in the safe area, got ${describe(zone)}`);
      const parts = content.fills.filter(({ part }) => part !== undefined);
      const out = parts.find(({ box }) => !isInSafeArea(context, label, { box, slackPt: 0.5 }));
      if (out !== undefined)
        messages.push(`design must stay in the safe area, got a part at ${describe(out.box)}`);
    }
    const neighbour = cellContents.find(
      (other) =>
        (other.cell.row !== cell.row || other.cell.column !== cell.column) &&
        overlapsPt(other.label, label, 0.05),
    );
    if (neighbour !== undefined)
      messages.push(`label must not overlap that of row ${neighbour.cell.key}`);
    return messages;
  });
};
