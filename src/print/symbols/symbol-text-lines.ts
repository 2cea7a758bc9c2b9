/** The text of a symbol that people read, as lines with their places (docs/spec/symbols.md section 5). */
import type { SymbolItem } from "../../base/shapes/label-art.ts";
import { mmToPt, ptToMm } from "../../base/shapes/units.ts";
import type { SymbolData } from "../../symbol/symbol-text.ts";
import { isEanUpc } from "../../symbol/symbols.ts";
import { LEAST_PT } from "../fonts/caption.ts";
import type { CaptionFont } from "../fonts/font.ts";
import { FONTS_FIELD } from "../fonts/own-font.ts";

/** A text on one baseline. Lengths in mm; `across` from the symbol's left edge, `down` from the upper edge of the block. */
export interface SymbolLine {
  readonly text: string;
  readonly across: number;
  readonly down: number;
  readonly sizePt: number;
}

/** The room of a symbol's text. */
export interface TextBlock {
  readonly lines: readonly SymbolLine[];
  /** Between the end of the bars and the lower edge of the block, the gap included. */
  readonly heightMm: number;
}

export interface TextRoom {
  readonly item: Pick<SymbolItem, "symbol" | "hri" | "sizePt" | "at">;
  readonly data: SymbolData;
  readonly font: CaptionFont;
  /** Modules of the symbol without its quiet zones. */
  readonly width: number;
}

/** Height of EAN digits and their distance from the bars in X: 2.75 mm and 0.33 mm at X 0.33 mm. */
const EAN = { digitX: 8.33, gapX: 1 };
/** Between the bars and the text of other symbols, or their X where that is more. */
const GAP_MM = 1.02;
/** The digits beside a UPC symbol are at most four modules wide. */
const SMALL_X = 4;
const DIGIT_X = 7;
/** Parts of the size that a line takes above and below its baseline, as the proof measures it. */
const ABOVE = 0.95;
const BELOW = 0.25;
const LEADING = 1.2;
const STEP_PT = 0.5;

const capShare = (font: CaptionFont): number => font.metrics.capHeight / 1000;

/** Size at which a digit is so wide, or so high, mm. */
function eanSizeMm(font: CaptionFont, xMm: number, cellX: number): number {
  const advance = font.advance(0x30) / 1000;
  return Math.min((cellX * xMm) / advance, (EAN.digitX * xMm) / capShare(font));
}

interface Digit {
  readonly digit: string;
  /** Its cell in modules from the symbol's left edge. */
  readonly from: number;
  readonly cell: number;
}

const inCells = (digits: string, from: number): Digit[] =>
  Array.from(digits, (digit, i) => ({ digit, from: from + i * DIGIT_X, cell: DIGIT_X }));

/** Where each digit stands: beneath its own bars, the others beside the symbol. */
function eanDigits({ item, data, width }: TextRoom): Digit[] {
  const { symbol } = item;
  const [first = "", second = "", third = "", fourth = ""] = data.hri;
  if (symbol === "ean-8") return [...inCells(first, 3), ...inCells(second, 36)];
  if (symbol === "ean-13")
    return [
      { digit: first, from: -10, cell: DIGIT_X },
      ...inCells(second, 3),
      ...inCells(third, 50),
    ];
  const isWhole = symbol === "upc-a";
  return [
    { digit: first, from: -8, cell: SMALL_X },
    ...inCells(second, isWhole ? 10 : 3),
    ...(isWhole ? inCells(third, 50) : []),
    { digit: isWhole ? fourth : third, from: width + (isWhole ? 4 : 3), cell: SMALL_X },
  ];
}

interface Baselines {
  /** Of the first line, from the upper edge of the block. */
  readonly first: number;
  readonly heightMm: number;
}

