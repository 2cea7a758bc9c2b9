import type { Ink } from "../../base/shapes/label-art.ts";
import { mmToPt, ptToMm } from "../../base/shapes/units.ts";
import { type BoxMm } from "../../print/layout/box.ts";
import { calibrationMatrix } from "../../print/layout/calibration.ts";
import { bleedRoom } from "../../print/art/check-art.ts";
import { DEFAULT_SPOT } from "../../print/draw/die-line.ts";
import type { Face } from "../../print/fonts/face.ts";
import type { CaptionFont } from "../../print/fonts/font.ts";
import { shownCmyk } from "../../print/pdf/ink.ts";
import type { Finish } from "../../print/layout/finish.ts";
import { overshootMm } from "../../print/layout/die-shape.ts";
import { cellBox } from "../../print/layout/label-sheet.ts";
import { faceOf, makeSheetJob, type SheetJob, type SheetOptions } from "../../print/sheet-job.ts";
import type { SheetCell } from "../../print/sheets.ts";
import { QUIET_ZONE } from "../../qr/encode/tables.ts";
import type { Fault } from "./finding.ts";
import { readPageContent } from "../page/page-content.ts";
import type { PageContent, Painted } from "../page/painted.ts";
import type { BoxPt, Matrix } from "../page/page-path.ts";
import type { PageFont } from "../page/page-fonts.ts";
import { type Known, readResources } from "../page/page-resources.ts";
import type { PdfFile, PdfPage } from "../pdf/pdf-file.ts";
import { nameOf, type PdfNode } from "../pdf/pdf-node.ts";

/** The planned cells of a file, with the hash of each payload. */
export type ExpectedCell = SheetCell;

/** One volume under examination. */
export interface FileContext {
  readonly file: PdfFile;
  readonly name: string;
  readonly volume: number;
  readonly options: SheetOptions;
  readonly job: SheetJob;
  /** Cells of this volume. */
  readonly cells: readonly ExpectedCell[];
  /** Sheets in the map, and their pages. */
  readonly sheetCount: number;
  readonly pageCount: number;
  /** Fonts of symbols' texts; undefined where no label has symbols. */
  readonly symbolFont?: CaptionFont | undefined;
}

/** The content of a cell's rectangle on the page. */
export interface CellContent {
  readonly cell: ExpectedCell;
  /** The label on the page, points. */
  readonly label: BoxPt;
  /** The expected symbol without quiet zone, points. */
  readonly symbol: BoxPt;
  /** The marks that must be the code, and nothing else. */
  readonly fills: readonly Painted[];
  /** The area that it stands on, where a label has one. */
  readonly ground: Painted | undefined;
}

/** One page of it. */
export interface PageContext extends FileContext {
  /** From 1. */
  readonly number: number;
  readonly page: PdfPage;
  readonly content: PageContent;
  readonly fonts: ReadonlyMap<string, PageFont>;
  /** Names of the page's colour spaces that are the job's die line ink. */
  readonly dieSpaces: ReadonlySet<string>;
  /** Names of the page's colour spaces -> the inks that they are. */
  readonly spots: ReadonlyMap<string, string>;
  /** Names of the page's colour spaces of several inks -> those inks. */
  readonly inkSets: ReadonlyMap<string, readonly string[]>;
  /** The side of the sheet that the page must show. */
  readonly face: Face;
  /** Where labels may put ink, their bleed included, points. */
  readonly labelAreas: readonly BoxPt[];
  readonly cellContents: readonly CellContent[];
  /** Symbols beside the codes, with the fills in their places. */
  readonly symbolContents: readonly CellContent[];
  /** The trimmed sheet, points. */
  readonly trim: BoxPt;
}

/** The faults that a rule finds on a page; none when it holds. */
export type PageCheck = (context: PageContext) => Fault[];

/** The faults of a page. */
export const on = ({ number }: Pick<PageContext, "number">, messages: Iterable<string>): Fault[] =>
  [...messages].map((message) => ({ message, page: number }));

