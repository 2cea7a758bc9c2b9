import { invariant } from "../base/errors.ts";
import type { PressDesign } from "./art/logo-shapes.ts";
import type { QrLevel } from "../qr/encode/tables.ts";
import type { Ink, LabelArt } from "../base/shapes/label-art.ts";
import type { SizeRule } from "./layout/code-size.ts";
import { type Finish, type FinishPlate, toFinishes } from "./layout/finish.ts";
import type { Calibration } from "./layout/calibration.ts";
import {
  cellsPerSheet,
  type Corner,
  countRepeated,
  countSheets,
  type ImpositionOptions,
  makeImposition,
  type OrderMode,
} from "./layout/imposition.ts";
import {
  type BackOptions,
  type Background,
  type Face,
  inksOf,
  makeFaces,
  safeLayout,
  safeMmOf,
} from "./fonts/face.ts";
import { type CaptionPlace, type LabelLayout, POSTER_MM } from "./layout/label-layout.ts";
import type { LabelSheet } from "./layout/label-sheet.ts";
import type { LabelCounts } from "./art/art-texts.ts";
import type { DieLine } from "./draw/die-line.ts";
import type { MarkKind } from "./draw/marks.ts";
import { BLEED_MM, makePageFrame, type PageFrame } from "./layout/page-frame.ts";
import type { ConditionName, OwnProfile } from "./pdf/icc-profile.ts";
import type { PdfxStandard } from "./pdf/pdfx.ts";
import { countLabels, type Repeats } from "./layout/repeat-records.ts";
import { distinctInks } from "./pdf/ink.ts";
import { type DrawingInks, printedInks } from "./art/server-code.ts";
import { type CodeStyle, isPlainStyle } from "./art/styled-code.ts";

/** The content of one label. */
export interface SheetRecord {
  /** The row's key, which names the label in the slug, the sheet map and every message. */
  readonly key: string;
  readonly payload: string;
  readonly level: QrLevel;
  /** How the artwork's code is built, where that differs: printed the same, wherever there is room. */
  readonly drawn?: { readonly level: QrLevel; readonly minVersion: number } | undefined;
  /** How its code looks; only looked at with `print: designed`. */
  readonly design?: PressDesign | undefined;
  /** The code as its server drew it; only looked at with `artwork: server`. */
  readonly svg?: string | undefined;
  /** Lines of text, each may wrap; with label art, the texts of its items by their index. */
  readonly caption: readonly string[];
  /** Its labels, where that isn't the same for all. */
  readonly copies?: number | undefined;
  /**
   * What counters on its labels show, label by label, where these take the place of others. Default:
   * the numbers of their own places.
   */
  readonly counts?: readonly LabelCounts[] | undefined;
}

/** Facts of a slug that the records don't have. */
export interface SlugOptions {
  readonly job: string;
  /** Name of the input file, and its SHA-256 (hex), shown shortened. */
  readonly input: string;
  readonly inputHash: string;
  /** True while the codes lead to this computer only; the slug then says so. */
  readonly rehearsal: boolean;
}

export const spareLabels = ["empty", "repeat"] as const;
export type SpareLabels = (typeof spareLabels)[number];

