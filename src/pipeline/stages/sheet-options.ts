/** The sheets of a manifest -> the options of the printing. */
import { AppError, type Problem } from "../../base/errors.ts";
import path from "node:path";

import type { OwnSheet } from "../../base/shapes/own-sheet.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import type { JobSheets } from "../../job/job.ts";
import { type Calibration, isTrueToSize } from "../../print/layout/calibration.ts";
import { likelyDpi } from "../../print/layout/device-grid.ts";
import { isRoll, type LabelSheet, type Paper } from "../../print/layout/label-sheet.ts";
import {
  findNearEdge,
  makeOwnSheet,
  makeSheetOnPaper,
  paperOf,
  putOnPaper,
  toPaper,
} from "../../print/layout/own-sheet.ts";
import { BLEED_MM, markRoom } from "../../print/layout/page-frame.ts";
import { loadSheet } from "../../print/layout/sheet-files.ts";
import { DEFAULT_SPOT } from "../../print/draw/die-line.ts";
import { makeSheetJob } from "../../print/sheet-job.ts";
import { checkAssets, loadCalibration, type SheetOptions } from "../../print/sheets.ts";
import {
  checkGrounds,
  judgeBackground,
  type JudgedPage,
  openBackground,
} from "../../verify/supplied/background.ts";
import type { Work, WorkJob } from "./work.ts";
import { findStart } from "./sheet-start.ts";

type SlugFacts = Pick<Work, "input" | "isRehearsal" | "createdAt">;

/** Limits of X in mm; `gs1-pos` has those of retail scanners (docs/spec/print.md section 5). */
const limitsOfX: Readonly<Record<JobSheets["application"], Partial<SheetOptions>>> = {
  general: {},
  "gs1-pos": { leastXMm: 0.396, mostXMm: 0.99 },
};

const dieSteps = { through: "Cutting", kiss: "PartialCutting" } as const;

/** How labels look. */
function toDrawing(sheets: JobSheets): Pick<SheetOptions, "marks"> & Partial<SheetOptions> {
  const { dieLine } = sheets;
  return {
    ...limitsOfX[sheets.application],
    marks: sheets.marks,
    bleedMm: sheets.bleedMm ?? undefined,
    // Fingerprints depend on the order of these: keep it, with new defaults at the end.
    deviceDpi: sheets.deviceDpi ?? undefined,
    xDimensionMm: sheets.xDimensionMm ?? undefined,
    qrSizeMm: sheets.qrSizeMm ?? undefined,
    safeMm: sheets.safeMm ?? undefined,
    standard: sheets.standard,
    icc: sheets.icc ?? undefined,
    // Left out without own fonts, so that older fingerprints hold.
    ...(sheets.fonts.length === 0 ? {} : { fonts: sheets.fonts }),
    ...(sheets.barWidthReduction === 0 ? {} : { barWidthReduction: sheets.barWidthReduction }),
    ...(sheets.white === null ? {} : { white: sheets.white }),
    ...(sheets.varnish === null ? {} : { varnish: sheets.varnish }),
    dieLine: dieLine === null ? undefined : { spot: dieLine.spot, step: dieSteps[dieLine.cut] },
  };
}

/** Where labels go. */
function toOrder(sheets: JobSheets): Partial<SheetOptions> {
  const { order, reverse, corner, start, copies, copyOrder, overs } = sheets;
  return {
    order,
    reverse,
    corner,
    start: start === "continue" ? undefined : start,
    copies: typeof copies === "number" ? copies : 1,
    copyOrder,
    overs,
    spares: sheets.spares,
    spareLabels: sheets.spareLabels,
    volumeCodes: sheets.volumeCodes ?? undefined,
  };
}

/** Reads what is known of a designer's page before it is placed. */
async function toBackground(
  page: JobSheets["background"],
  { marks }: Pick<JobSheets, "marks">,
): Promise<SheetOptions["background"]> {
  return page === null ? undefined : openBackground({ ...page, hasMarks: marks.length > 0 });
}

