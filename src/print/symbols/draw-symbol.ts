/** A symbol as one path with one fill (docs/spec/symbols.md section 4). */
import { mmToPt, mmToPx } from "../../base/shapes/units.ts";
import { symbolKinds } from "../../symbol/symbols.ts";
import { runsOf, type SymbolModules } from "../../symbol/write-symbol.ts";
import { toNumber } from "../draw/content-stream.ts";
import { type Reduction, reducedPath, reductionEdges } from "../draw/reduced-code.ts";
import type { BoxMm } from "../layout/box.ts";
import { type PageFrame, toPageX, toPageY } from "../layout/page-frame.ts";
import type { PlacedSymbol } from "./place-symbol.ts";

/** A rectangle in mm from the lower left corner of the bars, y upwards. */
export type Bar = BoxMm;

/** Bars of free height; those that the encoder draws longer reach down between the digits. */
function freeBars({ modules, xMm, box, guardMm }: PlacedSymbol): Bar[] {
  const long = new Set(
    guardMm === 0 ? [] : runsOf(modules, modules.height - 1).map(([from]) => from),
  );
  const height = box.height - guardMm;
  return runsOf(modules, 0).map(([from, to]) => {
    const below = long.has(from) ? guardMm : 0;
    return { x: from * xMm, y: -below, width: (to - from) * xMm, height: height + below };
  });
}

const isSameRow = (modules: SymbolModules, a: number, b: number): boolean =>
  JSON.stringify(runsOf(modules, a)) === JSON.stringify(runsOf(modules, b));

/** Rows that are alike are one row of bars. */
function rowBars({ modules, xMm }: PlacedSymbol): Bar[] {
  const bars: Bar[] = [];
  let from = 0;
  for (let y = 1; y <= modules.height; y += 1) {
    if (y < modules.height && isSameRow(modules, from, y)) continue;
    for (const [left, right] of runsOf(modules, from)) {
      bars.push({
        x: left * xMm,
        y: (modules.height - y) * xMm,
        width: (right - left) * xMm,
        height: (y - from) * xMm,
      });
    }
    from = y;
  }
  return bars;
}

/** Bearer bars above and below the bars and their quiet zones, and at both sides where wanted. */
function bearerBars({ item, bearerMm, box, xMm }: PlacedSymbol): Bar[] {
  if (bearerMm === 0) return [];
  const { left: quietX, right } = symbolKinds[item.symbol].quiet;
  const side = item.bearer === "frame" ? bearerMm : 0;
  const x = -quietX * xMm - side;
  const width = box.width + (quietX + right) * xMm + 2 * side;
  const ends = [-bearerMm, box.height].map((y) => ({ x, y, width, height: bearerMm }));
  if (side === 0) return ends;
  const sides = [x, x + width - side].map((at) => ({
    x: at,
    y: 0,
    width: side,
    height: box.height,
  }));
  return [...ends, ...sides];
}

/** The bars of a symbol; undefined for one of modules. */
function barsOf(placed: PlacedSymbol): Bar[] | undefined {
  switch (symbolKinds[placed.item.symbol].look) {
    case "bars":
      return freeBars(placed);
    case "rows":
      return rowBars(placed);
    case "modules":
      return undefined;
  }
}

/** Dark modules joined to runs down their columns, as codes are drawn. */
function moduleRuns({ width, height, isDark }: SymbolModules): Bar[] {
  const bars: Bar[] = [];
  for (let x = 0; x < width; x += 1) {
    let start = -1;
    for (let y = 0; y <= height; y += 1) {
      const dark = y < height && isDark(x, height - 1 - y);
      if (dark && start < 0) start = y;
      if (!dark && start >= 0) {
        bars.push({ x, y: start, width: 1, height: y - start });
        start = -1;
      }
    }
  }
  return bars;
}

const toRectangle =
  (unit: number, digits: number) =>
  ({ x, y, width, height }: Bar): string =>
    `${[x, y, width, height].map((mm) => toNumber(mm / unit, digits)).join(" ")} re\n`;

/** Bars narrower by the reduction; bearer bars stay as they are. */
function narrow(bars: readonly Bar[], { dpi, px }: Reduction): Bar[] {
  const { low } = reductionEdges({ dpi, px });
  const pixel = 25.4 / dpi;
  return bars.map((bar) => ({ ...bar, x: bar.x + low * pixel, width: bar.width - px * pixel }));
}

/** The path in its own space, and the size of its unit in mm. */
function pathOf(
  placed: PlacedSymbol,
  reduction: Reduction | undefined,
): { path: string; unitMm: number } {
  const { modules, xMm, dpi } = placed;
  const bars = barsOf(placed);
  if (bars === undefined && reduction !== undefined) {
    const { width, height } = modules;
    const isDark = (x: number, y: number): boolean => modules.isDark(x, height - 1 - y);
    const path = reducedPath({ width, height, isDark }, mmToPx(xMm, reduction.dpi), reduction);
    return { path, unitMm: 25.4 / reduction.dpi };
  }
  if (bars === undefined) {
    const path = moduleRuns(modules).map(toRectangle(1, 0)).join("");
    return { path, unitMm: xMm };
  }
  const unitMm = dpi === undefined ? xMm : 25.4 / dpi;
  const drawn = reduction === undefined ? bars : narrow(bars, reduction);
  const all = [...drawn, ...bearerBars(placed)];
  return { path: all.map(toRectangle(unitMm, 4)).join(""), unitMm };
}

/** One path with one fill. `reduction`: how much narrower dark parts are. */
export function drawSymbol(
  placed: PlacedSymbol,
  frame: PageFrame,
  reduction: Reduction | undefined,
): string {
  const { path, unitMm } = pathOf(placed, reduction);
  const { box, guardMm } = placed;
  const unit = toNumber(mmToPt(unitMm), 8);
  const left = toNumber(mmToPt(toPageX(frame, box.x)));
  const bottom = toNumber(mmToPt(toPageY(frame, box.y + box.height - guardMm)));
  return `q ${unit} 0 0 ${unit} ${left} ${bottom} cm\n${path}f\nQ\n`;
}

/** The rectangles of the path, as `drawSymbol` draws them, on the trimmed sheet. */
export function symbolBars(placed: PlacedSymbol, reduction: Reduction | undefined): BoxMm[] {
  const { path, unitMm } = pathOf(placed, reduction);
  const { box, guardMm } = placed;
  const lower = box.y + box.height - guardMm;
  return path
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [x = 0, y = 0, width = 0, height = 0] = line.split(" ").map((n) => Number(n) * unitMm);
      return { x: box.x + x, y: lower - y - height, width, height };
    });
}

/** All that the path covers, on the trimmed sheet. */
export function inkBox(placed: PlacedSymbol): BoxMm {
  const { box, bearerMm } = placed;
  const [bearer] = bearerBars(placed);
  if (bearer === undefined) return box;
  return {
    x: box.x + bearer.x,
    y: box.y - bearerMm,
    width: bearer.width,
    height: box.height + 2 * bearerMm,
  };
}
