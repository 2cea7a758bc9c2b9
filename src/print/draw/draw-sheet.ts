import { showKey } from "../../base/shapes/row-key.ts";
import { AppError } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { ptToMm } from "../../base/shapes/units.ts";
import { encodeQr, type EncodeOptions, type QrMatrix } from "../../qr/encode/encode.ts";
import { type BoxMm, tidyBox } from "../layout/box.ts";
import { isRightToLeft } from "../fonts/bidi.ts";
import { captionLineBox, type FittedCaption, type TextWarning } from "../fonts/caption.ts";
import { type CaptionSetting, captionType, fitOnLabel, warningsOf } from "./caption-sizes.ts";
import { type CodeOperators, inPackingOrder } from "../layout/code-order.ts";
import { haveInkBeneath } from "../art/check-art.ts";
import { BLACK_FILL, drawCode, drawTexts, overprinted, type TextLine } from "./content-stream.ts";
import {
  type CodePlace,
  type CodeShape,
  placeCode,
  plainShape,
  reservedSide,
} from "../layout/code-size.ts";
import {
  type DesignedCode,
  type DesignRoom,
  drawDesignedCode,
  drawingBox,
  isBlackAlone,
  marksOf,
  type PartNames,
} from "../art/designed-code.ts";
import { paleLetters, smallLetters } from "../art/small-letters.ts";
import { type LabelCounts, setTexts } from "../art/art-texts.ts";
import { type ArtPen, drawArtTexts, drawUnder } from "../art/draw-art.ts";
import type { Face } from "../fonts/face.ts";
import type { Place } from "../layout/imposition.ts";
import type { LabelFonts } from "../fonts/label-fonts.ts";
import { captionBox, type LabelLayout, shares } from "../layout/label-layout.ts";
import { cellBox } from "../layout/label-sheet.ts";
import type { SheetCell } from "./sheet-cell.ts";
import { toPageX, toPageY } from "../layout/page-frame.ts";
import { checkCodeFits } from "../plan-sheets.ts";
import { refuseRow } from "./refuse-row.ts";
import type { SheetJob, SheetRecord } from "../sheet-job.ts";
import type { PlacedSlug } from "./slug.ts";
import { drawReducedCode } from "./reduced-code.ts";
import { drawSymbols } from "../symbols/draw-symbols.ts";
import { drawServerCode, type ServerCode } from "../art/server-code.ts";
import { drawStyledCode } from "../art/styled-code.ts";

/** One side of a label, ready to be written. */
export interface DrawnLabel {
  /** Grounds beneath its codes. */
  readonly under: string;
  readonly codes: readonly CodeOperators[];
  /** Symbols beside them. */
  readonly symbols: string;
  readonly texts: readonly TextLine[];
  /** The same in bold. */
  readonly boldTexts: readonly TextLine[];
  /** Texts in other inks and fonts than captions. */
  readonly artTexts: string;
  /** One for each code. */
  readonly cells: readonly Omit<SheetCell, "volume" | "page" | "sheet">[];
  readonly warnings: readonly RowWarning[];
}

/** A warning about a row's label; its message names the row. */
export interface RowWarning extends TextWarning {
  readonly row: string;
  readonly what?: readonly string[] | undefined;
}

/** The means to draw the labels of one file. */
export interface Pen extends Omit<ArtPen, "names"> {
  readonly job: SheetJob;
  readonly names: ArtPen["names"] & PartNames;
  readonly labelFonts: LabelFonts;
  /** Undefined: every code is plain. */
  readonly designs: DesignRoom | undefined;
  /** By key: codes that are printed as their server drew them. */
  readonly serverCodes: ReadonlyMap<string, ServerCode>;
  /** Of all captions that fit at it. */
  readonly captions: Pick<CaptionSetting, "sizePt" | "cutsWords">;
}

/** One record on one side of one label. */
export interface LabelInput {
  readonly record: SheetRecord;
  readonly place: Place;
  readonly face: Face;
  readonly counts: LabelCounts;
}