/** What stands on both sides of a label. */
async function toFaces(sheets: JobSheets): Promise<Partial<SheetOptions>> {
  const { back, label, codeStyle } = sheets;
  return {
    label: label?.art,
    background: await toBackground(sheets.background, sheets),
    back:
      back === null
        ? undefined
        : {
            label: back.label?.art,
            background: await toBackground(back.background, sheets),
            flip: back.flip,
          },
    pages: sheets.pages,
    codeStyle: (codeStyle as SheetOptions["codeStyle"] | null) ?? undefined,
    // Left out without drawings of a server, so that older fingerprints hold.
    ...(sheets.artwork === "server"
      ? { artwork: sheets.artwork, artworkInks: sheets.artworkInks }
      : {}),
    ...(sheets.print === "designed" ? { print: "designed", artworkInks: sheets.artworkInks } : {}),
    captionLines: Math.max(1, sheets.caption.length),
    ...toCaptionFrom(sheets),
    // Left out by default, so that older fingerprints hold.
    ...(sheets.captionBold === "none" ? {} : { captionBold: sheets.captionBold }),
    ...(sheets.captionPlace === null ? {} : { captionPlace: sheets.captionPlace }),
    ...(sheets.captionAlign === null ? {} : { captionAlign: sheets.captionAlign }),
    ...(sheets.captionSize === null
      ? {}
      : { captionPt: sheets.captionSize, captionLinePt: sheets.captionSize }),
  };
}

/** Texts of the back stand before the caption. */
const toCaptionFrom = ({ label, back }: JobSheets): Pick<SheetOptions, "captionFrom"> =>
  label === null && (back?.label?.texts.length ?? 0) > 0
    ? { captionFrom: back?.label?.texts.length }
    : {};

/** What a manifest says of its sheets and their surroundings. */
type SheetWish = Pick<JobSheets, "sheet" | "paper" | "marks" | "bleedMm" | "back">;

/** The press sheet that marks must lie on; undefined when the page grows for them. */
function findPaper({ sheet, paper, marks, back }: SheetWish): Paper | undefined {
  if (marks.length === 0) return undefined;
  const own = typeof sheet === "string" || sheet.stock === "labels" ? undefined : paperOf(sheet);
  const found = paper === null ? own : toPaper(paper);
  const isCentred = back?.flip === "short-edge";
  return found === undefined || !isCentred ? found : { ...found, isCentred };
}

/** The sheet that a manifest describes, on its paper. */
function makeJobSheet(wish: SheetWish, own: OwnSheet, paper: Paper | undefined): LabelSheet {
  const bleedMm = wish.bleedMm ?? BLEED_MM;
  const room = markRoom(bleedMm);
  const isPaper = own.page === null || (wish.paper === null && paperOf(own) !== undefined);
  const isOnPaper = isPaper && own.roll === null && own.stock !== "labels";
  if (paper === undefined) return makeOwnSheet(own);
  return isOnPaper
    ? makeSheetOnPaper(own, paper, room)
    : cutFrom(makeOwnSheet(own), paper, bleedMm);
}

interface WrittenSheets {
  /** The manifest. */
  readonly file: string;
  readonly sheets: JobSheets;
}

/** A label says all that stands on it. */
function warnOfCaption({ file, sheets: { unusedCaption = [] } }: WrittenSheets): Problem[] {
  const [first] = unusedCaption;
  if (first === undefined) return [];
  return [
    {
      message: `output.sheets.label says all that stands on a label: ${unusedCaption.join(", ")} beside it ${unusedCaption.length === 1 ? "changes" : "change"} nothing`,
      where: { file, field: `output.sheets.${first}` },
      hint: "put the text into label.items as a text of its own, or leave label out for the code with its caption",
    },
  ];
}