/** Box intersection with some slack: shared edges are no overlap. */
export function overlapsPt(a: BoxPt, b: BoxPt, slackPt = 0.01): boolean {
  return (
    a[2] > b[0] + slackPt && b[2] > a[0] + slackPt && a[3] > b[1] + slackPt && b[3] > a[1] + slackPt
  );
}

export function containsPt(outer: BoxPt, inner: BoxPt, slackPt = 0.01): boolean {
  return (
    inner[0] >= outer[0] - slackPt &&
    inner[1] >= outer[1] - slackPt &&
    inner[2] <= outer[2] + slackPt &&
    inner[3] <= outer[3] + slackPt
  );
}

export function growPt(box: BoxPt, by: number): BoxPt {
  return [box[0] - by, box[1] - by, box[2] + by, box[3] + by];
}

/** A box on the trimmed sheet (mm, from its top left) -> the page's points. */
export function toPagePt(trim: BoxPt, box: BoxMm): BoxPt {
  const left = trim[0] + mmToPt(box.x);
  const top = trim[3] - mmToPt(box.y);
  return [left, top - mmToPt(box.height), left + mmToPt(box.width), top];
}

/** True for a box that stays clear of its label's cut, for any shape of label. */
export function isInSafeArea(
  { job }: Pick<FileContext, "job">,
  label: BoxPt,
  { box, slackPt }: { readonly box: BoxPt; readonly slackPt: number },
): boolean {
  const [x, y] = [ptToMm(box[0] - label[0]), ptToMm(label[3] - box[3])];
  const [width, height] = [ptToMm(box[2] - box[0]), ptToMm(box[3] - box[1])];
  return (
    overshootMm(job.sheet.label, job.safeMm, { x, y, width, height }) <= ptToMm(slackPt) + 1e-9
  );
}

/** `10.5 x 3.0 mm at 12.0, 40.0`, from the page's lower left corner. */
export function describe(box: BoxPt): string {
  const [left, bottom, right, top] = box.map((pt) => ptToMm(pt).toFixed(2));
  return `${left}..${right} mm, ${bottom}..${top} mm up`;
}

const asBox = (numbers: readonly number[] | undefined): BoxPt | undefined => {
  const [left, bottom, right, top] = numbers ?? [];
  if (left === undefined || bottom === undefined || right === undefined || top === undefined)
    return undefined;
  return [left, bottom, right, top];
};

/** A page box in points. */
export function pageBox(page: PdfPage, name: string): BoxPt | undefined {
  return asBox(page.box(name));
}

/** The ink of a Separation; undefined for other colour spaces. */
export function spotOf(file: PdfFile, space: PdfNode | undefined): string | undefined {
  const [kind, name] = file.array(space);
  return nameOf(file.resolve(kind)) === "Separation" ? nameOf(file.resolve(name)) : undefined;
}

function findSpots({ file }: FileContext, page: PdfPage): Map<string, string> {
  const spots = new Map<string, string>();
  for (const [name, space] of file.dict(file.dict(page.dict.get("Resources"))?.get("ColorSpace")) ??
    []) {
    const spot = spotOf(file, space);
    if (spot !== undefined) spots.set(name, spot);
  }
  return spots;
}

/** Colour spaces of several inks that the page itself paints in: those of its marks. */
function findInkSets(
  { file }: FileContext,
  page: PdfPage,
  { painted }: PageContent,
): Map<string, readonly string[]> {
  const used = new Set(painted.map(({ ink }) => ink.space));
  const resources = file.dict(page.dict.get("Resources"));
  const sets = new Map<string, readonly string[]>();
  for (const [name, node] of file.dict(resources?.get("ColorSpace")) ?? []) {
    const [kind, inks] = file.array(node);
    if (!used.has(name) || nameOf(file.resolve(kind)) !== "DeviceN") continue;
    sets.set(
      name,
      file.array(inks).map((ink) => nameOf(file.resolve(ink)) ?? ""),
    );
  }
  return sets;
}

