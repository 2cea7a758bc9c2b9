import type { TextStyle } from "../../base/shapes/label-art.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import {
  blockHeightPt,
  cleanLine,
  cut,
  LEAST_PT,
  linesIn,
  quote,
  STEP_PT,
  type TextWarning,
} from "./caption.ts";
import type { CaptionFont } from "./font.ts";
import { fitsLine, isEndless, isHyphenated, type Measure, wrapAll } from "./wrap.ts";
import { plateCount } from "../pdf/ink.ts";

/** Least size of text that is printed from several plates (docs/spec/print.md section 2). */
export const LEAST_MULTI_PT = 8;

/** A text in its room; with a problem it must not be printed. */
export interface FittedText {
  readonly lines: readonly string[];
  readonly sizePt: number;
  /** Words were cut with a hyphen. */
  readonly isHyphenated: boolean;
  readonly warnings: readonly TextWarning[];
  /** Why it can't be printed, as "must …". */
  readonly problem?: string | undefined;
}

/** The least size of a style: its own, or the limit of printing. */
export function leastPt({ leastPt: asked, sizePt, ink }: TextStyle): number {
  const floor = plateCount(ink) > 1 ? LEAST_MULTI_PT : LEAST_PT;
  return Math.min(sizePt, Math.max(asked, floor));
}

interface Room {
  readonly width: number;
  readonly height: number;
}

const tidy = (pt: number): number => Math.round(pt * 10) / 10;

/** Sizes to try, largest first; the floor itself is always among them. */
function* sizes(style: TextStyle): Generator<number> {
  const floor = leastPt(style);
  yield style.sizePt;
  if (!style.fit.includes("shrink")) return;
  for (let pt = style.sizePt - STEP_PT; pt > floor; pt -= STEP_PT) yield tidy(pt);
  if (floor < style.sizePt) yield floor;
}

/** Width and height of the room as the text is read, points. */
function asRead({ width, height }: Room, { rotate }: TextStyle): [number, number] {
  return rotate === 90 || rotate === 270
    ? [mmToPt(height), mmToPt(width)]
    : [mmToPt(width), mmToPt(height)];
}

function linesAt(
  paragraphs: readonly string[],
  measure: Measure,
  { wraps, breaks }: { wraps: boolean; breaks: boolean },
): string[] | undefined {
  if (wraps) return wrapAll(paragraphs, measure, breaks);
  return paragraphs.every((text) => fitsLine(text, measure)) ? [...paragraphs] : undefined;
}

/** Cuts every line, and the block, with an ellipsis. */
function cutAll(
  paragraphs: readonly string[],
  measure: Measure,
  { wraps, count }: { wraps: boolean; count: number },
): string[] {
  if (wraps) {
    const lines = wrapAll(paragraphs, measure, true) ?? [...paragraphs];
    return lines.length > count ? cut(lines, count, measure) : lines;
  }
  return paragraphs
    .slice(0, count)
    .map((text) => (fitsLine(text, measure) ? text : (cut([text], 1, measure)[0] ?? "")));
}

/** Parts of the width by which lines are made shorter in search of equal ones. */
const BALANCE_STEP = 0.04;

/** The same number of lines, as equal as they can be: no line is left with a lone letter. */
function balance(lines: readonly string[], paragraph: string, measure: Measure): readonly string[] {
  let best = lines;
  for (let share = 1 - BALANCE_STEP; share > 0.4; share -= BALANCE_STEP) {
    const narrow = { ...measure, widthPt: measure.widthPt * share };
    const shorter = wrapAll([paragraph], narrow, false);
    if (shorter === undefined || shorter.length > lines.length) break;
    best = shorter;
  }
  return best;
}

interface Attempt {
  readonly paragraphs: readonly string[];
  readonly font: CaptionFont;
  readonly widthPt: number;
  readonly heightPt: number;
  readonly wraps: boolean;
}

/** The largest size at which the text fits, with its lines; undefined when none does. */
function firstFit(
  style: TextStyle,
  { paragraphs, font, widthPt, heightPt, wraps }: Attempt,
): { lines: readonly string[]; sizePt: number } | undefined {
  const tried = [...sizes(style)].map((sizePt) => ({ sizePt, breaks: false }));
  const last = tried.at(-1)?.sizePt ?? style.sizePt;
  if (wraps) tried.push({ sizePt: last, breaks: true });
  for (const { sizePt, breaks } of tried) {
    const measure = { font, sizePt, widthPt };
    if (isEndless(paragraphs, measure, heightPt)) continue;
    const lines = linesAt(paragraphs, measure, { wraps, breaks });
    if (lines === undefined) continue;
    if (blockHeightPt(lines.length, sizePt, font.lineBox(lines)) > heightPt + 1e-6) continue;
    const [only = "", ...others] = paragraphs;
    const isOne = others.length === 0 && lines.length > 1 && !breaks;
    return { lines: isOne ? balance(lines, only, measure) : lines, sizePt };
  }
  return undefined;
}

/**
 * Fits a text into its room by what its style allows, in this order: whole words at ever smaller
 * sizes down to the floor, words broken at the floor, an ellipsis. A text that still doesn't fit is
 * a problem. Characters without a glyph are warned about. `\n` starts a new line.
 */
export function fitText(
  text: string,
  style: TextStyle,
  { room, font }: { room: Room; font: CaptionFont },
): FittedText {
  const cleaned = text.split("\n").map((line) => cleanLine(line, font, "text of the label"));
  const warnings = cleaned.flatMap((line) => line.warnings);
  const paragraphs = cleaned.map((line) => line.text).filter((line) => line !== "");
  const nothing = { lines: [], isHyphenated: false };
  if (paragraphs.length === 0) return { ...nothing, sizePt: style.sizePt, warnings };
  const [widthPt, heightPt] = asRead(room, style);
  const wraps = style.fit.includes("wrap");
  const fitted = firstFit(style, { paragraphs, font, widthPt, heightPt, wraps });
  if (fitted !== undefined) {
    return { ...fitted, isHyphenated: isHyphenated(fitted.lines, paragraphs), warnings };
  }
  const sizePt = style.fit.includes("shrink") ? leastPt(style) : style.sizePt;
  const count = linesIn(heightPt, sizePt, font.lineBox(paragraphs));
  if (style.fit.includes("ellipsis") && count >= 1) {
    const lines = cutAll(paragraphs, { font, sizePt, widthPt }, { wraps, count });
    const message = `text ${quote(text)} does not fit at ${sizePt} pt and was cut`;
    const all: TextWarning[] = [...warnings, { code: "captions-cut", message }];
    return { lines, sizePt, isHyphenated: isHyphenated(lines, paragraphs), warnings: all };
  }
  const size = `${room.width.toFixed(1)} x ${room.height.toFixed(1)} mm`;
  const problem = `must fit ${size} at ${sizePt} pt, got ${quote(text)}`;
  return { ...nothing, sizePt, warnings, problem };
}
