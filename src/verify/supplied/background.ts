/** A designer's page, judged before it is printed behind labels (docs/spec/print.md section 4). */
import { readFile } from "node:fs/promises";

import { type Problem, toMessage } from "../../base/errors.ts";
import type { Ink } from "../../base/shapes/label-art.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import { type PlacedBackground, readAssets } from "../../print/art/assets.ts";
import type { BoxMm } from "../../print/layout/box.ts";
import { roomSquare } from "../../print/art/check-art.ts";
import { groundOf } from "../../print/art/ground.ts";
import type { Background, Face } from "../../print/fonts/face.ts";
import { codeSquare } from "../../print/layout/label-layout.ts";
import { inkLimitOf } from "../../print/pdf/icc-profile.ts";
import type { PdfxStandard } from "../../print/pdf/pdfx.ts";
import { type ForeignFacts, inspectForeign } from "./foreign.ts";
import type { SpotDefinition } from "./foreign-inks.ts";
import { ForeignJudge } from "./foreign-judge.ts";
import type { ForeignMark } from "./foreign-walk.ts";
import { makeSheetJob, type SheetOptions } from "../../print/sheet-job.ts";
import { PdfTooLarge } from "../../print/pdf/pdf-unpack.ts";
import { openPdfFile, type PdfFile, type PdfPage } from "../pdf/pdf-file.ts";
import { greysIn, isQuiet } from "../pixels/quiet.ts";
import { openRenderer } from "../pixels/render.ts";
import { checkStreams } from "../pdf/stream-limits.ts";

const NOTHING: ForeignFacts = {
  faults: [],
  x1aFaults: [],
  spots: [],
  plates: [],
  definitions: [],
};

interface OpenedPage {
  readonly pdf: PdfFile;
  /** Undefined when the file has no such page. */
  readonly page: PdfPage | undefined;
  readonly sha256: string;
}

async function openPage(file: string, page: number): Promise<OpenedPage> {
  const bytes = await readFile(file);
  const pdf = await openPdfFile(bytes);
  return { pdf, page: pdf.pages[page - 1], sha256: sha256(bytes) };
}

function inspect({ pdf, page }: OpenedPage, judge?: ForeignJudge): ForeignFacts {
  if (page === undefined) return NOTHING;
  const resources = page.dict.get("Resources") ?? null;
  const onMark = judge && ((mark: ForeignMark) => judge.take(mark));
  return inspectForeign(pdf, { resources, content: pdf.content(page), onMark });
}

/**
 * Facts about a page that sheets need to place it. Never throws: `checkBackground` reports a file
 * that can't be read.
 */
export async function openBackground(page: {
  readonly file: string;
  readonly page: number;
  /** Marks depend on its process inks. */
  readonly hasMarks?: boolean | undefined;
}): Promise<Background> {
  const { file, page: number, hasMarks = false } = page;
  try {
    const opened = await openPage(file, number);
    const { spots, plates } = inspect(opened);
    // Left out without marks, so that older fingerprints hold.
    const own = hasMarks && plates.length > 0 ? { plates } : {};
    return { file, page: number, sha256: opened.sha256, spots, ...own };
  } catch {
    return { file, page: number, sha256: "", spots: [] };
  }
}

const HINT =
  "export it as PDF/X-4 or PDF/X-1a: CMYK and named inks only, fonts embedded, flattened";

/** Fine enough to show what would disturb a decoder. */
const LOOK_DPI = 150;
/** A page of 1.7 x 1.7 m. */
const MAX_LOOK_PIXELS = 100_000_000;

/** A page is looked at with at most so many pixels. */
function toPixels([left = 0, bottom = 0, right = 0, top = 0]: readonly number[]) {
  const scale = LOOK_DPI / 72;
  return {
    width: Math.round(Math.abs(right - left) * scale),
    height: Math.round(Math.abs(top - bottom) * scale),
  };
}

