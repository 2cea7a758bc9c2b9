/** Symbols beside codes, held to their rows bar by bar (docs/spec/symbols.md section 7). */
import { reductionOf } from "../../print/draw/reduced-code.ts";
import { BLACK_INK, type SymbolItem } from "../../base/shapes/label-art.ts";
import { mmToPx, ptToMm } from "../../base/shapes/units.ts";
import { quoteText } from "../../base/text/words.ts";
import { contrastFindings } from "../../print/art/check-art.ts";
import { offGridPx } from "../../print/layout/device-grid.ts";
import { cellBox } from "../../print/layout/label-sheet.ts";
import { symbolBars } from "../../print/symbols/draw-symbol.ts";
import { placeSymbols, type Placed, symbolsOn } from "../../print/symbols/face-symbols.ts";
import { sizeOf } from "../../symbol/sizes.ts";
import { symbolKinds } from "../../symbol/symbols.ts";
import type { Fault } from "./finding.ts";
import { textOf } from "./margin-rules.ts";
import type { BoxPt } from "../page/page-path.ts";
import type { Painted } from "../page/painted.ts";
import {
  type CellContent,
  containsPt,
  describe,
  finishOf,
  isDieLine,
  isInk,
  isInSafeArea,
  overlapsPt,
  type PageCheck,
  type PageContext,
  pageBox,
  toPagePt,
} from "./sheet-context.ts";

const BAR_SLACK_PT = 0.02;
const GRID_SLACK_PX = 0.05;
/** Part of a text's box above its capitals and digits. */
const LETTER_SHARE = 0.25;

/** The symbols that a row wants on its label. */
function expectedOf(context: PageContext, { cell }: CellContent): Placed | string {
  const { job, face, symbolFont: font } = context;
  const item = symbolsOn(face).find(({ number }) => number === cell.item)?.item;
  if (item === undefined || item.symbol !== cell.symbol || font === undefined)
    return `symbol must be an item of the label, got item ${cell.item} (${cell.symbol})`;
  if (cell.text === undefined) return "symbol must have the text of its row";
  const texts: string[] = [];
  texts[item.text] = cell.text;
  const own = { ...face, art: face.art && { ...face.art, items: onlyItem(face.art.items, item) } };
  const label = cellBox(face.sheet, cell.row - 1, cell.column - 1);
  const pen = { job, face: own, cell: label, font };
  const { placed, problems } = placeSymbols(pen, texts, "own");
  return placed[0] ?? problems[0]?.message ?? "symbol must be one of the label's";
}

type Items = NonNullable<PageContext["face"]["art"]>["items"];

/** The same items, but no other symbol than one. */
const onlyItem = (items: Items, item: SymbolItem): Items =>
  items.filter((one) => one.kind !== "symbol" || one === item);

const byPlace = (a: BoxPt, b: BoxPt): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

const isSame = (a: BoxPt, b: BoxPt | undefined): boolean =>
  b !== undefined && a.every((pt, i) => Math.abs(pt - (b[i] ?? 0)) <= BAR_SLACK_PT);

/** The bars in the file against those of the row's text. */
function barFaults(context: PageContext, content: CellContent, placed: Placed): string[] {
  const { title } = symbolKinds[placed.item.symbol];
  const [fill, ...others] = content.fills;
  if (fill === undefined || others.length > 0)
    return [`${title} must be one path with one fill, got ${content.fills.length} fills`];
  if (!isInk(context, fill, BLACK_INK)) return [`${title} must be 0 0 0 1 k`];
  if (fill.boxes === undefined) return [`${title} must be drawn of rectangles only`];
  const wanted = symbolBars(placed, reductionOf(context.job))
    .map((bar) => toPagePt(context.trim, bar))
    .toSorted(byPlace);
  const got = fill.boxes.toSorted(byPlace);
  if (got.length !== wanted.length)
    return [`${title} must have the ${wanted.length} bars of its text, got ${got.length}`];
  const index = wanted.findIndex((bar, i) => !isSame(bar, got[i]));
  const bar = got[index];
  return bar === undefined
    ? []
    : [`${title} must have the bars of its text, got one at ${describe(bar)}`];
}

