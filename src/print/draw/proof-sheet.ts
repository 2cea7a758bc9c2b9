import { AppError } from "../../base/errors.ts";
import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { ptToMm } from "../../base/shapes/units.ts";
import { loadAssets } from "../art/assets.ts";
import { Book } from "../pdf/book.ts";
import {
  BLACK_FILL,
  drawLines,
  drawTexts,
  type Line,
  OVERPRINT_STATE,
  type TextLine,
} from "./content-stream.ts";
import { CaptionSizes } from "./caption-sizes.ts";
import { labelOutlines } from "./die-line.ts";
import { type DrawnLabel, drawLabel, drawSheet, type Pen } from "./draw-sheet.ts";
import type { SheetCell } from "./sheet-cell.ts";
import { withDesignInks } from "../art/design-inks.ts";
import { openDesignRoom } from "../art/designed-code.ts";
import { type Face, safeMmOf } from "../fonts/face.ts";
import { loadOutputIntent } from "../pdf/icc-profile.ts";
import { bleedRoom } from "../art/check-art.ts";
import type { LabelSheet } from "../layout/label-sheet.ts";
import { proofInEnglish, type ProofWords } from "../../base/text/proof-words.ts";
import { BLEED_MM } from "../layout/page-frame.ts";
import { loadLabelFonts } from "../fonts/label-fonts.ts";
import { checkOptions } from "../check-options.ts";
import { toLetters } from "../fonts/scripts.ts";
import { type FileFonts, startSubsets, type TextSubset } from "./show-text.ts";
import { drawable } from "./slug.ts";
import { loadSymbolsOf } from "../symbols/face-symbols.ts";
import { makeSheetJob, type SheetJob, type SheetOptions, type SheetRecord } from "../sheet-job.ts";

/** Room round the labels of a page for approval: heading, fields to sign, keys beneath labels. */
const ROOM = { top: 34, bottom: 38, side: 15, key: 7, gap: 5 };
const PAPERS = [
  { name: "A4", widthMm: 210, heightMm: 297 },
  { name: "A4", widthMm: 297, heightMm: 210 },
  { name: "A3", widthMm: 297, heightMm: 420 },
  { name: "A3", widthMm: 420, heightMm: 297 },
] as const;

const fitting = (roomMm: number, sizeMm: number, gapMm: number): number =>
  Math.floor((roomMm + gapMm + 1e-6) / (sizeMm + gapMm));

/** From a label, or its bleed, to the baseline of its key. */
const KEY_MM = { baseline: 4, underBleed: 3 };
/** Keys stand between the bleeds of two labels. */
const keyRoom = (bleedMm: number): number =>
  Math.max(ROOM.key, 2 * bleedMm + KEY_MM.underBleed + 1 - ROOM.gap);

/**
 * Labels at their true size with room for their keys; the smallest paper that takes one. `bleedMm`:
 * the bleed that is shown.
 */
export function proofSheet({ label, name }: LabelSheet, bleedMm = 0): LabelSheet {
  const keyMm = keyRoom(bleedMm);
  for (const page of PAPERS) {
    const roomX = page.widthMm - 2 * ROOM.side;
    const columns = fitting(roomX, label.widthMm, ROOM.gap);
    const roomY = page.heightMm - ROOM.top - ROOM.bottom;
    const rows = fitting(roomY, label.heightMm + keyMm, ROOM.gap);
    if (columns < 1 || rows < 1) continue;
    const width = columns * label.widthMm + (columns - 1) * ROOM.gap;
    return {
      name: `proof-${name}`,
      title: `Proof of ${name}`,
      stock: "plain",
      page,
      label,
      columns,
      rows,
      perSheet: columns * rows,
      leftMm: Math.round(((page.widthMm - width) / 2) * 1e4) / 1e4,
      topMm: ROOM.top,
      pitchXMm: label.widthMm + ROOM.gap,
      pitchYMm: label.heightMm + keyMm + ROOM.gap,
      sameAs: [],
      origin: "made for approval",
      status: "verified",
      note: "",
      measured: true,
    };
  }
  throw new AppError(
    "layout-impossible",
    `a proof must fit A3, got labels of ${label.widthMm} x ${label.heightMm} mm`,
    { hint: "send the sheet itself for approval" },
  );
}

/** Facts that a customer must see besides the labels. */
export interface ProofFacts {
  readonly job: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Of the sheets that will be printed. */
  readonly sheetName: string;
  /** How many rows the whole job has. */
  readonly rows: number;
  /** How captions are set on the sheets; default: as the labels shown have room for. */
  readonly captions?: Pen["captions"] | undefined;
  /** Default: English. */
  readonly words?: ProofWords | undefined;
}