/** Throws PdfTooLarge for parts of a page that are too large to look at. */
async function checkLook({ pdf, page }: OpenedPage): Promise<void> {
  if (page === undefined) return;
  await checkStreams(pdf, page);
  const { width, height } = toPixels(page.box("CropBox") ?? page.box("MediaBox") ?? []);
  if (width * height <= MAX_LOOK_PIXELS) return;
  const [across, up] = [width, height].map((px) => Math.round((px * 25.4) / LOOK_DPI));
  throw new PdfTooLarge(
    `must have a page of at most 1700 x 1700 mm with all that is around it, got ${across} x ${up} mm`,
    "save the page again with the label's size, and bleed beyond it",
  );
}

/** The inks of the job that a page is printed in. */
export interface PageInks {
  readonly inks: readonly Ink[];
  /** Undefined without die lines. */
  readonly cutInk?: string | undefined;
  /** Its printing condition; default FOGRA39. */
  readonly icc?: SheetOptions["icc"];
}

/** Faults of a page, and warnings. */
export interface JudgedPage {
  /** Pages of its file; left out where that can't be read. */
  readonly pages?: number;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const INK_STEP = 0.01;

/** A named ink must be the same all over a file (PDF/X-4), our own uses of it included. */
function definitionFaults(
  definitions: readonly SpotDefinition[],
  { inks }: PageInks,
): { faults: string[]; doubts: string[] } {
  const faults = new Set<string>();
  const doubts = new Set<string>();
  for (const { name, text, cmyk } of definitions) {
    if (definitions.some((other) => other.name === name && other.text !== text))
      faults.add(`defines the ink ${name} twice, each time otherwise, which PDF/X-4 forbids`);
    const own = inks.find(({ spot }) => spot === name);
    if (own === undefined) continue;
    const shown = own.cmyk.map((share) => Math.round(share * 100)).join(" ");
    if (cmyk === undefined)
      doubts.add(
        `defines the ink ${name} in its own way; inks says C M Y K ${shown}: compare them`,
      );
    else if (own.cmyk.some((share, i) => Math.abs(share - (cmyk[i] ?? 0)) > INK_STEP)) {
      const theirs = cmyk.map((share) => Math.round(share * 100)).join(" ");
      faults.add(`defines the ink ${name} as C M Y K ${theirs}, but inks says ${shown}`);
    }
  }
  return { faults: [...faults], doubts: [...doubts] };
}

/** Upper left corner of the part that is cut out. */
function cornerOf(page: PdfPage): { left: number; top: number } {
  const [left = 0, , , top = 0] =
    page.box("TrimBox") ?? page.box("CropBox") ?? page.box("MediaBox") ?? [];
  return { left, top };
}

const NO_INKS: PageInks = { inks: [] };

async function judgeOpened(
  opened: OpenedPage,
  { number, standard, job }: { number: number; standard: PdfxStandard; job: PageInks },
): Promise<{ problems: readonly string[]; warnings: readonly string[] }> {
  const corner = opened.page === undefined ? { left: 0, top: 0 } : cornerOf(opened.page);
  const { cutInk, icc } = job;
  const at = { ...corner, page: number };
  const judge = new ForeignJudge(at, { cutInk, inkLimit: inkLimitOf(icc) });
  const { faults, x1aFaults, definitions } = inspect(opened, judge);
  await checkLook(opened);
  const spots = definitionFaults(definitions, job);
  const own = standard === "PDF/X-4" ? faults : [...faults, ...x1aFaults];
  return {
    problems: [...own, ...spots.faults, ...judge.list(true)],
    warnings: [...spots.doubts, ...judge.list(false)],
  };
}

/** Judges a page by itself. Size and place are judged where it is placed. */
export async function judgeBackground(
  { file, page }: Pick<Background, "file" | "page">,
  standard: PdfxStandard,
  job: PageInks = NO_INKS,
): Promise<JudgedPage> {
  const where = { file };
  const toProblem = (fault: string): Problem => ({
    message: `background ${fault}`,
    where,
    hint: HINT,
  });
  try {
    const opened = await openPage(file, page);
    const { length } = opened.pdf.pages;
    if (opened.page === undefined) {
      const message = `background page must be one of the file's ${length}, got ${page}`;
      const hint = "correct background.page, which counts from 1; or add the page to the PDF";
      return { problems: [{ message, where, hint }], warnings: [] };
    }
    const { problems, warnings } = await judgeOpened(opened, { number: page, standard, job });
    return {
      pages: length,
      problems: problems.map(toProblem),
      warnings: warnings.map(toProblem),
    };
  } catch (error) {
    if (error instanceof PdfTooLarge) {
      const message = `background ${error.message}`;
      return { problems: [{ message, where, hint: error.hint }], warnings: [] };
    }
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      const message = `background must be a file that exists, got none at ${file}`;
      const hint = "correct the path; it is relative to the manifest";
      return { problems: [{ message, where, hint }], warnings: [] };
    }
    const fault = `must be a whole PDF, got: ${toMessage(error)}`;
    return { problems: [toProblem(fault)], warnings: [] };
  }
}

