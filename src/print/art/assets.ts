/** Files that labels show: pictures and designers' pages, read once per job. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError, type Problem, toMessage } from "../../base/errors.ts";
import { formatMany } from "../../base/text/words.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { mmToPt, ptToMm } from "../../base/shapes/units.ts";
import { bleedRoom } from "./check-art.ts";
import type { Background, Face } from "../fonts/face.ts";
import { type PressImage, type ReadImage, readImage } from "../pdf/image-file.ts";
import { openColors, pressOfColors } from "./design-inks.ts";
import { type ForeignPage, NoSuchPage, openForeignPage } from "../pdf/pdf-objects.ts";
import { PdfTooLarge } from "../pdf/pdf-unpack.ts";
import type { SheetJob } from "../sheet-job.ts";

/** A designer's page with its place on a label. */
export interface PlacedBackground {
  readonly page: ForeignPage;
  /** The part that is shown, in its own points. */
  readonly bboxPt: readonly number[];
  /** Its own point that lies on the label's lower left corner. */
  readonly originPt: readonly [x: number, y: number];
}

export interface Assets {
  /** By `imageKey`. */
  readonly images: ReadonlyMap<string, PressImage>;
  readonly backgrounds: ReadonlyMap<Face["side"], PlacedBackground>;
  /** Names of the pictures whose RGB colours are printed in inks of the press. */
  readonly converted: readonly string[];
}

type ImageItem = Extract<NonNullable<Face["art"]>["items"][number], { kind: "image" }>;

export function imageKey({ file, as }: Pick<ImageItem, "file" | "as">): string {
  return `${as} ${file}`;
}

/** Where a picture of these proportions stands in its box: as large as fits, in the middle. */
export function placeImage(
  { at }: ImageItem,
  { width, height }: Pick<PressImage, "width" | "height">,
): ImageItem["at"] {
  const scale = Math.min(at.width / width, at.height / height);
  const size = { width: width * scale, height: height * scale };
  return {
    x: at.x + (at.width - size.width) / 2,
    y: at.y + (at.height - size.height) / 2,
    ...size,
  };
}

/** Page and label may differ by this much: designers' programs round. */
const SIZE_SLACK_MM = 0.15;

function boxesOf(
  page: ForeignPage,
): { trim: readonly number[]; bleed: readonly number[] } | undefined {
  const media = page.box("MediaBox");
  const outer = page.box("CropBox") ?? media;
  if (media === undefined || outer === undefined) return undefined;
  const trim = page.box("TrimBox") ?? outer;
  return { trim, bleed: page.box("BleedBox") ?? outer };
}

const sizeMm = ([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]): string =>
  `${ptToMm(right - left).toFixed(2)} x ${ptToMm(top - bottom).toFixed(2)} mm`;

type Placed = { readonly placed: PlacedBackground } | { readonly problem: string; hint: string };

/**
 * The trimmed size of a page, or of its label where the page states none; undefined when they
 * differ.
 */
function trimOf(
  page: ForeignPage,
  trim: readonly number[],
  face: Face,
): readonly number[] | undefined {
  const { label } = face.sheet;
  const slack = mmToPt(SIZE_SLACK_MM);
  const [left = 0, bottom = 0, right = 0, top = 0] = trim;
  const overX = right - left - mmToPt(label.widthMm);
  const overY = top - bottom - mmToPt(label.heightMm);
  if (Math.abs(overX) <= slack && Math.abs(overY) <= slack) return trim;
  const isTold = page.box("TrimBox") !== undefined;
  if (isTold || overX <= slack || Math.abs(overX - overY) > 2 * slack) return undefined;
  // Anything beyond the label is bleed, the same on all sides.
  return [left + overX / 2, bottom + overY / 2, right - overX / 2, top - overY / 2];
}

/** The part of the page that is shown: with its bleed, as far as there is room between labels. */
function toBBox(
  trim: readonly number[],
  bleed: readonly number[],
  room: { readonly x: number; readonly y: number },
): readonly number[] {
  return trim.map((edge, i) => {
    const by = mmToPt(i % 2 === 0 ? room.x : room.y);
    const own = bleed[i] ?? edge;
    const shown = i < 2 ? Math.max(own, edge - by) : Math.min(own, edge + by);
    return Math.round(shown * 1e3) / 1e3;
  });
}