function findDieSpaces({ job }: FileContext, spots: ReadonlyMap<string, string>): Set<string> {
  if (job.dieLine === undefined) return new Set();
  const wanted = job.dieLine.spot ?? DEFAULT_SPOT;
  return new Set([...spots].filter(([, spot]) => spot === wanted).map(([name]) => name));
}

const INK_SLACK = 0.002;

/** True for what is painted in that ink. */
export function isInk({ spots }: PageContext, { ink }: Painted, wanted: Ink): boolean {
  const [space, values] =
    wanted.spot === null
      ? ["DeviceCMYK", shownCmyk(wanted)]
      : [wanted.spot, [wanted.tint] as readonly number[]];
  return (
    (spots.get(ink.space) ?? ink.space) === space &&
    ink.values.length === values.length &&
    ink.values.every((value, i) => Math.abs(value - (values[i] ?? 0)) < INK_SLACK)
  );
}

/** True for strokes that the cutter follows: those in the die line ink. */
export function isDieLine({ dieSpaces }: PageContext, { kind, ink }: Painted): boolean {
  return kind === "stroke" && dieSpaces.has(ink.space);
}

/** The white or varnish that something is painted in; undefined for anything else. */
export function finishOf(
  { job, spots }: Pick<PageContext, "job" | "spots">,
  { kind, ink }: Painted,
): Finish | undefined {
  if (kind !== "fill") return undefined;
  const name = spots.get(ink.space);
  return job.finishes.find(({ spot }) => spot === name);
}

/** The context that the checks of one file share. */
export function makeFileContext(
  input: Omit<FileContext, "job" | "pageCount" | "sheetCount">,
): FileContext {
  const job = makeSheetJob(input.options);
  const sheetCount = new Set(input.cells.map((cell) => cell.sheet)).size;
  return { ...input, job, sheetCount, pageCount: sheetCount * job.faces.length };
}

function contentOf(
  file: PdfFile,
  page: PdfPage,
  resources: Parameters<typeof readPageContent>[1],
): PageContent {
  try {
    return readPageContent(file.content(page), resources);
  } catch (error) {
    return {
      painted: [],
      operators: new Set(),
      faults: [`content can't be read: ${String(error)}`],
    };
  }
}