/** Where lines stand: under the bars by their capitals, above them clear of them. */
function baselines(
  { item, font }: TextRoom,
  at: { xMm: number; em: number; count: number },
): Baselines {
  const { xMm, em, count } = at;
  const lower = (count - 1) * LEADING * em;
  const gap = isEanUpc(item.symbol) ? EAN.gapX * xMm : Math.max(xMm, GAP_MM);
  if (item.hri === "above") {
    const first = ABOVE * em;
    return { first, heightMm: first + lower + Math.max(gap, BELOW * em) };
  }
  const first = gap + capShare(font) * em;
  return { first, heightMm: first + lower + BELOW * em };
}

/** Digits of EAN and UPC; their size follows X. */
function eanBlock(room: TextRoom, xMm: number): TextBlock {
  const { font } = room;
  const sizeMm = eanSizeMm(font, xMm, DIGIT_X);
  const { first, heightMm } = baselines(room, { xMm, em: sizeMm, count: 1 });
  const lines = eanDigits(room).map(({ digit, from, cell }): SymbolLine => {
    const own = cell === DIGIT_X ? sizeMm : eanSizeMm(font, xMm, cell);
    const spare = cell * xMm - (font.advance(digit.codePointAt(0) ?? 0) / 1000) * own;
    return { text: digit, across: from * xMm + spare / 2, down: first, sizePt: mmToPt(own) };
  });
  return { lines, heightMm };
}

/** Parts joined to as few lines as have room; undefined when one of them has none. */
function joinParts(
  parts: readonly string[],
  fits: (text: string) => boolean,
): readonly string[] | undefined {
  const lines: string[] = [];
  for (const part of parts) {
    const joined = `${lines.at(-1) ?? ""}${part}`;
    if (lines.length > 0 && fits(joined)) lines[lines.length - 1] = joined;
    else if (fits(part)) lines.push(part);
    else return undefined;
  }
  return lines;
}

/** Lines and the largest size at which they have room across; undefined when they have none. */
function fitLines({
  item,
  data,
  font,
}: TextRoom): { readonly lines: readonly string[]; readonly sizePt: number } | undefined {
  const widthPt = mmToPt(item.at.width);
  for (let sizePt = item.sizePt; sizePt >= LEAST_PT - 1e-9; sizePt -= STEP_PT) {
    const lines = joinParts(data.hri, (text) => font.widthPt(text, sizePt) <= widthPt + 1e-6);
    if (lines !== undefined) return { lines, sizePt };
  }
  return undefined;
}

/** Sets the text of a symbol once its X is known. */
export type SetBlock = (xMm: number) => TextBlock;

const NOTHING: TextBlock = { lines: [], heightMm: 0 };

/** Why a text can't be set. */
export interface TextFault {
  /** A sentence, as "must …". */
  readonly message: string;
  readonly hint: string;
  /** Its box has no room for this text. */
  readonly isByLabel?: true;
}

/** Sets the text, or says why it can't be set. */
export function openTextBlock(room: TextRoom): SetBlock | TextFault {
  const { item, data, font, width } = room;
  if (item.hri === "none") return () => NOTHING;
  if (isEanUpc(item.symbol)) return (xMm) => eanBlock(room, xMm);
  const missing = data.hri.flatMap((part) => font.missing(part));
  if (missing.length > 0)
    return {
      message: `must have a text that the fonts can show, got ${JSON.stringify(missing.join(""))}`,
      hint: `name fonts that have these characters in ${FONTS_FIELD}, change the text, or set hri: none`,
    };
  const fitted = fitLines(room);
  if (fitted === undefined)
    return {
      message: `must have room for its text across ${item.at.width} mm at ${LEAST_PT} pt`,
      hint: "make it wider, make its text shorter, or set hri: none",
      isByLabel: true,
    };
  const { lines, sizePt } = fitted;
  const em = ptToMm(sizePt);
  return (xMm) => {
    const { first, heightMm } = baselines(room, { xMm, em, count: lines.length });
    const placed = lines.map((text, i): SymbolLine => {
      const across = (width * xMm - ptToMm(font.widthPt(text, sizePt))) / 2;
      return { text, across, down: first + i * LEADING * em, sizePt };
    });
    return { lines: placed, heightMm };
  };
}