/** Fits the page to the label: its trimmed size must be the label's; a page without one may bring its bleed. */
export function placeBackground(page: ForeignPage, face: Face, bleedMm: number): Placed {
  const { label } = face.sheet;
  const boxes = boxesOf(page);
  if (boxes === undefined || page.rotate % 360 !== 0) {
    return {
      problem: "must have page boxes and stand upright",
      hint: "export it again without turning the page",
    };
  }
  const trim = trimOf(page, boxes.trim, face);
  if (trim === undefined) {
    return {
      problem: `must be as large as the label, ${label.widthMm} x ${label.heightMm} mm, got ${sizeMm(boxes.trim)}`,
      hint: "set the document to the label's size, with bleed beyond it",
    };
  }
  const bboxPt = toBBox(trim, boxes.bleed, bleedRoom(face.sheet, bleedMm));
  return { placed: { page, bboxPt, originPt: [trim[0] ?? 0, trim[1] ?? 0] } };
}

async function readBackground(
  background: Background,
  face: Face,
  bleedMm: number,
): Promise<Placed> {
  try {
    const bytes = await readFile(background.file);
    return placeBackground(await openForeignPage(bytes, background.page), face, bleedMm);
  } catch (error) {
    if (error instanceof PdfTooLarge) return { problem: error.message, hint: error.hint };
    if (error instanceof NoSuchPage)
      return { problem: error.message, hint: "correct background.page, which counts from 1" };
    return {
      problem: `must be a PDF that can be read, without password, got: ${toMessage(error)}`,
      hint: "export it as PDF/X-4 or PDF/X-1a",
    };
  }
}

function resolutionProblem(item: ImageItem, image: PressImage): Problem | undefined {
  if (image.drawing !== undefined) return undefined;
  const placed = placeImage(item, image);
  const ppi = (image.width / placed.width) * 25.4;
  if (ppi >= item.leastPpi - 0.5) return undefined;
  return {
    message: `image must have at least ${item.leastPpi} ppi, got ${Math.round(ppi)} at ${placed.width.toFixed(1)} x ${placed.height.toFixed(1)} mm`,
    where: { file: item.file },
    hint: "take a larger picture, make its box smaller, or lower least_ppi",
  };
}

/** Pictures and pages of a job's labels, and their faults. */
export async function readAssets(
  job: SheetJob,
): Promise<{ readonly assets: Assets; readonly problems: readonly Problem[] }> {
  const images = new Map<string, PressImage>();
  const backgrounds = new Map<Face["side"], PlacedBackground>();
  const converted = new Set<string>();
  const problems: Problem[] = [];
  const open = () => openColors(job.options);
  for (const face of job.faces) {
    for (const item of face.art?.items ?? []) {
      if (item.kind !== "image") continue;
      const key = imageKey(item);
      const known = images.get(key);
      const read: ReadImage =
        known === undefined ? await readImage(item.file, item.as, open) : { image: known };
      if ("problem" in read) {
        problems.push(read.problem);
        continue;
      }
      images.set(key, read.image);
      if (read.isConverted === true) converted.add(path.basename(item.file));
      const problem = resolutionProblem(item, read.image);
      if (problem !== undefined) problems.push(problem);
    }
    if (face.background === undefined) continue;
    const read = await readBackground(face.background, face, job.bleedMm);
    if ("placed" in read) backgrounds.set(face.side, read.placed);
    else {
      const { problem, hint } = read;
      const where = { file: face.background.file };
      problems.push({ message: `background ${problem}`, where, hint });
    }
  }
  return { assets: { images, backgrounds, converted: [...converted] }, problems };
}

/** Warnings about pictures whose colours are not those of their files. */
export async function pressOfAssets(
  { options }: Pick<SheetJob, "options">,
  { converted }: Assets,
): Promise<PressWarning[]> {
  const count = converted.length;
  const pictures: PressWarning[] =
    count === 0 ? [] : [{ code: "pictures-converted", count, rows: [], what: converted }];
  const hasColors = count > 0 || (options.designInks ?? []).length > 0;
  return hasColors ? [...pictures, ...(await pressOfColors(options))] : pictures;
}

/** The same for writing. Throws `layout-impossible` where something must not be printed. */
export async function loadAssets(job: SheetJob): Promise<Assets> {
  const { assets, problems } = await readAssets(job);
  if (problems.length === 0) return assets;
  throw new AppError(
    "layout-impossible",
    `pictures and backgrounds must be printable, got ${formatMany(problems.length, "problem")}`,
    { problems },
  );
}