/** One sheet job. Lengths in mm. */
export interface SheetOptions extends Partial<Repeats> {
  readonly sheet: LabelSheet;
  readonly title: string;
  /** ISO date and time; the same value and records give the same bytes. */
  readonly createdAt: string;
  readonly slug: SlugOptions;
  /** Drawn outside the trim on plain stock; pre-cut stock takes none. */
  readonly marks: readonly MarkKind[];
  /** Outlines for a cutting plotter, on plain stock. Default: none. */
  readonly dieLine?: DieLine | undefined;
  /** White underbase on fronts, for clear and metallic stock. PDF/X-4 only. Default: none. */
  readonly white?: FinishPlate | undefined;
  /** Varnish on fronts. PDF/X-4 only. Default: none. */
  readonly varnish?: FinishPlate | undefined;
  /** Resolution of the press or printer: modules are whole device pixels. Default: no grid. */
  readonly deviceDpi?: number | undefined;
  /** Device pixels that dark modules are narrower by, against ink that spreads. Default 0. */
  readonly barWidthReduction?: number | undefined;
  /**
   * `deviceDpi` is a default: codes that would become too small on its grid are drawn off it.
   * Default false.
   */
  readonly isDefaultDpi?: boolean | undefined;
  /** Default `rows`. Stack modes count sheets per volume. */
  readonly order?: OrderMode | undefined;
  /** Last record of a volume first. Default false. */
  readonly reverse?: boolean | undefined;
  /** Where the first record lies. Default `top-left`. */
  readonly corner?: Corner | undefined;
  /** First cell of the first sheet, from 1, for a part-used sheet. Default 1. */
  readonly start?: number | undefined;
  /** Last cells of every sheet that take no record of their own; none with `stack-by-column`. Default 0. */
  readonly spares?: number | undefined;
  /** What spare cells show: nothing, or the sheet's first labels again. Default `empty`. */
  readonly spareLabels?: SpareLabels | undefined;
  /** Distance of marks from the trim, so that ink running over the edge never reaches them. Default 3. */
  readonly bleedMm?: number | undefined;
  /** Least X; codes are drawn at this size, raised to the grid. Default: as large as the label allows. */
  readonly xDimensionMm?: number | undefined;
  /** X under this is refused. Default 0.33, or a greater `xDimensionMm`; GS1 codes at point of sale want 0.396. */
  readonly leastXMm?: number | undefined;
  /** X over this is not drawn, however large the label; GS1 codes at point of sale want 0.990. Default: none. */
  readonly mostXMm?: number | undefined;
  /** Side of the symbols without quiet zone, lowered to the grid. `xDimensionMm` is then only a limit. */
  readonly qrSizeMm?: number | undefined;
  /** Space to the label's edge that stays clear. Default 3, on pre-cut stock 1.6. */
  readonly safeMm?: number | undefined;
  /** Index of the first text of a record that is its caption; those before stand on the back. Default 0. */
  readonly captionFrom?: number | undefined;
  /** Caption lines to make room for; 0 = no captions. Default 2. */
  readonly captionLines?: number | undefined;
  /** Greatest size of captions. Default 9, up to 14 beside large codes, more on posters. */
  readonly captionPt?: number | undefined;
  /** Lines beneath or above a code have room for this size. Default: 8, more on posters. */
  readonly captionLinePt?: number | undefined;
  /** Where captions stand. Default: where they leave the code more room. */
  readonly captionPlace?: CaptionPlace | undefined;
  /** Default: in the middle; beside the code from the side where the script begins. */
  readonly captionAlign?: "left" | "center" | "right" | undefined;
  /** The part of captions that is bold. Default: nothing. */
  readonly captionBold?: "first-line" | undefined;
  /** The measured errors of the printer, undone on every page. Default: none. */
  readonly calibration?: Calibration | undefined;
  /** Printing condition by name, or an own output profile with the name of its condition. Default FOGRA39. */
  readonly icc?: OwnProfile | ConditionName | undefined;
  /** Font files (TTF, OTF, or `file.ttc#0`) for what the bundled fonts lack, first choice first. Default: none. */
  readonly fonts?: readonly string[] | undefined;
  /** Codes per file, whole sheets. Default 10,000: keeps memory flat. */
  readonly volumeCodes?: number | undefined;
  /** The content of each label. Default: the code with its caption. */
  readonly label?: LabelArt | undefined;
  /** A designer's page behind it. */
  readonly background?: Background | undefined;
  /** The content of its back, on a page of its own. Default: nothing. */
  readonly back?: BackOptions | undefined;
  /** Where backs stand in a file: behind their fronts, or behind all fronts. Default `interleaved`. */
  readonly pages?: "interleaved" | "fronts-first" | undefined;
  /** Default: whole modules in black. */
  readonly codeStyle?: CodeStyle | undefined;
  /** Codes are drawn from their payload, or as their server drew them where a press can print that. Default `redraw`. */
  readonly artwork?: "redraw" | "server" | undefined;
  /** With `artwork: server` or `print: designed`: inks for colours, `#rrggbb`. Default: black, or CMYK by the profile. */
  readonly artworkInks?: DrawingInks | undefined;
  /** Codes in the designs of their records, or in plain black. Default `plain`. */
  readonly print?: "designed" | "plain" | undefined;
  /** With `print: designed`: every ink that designs of the records take; see `inksOfDesigns`. */
  readonly designInks?: readonly Ink[] | undefined;
  /** Default `PDF/X-4`. */
  readonly standard?: PdfxStandard | undefined;
  /** Records before copies, for "sheet n of N"; known anyway when the records are an array. */
  readonly count?: number | undefined;
  /** Labels before overs, where records have copies of their own; known anyway when they are an array. */
  readonly labels?: number | undefined;
}

