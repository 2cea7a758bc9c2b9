import { showKey } from "../../base/shapes/row-key.ts";
import { mmToPt, ptToMm } from "../../base/shapes/units.ts";
import type { BoxMm } from "../layout/box.ts";
import { apart, asLeftToRight } from "../fonts/bidi.ts";
import type { Calibration } from "../layout/calibration.ts";
import type { CaptionFont } from "../fonts/font.ts";
import { type LabelSheet, cellBox } from "../layout/label-sheet.ts";
import { MARK_LENGTH_MM, type PageFrame } from "../layout/page-frame.ts";
import { LEAST_PT } from "../fonts/caption.ts";
import { toLetters } from "../fonts/scripts.ts";

/** Keys of the first and the last of rows that follow each other. */
type RowSpan = readonly [first: string, last: string];

/** The facts about a sheet in its margin (docs/spec/print.md section 10). */
export interface SlugFacts {
  readonly job: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** From 1. */
  readonly sheetNumber: number;
  /** Undefined while the number of records isn't known. */
  readonly sheetCount: number | undefined;
  readonly volume: number;
  readonly side: "front" | "back";
  /** Keys of the rows on it, as `spansOf` gives them. */
  readonly rows: readonly RowSpan[];
  readonly sheetName: string;
  /** The X that was asked for, if any. */
  readonly xWantedMm: number | undefined;
  /** X of this sheet's codes: smallest and largest; undefined on a side without codes. */
  readonly xMm: readonly [least: number, most: number] | undefined;
  readonly deviceDpi: number | undefined;
  readonly barWidthReduction?: number | undefined;
  readonly calibration: Calibration | undefined;
  readonly input: string;
  readonly inputHash: string;
  readonly rehearsal: boolean;
}

/** Stands on every sheet of a rehearsal; people and tests look for exactly this. */
export const REHEARSAL_TEXT = "REHEARSAL - codes point to this computer";

const KEY_CHARS = 32;
const HASH_CHARS = 12;

function short(text: string, most: number): string {
  const chars = Array.from(text);
  return apart(chars.length > most ? `${chars.slice(0, most - 1).join("")}…` : text);
}

function moduleText({ xWantedMm, xMm, deviceDpi, barWidthReduction = 0 }: SlugFacts): string {
  if (xMm === undefined) return "no codes on this side";
  const [least, most] = xMm;
  const drawn = least === most ? least.toFixed(4) : `${least.toFixed(4)} to ${most.toFixed(4)}`;
  const wanted = xWantedMm === undefined ? "" : ` (wanted ${xWantedMm.toFixed(3)})`;
  const reduced = barWidthReduction > 0 ? `, modules ${barWidthReduction} px narrower` : "";
  return `X ${drawn} mm${wanted}${deviceDpi === undefined ? "" : ` at ${deviceDpi} dpi`}${reduced}`;
}

function printerText({ calibration }: SlugFacts): string[] {
  if (calibration === undefined) return [];
  const { printer, offsetXMm, offsetYMm, scaleX, scaleY, turnDegrees } = calibration;
  const offsets = [offsetXMm, offsetYMm].map((mm) => mm.toFixed(2)).join(", ");
  const scales = [scaleX, scaleY].map((scale) => `${(scale * 100).toFixed(2)}%`).join(", ");
  const turn = turnDegrees === undefined ? "" : `, turned by ${turnDegrees.toFixed(2)}\u00b0`;
  return [`for ${short(printer, KEY_CHARS)} off by ${offsets} mm, ${scales}${turn}`];
}

/** The rows of a sheet, each span of rows that follow each other by its ends; `row` counts all rows of the job. */
export function spansOf(rows: Iterable<{ readonly row: number; readonly key: string }>): RowSpan[] {
  const keys = new Map(Array.from(rows, ({ row, key }) => [row, key] as const));
  const spans: { first: string; last: string; end: number }[] = [];
  for (const [row, key] of [...keys].toSorted(([a], [b]) => a - b)) {
    const span = spans.at(-1);
    if (span?.end === row - 1) Object.assign(span, { last: key, end: row });
    else spans.push({ first: key, last: key, end: row });
  }
  return spans.map(({ first, last }) => [first, last]);
}

/** Sheets of stacks, and of rows that are printed again, may have many: then the last one is shown, too. */
const SPANS_SHOWN = 4;

function rowsText({ rows }: SlugFacts): string {
  const isOne = rows.length === 1;
  const spans = rows.map(([first, last]) => {
    const ends = first === last && !isOne ? [first] : [first, last];
    return ends.map((key) => short(showKey(key), KEY_CHARS)).join(" - ");
  });
  const hidden = spans.length - SPANS_SHOWN;
  if (hidden > 0) spans.splice(SPANS_SHOWN - 1, hidden, "…");
  return `rows ${spans.join(", ")}`;
}

