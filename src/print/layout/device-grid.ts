import { mmToPx, pxToMm } from "../../base/shapes/units.ts";

/** Rounding errors: a length this close to a whole pixel counts as that pixel. */
const SLACK_PX = 1e-6;

/**
 * The device grid (docs/spec/print.md section 6): RIPs paint every pixel that is touched, so a
 * module must start and end on pixel edges. Undefined dpi = no grid, every length is as good as any
 * other.
 */
export type DeviceDpi = number | undefined;

/**
 * The grid of unnamed devices: lengths that are whole at 600 dpi are whole at 1200 and 2400, too;
 * label printers have 300 (docs/spec/print.md section 6).
 */
export const likelyDpi = (isRoll: boolean): number => (isRoll ? 300 : 600);

/** The least length on the grid that is not under `mm`; `1e-9` keeps 10.0000000001 at 10 pixels. */
export function gridCeil(mm: number, dpi: DeviceDpi): number {
  return dpi === undefined ? mm : pxToMm(Math.ceil(mmToPx(mm, dpi) - 1e-9), dpi);
}

/** The greatest length on the grid that is not over `mm`. */
export function gridFloor(mm: number, dpi: DeviceDpi): number {
  return dpi === undefined ? mm : pxToMm(Math.floor(mmToPx(mm, dpi) + SLACK_PX), dpi);
}

/** The nearest place on the grid, between `leastMm` and `mostMm` when one lies there. */
export function gridNearest(
  mm: number,
  range: { leastMm: number; mostMm: number },
  dpi: DeviceDpi,
): number {
  if (dpi === undefined) return Math.min(Math.max(mm, range.leastMm), range.mostMm);
  const least = Math.ceil(mmToPx(range.leastMm, dpi) - SLACK_PX);
  const most = Math.floor(mmToPx(range.mostMm, dpi) + SLACK_PX);
  const px = Math.round(mmToPx(mm, dpi));
  return pxToMm(Math.max(least, Math.min(px, most)), dpi);
}

/** True when a grid place lies in the range. */
export function hasGridPlace(leastMm: number, mostMm: number, dpi: DeviceDpi): boolean {
  if (dpi === undefined) return mostMm >= leastMm - 1e-9;
  return Math.ceil(mmToPx(leastMm, dpi) - SLACK_PX) <= Math.floor(mmToPx(mostMm, dpi) + SLACK_PX);
}

/** How far a length is from the grid, in pixels, 0..0.5. */
export function offGridPx(mm: number, dpi: number): number {
  const px = mmToPx(mm, dpi);
  return Math.abs(px - Math.round(px));
}
