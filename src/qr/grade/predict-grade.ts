/**
 * Predicts a verifier's grade before printing: the parameters of ISO/IEC 15415 and ISO/IEC 18004, as
 * described in docs/grades.md. The content of the code is known, so nothing is searched or decoded:
 * each module is measured through the aperture and compared with its intended colour.
 */
import { alignmentPlaces } from "../encode/boards.ts";
import { blockOfCodeword } from "../encode/codewords.ts";
import { isDark, type QrMatrix } from "../encode/encode.ts";
import { blockPlan, QUIET_ZONE } from "../encode/tables.ts";
import { codewordMap } from "../draw/logo-budget.ts";

/** A code as it will be printed: reflectances from 0 to 1, row by row. */
export interface PrintedPicture {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
  /** Whole pixels of a module, and where the top left one begins. */
  readonly pitch: number;
  readonly left: number;
  readonly top: number;
}

/** 4 (A) to 0 (F) each. */
export interface GradeParameters {
  readonly contrast: number;
  readonly modulation: number;
  readonly fixedPatterns: number;
  readonly format: number;
  readonly unusedCorrection: number;
}

export interface PredictedGrade {
  /** The lowest of its parameters, 0 to 4. */
  readonly grade: number;
  /** The parameter that has it. */
  readonly limit: keyof GradeParameters;
  readonly parameters: GradeParameters;
}

/** Limits of the grades 4, 3, 2 and 1; docs/grades.md has the table. */
const LIMITS = {
  contrast: [0.7, 0.55, 0.4, 0.2],
  modulation: [0.5, 0.4, 0.3, 0.2],
  unused: [0.62, 0.5, 0.37, 0.25],
} as const;
const DAMAGE = {
  modules: [0, 1, 2, 3],
  timing: [0, 0.07, 0.11, 0.14],
  alignment: [0, 0.1, 0.2, 0.3],
} as const;
/** Diameter of the aperture, in modules. */
const APERTURE = 0.8;

function reach(value: number, limits: readonly number[]): number {
  for (const [index, limit] of limits.entries()) if (value >= limit - 1e-9) return 4 - index;
  return 0;
}

function keep(value: number, limits: readonly number[]): number {
  for (const [index, limit] of limits.entries()) if (value <= limit + 1e-9) return 4 - index;
  return 0;
}

type Place = readonly [x: number, y: number];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels of a module inside the aperture, from the module's upper left corner. */
function apertureOf(pitch: number): Point[] {
  const found: Point[] = [];
  const [centre, radius] = [pitch / 2, (APERTURE * pitch) / 2];
  for (let y = 0; y < pitch; y += 1) {
    for (let x = 0; x < pitch; x += 1) {
      const [dx, dy] = [x + 0.5 - centre, y + 0.5 - centre];
      if (dx * dx + dy * dy <= radius * radius) found.push({ x, y });
    }
  }
  return found;
}

/** The modules of a code and its quiet zone: measured and intended. */
class SeenCode {
  readonly contrast: number;
  readonly #matrix: QrMatrix;
  readonly #lost: Uint8Array | undefined;
  readonly #seen: Float32Array;
  readonly #side: number;
  readonly #middle: number;

