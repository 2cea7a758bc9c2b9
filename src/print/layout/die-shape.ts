/** The area that stays clear of a label's cut, for any shape (docs/spec/print.md section 3). */
import { type BoxMm, insetBox } from "./box.ts";
import type { LabelSheet } from "./label-sheet.ts";

type Label = LabelSheet["label"];

/** Corners that take less of the safe area than this count as square: cutting is no more exact. */
const CORNER_SLACK_MM = 0.5;

/** How much of the distance to the cut a round corner takes on its diagonal, of its radius. */
const DIAGONAL = Math.SQRT2 - 1;
/** How far a rectangle in a circle is from it, of the radius, in both directions. */
const INSCRIBED = 1 - Math.SQRT1_2;

/** The safe area: half of its sides, and the radius of its corners; without one it is an ellipse. */
interface Shape {
  readonly halfX: number;
  readonly halfY: number;
  readonly radius: number | undefined;
}

function shapeOf({ shape, widthMm, heightMm, cornerRadiusMm }: Label, safeMm: number): Shape {
  const [halfX, halfY] = [widthMm / 2 - safeMm, heightMm / 2 - safeMm].map((half) =>
    Math.max(0, half),
  ) as [number, number];
  if (shape !== "rectangle") return { halfX, halfY, radius: undefined };
  const radius = Math.min(Math.max(0, cornerRadiusMm - safeMm), halfX, halfY);
  return { halfX, halfY, radius: DIAGONAL * radius > CORNER_SLACK_MM ? radius : 0 };
}

/** True for labels whose safe area is no rectangle. */
export function isShaped(label: Label, safeMm: number): boolean {
  return shapeOf(label, safeMm).radius !== 0;
}

const whole = ({ widthMm, heightMm }: Label): BoxMm => ({
  x: 0,
  y: 0,
  width: widthMm,
  height: heightMm,
});

const centred = ({ widthMm, heightMm }: Label, width: number, height: number): BoxMm => ({
  x: (widthMm - width) / 2,
  y: (heightMm - height) / 2,
  width,
  height,
});

/** The rectangle inside of the safe area that captions and templates are laid out in. */
export function safeBox(label: Label, safeMm: number): BoxMm {
  const { halfX, halfY, radius } = shapeOf(label, safeMm);
  if (radius === undefined) return centred(label, halfX * Math.SQRT2, halfY * Math.SQRT2);
  return insetBox(whole(label), safeMm + radius * INSCRIBED);
}

/** Side of the greatest square in the middle of the safe area. */
export function safeSquareMm(label: Label, safeMm: number): number {
  const { halfX, halfY, radius } = shapeOf(label, safeMm);
  if (radius === undefined)
    return halfX + halfY === 0 ? 0 : (2 * halfX * halfY) / Math.hypot(halfX, halfY);
  const most = Math.min(halfX, halfY);
  const [straightX, straightY] = [halfX - radius, halfY - radius];
  const [overX, overY] = [most - straightX, most - straightY];
  if (overX <= 0 || overY <= 0 || Math.hypot(overX, overY) <= radius) return 2 * most;
  // Its corners lie on the round corners.
  return straightX + straightY + Math.sqrt(2 * radius ** 2 - (straightX - straightY) ** 2);
}

/** How far a point runs out of the shape; the shape is symmetric, so one quarter is enough. */
function outMm({ halfX, halfY, radius }: Shape, x: number, y: number): number {
  if (radius === undefined) {
    const share = Math.hypot(x / halfX, y / halfY);
    return share <= 1 ? 0 : Math.hypot(x, y) * (1 - 1 / share);
  }
  const [cornerX, cornerY] = [x - (halfX - radius), y - (halfY - radius)];
  if (cornerX > 0 && cornerY > 0) return Math.max(0, Math.hypot(cornerX, cornerY) - radius);
  return Math.max(0, x - halfX, y - halfY);
}

/** How far a box on the label runs out of its safe area, mm; 0 = it lies inside. */
export function overshootMm(label: Label, safeMm: number, box: BoxMm): number {
  const shape = shapeOf(label, safeMm);
  const [middleX, middleY] = [label.widthMm / 2, label.heightMm / 2];
  const corners = [box.x, box.x + box.width].flatMap((x) =>
    [box.y, box.y + box.height].map((y) =>
      outMm(shape, Math.abs(x - middleX), Math.abs(y - middleY)),
    ),
  );
  return Math.max(...corners);
}
