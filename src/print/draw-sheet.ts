import { AppError } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import { ptToMm } from "../base/units.ts";
import { encodeQr, type QrMatrix } from "../qr/encode.ts";
import { type BoxMm, tidyBox } from "./box.ts";
import { ABOVE, BELOW, fitCaption, type FittedCaption, LEADING } from "./caption.ts";
import { BLACK_FILL, drawCode, drawTexts, type TextLine } from "./content-stream.ts";
import { type CodePlace, placeCode, reservedSide } from "./code-size.ts";
import type { CaptionFont, FontSubset } from "./font.ts";
import type { Place } from "./imposition.ts";
import { captionBox } from "./label-layout.ts";
import { cellBox } from "./label-sheet.ts";
import { toPageX, toPageY } from "./page-frame.ts";
import { checkCodeFits } from "./plan-sheets.ts";
import type { SheetJob, SheetRecord } from "./sheet-job.ts";
import type { PlacedSlug } from "./slug.ts";

/** Where a record went: what a reprint and the proof need. Boxes in mm from the top left of the trimmed sheet. */
export interface SheetCell {
  /** From 1, as all counts here. */
  readonly volume: number;
  /** Page of the volume's file. */
  readonly page: number;
  /** Sheet of the whole job. */
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly key: string;
  /** SHA-256 of the payload in UTF-8, hex. */
  readonly payloadHash: string;
  readonly version: number;
  readonly xMm: number;
  readonly label: BoxMm;
  /** The symbol without its quiet zone. */
  readonly code: BoxMm;
}

/** One label, ready to be written. */
export interface DrawnLabel {
  readonly code: string;
  readonly texts: readonly TextLine[];
  readonly cell: Omit<SheetCell, "volume" | "page" | "sheet">;
  readonly warnings: readonly string[];
}

/** What labels of one file are drawn with. */
export interface Pen {
  readonly job: SheetJob;
  readonly font: CaptionFont;
  readonly subset: FontSubset;
}

function encode(record: SheetRecord): QrMatrix {
  try {
    return encodeQr(record.payload, { level: record.level });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `row ${record.key}: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

function placeOrRefuse(
  job: SheetJob,
  matrix: QrMatrix,
  input: { cell: BoxMm; key: string },
): { place: CodePlace; reservedMm: number } {
  const reservedMm = reservedSide(job.rule, matrix.size, job.layout.codeSideMm);
  const place = placeCode(
    { layout: job.layout, cell: input.cell, frame: job.frame, rule: job.rule },
    matrix.size,
    reservedMm,
  );
  const problems = checkCodeFits(job, matrix.version);
  if (place === undefined || problems.length > 0) {
    throw new AppError(
      "layout-impossible",
      `row ${input.key}: its code must fit the label, got version ${matrix.version}`,
      { problems },
    );
  }
  return { place, reservedMm };
}

/** Baselines of a caption: beside the code in the middle of the room by capital height, beneath it from the top. */
function setCaption(pen: Pen, fitted: FittedCaption, room: BoxMm): TextLine[] {
  const { job, font, subset } = pen;
  const { lines, sizePt } = fitted;
  const em = ptToMm(sizePt);
  const beside = job.layout.arrangement === "side";
  const capital = (font.metrics.capHeight / 1000) * em;
  const block = (lines.length - 1) * LEADING * em;
  const highest = room.y + ABOVE * em;
  const lowest = room.y + room.height - BELOW * em - block;
  const middle = room.y + (room.height - block + capital) / 2;
  const first = beside ? Math.min(Math.max(middle, highest), Math.max(highest, lowest)) : highest;
  return lines.map((text, i) => {
    const spare = beside ? 0 : (room.width - ptToMm(font.widthPt(text, sizePt))) / 2;
    return {
      hex: subset.toHex(text),
      leftMm: toPageX(job.frame, room.x + spare),
      bottomMm: toPageY(job.frame, first + i * LEADING * em),
      sizePt,
    };
  });
}

/** Throws `layout-impossible` when the code is too large for the label, `payload-too-long` for any code. */
export function drawLabel(pen: Pen, record: SheetRecord, place: Place): DrawnLabel {
  const { job, font } = pen;
  const matrix = encode(record);
  const cell = cellBox(job.sheet, place.row, place.column);
  const { place: code, reservedMm } = placeOrRefuse(job, matrix, { cell, key: record.key });
  const room = captionBox(job.layout, reservedMm);
  const fitted =
    room === undefined || record.caption.length === 0
      ? undefined
      : fitCaption(
          record.caption,
          { widthMm: room.width, heightMm: room.height, sizePt: job.captionPt },
          font,
        );
  const onSheet =
    room === undefined ? undefined : { ...room, x: cell.x + room.x, y: cell.y + room.y };
  return {
    code: drawCode(matrix, {
      leftMm: toPageX(job.frame, code.symbol.x),
      bottomMm: toPageY(job.frame, code.symbol.y + code.symbol.height),
      xMm: code.xMm,
    }),
    texts: fitted === undefined || onSheet === undefined ? [] : setCaption(pen, fitted, onSheet),
    warnings: (fitted?.warnings ?? []).map((warning) => `row ${record.key}: ${warning}`),
    cell: {
      row: place.row + 1,
      column: place.column + 1,
      key: record.key,
      payloadHash: sha256(record.payload),
      version: matrix.version,
      xMm: Math.round(code.xMm * 1e6) / 1e6,
      label: tidyBox(cell),
      code: tidyBox(code.symbol),
    },
  };
}

/** The operators of a page's own: codes, captions, slug. Marks are the same on all pages and stand apart. */
export function drawSheet(
  pen: Pen,
  labels: readonly DrawnLabel[],
  slug: readonly PlacedSlug[],
): string {
  return [
    BLACK_FILL,
    ...labels.map((label) => label.code),
    drawTexts(labels.flatMap((label) => label.texts)),
    drawTexts(slug.map((line) => ({ ...line, hex: pen.subset.toHex(line.text) }))),
  ].join("");
}
