/** Where sheets differ from those that makeready 0.1.0 made of the same options and records. */
import { readAssets } from "../art/assets.ts";
import { isBlackOnly, platesOf } from "./plates.ts";
import { haveInkBeneath } from "../art/check-art.ts";
import { isShaped } from "../layout/die-shape.ts";
import { cellsPerSheet } from "../layout/imposition.ts";
import { symbolsOn } from "../symbols/face-symbols.ts";
import { loadLabelFonts } from "../fonts/label-fonts.ts";
import { isShaped as hasMarks } from "../fonts/scripts.ts";
import { makeSheetJob, type SheetJob, type SheetOptions, type SheetRecord } from "../sheet-job.ts";

/**
 * The differences: `marks` stand on every plate, codes keep clear of round `corners`, black codes
 * `overprint` light grounds, white and varnish treat `symbols` as codes and leave empty `cells` out.
 */
export type NewOnSheets = "marks" | "corners" | "overprint" | "symbols" | "cells";

/** Pictures are read only where they alone decide. */
async function hasOtherPlates(job: SheetJob): Promise<boolean> {
  if (job.marks.length === 0) return false;
  const may = job.faces.filter((face) => !isBlackOnly(platesOf(job, face)));
  if (may.length === 0) return false;
  const certain = may.some((face) => !isBlackOnly(platesOf(job, face, new Map())));
  if (certain) return true;
  const { images } = (await readAssets(job)).assets;
  return may.some((face) => !isBlackOnly(platesOf(job, face, images)));
}

/** Round corners of rectangles; items with a place of their own keep it. */
function hasCorners({ options, sheet, safeMm }: SheetJob): boolean {
  const isLaidOut = options.label === undefined || options.label.size !== null;
  return isLaidOut && sheet.label.shape === "rectangle" && isShaped(sheet.label, safeMm);
}

function hasOverprint({ faces, codeStyle }: SheetJob): boolean {
  return codeStyle === undefined && faces.some((face) => haveInkBeneath(face).includes(true));
}

/** White or varnish that goes by codes, and symbols on the side that has it. */
function hasFinishedSymbols({ faces, finishes }: SheetJob): boolean {
  const goesByCodes = finishes.some(({ area }) => area !== "label");
  return goesByCodes && faces.some((face) => face.side === "front" && symbolsOn(face).length > 0);
}

/** White or varnish on sheets of which one has empty cells. */
function hasEmptyCells(
  { finishes, sheet: { rows, columns }, start, spares, spareLabels }: SheetJob,
  labels: number,
): boolean {
  if (finishes.length === 0) return false;
  const cells = Math.max(1, cellsPerSheet({ rows, columns, spares }));
  const filled = spareLabels === "repeat" ? Math.min(spares, cells) : 0;
  return start > 1 || spares > filled || labels % cells > 0;
}

/** Where sheets counted as such that have empty cells while spare ones counted as empty, filled or not. */
export function hadEmptyCells(options: SheetOptions, labels: number): boolean {
  const { finishes, sheet, start } = makeSheetJob(options);
  return finishes.length > 0 && (start > 1 || labels % sheet.perSheet > 0);
}

/** Texts that all sheets of a job have. */
function textsOf({ options, sheet, faces }: SheetJob): string[] {
  const items = faces.flatMap(({ art }) => art?.items ?? []);
  return [
    options.slug.job,
    options.slug.input,
    sheet.name,
    options.calibration?.printer ?? "",
    ...items.flatMap((item) =>
      item.kind === "text" && item.source.of === "counter" ? [item.source.pattern] : [],
    ),
  ];
}

/**
 * Looks for letters that makeready 0.1.0 left out though the bundled fonts have them: those with
 * accents that are no character together, record by record.
 */
export async function openAccents(options: SheetOptions) {
  const { regular } = await loadLabelFonts(options.fonts);
  const has = (text: string): boolean => hasMarks(text) && regular.shapes(text.normalize("NFC"));
  let found = textsOf(makeSheetJob(options)).some(has);
  return {
    add({ key, caption }: Pick<SheetRecord, "key" | "caption">): void {
      found ||= has(key) || caption.some(has);
    },
    found: (): boolean => found,
  };
}

/**
 * Empty where such sheets look the same: their fingerprints hold.
 * @param labels those of all sheets together
 */
export async function newOnSheets(
  options: SheetOptions,
  labels: number,
): Promise<readonly NewOnSheets[]> {
  const job = makeSheetJob(options);
  return [
    ...((await hasOtherPlates(job)) ? (["marks"] as const) : []),
    ...(hasCorners(job) ? (["corners"] as const) : []),
    ...(hasOverprint(job) ? (["overprint"] as const) : []),
    ...(hasFinishedSymbols(job) ? (["symbols"] as const) : []),
    ...(hasEmptyCells(job, labels) ? (["cells"] as const) : []),
  ];
}
