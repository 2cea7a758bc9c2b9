/** How large a symbol is drawn and where: on the device grid, in its room (docs/spec/symbols.md section 4). */
import type { SymbolItem } from "../../base/shapes/label-art.ts";
import { type SymbolSize, sizeOf } from "../../symbol/sizes.ts";
import { type Beside, isFault, readSymbolText, type SymbolData } from "../../symbol/symbol-text.ts";
import {
  isEanUpc,
  type SymbolContent,
  type SymbolKind,
  symbolKinds,
} from "../../symbol/symbols.ts";
import { type SymbolModules, writeSymbol } from "../../symbol/write-symbol.ts";
import type { CaptionFont } from "../fonts/font.ts";
import type { BoxMm } from "../layout/box.ts";
import { type DeviceDpi, gridCeil, gridFloor, gridNearest } from "../layout/device-grid.ts";
import { type PageFrame, toPageX, toPageY } from "../layout/page-frame.ts";
import { openTextBlock, type SetBlock, type SymbolLine } from "./symbol-text-lines.ts";

/** A symbol on the trimmed sheet, mm from its top left corner, y downwards. */
export interface PlacedSymbol {
  readonly item: SymbolItem;
  readonly data: SymbolData;
  readonly modules: SymbolModules;
  readonly xMm: number;
  readonly dpi: DeviceDpi;
  /** Bars or modules, guard bars included, bearer bars not. */
  readonly box: BoxMm;
  /** How much longer guard bars are. */
  readonly guardMm: number;
  /** Thickness of bearer bars; 0 = none. */
  readonly bearerMm: number;
  /** Baselines; the same origin. */
  readonly lines: readonly (SymbolLine & { readonly x: number; readonly y: number })[];
}

export interface PlaceRoom {
  readonly cell: BoxMm;
  readonly frame: PageFrame;
  readonly dpi: DeviceDpi;
  /** The grid is a default: a wanted size, and one that would become too small, is drawn off it. */
  readonly isDefaultDpi: boolean;
  readonly font: CaptionFont;
  /** Texts in AIs of the same label. */
  readonly beside: Beside;
}

/** Lower bars can't be scanned; our own limit. */
const LEAST_BAR_MM = 5;
const GUARD_X = 5;
/** Thickness of bearer bars: two modules, or the minimum for plates of corrugated board. */
const BEARER = { barsX: 2, frameMm: 4.83 };
const MOST_GS1_128_MM = 165.1;

/** In messages. */
export const mm = (value: number): string => `${Math.round(value * 1000) / 1000} mm`;

interface Measures {
  readonly item: SymbolItem;
  readonly kind: SymbolKind;
  readonly modules: SymbolModules;
  readonly text: SetBlock;
  readonly size: SymbolSize;
}

/** The room of a symbol at an X. */
interface Extent {
  readonly xMm: number;
  readonly widthMm: number;
  /** All but the bars of a symbol whose height is free. */
  readonly otherMm: number;
  readonly barMm: number;
  readonly guardMm: number;
  readonly bearerMm: number;
}

const hasGuards = ({ symbol, hri }: SymbolItem): boolean => isEanUpc(symbol) && hri === "below";

function bearerMm({ symbol, bearer }: SymbolItem, xMm: number, dpi: DeviceDpi): number {
  if (symbol !== "itf-14" || bearer === "none") return 0;
  return bearer === "bars" ? BEARER.barsX * xMm : gridCeil(BEARER.frameMm, dpi);
}

function leastBarMm({ kind, modules }: Measures, xMm: number): number {
  if (kind.look !== "bars") return modules.height * xMm;
  return Math.max(LEAST_BAR_MM, (kind.leastHeightX ?? 0) * xMm);
}

function measure(measures: Measures, xMm: number, dpi: DeviceDpi): Extent {
  const { item, kind, modules, text } = measures;
  const { quiet } = kind;
  const bearer = bearerMm(item, xMm, dpi);
  const guardMm = hasGuards(item) ? GUARD_X * xMm : 0;
  const block = text(xMm).heightMm;
  // Digits of EAN stand between the guard bars.
  const belowMm = hasGuards(item) ? Math.max(block, guardMm) : block;
  const frame = item.bearer === "frame" ? 2 * bearer : 0;
  const otherMm = 2 * quiet.ends * xMm + 2 * bearer + belowMm;
  return {
    xMm,
    widthMm: (quiet.left + modules.width + quiet.right) * xMm + frame,
    otherMm,
    barMm: barHeight(measures, { xMm, otherMm }, dpi),
    guardMm,
    bearerMm: bearer,
  };
}

