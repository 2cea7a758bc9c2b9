import { QUIET_ZONE } from "../../qr/encode/tables.ts";
import type { BoxMm } from "./box.ts";
import { type DeviceDpi, gridCeil, gridFloor, gridNearest, hasGridPlace } from "./device-grid.ts";
import { codeSquare, type LabelLayout } from "./label-layout.ts";
import { type PageFrame, toPageX, toPageY } from "./page-frame.ts";

/** How large codes are wanted. */
export interface SizeRule {
  /** Draw modules at this X, raised to the grid. */
  readonly xDimensionMm?: number | undefined;
  /** Draw symbols (without quiet zone) of at most this side. Goes before `xDimensionMm`, which is then a limit. */
  readonly qrSizeMm?: number | undefined;
  /** Draw modules of at most this X, however much room there is. */
  readonly mostXMm?: number | undefined;
  readonly dpi: DeviceDpi;
  /**
   * The grid is a default: codes that would get a smaller X than this on it are drawn off the grid.
   * Left out: all stay on the grid.
   */
  readonly leastOnGridMm?: number | undefined;
}

/** The rule without its grid. */
const offGrid = (rule: SizeRule): SizeRule => ({
  ...rule,
  dpi: undefined,
  leastOnGridMm: undefined,
});

const isUnder = (xMm: number, { leastOnGridMm }: SizeRule): boolean =>
  leastOnGridMm !== undefined && xMm < leastOnGridMm - 1e-9;

/** Side with quiet zone, in modules. */
export function zoneModules(size: number): number {
  return size + 2 * QUIET_ZONE;
}

/** The room of a code, in whole modules: a square with the symbol in it. */
export interface CodeShape {
  /** Side of the symbol. */
  readonly size: number;
  /** Side of the square: quiet zone and frame included. */
  readonly side: number;
  /** From the square's left and upper edge to the symbol. */
  readonly left: number;
  readonly top: number;
}

/** A symbol with its quiet zone. */
export const plainShape = (size: number): CodeShape => ({
  size,
  side: zoneModules(size),
  left: QUIET_ZONE,
  top: QUIET_ZONE,
});

/** A number is the side of a symbol that has nothing but its quiet zone. */
export type CodeExtent = CodeShape | number;

const toShape = (extent: CodeExtent): CodeShape =>
  typeof extent === "number" ? plainShape(extent) : extent;

/** The X that the rule asks for, before room is looked at, and on the grid. Undefined: as large as fits. */
function wantedModule(rule: SizeRule, size: number): number | undefined {
  if (rule.qrSizeMm !== undefined) return gridFloor(rule.qrSizeMm / size, rule.dpi);
  if (rule.xDimensionMm !== undefined) return gridCeil(rule.xDimensionMm, rule.dpi);
  return undefined;
}

/** X of a code in a square of `sideMm`; on the grid when there is one. May be 0. */
export function moduleMm(rule: SizeRule, extent: CodeExtent, sideMm: number): number {
  const shape = toShape(extent);
  const xMm = moduleOnGrid(rule, shape, sideMm);
  return isUnder(xMm, rule) ? moduleOnGrid(offGrid(rule), shape, sideMm) : xMm;
}

function moduleOnGrid(rule: SizeRule, { size, side }: CodeShape, sideMm: number): number {
  const wanted = wantedModule(rule, size) ?? gridFloor(sideMm / side, rule.dpi);
  return Math.min(wanted, gridFloor(rule.mostXMm ?? Infinity, rule.dpi));
}

/** Side of the square that a symbol is centred in: its own when a size is wanted, else all of the room. */
export function reservedSide(rule: SizeRule, extent: CodeExtent, roomMm: number): number {
  const wanted = (rule.xDimensionMm ?? rule.qrSizeMm ?? rule.mostXMm) !== undefined;
  return wanted ? toShape(extent).side * moduleMm(rule, extent, roomMm) : roomMm;
}

/** A code's place: the symbol, and the square of its shape, on the trimmed sheet. */
export interface CodePlace {
  readonly xMm: number;
  readonly symbol: BoxMm;
  readonly zone: BoxMm;
}

interface PlaceInput {
  readonly layout: LabelLayout;
  /** The label on the trimmed sheet. */
  readonly cell: BoxMm;
  readonly frame: PageFrame;
  readonly rule: SizeRule;
}

/**
 * Puts a code onto its label: centred in the square of `reservedMm`, its
 * origin on the device grid counted from the page's lower left corner, code and quiet zone
 * inside the safe area. Undefined when that can't be.
 */
export function placeCode(
  input: PlaceInput,
  extent: CodeExtent,
  reservedMm: number,
): CodePlace | undefined {
  const { rule } = input;
  const shape = toShape(extent);
  const placed = placeOnGrid(input, shape, reservedMm);
  if (rule.leastOnGridMm === undefined) return placed;
  if (placed !== undefined && !isUnder(placed.xMm, rule)) return placed;
  return placeOnGrid({ ...input, rule: offGrid(rule) }, shape, reservedMm) ?? placed;
}

function placeOnGrid(
  input: PlaceInput,
  shape: CodeShape,
  reservedMm: number,
): CodePlace | undefined {
  const { frame, rule, layout, cell } = input;
  const square = codeSquare(layout, reservedMm);
  const safeX = { least: cell.x + layout.safe.x, most: cell.x + layout.safe.x + layout.safe.width };
  const safeY = {
    least: cell.y + layout.safe.y,
    most: cell.y + layout.safe.y + layout.safe.height,
  };
  const asked = wantedModule(rule, shape.size);
  let xMm = moduleOnGrid(rule, shape, layout.codeSideMm);
  // Filling a square to the last pixel may leave no grid place for the origin: one pixel less does.
  for (let attempt = 0; attempt < 2 && xMm > 0; attempt += 1) {
    const side = shape.side * xMm;
    const rangeX = {
      leastMm: toPageX(frame, safeX.least),
      mostMm: toPageX(frame, safeX.most - side),
    };
    const rangeY = {
      leastMm: toPageY(frame, safeY.most),
      mostMm: toPageY(frame, safeY.least + side),
    };
    const fits =
      hasGridPlace(rangeX.leastMm, rangeX.mostMm, rule.dpi) &&
      hasGridPlace(rangeY.leastMm, rangeY.mostMm, rule.dpi);
    if (fits) {
      const left = gridNearest(
        toPageX(frame, cell.x + square.x + (reservedMm - side) / 2),
        rangeX,
        rule.dpi,
      );
      const bottom = gridNearest(
        toPageY(frame, cell.y + square.y + (reservedMm + side) / 2),
        rangeY,
        rule.dpi,
      );
      return placed(frame, { left, bottom }, { xMm, shape });
    }
    if (asked !== undefined || rule.dpi === undefined) return undefined;
    xMm -= 25.4 / rule.dpi;
  }
  return undefined;
}

function placed(
  frame: PageFrame,
  at: { left: number; bottom: number },
  { xMm, shape }: { xMm: number; shape: CodeShape },
): CodePlace {
  const side = shape.side * xMm;
  const zone = {
    x: at.left - frame.margins.left,
    y: frame.margins.bottom + frame.trimHeightMm - at.bottom - side,
    width: side,
    height: side,
  };
  const width = side - (shape.side - shape.size) * xMm;
  const symbol = {
    x: zone.x + shape.left * xMm,
    y: zone.y + shape.top * xMm,
    width,
    height: width,
  };
  return { xMm, symbol, zone };
}
