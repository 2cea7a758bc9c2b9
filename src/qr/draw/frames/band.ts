/** Scattered decoration in a band around the box, the same on every run. */
import type { FrameArt, FrameInput } from "./frame.ts";
import { withBorder } from "./ring.ts";

const BAND_SHARE = 0.13;
const LEAST_BAND = 5;

export interface Band {
  /** Side of the whole drawing and of the box in its middle, modules. */
  readonly outer: number;
  readonly side: number;
  /** Where the band's outer edge begins. */
  readonly offset: number;
  /** 0 to below 1, the same sequence for the same code size and colour. */
  readonly random: () => number;
}

/** FNV-1a of a string, as seed. */
function toSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Fill = (band: Band) => string;

const PATHS_KEPT = 64;
const paths = new Map<Fill, Map<string, string>>();

/** Results of `fill`: the codes of a job share their frame. */
function fillBand(fill: Fill, input: FrameInput, outer: number, offset: number): string {
  const { side, color } = input;
  const key = `${side} ${color} ${offset}`;
  const kept = paths.get(fill) ?? new Map<string, string>();
  paths.set(fill, kept);
  let path = kept.get(key);
  if (path === undefined) {
    const random = seededRandom(toSeed(`${side} ${color}`));
    path = fill({ outer, side, offset, random });
    if (kept.size >= PATHS_KEPT) kept.clear();
    kept.set(key, path);
  }
  return path;
}

/** Draws the band; `fill` gives the path of the decoration. */
export function drawBand(input: FrameInput, fill: Fill): FrameArt {
  const { side, color } = input;
  const width = Math.max(LEAST_BAND, Math.round(side * BAND_SHARE));
  return withBorder(input, (offset) => {
    const outer = side + width * 2;
    return {
      width: outer + offset * 2,
      height: outer + offset * 2,
      x: width + offset,
      y: width + offset,
      layers: [{ fill: color, path: fillBand(fill, input, outer, offset) }],
    };
  });
}

/** True when the circle around `x`, `y` (from the band's outer edge) lies wholly in the band. */
export function isInBand({ outer, side }: Band, x: number, y: number, radius: number): boolean {
  const near = (outer - side) / 2 - radius;
  const far = outer - near;
  const inside = x >= radius && y >= radius && x <= outer - radius && y <= outer - radius;
  return inside && (x <= near || y <= near || x >= far || y >= far);
}
