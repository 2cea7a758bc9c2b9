/** Warnings of a plan about settings that a press can print, but could print better. */
import type { Problem } from "../../base/errors.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { mmToPx, ptToMm } from "../../base/shapes/units.ts";
import { isTrueToSize } from "../layout/calibration.ts";
import { likelyDpi, offGridPx } from "../layout/device-grid.ts";
import { isRoll } from "../layout/label-sheet.ts";
import { findPaper } from "../layout/own-sheet.ts";
import { toPageBoxes } from "../layout/page-frame.ts";
import { distinctInks, isBlackInk, plateCount, shownCmyk } from "../pdf/ink.ts";
import type { SheetJob } from "../sheet-job.ts";

/** A page that grows no longer fits the paper of its name. */
function ofGrowth({ sheet, marks, frame, bleedMm }: SheetJob): string[] {
  if (marks.length === 0 || sheet.paper !== undefined) return [];
  const { media } = toPageBoxes(frame);
  const [width, height] = media.slice(2).map((pt) => Math.round(ptToMm(pt) * 10) / 10);
  const exact = [width, height].map((mm = 0) => Math.ceil(mm)).join(", ");
  const paper = findPaper(sheet, bleedMm) ?? `[${exact}]`;
  return [
    `with its marks the page is ${width} x ${height} mm: print it on larger paper, or name the paper that it must fit (paper: ${paper})`,
  ];
}

/** Less off the grid can't be seen. */
const OFF_GRID_PX = 0.05;

/** A wanted size is off any grid unless the device is named. */
function ofGrid({ rule, sheet, options }: SheetJob, xMm: number): string[] {
  const isAsked = (rule.xDimensionMm ?? rule.qrSizeMm) !== undefined;
  if (rule.dpi !== undefined || !isAsked || xMm <= 0) return [];
  if (options.calibration !== undefined && !isTrueToSize(options.calibration)) return [];
  const dpi = likelyDpi(isRoll(sheet));
  if (offGridPx(xMm, dpi) < OFF_GRID_PX) return [];
  const px = mmToPx(xMm, dpi);
  return [
    `X of ${xMm.toFixed(3)} mm is ${px.toFixed(2)} pixels at ${dpi} dpi: dark modules grow by up to ${Math.round(100 / px)}%; say device_dpi, and modules are whole pixels`,
  ];
}

/** Printed as dots: anything but solid ink and bare paper. */
const isScreened = (ink: Ink): boolean =>
  ink.spot === null
    ? shownCmyk(ink).some((share) => share > 0 && share < 1)
    : ink.tint > 0 && ink.tint < 1;

/** Codes in dots, and codes on several plates that must meet. */
function ofCodeInks({ codeStyle, drawingInks, options }: SheetJob): string[] {
  const named: readonly (readonly [field: string, inks: readonly Ink[]])[] = [
    ["code_style", codeStyle === undefined ? [] : [codeStyle.ink, codeStyle.eyeInk]],
    ["artwork_inks", drawingInks === undefined ? [] : Object.values(options.artworkInks ?? {})],
  ];
  return named.flatMap(([field, all]) => codeInkWarnings(field, all));
}

/** Warnings about inks of codes; `field`: where they were chosen. */
export function codeInkWarnings(field: string, all: readonly Ink[]): string[] {
  const inks = distinctInks(all).filter((ink) => !isBlackInk(ink));
  const plates = Math.max(0, ...inks.map(plateCount));
  return linesOf(
    inks.some(isScreened) &&
      `${field} is screened: edges of modules become dots; solid inks keep them sharp`,
    plates > 1 &&
      `${field} takes ${plates} plates: where they don't meet, modules get rims; one ink has none`,
  );
}

/** A module must keep at least half of its width. */
export function reductionProblems({ options }: SheetJob, xMm: number): Problem[] {
  const { barWidthReduction: px = 0, deviceDpi } = options;
  if (px === 0 || deviceDpi === undefined) return [];
  const modulePx = mmToPx(xMm, deviceDpi);
  if (px <= modulePx / 2) return [];
  return [
    {
      message: `barWidthReduction must be at most half of a module, ${modulePx.toFixed(1)} pixels at ${deviceDpi} dpi, got ${px}`,
      where: { field: "barWidthReduction" },
      hint: "take larger codes, or a smaller reduction",
    },
  ];
}

/** Warnings of a plan whose codes are drawn with an X of so many mm. */
export function pressWarnings(job: SheetJob, xMm: number): string[] {
  return [...ofGrowth(job), ...ofGrid(job, xMm), ...ofCodeInks(job)];
}