function barHeight(
  { item, kind, modules }: Measures,
  { xMm, otherMm }: Pick<Extent, "xMm" | "otherMm">,
  dpi: DeviceDpi,
): number {
  if (kind.look !== "bars") return modules.height * xMm;
  if (item.heightMm !== null) return gridCeil(item.heightMm, dpi);
  // One pixel less leaves a place on the grid.
  const spare = dpi === undefined ? 0 : 25.4 / dpi;
  return gridFloor(Math.max(0, item.at.height - otherMm - spare), dpi);
}

interface Range {
  readonly leastMm: number;
  readonly mostMm: number;
}

/** Where the left edge and the bars' lower end may stand on the page. */
function rangesOf(
  { item, kind }: Measures,
  { cell, frame }: PlaceRoom,
  extent: Extent,
): { x: Range; y: Range; middle: { x: number; y: number } } {
  const { xMm, widthMm, otherMm, barMm, bearerMm: bearer } = extent;
  const side = item.bearer === "frame" ? bearer : 0;
  const leftMost = cell.x + item.at.x + kind.quiet.left * xMm + side;
  const spareX = item.at.width - widthMm;
  const top = cell.y + item.at.y;
  const spareY = item.at.height - otherMm - barMm;
  const endMm = kind.quiet.ends * xMm + bearer;
  const above = item.hri === "above" ? otherMm - endMm : endMm;
  const lowest = top + above + barMm + spareY;
  return {
    x: { leastMm: toPageX(frame, leftMost), mostMm: toPageX(frame, leftMost + spareX) },
    y: { leastMm: toPageY(frame, lowest), mostMm: toPageY(frame, lowest - spareY) },
    middle: {
      x: toPageX(frame, leftMost + spareX / 2),
      y: toPageY(frame, lowest - spareY / 2),
    },
  };
}

function fits(measures: Measures, extent: Extent, dpi: DeviceDpi): boolean {
  const { item } = measures;
  if (extent.barMm < leastBarMm(measures, extent.xMm) - 1e-6) return false;
  // A pixel to spare is a place on the grid in every cell.
  const spare = dpi === undefined ? 0 : 25.4 / dpi;
  return (
    item.at.width - extent.widthMm >= spare - 1e-6 &&
    item.at.height - extent.otherMm - extent.barMm >= spare - 1e-6
  );
}

/** The wanted X on the grid: raised, unless that exceeds the application's limit. */
function askedX({ item, size }: Measures, dpi: DeviceDpi): number | undefined {
  if (item.xMm === null) return undefined;
  const up = gridCeil(item.xMm, dpi);
  return up > size.mostXMm + 1e-9 ? gridFloor(size.mostXMm, dpi) : up;
}

const MOST_TRIES = 400;

/** The largest X that fits, within the application's limit. */
function largestX(measures: Measures, dpi: DeviceDpi): Extent | undefined {
  const { item, kind, modules, size } = measures;
  const across = kind.quiet.left + modules.width + kind.quiet.right;
  const widest = item.symbol === "gs1-128" ? MOST_GS1_128_MM : Infinity;
  const most = Math.min(size.mostXMm, Math.min(item.at.width, widest) / across);
  const step = dpi === undefined ? most / MOST_TRIES : 25.4 / dpi;
  let xMm = gridFloor(most, dpi);
  for (let tried = 0; tried < MOST_TRIES && xMm > 0.01; tried += 1) {
    const extent = measure(measures, xMm, dpi);
    if (fits(measures, extent, dpi)) return extent;
    xMm -= step;
  }
  return undefined;
}

function atAsked(measures: Measures, dpi: DeviceDpi): Extent | undefined {
  const xMm = askedX(measures, dpi);
  if (xMm === undefined) return largestX(measures, dpi);
  const extent = measure(measures, xMm, dpi);
  return fits(measures, extent, dpi) ? extent : undefined;
}

interface Chosen {
  readonly extent: Extent;
  readonly dpi: DeviceDpi;
}

const isEnough = ({ size }: Measures, extent: Extent | undefined): extent is Extent =>
  extent !== undefined && extent.xMm >= size.leastXMm - 1e-9;

function chooseExtent(measures: Measures, room: PlaceRoom): Chosen | undefined {
  const { item } = measures;
  const isOff = room.isDefaultDpi && item.xMm !== null;
  const dpi = isOff ? undefined : room.dpi;
  const extent = atAsked(measures, dpi);
  if (isEnough(measures, extent) || !room.isDefaultDpi) return extent && { extent, dpi };
  const free = atAsked(measures, undefined);
  return free && { extent: free, dpi: undefined };
}

/** The room that a symbol would need, for messages. */
function needs(measures: Measures, dpi: DeviceDpi): string {
  const { item, size } = measures;
  const xMm = askedX(measures, dpi) ?? gridCeil(size.leastXMm, dpi);
  const { widthMm, otherMm } = measure(measures, xMm, dpi);
  const bar = Math.max(leastBarMm(measures, xMm), item.heightMm ?? 0);
  return `${mm(widthMm)} x ${mm(otherMm + bar)} at X ${mm(xMm)}`;
}