  constructor(picture: PrintedPicture, matrix: QrMatrix, lost?: Uint8Array) {
    const aperture = apertureOf(picture.pitch);
    this.#matrix = matrix;
    this.#lost = lost;
    this.#side = matrix.size + QUIET_ZONE * 2;
    this.#seen = new Float32Array(this.#side * this.#side);
    let [low, high] = [Infinity, -Infinity];
    for (let y = 0; y < this.#side; y += 1) {
      for (let x = 0; x < this.#side; x += 1) {
        const value = see(picture, aperture, [x - QUIET_ZONE, y - QUIET_ZONE]);
        this.#seen[y * this.#side + x] = value;
        if (this.#isLost(x - QUIET_ZONE, y - QUIET_ZONE)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    this.contrast = high - low;
    this.#middle = (high + low) / 2;
  }

  /** 4 for a module far from the threshold, down to 0; -1 on the wrong side of it. */
  rank(x: number, y: number): number {
    if (this.#isLost(x, y)) return -1;
    const value = this.#seen[(y + QUIET_ZONE) * this.#side + x + QUIET_ZONE] as number;
    const away = isDark(this.#matrix, x, y) ? this.#middle - value : value - this.#middle;
    if (away <= 0) return -1;
    return reach((2 * away) / this.contrast, LIMITS.modulation);
  }

  #isLost(x: number, y: number): boolean {
    const { size } = this.#matrix;
    return x >= 0 && y >= 0 && x < size && y < size && this.#lost?.[y * size + x] === 1;
  }
}

function see(
  { values, width, height, pitch, left, top }: PrintedPicture,
  aperture: readonly Point[],
  [atX, atY]: Place,
): number {
  const [fromX, fromY] = [left + atX * pitch, top + atY * pitch];
  let sum = 0;
  for (const pixel of aperture) {
    const [x, y] = [fromX + pixel.x, fromY + pixel.y];
    const isInside = x >= 0 && y >= 0 && x < width && y < height;
    // What is printed beside the drawing is unknown: it counts as white paper.
    sum += isInside ? (values[y * width + x] as number) : 1;
  }
  return sum / aperture.length;
}

/**
 * The overlay of the standard: the best grade g that is left when all modules ranked below g count as
 * damaged. `judge` grades a number of damaged modules.
 */
function overlay(ranks: readonly number[], judge: (damaged: number) => number): number {
  let best = 0;
  for (let grade = 1; grade <= 4; grade += 1) {
    const damaged = ranks.filter((rank) => rank < grade).length;
    best = Math.max(best, Math.min(grade, judge(damaged)));
  }
  return best;
}

function box(x0: number, y0: number, x1: number, y1: number): Place[] {
  const places: Place[] = [];
  for (let y = y0; y <= y1; y += 1) for (let x = x0; x <= x1; x += 1) places.push([x, y]);
  return places;
}

/** Each finder with its separator and the quiet zone beside it. */
function findersOf(size: number): Place[][] {
  const [near, far] = [-QUIET_ZONE, size + QUIET_ZONE - 1];
  return [box(near, near, 7, 7), box(size - 8, near, far, 7), box(near, size - 8, 7, far)];
}

function timingOf(size: number): Place[][] {
  const places = Array.from({ length: size - 16 }, (_, at) => at + 8);
  return [places.map((at): Place => [at, 6]), places.map((at): Place => [6, at])];
}

function formatsOf(size: number): Place[][] {
  const first: Place[] = [];
  for (let at = 0; at <= 8; at += 1) {
    if (at === 6) continue;
    first.push([at, 8]);
    if (at !== 8) first.push([8, at]);
  }
  const second: Place[] = [];
  for (let at = 1; at <= 8; at += 1) second.push([size - at, 8]);
  for (let at = 1; at <= 7; at += 1) second.push([8, size - at]);
  return [first, second];
}

/** Grades the share of damaged modules. */
const share =
  (limits: readonly number[], all: number) =>
  (damaged: number): number =>
    keep(all === 0 ? 0 : damaged / all, limits);

function gradeFixed(seen: SeenCode, { size, version }: QrMatrix): number {
  const ranks = (places: readonly Place[]): number[] => places.map(([x, y]) => seen.rank(x, y));
  const alignment = alignmentPlaces(version).flatMap(({ x, y }) =>
    ranks(box(x - 2, y - 2, x + 2, y + 2)),
  );
  return Math.min(
    ...findersOf(size).map((places) =>
      overlay(ranks(places), (damaged) => keep(damaged, DAMAGE.modules)),
    ),
    ...timingOf(size).map((places) => overlay(ranks(places), share(DAMAGE.timing, places.length))),
    overlay(alignment, share(DAMAGE.alignment, alignment.length)),
  );
}

/** The mean of both copies. */
function gradeFormat(seen: SeenCode, { size }: QrMatrix): number {
  const grades = formatsOf(size).map((places) =>
    overlay(
      places.map(([x, y]) => seen.rank(x, y)),
      (damaged) => keep(damaged, DAMAGE.modules),
    ),
  );
  return grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
}

/** Check codewords of a block that only detect errors and correct none (ISO/IEC 18004). */
function misdecodeProtection({ version, level }: QrMatrix): number {
  if (version === 1) return { L: 3, M: 2, Q: 1, H: 1 }[level];
  if (version === 2 && level === "L") return 2;
  return version === 3 && level === "L" ? 1 : 0;
}

/** Lowest rank of each codeword's modules, by its block. */
function rankBlocks(seen: SeenCode, matrix: QrMatrix): number[][] {
  const { size, version, level } = matrix;
  const { codewords } = codewordMap(version);
  const lowest = new Map<number, number>();
  for (let at = 0; at < codewords.length; at += 1) {
    const codeword = codewords[at] as number;
    if (codeword < 0) continue;
    const rank = seen.rank(at % size, Math.floor(at / size));
    lowest.set(codeword, Math.min(lowest.get(codeword) ?? 4, rank));
  }
  const blocks: number[][] = Array.from({ length: blockPlan(version, level).blocks }, () => []);
  for (const [codeword, rank] of lowest)
    blocks[blockOfCodeword(codeword, version, level)]?.push(rank);
  return blocks;
}

function gradeData(seen: SeenCode, matrix: QrMatrix): { modulation: number; unused: number } {
  const { check } = blockPlan(matrix.version, matrix.level);
  const capacity = check - misdecodeProtection(matrix);
  const unused = (damaged: number): number => 1 - (2 * damaged) / capacity;
  let worst = { modulation: 4, unused: 4 };
  for (const ranks of rankBlocks(seen, matrix)) {
    const wrong = ranks.filter((rank) => rank < 0).length;
    if (unused(wrong) < 0) return { modulation: 0, unused: 0 };
    worst = {
      modulation: Math.min(
        worst.modulation,
        overlay(ranks, (damaged) => reach(unused(damaged), LIMITS.unused)),
      ),
      unused: Math.min(worst.unused, reach(unused(wrong), LIMITS.unused)),
    };
  }
  return worst;
}

/**
 * Predicts the grade of a code from its printed picture. `lost`: 1 for modules that count as damaged
 * in any case, row by row.
 */
export function predictGrade(
  picture: PrintedPicture,
  matrix: QrMatrix,
  lost?: Uint8Array,
): PredictedGrade {
  const seen = new SeenCode(picture, matrix, lost);
  const data = gradeData(seen, matrix);
  const parameters: GradeParameters = {
    contrast: reach(seen.contrast, LIMITS.contrast),
    modulation: data.modulation,
    fixedPatterns: gradeFixed(seen, matrix),
    format: gradeFormat(seen, matrix),
    unusedCorrection: data.unused,
  };
  const names = Object.keys(parameters) as (keyof GradeParameters)[];
  const limit = names.reduce((low, name) => (parameters[name] < parameters[low] ? name : low));
  return { grade: parameters[limit], limit, parameters };
}