/** What a manifest says of its sheets and does not get. */
export function warnOfSheet({ file, sheets }: WrittenSheets): Problem[] {
  const { sheet: own, xDimensionMm, qrSizeMm } = sheets;
  const near =
    typeof own === "string"
      ? undefined
      : findNearEdge(
          own,
          makeJobSheet(sheets, own, findPaper(sheets)),
          markRoom(sheets.bleedMm ?? BLEED_MM),
        );
  const isDouble = xDimensionMm !== null && qrSizeMm !== null;
  return [
    ...(near === undefined
      ? []
      : [{ ...near, where: { file, field: "output.sheets.sheet.margin" } }]),
    ...(isDouble
      ? [
          {
            message:
              "qr_size_mm sets the size of the codes; x_dimension_mm beside it is only the least size of a module",
            where: { file, field: "output.sheets.x_dimension_mm" },
            hint: "leave out x_dimension_mm for codes of one side, or qr_size_mm for modules of one size",
          },
        ]
      : []),
    ...warnOfCaption({ file, sheets }),
  ];
}

/** Pre-cut stock takes no marks. */
const cutFrom = (sheet: LabelSheet, paper: Paper | undefined, bleedMm: number): LabelSheet =>
  paper === undefined || sheet.stock === "labels" ? sheet : putOnPaper(sheet, paper, bleedMm);

/** The sheet that a manifest names or describes, on its paper. Throws `sheet-unknown`. */
export async function loadJobSheet(wish: SheetWish, folder: string): Promise<LabelSheet> {
  const { sheet } = wish;
  const paper = findPaper(wish);
  if (typeof sheet !== "string") return makeJobSheet(wish, sheet, paper);
  return cutFrom(await loadSheet(sheet, folder), paper, wish.bleedMm ?? BLEED_MM);
}

const usPaper = new Set(["Letter", "Tabloid", "12x18", "13x19"]);

/** The printing condition of US paper; undefined for the default. */
const conditionOf = ({ page, paper }: LabelSheet): "GRACoL" | undefined =>
  usPaper.has(paper?.name ?? page.name) ? "GRACoL" : undefined;

/** The grid of the device. A size that the manifest sets is not fitted to a default grid. */
function toGrid(
  { deviceDpi, xDimensionMm, qrSizeMm }: JobSheets,
  sheet: LabelSheet,
  calibration: Calibration | undefined,
): Pick<SheetOptions, "deviceDpi" | "isDefaultDpi"> {
  const known = deviceDpi ?? calibration?.deviceDpi;
  if (known !== undefined) return { deviceDpi: known };
  const isTrue = calibration === undefined || isTrueToSize(calibration);
  if (xDimensionMm !== null || qrSizeMm !== null || !isTrue) return { deviceDpi: undefined };
  return { deviceDpi: likelyDpi(isRoll(sheet)), isDefaultDpi: true };
}

/** The job's sheet; a wrong one is reported with its place in the manifest. */
async function findJobSheet(sheets: JobSheets, file: string): Promise<LabelSheet> {
  try {
    return await loadJobSheet(sheets, path.dirname(file));
  } catch (error) {
    if (!(error instanceof AppError) || error.where !== undefined) throw error;
    const { code, message, hint, problems } = error;
    const where = { file, field: "output.sheets.sheet" };
    const says = message.startsWith("sheet ") ? `output.sheets.${message}` : message;
    throw new AppError(code, says, { hint, where, problems, cause: error });
  }
}