/** A line of text on the page, cut where it is wider than `widthMm`; mm from the upper left corner. */
function setLine(
  type: TextSubset,
  text: string,
  at: { x: number; y: number; sizePt: number; widthMm: number; pageMm: number },
): TextLine {
  const { font } = type;
  let chars = toLetters(drawable(text, font));
  while (chars.length > 1 && ptToMm(font.widthPt(chars.join(""), at.sizePt)) > at.widthMm)
    chars = [...chars.slice(0, -2), "…"];
  return {
    show: type.show(chars.join(""), at.sizePt),
    leftMm: at.x,
    bottomMm: at.pageMm - at.y,
    sizePt: at.sizePt,
  };
}

/** Where the line of a field begins, beside the field's name. */
const FIELD_MM = { line: 26, gap: 3 };

/** Boxes to tick and lines to sign on. */
function signing(
  setter: TextSubset,
  { page }: LabelSheet,
  { approved, approvedWithChanges, name, signature }: ProofWords,
): { texts: TextLine[]; lines: Line[] } {
  const fields = [approved, approvedWithChanges, name, signature];
  const texts: TextLine[] = [];
  const lines: Line[] = [];
  const width = (page.widthMm - 2 * ROOM.side) / 2;
  for (const [i, field] of fields.entries()) {
    const x = ROOM.side + (i % 2) * width;
    const y = page.heightMm - 25 + Math.floor(i / 2) * 12;
    const isBox = i < 2;
    const start = isBox ? x + 6 : x;
    texts.push(
      setLine(setter, field, { x: start, y, sizePt: 9, widthMm: width, pageMm: page.heightMm }),
    );
    const up = page.heightMm - y;
    if (isBox) {
      const [left, right, low, high] = [x, x + 3.6, up - 0.6, up + 3];
      lines.push(
        { x1: left, y1: low, x2: right, y2: low },
        { x1: left, y1: high, x2: right, y2: high },
        { x1: left, y1: low, x2: left, y2: high },
        { x1: right, y1: low, x2: right, y2: high },
      );
    } else {
      const named = ptToMm(setter.font.widthPt(field, 9)) + FIELD_MM.gap;
      const from = x + Math.max(FIELD_MM.line, named);
      lines.push({ x1: from, y1: up - 0.6, x2: x + width - 8, y2: up - 0.6 });
    }
  }
  return { texts, lines };
}

function heading(
  { regular, bold }: FileFonts,
  sheet: LabelSheet,
  { words = proofInEnglish, ...facts }: ProofFacts & { shown: number; side: Face["side"] },
): { bold: TextLine[]; regular: TextLine[] } {
  const { page, label } = sheet;
  const pageMm = page.heightMm;
  const widthMm = page.widthMm - 2 * ROOM.side;
  const at = (y: number, sizePt: number) => ({ x: ROOM.side, y, sizePt, widthMm, pageMm });
  return {
    bold: [setLine(bold, words.title, at(15, 13))],
    regular: [
      setLine(
        regular,
        [
          facts.job,
          words.day(facts.date),
          words.sides[facts.side],
          words.labels(facts.shown, facts.rows),
        ].join(" · "),
        at(21, 9),
      ),
      setLine(regular, words.size(label.widthMm, label.heightMm, facts.sheetName), at(25.5, 9)),
    ],
  };
}

function checkJob(job: SheetJob): void {
  const problems = checkOptions(job.options);
  if (problems.length > 0)
    throw new AppError("layout-impossible", "sheet options must be printable", { problems });
}

/** The means to draw proof pages. */
interface Proofer {
  readonly job: SheetJob;
  readonly sheet: LabelSheet;
  readonly pen: Pen;
  readonly facts: ProofFacts & { readonly shown: number };
}

interface ProofPage {
  readonly content: string;
  readonly labels: readonly DrawnLabel[];
}

/** Keys under the labels of a page. */
function keysOf({ sheet, pen, job }: Proofer, records: readonly SheetRecord[]): TextLine[] {
  const bleed = isBleeding(job.options) ? bleedRoom(sheet, job.bleedMm).y : 0;
  const below = bleed > 0 ? Math.max(KEY_MM.baseline, bleed + KEY_MM.underBleed) : KEY_MM.baseline;
  return records.map((record, i) => {
    const row = Math.floor(i / sheet.columns);
    return setLine(pen.fonts.regular, record.key, {
      x: sheet.leftMm + (i % sheet.columns) * sheet.pitchXMm,
      y: sheet.topMm + row * sheet.pitchYMm + sheet.label.heightMm + below,
      sizePt: 7,
      widthMm: sheet.label.widthMm,
      pageMm: sheet.page.heightMm,
    });
  });
}