/** Why a page must not be printed; empty = it may. */
export async function checkBackground(
  page: Pick<Background, "file" | "page">,
  standard: PdfxStandard,
): Promise<readonly Problem[]> {
  return (await judgeBackground(page, standard)).problems;
}

type CodeArt = Extract<NonNullable<Face["art"]>["items"][number], { kind: "code" }>;

/** Squares of a face's codes that stand on its background itself, from the label's top left corner. */
function bareSquares({ art, rooms }: Face): readonly BoxMm[] {
  if (art === undefined) return rooms.map((layout) => codeSquare(layout, layout.codeSideMm));
  const codes = art.items.filter((item): item is CodeArt => item.kind === "code");
  const symbols = art.items.flatMap((item) =>
    item.kind === "symbol" && item.panel === null && groundOf(art.items, item.at) === undefined
      ? [item.at]
      : [],
  );
  const squares = rooms.flatMap((layout, index) => {
    const square = roomSquare(layout);
    const isCovered = codes[index]?.panel !== null || groundOf(art.items, square) !== undefined;
    return isCovered ? [] : [square];
  });
  return [...squares, ...symbols];
}

/** The page as it is seen, and how its points become pixels from the top left. */
async function look(background: Background, placed: PlacedBackground) {
  const box = placed.page.box("CropBox") ?? placed.page.box("MediaBox") ?? [];
  const [left = 0, , , top = 0] = box;
  const document = await openRenderer(await readFile(background.file));
  const scale = LOOK_DPI / 72;
  try {
    const image = await document.render(background.page - 1, toPixels(box));
    return {
      image,
      x: (pt: number): number => Math.round((pt - left) * scale),
      y: (pt: number): number => Math.round((top - pt) * scale),
    };
  } finally {
    document.close();
  }
}

/**
 * Finds where designers' pages are too dark or too busy for the codes on them. Takes backgrounds
 * without other problems.
 */
export async function checkGrounds(options: SheetOptions): Promise<Problem[]> {
  const job = makeSheetJob(options);
  const { assets } = await readAssets(job);
  const problems: Problem[] = [];
  for (const face of job.faces) {
    const { background } = face;
    const placed = assets.backgrounds.get(face.side);
    const squares = bareSquares(face);
    if (background === undefined || placed === undefined || squares.length === 0) continue;
    const seenPage = await look(background, placed).catch((error: unknown) => toMessage(error));
    if (typeof seenPage === "string") {
      const message = `background must be a page that can be drawn, got: ${seenPage}`;
      problems.push({ message, where: { file: background.file }, hint: HINT });
      continue;
    }
    const { image, x, y } = seenPage;
    const [originX, originY] = placed.originPt;
    const labelTop = originY + mmToPt(face.sheet.label.heightMm);
    for (const square of squares) {
      const [left, top] = [originX + mmToPt(square.x), labelTop - mmToPt(square.y)];
      const [right, low] = [left + mmToPt(square.width), top - mmToPt(square.height)];
      const seen = greysIn(image, [x(left), y(top), x(right), y(low)]);
      if (isQuiet(seen)) continue;
      const place = [square.x, square.y, square.width, square.height].map((mm) => mm.toFixed(1));
      problems.push({
        message: `background must be light and even under the code at ${place.join(", ")}, got greys from ${seen.darkest} to ${seen.lightest} of 255`,
        where: { file: background.file },
        hint: "move the code, or give it a panel: white",
      });
    }
  }
  return problems;
}