/** The slug's lines, most important first. */
export function slugLines(facts: SlugFacts): string[] {
  const of = facts.sheetCount === undefined ? "" : ` of ${facts.sheetCount}`;
  const first = [
    ...(facts.rehearsal ? [REHEARSAL_TEXT] : []),
    short(facts.job, KEY_CHARS * 2),
    facts.date,
    `sheet ${facts.sheetNumber}${of}`,
    `volume ${facts.volume}`,
    facts.side,
    rowsText(facts),
  ];
  const second = [
    apart(facts.sheetName),
    moduleText(facts),
    ...printerText(facts),
    `${short(facts.input, KEY_CHARS * 2)} ${facts.inputHash.slice(0, HASH_CHARS)}`.trim(),
  ];
  return [first.join(" · "), second.join(" · ")];
}

/** A slug line with its place: baseline start in mm from the page's lower left corner. */
export interface PlacedSlug {
  readonly text: string;
  readonly leftMm: number;
  readonly bottomMm: number;
  readonly sizePt: number;
}

const SIZE_PT = 6;
const LINE_MM = 2.7;
const LEAST_ROOM_MM = 4;
const EDGE_MM = 3;

/** Page coordinates of the band that the slug may use: mm from the lower left corner. */
interface Band {
  readonly leftMm: number;
  readonly widthMm: number;
  /** Baseline of the first line. */
  readonly bottomMm: number;
}

/** Beneath the marks of a page that has grown. */
function marginBand(frame: PageFrame): Band {
  return {
    leftMm: frame.margins.left,
    widthMm: frame.trimWidthMm,
    bottomMm: frame.margins.bottom - frame.bleedMm - MARK_LENGTH_MM - 3.6,
  };
}

/** Printers leave about this much blank at the edge: the band must hold both lines beyond it. */
const STOCK_ROOM_MM = LEAST_ROOM_MM + 2 * LINE_MM;

/** The strip between page edge and labels of pre-cut stock, at the foot or else at the head; often there is none. */
function stockBand(sheet: LabelSheet): Band | undefined {
  const last: BoxMm = cellBox(sheet, sheet.rows - 1, 0);
  const foot = sheet.page.heightMm - last.y - last.height;
  if (Math.max(foot, sheet.topMm) < STOCK_ROOM_MM) return undefined;
  const side = Math.max(sheet.leftMm, 5);
  const head = sheet.page.heightMm - LEAST_ROOM_MM - ptToMm(SIZE_PT) * 0.8;
  return {
    leftMm: side,
    widthMm: sheet.page.widthMm - 2 * side,
    bottomMm: foot >= STOCK_ROOM_MM ? Math.min(foot - EDGE_MM, STOCK_ROOM_MM) : head,
  };
}

/** Where the slug goes, or undefined when the page has no room for it. */
export function slugBand(sheet: LabelSheet, frame: PageFrame): Band | undefined {
  return frame.margins.bottom > 0 ? marginBand(frame) : stockBand(sheet);
}

/**
 * Characters that no font has become `?`: the slug serves people in the shop and must always be
 * there.
 */
export function drawable(text: string, font: CaptionFont): string {
  const composed = text.normalize("NFC");
  const missing = new Set(font.missing(composed));
  if (missing.size === 0) return asLeftToRight(composed);
  return asLeftToRight(
    toLetters(composed)
      .map((letter) => (missing.has(letter) ? "?" : letter))
      .join(""),
  );
}

function fitLine(
  text: string,
  widthMm: number,
  font: CaptionFont,
): { text: string; sizePt: number } {
  const most = mmToPt(widthMm);
  let sizePt = SIZE_PT;
  while (sizePt > LEAST_PT && font.widthPt(text, sizePt) > most) sizePt -= 0.25;
  let chars = toLetters(text);
  while (font.widthPt(chars.join(""), sizePt) > most && chars.length > 1)
    chars = [...chars.slice(0, -2), "…"];
  return { text: chars.join(""), sizePt };
}

/** The slug, ready to draw: shrunk to 4 pt, then cut visibly. */
export function placeSlug(facts: SlugFacts, band: Band, font: CaptionFont): PlacedSlug[] {
  return slugLines(facts).map((line, index) => ({
    ...fitLine(drawable(line, font), band.widthMm, font),
    leftMm: band.leftMm,
    bottomMm: band.bottomMm - index * LINE_MM,
  }));
}