/** One side of some labels. Backs are shown as they are read, not as they lie behind their fronts. */
function drawProofPage(
  proofer: Proofer,
  face: Face,
  { records, first }: { records: readonly SheetRecord[]; first: number },
): ProofPage {
  const { sheet, pen, job, facts } = proofer;
  const { columns } = sheet;
  const labels = records.map((record, i) => {
    const place = { sheet: 0, row: Math.floor(i / columns), column: i % columns };
    const counts = record.counts?.[0] ?? { label: first + i, row: first + i, copy: 0, sheet: 0 };
    return drawLabel(pen, { record, place, face: { ...face, sheet }, counts });
  });
  const head = heading(pen.fonts, sheet, { ...facts, side: face.side });
  const sign = signing(pen.fonts.regular, sheet, facts.words ?? proofInEnglish);
  const rows = Math.ceil(records.length / columns);
  const outlines = labelOutlines({ ...sheet, rows, perSheet: records.length }, job.frame);
  const content = [
    BLACK_FILL,
    drawSheet(pen, labels, []),
    `q /${OVERPRINT_STATE} gs 0 0 0 0.4 K 0.25 w\n${outlines}S Q\n`,
    drawTexts([...keysOf(proofer, records), ...head.regular, ...sign.texts]),
    drawTexts(head.bold, "bold"),
    drawLines({ lines: sign.lines }, 0.5),
  ].join("");
  return { content, labels };
}

/** True where items may run over a label's edge. */
const isBleeding = ({ background, back, label }: SheetOptions): boolean =>
  [background, back?.background, label, back?.label].some((part) => part !== undefined);

/** The job's options for a page of labels to look at. */
function toProofOptions(options: SheetOptions): SheetOptions {
  const bleedMm = isBleeding(options) ? (options.bleedMm ?? BLEED_MM) : 0;
  return {
    ...options,
    sheet: proofSheet(options.sheet, bleedMm),
    // The customer signs what the label looks like, without white and varnish over it.
    white: undefined,
    varnish: undefined,
    // The room that the job's own sheet leaves: the page of a proof has no default of its own.
    safeMm: safeMmOf(options),
    marks: [],
    dieLine: undefined,
    order: "rows",
    reverse: false,
    corner: "top-left",
    start: 1,
    spares: 0,
    copies: 1,
    overs: 0,
    pages: "interleaved",
  };
}

export interface WrittenProofPages {
  readonly file: string;
  readonly pages: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Where codes are, to read them back. */
  readonly cells: readonly SheetCell[];
  /** What labels don't show, each once. */
  readonly warnings: readonly string[];
}

/**
 * Writes pages for a customer's approval: labels at true size with outlines and keys, both sides
 * when there are two, and fields to sign. Same input, same bytes. Throws `layout-impossible`.
 */
export async function writeProof(
  options: SheetOptions,
  records: readonly SheetRecord[],
  facts: ProofFacts,
  file: string,
): Promise<WrittenProofPages> {
  const job = makeSheetJob(await withDesignInks(toProofOptions(options), records));
  checkJob(job);
  await loadSymbolsOf(job);
  const labelFonts = await loadLabelFonts(options.fonts);
  const assets = await loadAssets(job);
  const intent = await loadOutputIntent(options.icc);
  const book = new Book({ job, assets, intent, volume: 1, hasBold: true });
  const fonts = startSubsets(labelFonts);
  const { names } = book;
  // At this time no server has drawn anything.
  const serverCodes = new Map<string, never>();
  const { frame } = job;
  const designs = await openDesignRoom(job);
  const sizes = new CaptionSizes(makeSheetJob(options), labelFonts, designs);
  for (const record of records) sizes.add(record);
  const captions = facts.captions ?? sizes.setting();
  const press = { fonts, labelFonts, names, assets, designs, serverCodes };
  const pen: Pen = { ...press, job, frame, captions };
  const proofer = { job, sheet: job.sheet, pen, facts: { ...facts, shown: records.length } };
  const cells: SheetCell[] = [];
  const warnings = new Set<string>();
  let pages = 0;
  const { perSheet } = job.sheet;
  for (let first = 0; first < records.length; first += perSheet) {
    const chunk = { records: records.slice(first, first + perSheet), first };
    for (const face of job.faces) {
      pages += 1;
      const { content, labels } = drawProofPage(proofer, face, chunk);
      book.addPage(content, "front");
      const at = { volume: 1, page: pages, sheet: pages };
      for (const label of labels) {
        cells.push(...label.cells.map((cell) => ({ ...at, ...cell })));
        for (const { message } of label.warnings) warnings.add(message);
      }
    }
  }
  const bytes = await book.close(fonts);
  await writeFileAtomic(file, bytes);
  const { length } = bytes;
  return { file, pages, bytes: length, sha256: sha256(bytes), cells, warnings: [...warnings] };
}