/** Undoes the calibration, so that every rule sees things where they should lie. */
function baseOf({ job, options }: FileContext): Matrix | undefined {
  if (options.calibration === undefined) return undefined;
  const [a, b, c, d, e, f] = calibrationMatrix(options.calibration, job.frame, job.rule.dpi);
  const det = a * d - b * c;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

function groupByPage(cells: readonly ExpectedCell[]): ReadonlyMap<number, ExpectedCell[]> {
  const pages = new Map<number, ExpectedCell[]>();
  for (const cell of cells) {
    const page = pages.get(cell.page);
    if (page === undefined) pages.set(cell.page, [cell]);
    else page.push(cell);
  }
  return pages;
}

/** True for labels with shapes, pictures or a page behind them. */
export function hasArt({ art, background }: Face): boolean {
  return art !== undefined || background !== undefined;
}

/** Where the labels of a side may put ink: the cells of the map, or with art all, with their bleed. */
function findAreas(
  { job }: FileContext,
  face: Face,
  at: { trim: BoxPt; cells: readonly ExpectedCell[] },
): BoxPt[] {
  if (!hasArt(face)) return at.cells.map((cell) => toPagePt(at.trim, cell.label));
  const room = bleedRoom(face.sheet, job.bleedMm);
  return Array.from({ length: face.sheet.perSheet }, (_, index) => {
    const { columns } = face.sheet;
    const { x, y, width, height } = cellBox(
      face.sheet,
      Math.floor(index / columns),
      index % columns,
    );
    return toPagePt(at.trim, {
      x: x - room.x,
      y: y - room.y,
      width: width + 2 * room.x,
      height: height + 2 * room.y,
    });
  });
}

/** Pointed modules reach this far beyond their square, of the symbol's side. */
const POINTED_SHARE = 0.4 / 21;

/** The marks of a designed code: shared parts within its box, its own modules within its symbol. */
function marksOfDesign(
  painted: readonly Painted[],
  { symbol, box }: { symbol: BoxPt; box: BoxPt },
): readonly Painted[] {
  const square = growPt(symbol, POINTED_SHARE * (symbol[2] - symbol[0]));
  const around = growPt(box, 0.5);
  return painted.filter(({ kind, part, box: own }) =>
    part === undefined ? kind === "fill" && containsPt(square, own) : containsPt(around, own, 0.05),
  );
}

/**
 * The content of a cell: without art everything in it is its code, else the marks on the code's
 * ground.
 */
function readCell(
  painted: readonly Painted[],
  at: { cell: ExpectedCell; trim: BoxPt; face: Face; fills: readonly Painted[] },
): CellContent {
  const { cell, trim, face, fills } = at;
  const label = toPagePt(trim, cell.label);
  const symbol = toPagePt(trim, cell.code);
  if (cell.design !== undefined) {
    const own = marksOfDesign(painted, { symbol, box: toPagePt(trim, cell.design.box) });
    const zone = growPt(symbol, QUIET_ZONE * mmToPt(cell.xMm));
    const beneath = painted.slice(0, own[0] === undefined ? 0 : painted.indexOf(own[0]));
    const ground = hasArt(face)
      ? beneath.findLast((mark) => mark.kind === "fill" && containsPt(mark.box, zone, 0.05))
      : undefined;
    return { cell, label, symbol, fills: own, ground };
  }
  if (!hasArt(face)) {
    const found = fills.filter((fill) => overlapsPt(fill.box, label));
    return { cell, label, symbol, fills: found, ground: undefined };
  }
  // Symbols have other quiet zones, which are checked by themselves.
  const zone = growPt(symbol, cell.symbol === undefined ? QUIET_ZONE * mmToPt(cell.xMm) : 0);
  const near = fills.filter((fill) => overlapsPt(fill.box, zone));
  // A symbol fills its place itself, with more than one bar.
  const isGround = ({ rectangles = 1 }: Painted): boolean =>
    cell.symbol === undefined || rectangles < 2;
  const index = near.findLastIndex((fill) => isGround(fill) && containsPt(fill.box, zone, 0.05));
  return {
    cell,
    label,
    symbol,
    fills: near.slice(index + 1).filter((fill) => overlapsPt(fill.box, symbol)),
    ground: near[index],
  };
}

/** The file's pages one after the other, read when asked for: memory holds one. */
export function* readPages(context: FileContext): Generator<PageContext> {
  const { file, job } = context;
  const known: Known = { fonts: new Map(), objects: new Map() };
  const byPage = groupByPage(context.cells);
  for (const [index, page] of file.pages.entries()) {
    const keepsBoxes = context.symbolFont !== undefined;
    const resources = { ...readResources(file, page, known), base: baseOf(context), keepsBoxes };
    const content = contentOf(file, page, resources);
    const trim = pageBox(page, "TrimBox") ?? pageBox(page, "MediaBox") ?? [0, 0, 0, 0];
    const spots = findSpots(context, page);
    const { painted } = content;
    const fills = painted.filter(
      (mark) => mark.kind === "fill" && finishOf({ job, spots }, mark) === undefined,
    );
    const all = byPage.get(index + 1) ?? [];
    const cells = all.filter(({ symbol }) => symbol === undefined);
    const symbols = all.filter(({ symbol }) => symbol !== undefined);
    const face = faceOf(job, index + 1, context.sheetCount);
    const inkSets = findInkSets(context, page, content);
    yield {
      ...context,
      number: index + 1,
      page,
      content,
      fonts: resources.fonts,
      spots,
      inkSets,
      dieSpaces: findDieSpaces(context, spots),
      face,
      labelAreas: findAreas(context, face, { trim, cells: all }),
      cellContents: cells.map((cell) => readCell(painted, { cell, trim, face, fills })),
      symbolContents: symbols.map((cell) => readCell(painted, { cell, trim, face, fills })),
      trim,
    };
  }
}