function encode(record: SheetRecord, as: Pick<EncodeOptions, "level" | "minVersion">): QrMatrix {
  const { level, minVersion } = as;
  try {
    return encodeQr(record.payload, { level, minVersion });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `row ${showKey(record.key)}: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

function placeOrRefuse(
  job: SheetJob,
  { matrix, designed }: Pick<ChosenCode, "matrix" | "designed">,
  input: { cell: BoxMm; key: string; layout: LabelLayout },
): { place: CodePlace; reservedMm: number } {
  const { layout, cell, key } = input;
  const shape = designed?.shape ?? plainShape(matrix.size);
  const reservedMm = reservedSide(job.rule, shape, layout.codeSideMm);
  const place = placeCode({ layout, cell, frame: job.frame, rule: job.rule }, shape, reservedMm);
  const problems = checkCodeFits(job, matrix.version, shape);
  if (place === undefined || problems.length > 0) {
    return refuseRow(key, `its code must fit the label, got version ${matrix.version}`, problems);
  }
  return { place, reservedMm };
}

/** Baselines of a caption: beside the code, from the side where its script begins, in the middle of the room by capital height, beneath it from the top. */
function setCaption(
  pen: Pen,
  fitted: FittedCaption,
  room: BoxMm,
): Pick<DrawnLabel, "texts" | "boldTexts"> {
  const { job, fonts, labelFonts } = pen;
  const { lines, firstLines, sizePt } = fitted;
  const { above, below, leading } = captionLineBox(fitted, captionType(job, labelFonts));
  const em = ptToMm(sizePt);
  const beside = job.layout.arrangement === "side";
  const capital = (fonts.regular.font.metrics.capHeight / 1000) * em;
  const block = (lines.length - 1) * leading * em;
  const highest = room.y + above * em;
  const lowest = room.y + room.height - below * em - block;
  const middle = room.y + (room.height - block + capital) / 2;
  const inMiddle = Math.min(Math.max(middle, highest), Math.max(highest, lowest));
  // Over a code, the last line stands by it.
  const far = job.layout.arrangement === "above" ? Math.max(highest, lowest) : highest;
  const first = beside ? inMiddle : far;
  const byScript = beside ? Number(isRightToLeft(lines[0] ?? "")) : 0.5;
  const { captionAlign: align } = job.options;
  const share = align === undefined ? byScript : shares[align];
  const placed = lines.map((text, i) => {
    const type = i < firstLines ? fonts.bold : fonts.regular;
    const spare = (room.width - ptToMm(type.font.widthPt(text, sizePt))) * share;
    return {
      show: type.show(text, sizePt),
      leftMm: toPageX(job.frame, room.x + spare),
      bottomMm: toPageY(job.frame, first + i * leading * em),
      sizePt,
    };
  });
  return { texts: placed.slice(firstLines), boldTexts: placed.slice(0, firstLines) };
}

interface PlacedCode {
  readonly code: CodePlace;
  readonly matrix: QrMatrix;
  readonly drawing: ServerCode | undefined;
  readonly designed: DesignedCode | undefined;
  readonly part: number;
  readonly hasInkBeneath: boolean;
}

function drawOneCode(pen: Pen, placed: PlacedCode): CodeOperators {
  const { code, matrix, drawing, designed, hasInkBeneath } = placed;
  const { job, names } = pen;
  const at = {
    leftMm: toPageX(job.frame, code.symbol.x),
    bottomMm: toPageY(job.frame, code.symbol.y + code.symbol.height),
    xMm: code.xMm,
  };
  const { codeStyle: style } = job;
  if (designed !== undefined) {
    const operators = drawDesignedCode(designed, at, names);
    const isLaidOn = hasInkBeneath && isBlackAlone(designed);
    return { matrix, operators: isLaidOn ? overprinted(operators) : operators };
  }
  if (isShaped(drawing)) return { matrix, operators: drawServerCode(drawing, at, names) };
  const isPlain = style === undefined || drawing !== undefined;
  if (!isPlain) return { matrix, operators: drawStyledCode(matrix, at, { style, names }) };
  const { barWidthReduction: px = 0, deviceDpi: dpi } = job.options;
  const isReduced = px > 0 && dpi !== undefined;
  const operators = isReduced ? drawReducedCode(matrix, at, { dpi, px }) : drawCode(matrix, at);
  return { matrix, operators: hasInkBeneath ? overprinted(operators) : operators };
}

/** Where a label lies, and its row. */
function placeOf({ record, place, face }: LabelInput, label: BoxMm) {
  return {
    row: place.row + 1,
    column: place.column + 1,
    ...(face.side === "back" ? { side: "back" as const } : {}),
    key: record.key,
    label: tidyBox(label),
  };
}

function toCell(
  { record, place, face }: LabelInput,
  label: BoxMm,
  { code, matrix, part, drawing, designed }: PlacedCode,
): DrawnLabel["cells"][number] {
  return {
    row: place.row + 1,
    column: place.column + 1,
    ...(face.side === "back" ? { side: "back" as const } : {}),
    ...(part > 1 ? { part } : {}),
    ...(drawing === undefined ? {} : { fills: drawing.fills.length }),
    ...(designed === undefined
      ? {}
      : { design: { box: tidyBox(drawingBox(designed, code)), marks: marksOf(designed) } }),
    key: record.key,
    payloadHash: sha256(record.payload),
    version: matrix.version,
    xMm: Math.round(code.xMm * 1e6) / 1e6,
    label: tidyBox(label),
    code: tidyBox(code.symbol),
  };
}

/** True for codes that are more than whole modules in black. */
function isShaped(drawing: ServerCode | undefined): drawing is ServerCode {
  return drawing !== undefined && drawing.fills.length > 0;
}

interface ChosenCode extends Pick<PlacedCode, "matrix" | "drawing" | "designed"> {
  readonly warnings: readonly RowWarning[];
}

/** The code of the artwork, as it was designed, drawn or built, where it has room everywhere; else the row's own. */
function chooseCode(
  pen: Pen,
  record: SheetRecord,
  cell: BoxMm,
  layouts: readonly LabelLayout[],
): ChosenCode {
  const { job, serverCodes } = pen;
  const { frame, rule } = job;
  const hasRoom = ({ version, size }: QrMatrix, shape: CodeShape = plainShape(size)): boolean =>
    checkCodeFits(job, version, shape).length === 0 &&
    layouts.every((layout) => {
      const reservedMm = reservedSide(rule, shape, layout.codeSideMm);
      return placeCode({ layout, cell, frame, rule }, shape, reservedMm) !== undefined;
    });
  const plain = { drawing: undefined, designed: undefined };
  const drawing = serverCodes.get(record.key);
  if (drawing !== undefined && hasRoom(drawing.matrix))
    return { ...plain, matrix: drawing.matrix, drawing, warnings: [] };
  const found = pen.designs?.find(record, ({ matrix, shape }) => hasRoom(matrix, shape));
  if (found?.code !== undefined)
    return { ...plain, matrix: found.code.matrix, designed: found.code, warnings: found.warnings };
  const warnings = found?.warnings ?? [];
  if (record.drawn === undefined) return { ...plain, matrix: encode(record, record), warnings };
  const drawn = encode(record, record.drawn);
  if (hasRoom(drawn)) return { ...plain, matrix: drawn, warnings };
  return {
    ...plain,
    matrix: encode(record, record),
    warnings: [...warnings, otherMatrix(record, drawn)],
  };
}

function otherMatrix(
  { key, level }: SheetRecord,
  { version, level: wanted }: QrMatrix,
): RowWarning {
  const what = `version ${version} at ${wanted}`;
  return {
    code: "codes-other-matrix",
    row: key,
    what: [what],
    message: `row ${showKey(key)}: its code has error correction ${level}, since the label has no room for that of the artwork, ${what}`,
  };
}

const ofLetters = (
  record: SheetRecord,
  { designed, code }: Pick<PlacedCode, "designed" | "code">,
): RowWarning[] =>
  designed === undefined
    ? []
    : [
        ...smallLetters(record, designed.around.letters, code.xMm),
        ...paleLetters(record, designed),
      ];

function drawArtLabel(pen: Pen, input: LabelInput): DrawnLabel {
  const { job } = pen;
  const { record, place, face, counts } = input;
  const cell = cellBox(face.sheet, place.row, place.column);
  const chosen = face.rooms.length === 0 ? undefined : chooseCode(pen, record, cell, face.rooms);
  const beneath = haveInkBeneath(face);
  const codes = face.rooms.flatMap((layout, index): PlacedCode[] => {
    if (chosen === undefined) return [];
    const { place: code } = placeOrRefuse(job, chosen, { cell, key: record.key, layout });
    return [{ code, ...chosen, part: index + 1, hasInkBeneath: beneath[index] ?? false }];
  });
  const facts = { texts: record.caption, payload: record.payload, counts };
  const { texts, warnings, problems } = setTexts(face, facts, pen.labelFonts);
  if (problems.length > 0) {
    const found = problems.map((message) => ({ message, where: { field: "label" } }));
    return refuseRow(record.key, "its texts must fit the label", found);
  }
  const symbols = drawSymbols(pen, { record, face, cell });
  const at = placeOf(input, cell);
  return {
    under: drawUnder(pen, face, cell),
    codes: codes.map((code) => drawOneCode(pen, code)),
    symbols: symbols.operators,
    texts: [],
    boldTexts: [],
    artTexts: drawArtTexts(pen, texts, cell) + symbols.texts,
    warnings: [
      ...(chosen?.warnings ?? []),
      ...codes.flatMap((code) => ofLetters(record, code)),
      ...ofRow(record.key, warnings),
    ],
    cells: [
      ...codes.map((code) => toCell(input, cell, code)),
      ...symbols.cells.map((one) => ({ ...at, ...one })),
    ],
  };
}

function drawCaptionLabel(pen: Pen, input: LabelInput): DrawnLabel {
  const { job, labelFonts } = pen;
  const { record, place, face } = input;
  const cell = cellBox(face.sheet, place.row, place.column);
  const { layout } = job;
  const chosen = chooseCode(pen, record, cell, [layout]);
  const { matrix, drawing, designed, warnings } = chosen;
  const { place: code, reservedMm } = placeOrRefuse(job, chosen, {
    cell,
    key: record.key,
    layout,
  });
  const room = captionBox(layout, reservedMm);
  const type = captionType(job, labelFonts);
  const { sizePt, cutsWords } = pen.captions;
  const at = { extent: designed?.shape ?? matrix.size, sizePt, cutsWords, type };
  const fitted = fitOnLabel(job, record.caption, at);
  const onSheet =
    room === undefined ? undefined : { ...room, x: cell.x + room.x, y: cell.y + room.y };
  const hasInkBeneath = face.background !== undefined;
  const placed = { code, matrix, drawing, designed, part: 1, hasInkBeneath };
  const isSet = fitted !== undefined && onSheet !== undefined;
  return {
    under: drawUnder(pen, face, cell),
    codes: [drawOneCode(pen, placed)],
    symbols: "",
    ...(isSet ? setCaption(pen, fitted, onSheet) : { texts: [], boldTexts: [] }),
    artTexts: "",
    warnings: [...warnings, ...ofLetters(record, placed), ...ofRow(record.key, warningsOf(fitted))],
    cells: [toCell(input, cell, placed)],
  };
}

const ofRow = (
  row: string,
  warnings: readonly (TextWarning & Pick<RowWarning, "what">)[],
): RowWarning[] => {
  const named = `row ${showKey(row)}`;
  return warnings.map((one) => ({ ...one, row, message: `${named}: ${one.message}` }));
};

/**
 * Throws `layout-impossible` when code or texts are too large for the label, `payload-too-long`
 * when no code holds the payload.
 */
export function drawLabel(pen: Pen, input: LabelInput): DrawnLabel {
  const { face } = input;
  const isCaption = face.art === undefined && face.side === "front";
  return isCaption ? drawCaptionLabel(pen, input) : drawArtLabel(pen, input);
}

/** The operators of a page's own: codes, captions, slug. Marks are the same on all pages and stand apart. */
export function drawSheet(
  pen: Pen,
  labels: readonly DrawnLabel[],
  slug: readonly PlacedSlug[],
): string {
  return [
    BLACK_FILL,
    ...labels.map((label) => label.under),
    ...inPackingOrder(labels.flatMap((label) => label.codes)).map(({ operators }) => operators),
    ...labels.map((label) => label.symbols),
    drawTexts(labels.flatMap((label) => label.texts)),
    drawTexts(
      labels.flatMap((label) => label.boldTexts),
      "bold",
    ),
    ...labels.map((label) => label.artTexts),
    drawTexts(
      slug.map((line) => ({ ...line, show: pen.fonts.regular.show(line.text, line.sizePt) })),
    ),
  ].join("");
}
