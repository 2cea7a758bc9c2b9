/** `scattered-lines`: short strokes with round ends in all directions, none touching another. */
import { strokePath } from "../outline.ts";
import { type Band, drawBand, isInBand } from "./band.ts";
import type { DrawFrame } from "./frame.ts";

const WIDTH = 0.6;
const LEAST_LENGTH = 1.5;
const MOST_LENGTH = 3;
/** Between two strokes. */
const GAP = 0.35;
/** Cells of about this side get one stroke each, so that the band fills evenly. */
const CELL = 1.9;
/** Only strokes of this many rows further up can be near enough to touch. */
const ROWS_IN_REACH = 4;
/** Angles tried before a cell is left empty. */
const TRIES = 8;

type Point = readonly [number, number];

interface Stroke {
  readonly from: Point;
  readonly to: Point;
}

function distanceToStroke([x, y]: Point, { from, to }: Stroke): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - from[0] - t * dx, y - from[1] - t * dy);
}

/** On which side of the line through `p` and `q` a point lies: -1, 0 or 1. */
function sideOf(p: Point, q: Point, point: Point): number {
  return Math.sign((q[0] - p[0]) * (point[1] - p[1]) - (q[1] - p[1]) * (point[0] - p[0]));
}

function crosses(a: Stroke, b: Stroke): boolean {
  return (
    sideOf(a.from, a.to, b.from) !== sideOf(a.from, a.to, b.to) &&
    sideOf(b.from, b.to, a.from) !== sideOf(b.from, b.to, a.to)
  );
}

function isApart(a: Stroke, b: Stroke): boolean {
  // Most pairs are far apart, which their beginnings show.
  if (Math.hypot(a.from[0] - b.from[0], a.from[1] - b.from[1]) > MOST_LENGTH * 2 + 1) return true;
  const least = WIDTH + GAP;
  return (
    !crosses(a, b) &&
    distanceToStroke(a.from, b) >= least &&
    distanceToStroke(a.to, b) >= least &&
    distanceToStroke(b.from, a) >= least &&
    distanceToStroke(b.to, a) >= least
  );
}

/** True when the whole stroke is in the band; strokes are short, so a few points are enough. */
function isStrokeInBand(band: Band, { from, to }: Stroke): boolean {
  return [0, 0.25, 0.5, 0.75, 1].every((t) =>
    isInBand(band, from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, WIDTH / 2),
  );
}

/** A stroke of random length and angle near the centre of a cell. */
function drawStroke({ random }: Band, cellX: number, cellY: number): Stroke {
  const angle = random() * Math.PI;
  const half = (LEAST_LENGTH + random() * (MOST_LENGTH - LEAST_LENGTH) - WIDTH) / 2;
  const x = cellX + (random() - 0.5) * CELL;
  const y = cellY + (random() - 0.5) * CELL;
  const [dx, dy] = [Math.cos(angle) * half, Math.sin(angle) * half];
  return { from: [x - dx, y - dy], to: [x + dx, y + dy] };
}

function linesPath(band: Band): string {
  const { outer, offset } = band;
  const strokes: Stroke[] = [];
  const cells = Math.round(outer / CELL);
  for (let cell = 0; cell < cells * cells; cell += 1) {
    const x = ((cell % cells) + 0.5) * (outer / cells);
    const y = (Math.floor(cell / cells) + 0.5) * (outer / cells);
    if (!isInBand(band, x, y, 0)) continue;
    const near = strokes.slice(-cells * ROWS_IN_REACH);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stroke = drawStroke(band, x, y);
      if (!isStrokeInBand(band, stroke)) continue;
      if (!near.every((other) => isApart(stroke, other))) continue;
      strokes.push(stroke);
      break;
    }
  }
  const move = ([x, y]: Point): Point => [x + offset, y + offset];
  return strokes.map(({ from, to }) => strokePath(move(from), move(to), WIDTH)).join("");
}

export const scatteredLinesFrame: DrawFrame = (input) => drawBand(input, linesPath);
