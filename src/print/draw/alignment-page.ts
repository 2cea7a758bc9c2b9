import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { ptToMm } from "../../base/shapes/units.ts";
import { Book } from "../pdf/book.ts";
import { type BoxMm, insetBox } from "../layout/box.ts";
import { fitCaption } from "../fonts/caption.ts";
import {
  BLACK_FILL,
  drawLines,
  drawTexts,
  type Line,
  OVERPRINT_STATE,
  type TextLine,
} from "./content-stream.ts";
import { labelOutlines } from "./die-line.ts";
import { PLAIN_BOX } from "../fonts/font.ts";
import { loadOutputIntent } from "../pdf/icc-profile.ts";
import { loadLabelFonts } from "../fonts/label-fonts.ts";
import { cellBox, type LabelSheet } from "../layout/label-sheet.ts";
import { MARK_WIDTH_PT } from "./marks.ts";
import { makeSheetJob } from "../sheet-job.ts";
import { startSubsets, type TextSubset } from "./show-text.ts";

const MOST_RULER_MM = 15;
const TICK_STEP_MM = 0.5;
const NUMBER_PT = 5;
const LABEL_INSET_MM = 2;

/** Length of the tick at `mm`: whole fives, whole ones, halves. */
function tickLength(mm: number): number {
  if (mm % 5 === 0) return 5;
  return Number.isInteger(mm) ? 3 : 1.5;
}

/** Rulers of small pages are shorter, whole fives, so that they don't meet. */
function reachOf({ page }: LabelSheet): number {
  const half = Math.min(page.widthMm, page.heightMm) / 2;
  return Math.min(MOST_RULER_MM, 5 * Math.max(1, Math.floor(half / 5 - 0.5)));
}

/** One of four rulers: how far from its edge, in the middle of that edge, page coordinates. */
interface Ruler {
  readonly reachMm: number;
  readonly place: (mm: number, along: number) => readonly [x: number, y: number];
}

function rulersOf(sheet: LabelSheet): Ruler[] {
  const { widthMm, heightMm } = sheet.page;
  const reachMm = reachOf(sheet);
  const [x, y] = [widthMm / 2, heightMm / 2];
  return [
    { reachMm, place: (mm, along) => [x + along, heightMm - mm] },
    { reachMm, place: (mm, along) => [x + along, mm] },
    { reachMm, place: (mm, along) => [mm, y + along] },
    { reachMm, place: (mm, along) => [widthMm - mm, y + along] },
  ];
}

function ticksOf({ reachMm, place }: Ruler): Line[] {
  return Array.from({ length: reachMm / TICK_STEP_MM }, (_, i) => {
    const mm = (i + 1) * TICK_STEP_MM;
    const half = tickLength(mm) / 2;
    const [[x1, y1], [x2, y2]] = [place(mm, -half), place(mm, half)];
    return { x1, y1, x2, y2 };
  });
}

function numbersOf({ reachMm, place }: Ruler, type: TextSubset): TextLine[] {
  return [5, 10, 15]
    .filter((mm) => mm <= reachMm)
    .map((mm) => {
      const [leftMm, bottomMm] = place(mm, 3.2);
      return {
        show: type.show(String(mm), NUMBER_PT),
        leftMm: leftMm - 0.8,
        bottomMm: bottomMm - ptToMm(NUMBER_PT) * 0.36,
        sizePt: NUMBER_PT,
      };
    });
}

/**
 * The label nearest to the upper left whose middle no ruler crosses: it takes the fields to fill
 * in.
 */
function fieldBox(sheet: LabelSheet): BoxMm {
  const row = sheet.rows > 1 ? 1 : 0;
  return insetBox(cellBox(sheet, row, 0), LABEL_INSET_MM);
}

function fieldsOf(sheet: LabelSheet, type: TextSubset): TextLine[] {
  const box = fieldBox(sheet);
  const says = [
    sheet.title,
    "Print at 100% on plain paper, hold against a real sheet, measure:",
    "offset x ______ mm  y ______ mm",
    "scale x ______ %  y ______ %",
  ];
  const { lines, sizePt } = fitCaption(
    says,
    { widthMm: box.width, heightMm: box.height, sizePt: 8 },
    { font: type.font },
  );
  const em = ptToMm(sizePt);
  return lines.map((line, i) => ({
    show: type.show(line, sizePt),
    leftMm: box.x,
    bottomMm: sheet.page.heightMm - box.y - (PLAIN_BOX.above + i * PLAIN_BOX.leading) * em,
    sizePt,
  }));
}

/**
 * One page that shows where a label sheet's labels lie: outlines, a ruler of 0.5 mm at the
 * middle of each edge, counted from that edge, and fields for the measurements (docs/spec/print.md
 * section 11). Same sheet and time, same bytes.
 */
export async function makeAlignmentPage(sheet: LabelSheet, createdAt: string): Promise<Uint8Array> {
  const fonts = startSubsets(await loadLabelFonts());
  const slug = { job: "alignment", input: "", inputHash: "", rehearsal: false };
  const job = makeSheetJob({
    sheet,
    title: `Alignment page for ${sheet.name}`,
    createdAt,
    slug,
    marks: [],
  });
  const assets = { images: new Map(), backgrounds: new Map(), converted: [] };
  const book = new Book({ job, assets, intent: await loadOutputIntent(), volume: 1 });
  const rulers = rulersOf(sheet);
  book.addPage(
    [
      BLACK_FILL,
      `q /${OVERPRINT_STATE} gs 0 0 0 1 K ${MARK_WIDTH_PT} w\n${labelOutlines(sheet, job.frame)}S Q\n`,
      drawLines({ lines: rulers.flatMap(ticksOf) }, MARK_WIDTH_PT),
      drawTexts(rulers.flatMap((ruler) => numbersOf(ruler, fonts.regular))),
      drawTexts(fieldsOf(sheet, fonts.regular)),
    ].join(""),
    "front",
  );
  return book.close(fonts);
}

/** Writes that page. */
export async function writeAlignmentPage(
  sheet: LabelSheet,
  createdAt: string,
  file: string,
): Promise<{ readonly file: string; readonly bytes: number; readonly sha256: string }> {
  const bytes = await makeAlignmentPage(sheet, createdAt);
  await writeFileAtomic(file, bytes);
  return { file, bytes: bytes.length, sha256: sha256(bytes) };
}