/** A sheet job with every default resolved and its one layout, shared by plan, writer and checker. */
export interface SheetJob {
  readonly options: SheetOptions;
  readonly sheet: LabelSheet;
  readonly standard: PdfxStandard;
  readonly frame: PageFrame;
  /** Of the default label; `safe` holds for all. */
  readonly layout: LabelLayout;
  /** Front, and back when there is one. */
  readonly faces: readonly Face[];
  readonly pages: "interleaved" | "fronts-first";
  /** Undefined: plain. */
  readonly codeStyle: CodeStyle | undefined;
  /** Undefined: codes are drawn from their payload. */
  readonly drawingInks: DrawingInks | undefined;
  /** Inks of labels besides black codes and captions. */
  readonly inks: readonly Ink[];
  /** The area that stays clear of a label's cut. */
  readonly safeMm: number;
  /** How far backgrounds and shapes may run over a label's edge. */
  readonly bleedMm: number;
  readonly rule: SizeRule;
  /** X under this is refused. */
  readonly leastXMm: number;
  readonly order: OrderMode;
  readonly start: number;
  readonly spares: number;
  readonly spareLabels: SpareLabels;
  readonly repeats: Repeats;
  readonly marks: readonly MarkKind[];
  readonly captionPt: number;
  readonly finishes: readonly Finish[];
  readonly dieLine: DieLine | undefined;
  readonly sheetsPerVolume: number;
}

/**
 * Phone cameras read smaller ones, but not at arm's length. Our own limit, where no standard sets
 * one.
 */
const LEAST_X_MM = 0.33;
const VOLUME_CODES = 10_000;
const CAPTION_LINES = 2;
/** Captions of labels are read at arm's length, those of posters from where the code is scanned. */
const CAPTION_PT = { least: 9, most: 14, perCodeMm: 0.3, perPosterMm: 0.2 };

const toHalves = (pt: number): number => Math.round(pt * 2) / 2;

function defaultCaptionPt({ codeSideMm }: LabelLayout): number {
  const { least, most, perCodeMm, perPosterMm } = CAPTION_PT;
  const onLabel = Math.min(most, Math.max(least, toHalves(codeSideMm * perCodeMm)));
  return Math.max(onLabel, toHalves(codeSideMm * perPosterMm));
}

/** True where captions are larger than makeready 0.1.0 set them, and have more room. */
export const isPoster = ({ layout: { safe } }: Pick<SheetJob, "layout">): boolean =>
  Math.min(safe.width, safe.height) > POSTER_MM;

const resolveRepeats = ({ copies, copyOrder, overs }: SheetOptions): Repeats => ({
  copies: copies ?? 1,
  copyOrder: copyOrder ?? "adjacent",
  overs: overs ?? 0,
});

/** How records fill sheets. */
function resolveOrder(options: SheetOptions) {
  const { order = "rows", start = 1, spares = 0, volumeCodes = VOLUME_CODES } = options;
  const { rows, columns } = options.sheet;
  const cells = Math.max(1, cellsPerSheet({ rows, columns, spares }));
  return {
    order,
    start,
    spares,
    spareLabels: options.spareLabels ?? "empty",
    repeats: resolveRepeats(options),
    sheetsPerVolume: Math.max(1, Math.floor(volumeCodes / cells)),
  };
}

/** Things that are drawn outside of the labels. */
function resolveFrame({ sheet, deviceDpi, ...options }: SheetOptions) {
  const isPlain = sheet.stock === "plain";
  const marks = isPlain ? options.marks : [];
  const bleedMm = options.bleedMm ?? BLEED_MM;
  return {
    marks,
    bleedMm,
    frame: makePageFrame(sheet, marks.length > 0, deviceDpi, bleedMm),
    dieLine: isPlain ? options.dieLine : undefined,
  };
}