/** Options of a job's sheets; undefined when it wants none. Throws `sheet-unknown`. */
export async function makeSheetOptions(
  job: Pick<WorkJob, "name" | "file" | "output">,
  facts: SlugFacts,
): Promise<SheetOptions | undefined> {
  const { sheets } = job.output;
  if (sheets === null) return undefined;
  const folder = path.dirname(job.file);
  const sheet = await findJobSheet(sheets, job.file);
  const { printer } = sheets;
  const calibration = printer === null ? undefined : await loadCalibration(printer, folder);
  return {
    ...toDrawing(sheets),
    ...toOrder(sheets),
    ...(await toFaces(sheets)),
    sheet,
    ...(sheets.start === "continue" ? { start: await findStart(job, sheet) } : {}),
    ...(sheets.icc === null ? { icc: conditionOf(sheet) } : {}),
    ...toGrid(sheets, sheet, calibration),
    calibration,
    title: job.name,
    createdAt: facts.createdAt,
    slug: {
      job: job.name,
      input: facts.input.name,
      inputHash: facts.input.sha256,
      rehearsal: facts.isRehearsal,
    },
  };
}

/** Designers' pages of a job, each held to its inks. */
async function judgePages(options: SheetOptions): Promise<readonly JudgedPage[]> {
  const pages = [options.background, options.back?.background].filter((page) => page !== undefined);
  const { dieLine, inks } = makeSheetJob(options);
  const cutInk = dieLine === undefined ? undefined : (dieLine.spot ?? DEFAULT_SPOT);
  const standard = options.standard ?? "PDF/X-4";
  const job = { inks, cutInk, icc: options.icc };
  return Promise.all(
    pages.map(async (page) => {
      const { pages: count = 1, ...judged } = await judgeBackground(page, standard, job);
      const unused = isOnlyFirst(page, pages) ? warnOfUnused(page, count) : [];
      return { ...judged, warnings: [...judged.warnings, ...unused] };
    }),
  );
}

interface Designed {
  readonly file: string;
  readonly page: number;
}

/** Who names a later page of a file knows that it has several. */
const isOnlyFirst = (page: Designed, all: readonly Designed[]): boolean => {
  const [first, ...others] = all.filter(({ file }) => file === page.file);
  return first === page && [first, ...others].every((one) => one.page === 1);
};

function warnOfUnused({ file }: Designed, count: number): Problem[] {
  if (count === 1) return [];
  const others = count === 2 ? "page 2 isn't" : `pages 2 to ${count} aren't`;
  return [
    {
      message: `background has ${count} pages: page 1 is printed, ${others}`,
      where: { file },
      hint: "name another one with background: { file, page }; a back has its own: back: { background: { file, page: 2 } }",
    },
  ];
}

/** Faults of the pictures and designers' pages that a job names. */
export async function checkSheetFiles(options: SheetOptions): Promise<readonly Problem[]> {
  return (await judgeSheetFiles(options)).problems;
}

/** The same, with warnings. */
export async function judgeSheetFiles(
  options: SheetOptions,
): Promise<JudgedPage & { readonly press: readonly PressWarning[] }> {
  const pages = await judgePages(options);
  const warnings = pages.flatMap((page) => page.warnings);
  const broken = pages.flatMap(({ problems }) => problems);
  if (broken.length > 0) return { problems: broken, warnings, press: [] };
  const { problems, press } = await checkAssets(options);
  return {
    problems: problems.length > 0 ? problems : await checkGrounds(options),
    warnings,
    press,
  };
}

/** The error of sheets that can't be printed with any rows. */
export function refuseSheets({ file }: Pick<WorkJob, "file">, problems: readonly Problem[]): never {
  throw new AppError("layout-impossible", "the sheets can't be printed as the manifest asks", {
    problems: problems.map((problem) => toManifestField(problem, file)),
    where: { file },
  });
}

/** Fields of the options are those of the manifest in another spelling. */
export function toManifestField({ message, hint, where }: Problem, file: string): Problem {
  if (where?.field === undefined) return { message, hint, where };
  const { field } = where;
  const spelled = field.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
  const full = field === "sheets" ? "output.sheets" : `output.sheets.${spelled}`;
  const named = [field, spelled].find((name) => message.startsWith(`${name} `));
  const says = named === undefined ? message : full + message.slice(named.length);
  return { message: says, hint, where: { file, field: full } };
}
