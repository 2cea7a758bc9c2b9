/**
 * Finds a QR code in a picture as the standard's reference decoding does: finders by their runs of
 * 1:1:3:1:1, the module's size from them, alignment patterns near where they must be. The picture
 * may have any scale; it stands upright.
 */
import { alignmentPatterns } from "./symbol-layout.ts";

/** Reflectances from 0 to 1, row by row. */
export interface Reflectances {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Grid {
  readonly version: number;
  readonly size: number;
  /** Pixels of a module, across and down. */
  readonly pitchX: number;
  readonly pitchY: number;
  /** Centre of a module in pixels. */
  readonly centre: (x: number, y: number) => Point;
  /** Largest distance of an alignment pattern from its place, in modules. */
  readonly nonuniformity: number;
}

interface Hit extends Point {
  readonly pitch: number;
}

/** Runs of a line that are 1:1:3:1:1 within half a module: where the middle is, and the pitch. */
function findRuns(isDark: (i: number) => boolean, length: number): { at: number; pitch: number }[] {
  const edges: number[] = [];
  for (let i = 1; i < length; i += 1) if (isDark(i) !== isDark(i - 1)) edges.push(i);
  const found: { at: number; pitch: number }[] = [];
  for (let i = 0; i + 5 < edges.length; i += 1) {
    const start = edges[i] as number;
    if (!isDark(start)) continue;
    const runs = [0, 1, 2, 3, 4].map(
      (k) => (edges[i + k + 1] as number) - (edges[i + k] as number),
    );
    const pitch = runs.reduce((sum, run) => sum + run, 0) / 7;
    const fits = runs.every((run, k) => Math.abs(run - pitch * (k === 2 ? 3 : 1)) <= pitch / 2);
    if (!fits) continue;
    found.push({ at: ((edges[i + 2] as number) + (edges[i + 3] as number)) / 2, pitch });
  }
  return found;
}

/** Hits along rows that a column through them confirms, gathered to one per finder. */
function findFinders(image: Reflectances, threshold: number): Hit[] {
  const { values, width, height } = image;
  const dark = (x: number, y: number): boolean => (values[y * width + x] as number) < threshold;
  const gathered: { x: number; y: number; pitch: number; count: number }[] = [];
  for (let y = 0; y < height; y += 1) {
    for (const { at, pitch } of findRuns((x) => dark(x, y), width)) {
      const column = findRuns((i) => dark(Math.floor(at), i), height);
      const down = column.find((run) => Math.abs(run.at - y) < run.pitch * 1.5);
      if (down === undefined || Math.abs(down.pitch - pitch) > pitch / 2) continue;
      const same = gathered.find((hit) => Math.hypot(hit.x - at, hit.y - down.at) < pitch);
      if (same === undefined) {
        gathered.push({ x: at, y: down.at, pitch, count: 1 });
        continue;
      }
      const share = same.count / (same.count + 1);
      same.x = same.x * share + at * (1 - share);
      same.y = same.y * share + down.at * (1 - share);
      same.pitch = same.pitch * share + pitch * (1 - share);
      same.count += 1;
    }
  }
  return gathered
    .filter((hit) => hit.count >= hit.pitch)
    .map(({ x, y, pitch }) => ({ x, y, pitch }));
}

/** The three that stand as the finders of an upright code do: top left, top right, bottom left. */
function chooseCorners(hits: readonly Hit[]): [Hit, Hit, Hit] | undefined {
  let best: { readonly corners: [Hit, Hit, Hit]; readonly skew: number } | undefined;
  for (const a of hits) {
    for (const b of hits) {
      for (const c of hits) {
        const [across, down] = [b.x - a.x, c.y - a.y];
        if (across < a.pitch * 12 || down < a.pitch * 12) continue;
        const skew =
          (Math.abs(b.y - a.y) + Math.abs(c.x - a.x) + Math.abs(across - down)) / a.pitch;
        if (skew < (best?.skew ?? 4)) best = { corners: [a, b, c], skew };
      }
    }
  }
  return best?.corners;
}

/** Middle of the dark module in the middle of an alignment pattern, searched near its place. */
function refine(image: Reflectances, threshold: number, near: Point, pitch: number): Point {
  const { values, width, height } = image;
  let [sx, sy, sum] = [0, 0, 0];
  const reach = pitch * 0.9;
  for (let y = Math.ceil(near.y - reach); y <= near.y + reach; y += 1) {
    for (let x = Math.ceil(near.x - reach); x <= near.x + reach; x += 1) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      if ((values[y * width + x] as number) >= threshold) continue;
      [sx, sy, sum] = [sx + x + 0.5, sy + y + 0.5, sum + 1];
    }
  }
  // A pattern that something covers is nowhere: it says nothing of the grid.
  const isWhole = Math.abs(sum / (pitch * pitch) - 1) < 0.6;
  return isWhole ? { x: sx / sum, y: sy / sum } : near;
}

/** Undefined when there is no code, or none that stands upright. */
export function findSymbol(image: Reflectances, threshold: number): Grid | undefined {
  const corners = chooseCorners(findFinders(image, threshold));
  if (corners === undefined) return undefined;
  const [a, b, c] = corners;
  const pitch = (a.pitch + b.pitch + c.pitch) / 3;
  const across = Math.hypot(b.x - a.x, b.y - a.y);
  const version = Math.round((across / pitch - 10) / 4);
  if (version < 1 || version > 40) return undefined;
  const size = version * 4 + 17;
  const step = size - 7;
  const centre = (x: number, y: number): Point => {
    const [u, v] = [(x - 3) / step, (y - 3) / step];
    return {
      x: a.x + (b.x - a.x) * u + (c.x - a.x) * v,
      y: a.y + (b.y - a.y) * u + (c.y - a.y) * v,
    };
  };
  const [pitchX, pitchY] = [across / step, Math.hypot(c.x - a.x, c.y - a.y) / step];
  const strays = alignmentPatterns(version).map(([x, y]) => {
    const near = centre(x, y);
    const found = refine(image, threshold, near, pitchX);
    return Math.hypot(found.x - near.x, found.y - near.y) / pitchX;
  });
  return { version, size, pitchX, pitchY, centre, nonuniformity: Math.max(0, ...strays) };
}