/** Fills in the defaults. Doesn't reject wrong options: see `checkOptions`. */
export function makeSheetJob(options: SheetOptions): SheetJob {
  const { sheet, xDimensionMm, qrSizeMm, mostXMm } = options;
  const leastXMm = options.leastXMm ?? Math.max(xDimensionMm ?? 0, LEAST_X_MM);
  const lines = options.captionLines ?? CAPTION_LINES;
  const layout = safeLayout(options, lines);
  const faces = makeFaces(options, layout);
  const codeStyle = isPlainStyle(options.codeStyle) ? undefined : options.codeStyle;
  const drawingInks = options.artwork === "server" ? (options.artworkInks ?? {}) : undefined;
  return {
    options,
    sheet,
    layout,
    safeMm: safeMmOf(options),
    faces,
    pages: options.pages ?? "interleaved",
    codeStyle,
    drawingInks,
    inks: distinctInks([
      ...inksOf(faces, codeStyle),
      ...printedInks(drawingInks),
      ...(options.designInks ?? []),
    ]),
    ...resolveOrder(options),
    ...resolveFrame(options),
    standard: options.standard ?? "PDF/X-4",
    finishes: toFinishes(options),
    rule: {
      xDimensionMm,
      qrSizeMm,
      mostXMm,
      dpi: options.deviceDpi,
      ...(options.isDefaultDpi === true ? { leastOnGridMm: leastXMm } : {}),
    },
    leastXMm,
    captionPt: options.captionPt ?? defaultCaptionPt(layout),
  };
}

/** How many labels volume `index` (from 0) takes. The first has fewer when its first sheet is part-used. */
export function volumeCapacity(job: SheetJob, index: number): number {
  const { rows, columns } = job.sheet;
  const cells = cellsPerSheet({ rows, columns, spares: job.spares });
  invariant(cells > 0, "spare cells must leave a cell for labels");
  return job.sheetsPerVolume * cells - (index === 0 ? job.start - 1 : 0);
}

/** How `count` labels lie in a volume, from 1. */
export function layoutOf(job: SheetJob, volume: number, count: number): ImpositionOptions {
  const { sheet, order: mode, start, spares, options } = job;
  const { rows, columns } = sheet;
  const { reverse, corner } = options;
  return { rows, columns, count, mode, start: volume === 1 ? start : 1, spares, reverse, corner };
}

/** The sheet of a label, from 0 both, among `total` labels of a PDF. */
export function sheetOf(job: SheetJob, label: number, total: number): number {
  let [labels, sheets] = [0, 0];
  for (let index = 0; ; index += 1) {
    const count = Math.min(volumeCapacity(job, index), total - labels);
    const layout = layoutOf(job, index + 1, count);
    const isLast = labels + count >= total;
    if (label < labels + count || isLast)
      return sheets + makeImposition(layout)(label - labels).sheet;
    labels += count;
    sheets += countSheets(layout);
  }
}

/** Labels of a record, overs not included. */
export const copiesOf = ({ repeats }: Pick<SheetJob, "repeats">, { copies }: SheetRecord): number =>
  copies ?? repeats.copies;

/**
 * Sheets, volumes and labels that `count` records make; copies, overs and repeated labels in spare
 * cells included.
 * @param ownLabels labels before overs, where records have copies of their own
 */
export function countVolumes(
  job: SheetJob,
  count: number,
  ownLabels?: number,
): { sheets: number; volumes: number; labels: number } {
  const { rows, columns } = job.sheet;
  const labels = countLabels(count, job.repeats, ownLabels);
  const sheets = countSheets({
    rows,
    columns,
    spares: job.spares,
    count: labels,
    start: job.start,
  });
  const volumes = Math.ceil(sheets / job.sheetsPerVolume);
  return { sheets, volumes, labels: labels + countSpares(job, labels) };
}

/** Labels in spare cells, of so many that have cells of their own. */
function countSpares(job: SheetJob, labels: number): number {
  if (job.spareLabels !== "repeat" || job.spares === 0) return 0;
  let [spares, before] = [0, 0];
  for (let index = 0; before < labels; index += 1) {
    const count = Math.min(volumeCapacity(job, index), labels - before);
    spares += countRepeated(layoutOf(job, index + 1, count));
    before += count;
  }
  return spares;
}

/** Page of a volume that shows a side of its sheet `index`, from 1; `sheets` = sheets in that volume. */
export function pageOf(
  job: SheetJob,
  side: Face["side"],
  at: { index: number; sheets: number },
): number {
  const back = side === "back" ? 1 : 0;
  if (job.pages === "fronts-first") return 1 + back * at.sheets + at.index;
  return 1 + at.index * job.faces.length + back;
}

/** The face that a page of a volume shows. */
export function faceOf(job: SheetJob, page: number, sheets: number): Face {
  const index =
    job.pages === "fronts-first" ? Number(page > sheets) : (page - 1) % job.faces.length;
  return job.faces[index] ?? (job.faces[0] as Face);
}