/** X within what its application asks, on the grid with its origin. */
function sizeFaults(context: PageContext, { cell }: CellContent, placed: Placed): string[] {
  const { title } = symbolKinds[placed.item.symbol];
  const { xMm, dpi, box } = placed;
  const messages: string[] = [];
  if (Math.abs(xMm - cell.xMm) > 0.0005)
    messages.push(`X of ${title} must be ${xMm.toFixed(4)} mm, the map says ${cell.xMm}`);
  const size = sizeOf(placed.item.symbol, placed.item.use);
  if (size !== undefined && (xMm < size.leastXMm - 1e-6 || xMm > size.mostXMm + 1e-6))
    messages.push(
      `X of ${title} must be from ${size.leastXMm} to ${size.mostXMm} mm, got ${xMm.toFixed(4)}`,
    );
  if (dpi === undefined || context.job.rule.leastOnGridMm !== undefined) return messages;
  if (offGridPx(xMm, dpi) > GRID_SLACK_PX)
    messages.push(`X of ${title} must be whole pixels, got ${mmToPx(xMm, dpi).toFixed(3)}`);
  const media = pageBox(context.page, "MediaBox") ?? [0, 0, 0, 0];
  const [left, , , top] = toPagePt(context.trim, box);
  if ([left - media[0], top - media[1]].some((pt) => offGridPx(ptToMm(pt), dpi) > GRID_SLACK_PX))
    messages.push(`${title} must start on the grid of ${dpi} dpi`);
  return messages;
}

/** Beside, above and below the bars: quiet zones, as the row of guard bars holds digits. */
function quietOf(context: PageContext, placed: Placed): BoxPt {
  const { box, guardMm, xMm, item } = placed;
  const { left, right, ends } = symbolKinds[item.symbol].quiet;
  return toPagePt(context.trim, {
    x: box.x - left * xMm,
    y: box.y - ends * xMm,
    width: box.width + (left + right) * xMm,
    height: box.height - guardMm + 2 * ends * xMm,
  });
}

function quietFaults(context: PageContext, content: CellContent, placed: Placed): string[] {
  const { painted } = context.content;
  const zone = quietOf(context, placed);
  const ground = painted.findLastIndex(
    (one) => one.kind === "fill" && !content.fills.includes(one) && containsPt(one.box, zone, 0.05),
  );
  const below = painted[ground];
  const intruder = painted.find(
    (one, i) =>
      i > ground &&
      !content.fills.includes(one) &&
      !isDieLine(context, one) &&
      finishOf(context, one) === undefined &&
      one.kind !== "form" &&
      overlapsPt(one.box, zone, one.kind === "text" ? LETTER_SHARE * (one.sizePt ?? 0) : 0.01),
  );
  const { title } = symbolKinds[placed.item.symbol];
  const messages =
    intruder === undefined
      ? []
      : [
          `quiet zones of ${title} must be free, got a ${intruder.kind} at ${describe(intruder.box)}`,
        ];
  const ink = below && context.job.inks.find((one) => isInk(context, below, one));
  if (ink === undefined) return messages;
  const dark = contrastFindings(BLACK_INK, ink).filter(({ isRefused }) => isRefused);
  return [...messages, ...dark.map(({ message }) => `${title} ${message}`)];
}

/** Texts in a room, in the order in which they are read. */
function readTexts(texts: readonly Painted[]): string {
  const lines = texts.toSorted((a, b) => {
    const apart = b.box[1] - a.box[1];
    return Math.abs(apart) > (a.sizePt ?? 0) / 2 ? apart : a.box[0] - b.box[0];
  });
  return lines.map(textOf).join("");
}

const bare = (text: string): string => text.replaceAll(" ", "");

/** The text for people beside the symbol. */
function textFaults(context: PageContext, { cell }: CellContent, placed: Placed): string[] {
  const { at } = placed.item;
  const label = cellBox(context.face.sheet, cell.row - 1, cell.column - 1);
  const room = toPagePt(context.trim, { ...at, x: label.x + at.x, y: label.y + at.y });
  const found = context.content.painted.filter(
    ({ kind, box }) => kind === "text" && containsPt(room, box, 1),
  );
  const got = readTexts(found);
  const wanted = placed.item.hri === "none" ? "" : placed.data.hri.join("");
  if (bare(got) === bare(wanted)) return [];
  const { title } = symbolKinds[placed.item.symbol];
  return [`text of ${title} must be ${quoteText(wanted)}, got ${quoteText(got)}`];
}

function placeFaults(context: PageContext, content: CellContent, placed: Placed): string[] {
  const { title } = symbolKinds[placed.item.symbol];
  const zone = quietOf(context, placed);
  const messages: string[] = [];
  if (!isInSafeArea(context, content.label, { box: zone, slackPt: 0.03 }))
    messages.push(
      `${title} with its quiet zones must stay in the safe area, got ${describe(zone)}`,
    );
  if (!containsPt(context.trim, content.label))
    messages.push("label must lie inside the trimmed sheet");
  return messages;
}

function symbolFaults(context: PageContext, content: CellContent): string[] {
  const placed = expectedOf(context, content);
  if (typeof placed === "string") return [placed];
  return [barFaults, sizeFaults, quietFaults, textFaults, placeFaults].flatMap((check) =>
    check(context, content, placed),
  );
}

/** Rule 27. */
export const checkSymbols: PageCheck = (context) =>
  context.symbolContents.flatMap((content): Fault[] => {
    const { row, column, key } = content.cell;
    return symbolFaults(context, content).map((message) => ({
      message,
      page: context.number,
      row,
      column,
      key,
    }));
  });