function sizeFault(measures: Measures, room: PlaceRoom): string {
  const { width, height } = measures.item.at;
  return `with its quiet zones and text must fit ${mm(width)} x ${mm(height)}, got ${needs(measures, room.isDefaultDpi ? undefined : room.dpi)}`;
}

function toPlaced(
  measures: Measures & { readonly data: SymbolData },
  room: PlaceRoom,
  { extent, dpi }: Chosen,
): PlacedSymbol {
  const { item, data, modules, text } = measures;
  const { frame } = room;
  const { x, y, middle } = rangesOf(measures, room, extent);
  const left = gridNearest(middle.x, x, dpi) - frame.margins.left;
  const lower = frame.margins.bottom + frame.trimHeightMm - gridNearest(middle.y, y, dpi);
  const { xMm, barMm, guardMm, bearerMm: bearer } = extent;
  const top = lower - barMm;
  const block = text(xMm);
  const ends = measures.kind.quiet.ends * xMm + bearer;
  const blockTop = item.hri === "above" ? top - ends - block.heightMm : lower + ends;
  const lines = block.lines.map((line) => ({
    ...line,
    x: left + line.across,
    y: blockTop + line.down,
  }));
  const box = { x: left, y: top, width: modules.width * xMm, height: barMm + guardMm };
  return { item, data, modules, xMm, dpi, box, guardMm, bearerMm: bearer, lines };
}

/** Why a symbol can't be drawn. */
interface SymbolFault {
  /** A sentence, as "must …". */
  readonly message: string;
  readonly hint?: string | undefined;
  /** Its box has no room for this text. */
  readonly isByLabel?: true;
  /** Its box has no room for any text. */
  readonly isBox?: true;
}

/** Texts that need the least room; symbols of GTINs are as large with any. */
const SHORTEST: Partial<Readonly<Record<SymbolContent, string>>> = {
  text: "0",
  elements: "(20)00",
};

/** A GS1-128 that is too wide for scanners, however large its box is. */
function widthFault(
  measures: Measures,
  { dpi, isDefaultDpi }: PlaceRoom,
  wanted?: number,
): SymbolFault | undefined {
  const { item, size } = measures;
  if (item.symbol !== "gs1-128") return undefined;
  const grid = isDefaultDpi ? undefined : dpi;
  const xMm = wanted ?? askedX(measures, grid) ?? gridCeil(size.leastXMm, grid);
  const { widthMm } = measure(measures, xMm, grid);
  if (widthMm <= MOST_GS1_128_MM) return undefined;
  const smaller =
    xMm > size.leastXMm + 1e-9 ? "take a smaller x_mm" : "take an application with a smaller X";
  return {
    message: `must be at most ${MOST_GS1_128_MM} mm wide with its quiet zones (GS1 General Specifications 5.4), got ${mm(widthMm)} at X ${mm(xMm)}`,
    hint: `put fewer data into it, make two symbols of it, or ${smaller}`,
  };
}

/** A symbol that has no room in its box. */
function boxFault(measures: Measures, text: string, room: PlaceRoom): SymbolFault {
  const fault = {
    message: sizeFault(measures, room),
    hint: "make its box larger",
    isByLabel: true,
  } as const;
  const { item, kind } = measures;
  const wide = widthFault(measures, room);
  if (wide !== undefined) return wide;
  const shortest = SHORTEST[kind.content];
  if (shortest === undefined || text === shortest) return { ...fault, isBox: true };
  const least = placeSymbol(item, shortest, { ...room, beside: "unknown" });
  return "isBox" in least ? least : { ...fault, hint: `${fault.hint}, or its text shorter` };
}

/** A symbol in its room. */
export function placeSymbol(
  item: SymbolItem,
  text: string,
  room: PlaceRoom,
): PlacedSymbol | SymbolFault {
  const kind = symbolKinds[item.symbol];
  const data = readSymbolText(item.symbol, text, room.beside);
  if (isFault(data)) return { message: data.rule, hint: data.hint };
  const modules = writeSymbol(item.symbol, data, item);
  if (typeof modules === "string")
    return { message: `must be a text that ${kind.title} can hold: ${modules}` };
  const block = openTextBlock({ item, data, font: room.font, width: modules.width });
  if ("message" in block) return block;
  const size = sizeOf(item.symbol, item.use) ?? sizeOf(item.symbol, "none");
  if (size === undefined) return { message: "must be a symbol that its application knows" };
  const measures = { item, kind, modules, text: block, size, data };
  const chosen = chooseExtent(measures, room);
  if (chosen === undefined || !isEnough(measures, chosen.extent))
    return boxFault(measures, text, room);
  return widthFault(measures, room, chosen.extent.xMm) ?? toPlaced(measures, room, chosen);
}
