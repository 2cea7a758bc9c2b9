import { mmToPt } from "../../base/shapes/units.ts";
import { toNumber } from "./content-stream.ts";

/** Paths of simple shapes, mm from the page's lower left corner. */

const pt = (mm: number): string => toNumber(mmToPt(mm));

/** Control points of a quarter circle of radius 1, the usual approximation by a cubic curve. */
const QUARTER = 0.5523;
/** Control point of a rounded corner, as a part of its radius left to go. */
const CORNER = 1 - QUARTER;

/** A rectangle, its corners rounded by `radius`; counted from its lower left corner. */
export function roundedPath(
  left: number,
  bottom: number,
  size: { width: number; height: number; radius: number },
): string {
  const { width, height, radius: r } = size;
  if (r === 0) return `${pt(left)} ${pt(bottom)} ${pt(width)} ${pt(height)} re\n`;
  const [right, top, k] = [left + width, bottom + height, CORNER * r];
  const curve = (...points: number[]): string => `${points.map(pt).join(" ")} c\n`;
  return [
    `${pt(left + r)} ${pt(bottom)} m\n${pt(right - r)} ${pt(bottom)} l\n`,
    curve(right - k, bottom, right, bottom + k, right, bottom + r),
    `${pt(right)} ${pt(top - r)} l\n`,
    curve(right, top - k, right - k, top, right - r, top),
    `${pt(left + r)} ${pt(top)} l\n`,
    curve(left + k, top, left, top - k, left, top - r),
    `${pt(left)} ${pt(bottom + r)} l\n`,
    curve(left, bottom + k, left + k, bottom, left + r, bottom),
    "h\n",
  ].join("");
}

/** The ellipse that fills a box. */
export function ellipsePath(
  left: number,
  bottom: number,
  { width, height }: { width: number; height: number },
): string {
  const [rx, ry] = [width / 2, height / 2];
  const [x, y] = [left + rx, bottom + ry];
  const [kx, ky] = [QUARTER * rx, QUARTER * ry];
  const quarters = [
    [x + rx, y + ky, x + kx, y + ry, x, y + ry],
    [x - kx, y + ry, x - rx, y + ky, x - rx, y],
    [x - rx, y - ky, x - kx, y - ry, x, y - ry],
    [x + kx, y - ry, x + rx, y - ky, x + rx, y],
  ];
  const curves = quarters.map((points) => `${points.map(pt).join(" ")} c\n`);
  return `${pt(x + rx)} ${pt(y)} m\n${curves.join("")}h\n`;
}
