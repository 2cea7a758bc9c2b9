/**
 * Grades a picture of a QR code as ISO/IEC 15415 and 18004 describe it: 4 (A) to 0 (F) for each
 * parameter, the lowest is the symbol's. Every module is seen through a round aperture.
 */
import { type Grid, findSymbol, type Reflectances } from "./find-symbol.ts";
import { correct } from "./reed-solomon.ts";
import {
  alignmentPatterns,
  type Blocks,
  blocksOf,
  dataModules,
  finderIsDark,
  formatBits,
  formatPlaces,
  isMasked,
  type Level,
  levelOfFormat,
  protection,
} from "./symbol-layout.ts";

export interface SymbolGrade {
  readonly grade: number;
  readonly parameters: {
    readonly decode: number;
    readonly contrast: number;
    readonly modulation: number;
    readonly fixedPatterns: number;
    readonly axial: number;
    readonly grid: number;
    readonly unusedCorrection: number;
    readonly format: number;
  };
  /** What the grades were given for. */
  readonly measured: {
    readonly contrast: number;
    readonly unusedCorrection: number;
    /** Modules of the worst finder, with separator and quiet zone, below grade 4. */
    readonly finderDamage: number;
    /** Share of the alignment patterns' modules below grade 4. */
    readonly alignmentDamage: number;
  };
  readonly version: number;
  readonly level: Level | undefined;
}

/** 4 for the first limit that is reached, 3 for the next; 0 below all. */
const gradeOf = (value: number, limits: readonly number[]): number =>
  Math.max(0, 4 - limits.filter((limit) => value < limit).length);
/** The same where less is better. */
const gradeUpTo = (value: number, limits: readonly number[]): number =>
  Math.max(0, 4 - limits.filter((limit) => value > limit).length);

const CONTRAST = [0.7, 0.55, 0.4, 0.2];
const MODULATION = [0.5, 0.4, 0.3, 0.2];
const UNUSED = [0.62, 0.5, 0.37, 0.25];
const AXIAL = [0.06, 0.08, 0.1, 0.12];
const GRID = [0.38, 0.5, 0.63, 0.75];
const FINDER_MODULES = [0, 1, 2, 3];
const TIMING_SHARE = [0, 0.07, 0.11, 0.14];
const ALIGNMENT_SHARE = [0, 0.1, 0.2, 0.3];
const QUIET = 4;

/** What the aperture sees of every module, the quiet zone around the code included. */
function seeModules(
  image: Reflectances,
  grid: Grid,
  aperture: number,
): (x: number, y: number) => number {
  const side = grid.size + QUIET * 2;
  const seen = new Float32Array(side * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      seen[y * side + x] = seeOne(
        image,
        grid.centre(x - QUIET, y - QUIET),
        (aperture * grid.pitchX) / 2,
      );
    }
  }
  return (x, y) => seen[(y + QUIET) * side + x + QUIET] as number;
}

function seeOne(
  { values, width, height }: Reflectances,
  centre: { readonly x: number; readonly y: number },
  radius: number,
): number {
  let [sum, count] = [0, 0];
  for (let y = Math.floor(centre.y - radius); y <= centre.y + radius; y += 1) {
    for (let x = Math.floor(centre.x - radius); x <= centre.x + radius; x += 1) {
      if (Math.hypot(x + 0.5 - centre.x, y + 0.5 - centre.y) > radius) continue;
      const inside = x >= 0 && y >= 0 && x < width && y < height;
      sum += inside ? (values[y * width + x] as number) : 0;
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}

interface Seen {
  readonly grid: Grid;
  readonly contrast: number;
  readonly isDark: (x: number, y: number) => boolean;
  /** Grade of a module's modulation, 0 where it is on the wrong side. */
  readonly margin: (x: number, y: number, shouldBeDark: boolean) => number;
}

function look(image: Reflectances, grid: Grid, aperture: number): Seen {
  const at = seeModules(image, grid, aperture);
  let [lowest, highest] = [1, 0];
  for (let y = -QUIET; y < grid.size + QUIET; y += 1) {
    for (let x = -QUIET; x < grid.size + QUIET; x += 1) {
      lowest = Math.min(lowest, at(x, y));
      highest = Math.max(highest, at(x, y));
    }
  }
  const contrast = highest - lowest;
  const threshold = (highest + lowest) / 2;
  return {
    grid,
    contrast,
    isDark: (x, y) => at(x, y) < threshold,
    margin: (x, y, shouldBeDark) => {
      const away = (shouldBeDark ? threshold - at(x, y) : at(x, y) - threshold) / contrast;
      return gradeOf(away * 2 + 1e-6, MODULATION);
    },
  };
}

/**
 * The overlay: at each level what falls below it counts as damage; the worse of level and damage
 * is what that level gives, and the best of them counts.
 */
function overlay(margins: readonly number[], damage: (bad: number) => number): number {
  const given = [0, 1, 2, 3, 4].map((level) =>
    Math.min(level, damage(margins.filter((margin) => margin < level).length)),
  );
  return Math.max(...given);
}

function finderMargins(seen: Seen, left: number, top: number): number[] {
  const margins: number[] = [];
  const { size } = seen.grid;
  const [x0, x1] = left === 0 ? [-QUIET, 7] : [size - 8, size + QUIET - 1];
  const [y0, y1] = top === 0 ? [-QUIET, 7] : [size - 8, size + QUIET - 1];
  for (let y = y0; y <= y1; y += 1) {
    for (let x = x0; x <= x1; x += 1)
      margins.push(seen.margin(x, y, finderIsDark(x - left, y - top)));
  }
  return margins;
}

function alignmentMargins(seen: Seen): number[] {
  return alignmentPatterns(seen.grid.version).flatMap(([cx, cy]) =>
    Array.from({ length: 25 }, (_, i) => {
      const [dx, dy] = [(i % 5) - 2, Math.floor(i / 5) - 2];
      return seen.margin(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
}

const below4 = (margins: readonly number[]): number =>
  margins.filter((margin) => margin < 4).length;
const shareOf = (bad: number, all: readonly number[]): number => bad / Math.max(1, all.length);

interface FixedPatterns {
  readonly grade: number;
  readonly finderDamage: number;
  readonly alignmentDamage: number;
}

function gradeFixedPatterns(seen: Seen): FixedPatterns {
  const { size } = seen.grid;
  const finders = [
    finderMargins(seen, 0, 0),
    finderMargins(seen, size - 7, 0),
    finderMargins(seen, 0, size - 7),
  ];
  const along = Array.from({ length: size - 16 }, (_, i) => i + 8);
  const timing = [
    along.map((i) => seen.margin(i, 6, i % 2 === 0)),
    along.map((i) => seen.margin(6, i, i % 2 === 0)),
  ];
  const alignment = alignmentMargins(seen);
  const grades = [
    ...finders.map((margins) => overlay(margins, (bad) => gradeUpTo(bad, FINDER_MODULES))),
    ...timing.map((margins) =>
      overlay(margins, (bad) => gradeUpTo(shareOf(bad, margins), TIMING_SHARE)),
    ),
    overlay(alignment, (bad) => gradeUpTo(shareOf(bad, alignment), ALIGNMENT_SHARE)),
  ];
  return {
    grade: Math.min(...grades),
    finderDamage: Math.max(...finders.map(below4)),
    alignmentDamage: shareOf(below4(alignment), alignment),
  };
}

/** Level, mask and grade of the format information: the mean of its two copies. */
function readFormat(seen: Seen): { level: Level; mask: number; grade: number } | undefined {
  const copies = formatPlaces(seen.grid.size);
  let best: { readonly data: number; readonly distance: number } | undefined;
  for (const places of copies) {
    for (let data = 0; data < 32; data += 1) {
      const bits = formatBits(data);
      const distance = places.filter(
        ([x, y], i) => seen.isDark(x, y) !== ((bits >>> i) & 1) > 0,
      ).length;
      if (distance < (best?.distance ?? 4)) best = { data, distance };
    }
  }
  if (best === undefined) return undefined;
  const bits = formatBits(best.data);
  const [first, second] = copies.map((places) =>
    overlay(
      places.map(([x, y], i) => seen.margin(x, y, ((bits >>> i) & 1) === 1)),
      (bad) => gradeUpTo(bad, FINDER_MODULES),
    ),
  ) as [number, number];
  return { level: levelOfFormat(best.data), mask: best.data & 7, grade: (first + second) / 2 };
}

/** Codewords of each block as they stand in the code, and where the bits of each stand. */
function takeBlocks(seen: Seen, mask: number, blocks: Blocks): Codeword[][] {
  const places = dataModules(seen.grid.version);
  const taken: Codeword[][] = blocks.lengths.map(() => []);
  let next = 0;
  const take = (block: Codeword[]): void => {
    const bits = places.slice(next, next + 8);
    next += 8;
    const value = bits.reduce(
      (sum, [x, y]) => sum * 2 + (seen.isDark(x, y) !== isMasked(mask, x, y) ? 1 : 0),
      0,
    );
    block.push({ value, bits });
  };
  const data = blocks.lengths.map((length) => length - blocks.check);
  for (let i = 0; i < Math.max(...data); i += 1) {
    for (const [b, block] of taken.entries()) if (i < (data[b] as number)) take(block);
  }
  for (let i = 0; i < blocks.check; i += 1) for (const block of taken) take(block);
  return taken;
}

interface Codeword {
  readonly value: number;
  readonly bits: readonly (readonly [number, number])[];
}

/** Lowest margin of the modules of a codeword, held to what it should have been. */
function codewordMargin(seen: Seen, mask: number, { bits }: Codeword, right: number): number {
  return Math.min(
    ...bits.map(([x, y], i) =>
      seen.margin(x, y, (((right >>> (7 - i)) & 1) === 1) !== isMasked(mask, x, y)),
    ),
  );
}

interface DataGrades {
  readonly decode: number;
  readonly modulation: number;
  readonly unused: number;
}

function gradeData(seen: Seen, mask: number, level: Level): DataGrades {
  const { version } = seen.grid;
  const total = Math.floor(dataModules(version).length / 8);
  const blocks = blocksOf(version, level, total);
  const capacity = blocks.check - protection(version, level);
  const unusedAfter = (errors: number): number => 1 - (errors * 2) / capacity;
  let [modulation, unused] = [4, 1];
  for (const block of takeBlocks(seen, mask, blocks)) {
    const right = correct(
      block.map(({ value }) => value),
      blocks.check,
    );
    if (right === undefined) return { decode: 0, modulation: 0, unused: 0 };
    const wrong = block.filter(({ value }, i) => value !== right[i]).length;
    unused = Math.min(unused, unusedAfter(wrong));
    const margins = block.map((codeword, i) =>
      codewordMargin(seen, mask, codeword, right[i] as number),
    );
    modulation = Math.min(
      modulation,
      overlay(margins, (bad) => gradeOf(unusedAfter(bad), UNUSED)),
    );
  }
  return { decode: 4, modulation, unused };
}

const nothing: SymbolGrade = {
  grade: 0,
  parameters: {
    decode: 0,
    contrast: 0,
    modulation: 0,
    fixedPatterns: 0,
    axial: 0,
    grid: 0,
    unusedCorrection: 0,
    format: 0,
  },
  measured: { contrast: 0, unusedCorrection: 0, finderDamage: 0, alignmentDamage: 0 },
  version: 0,
  level: undefined,
};

/** Darkest and lightest pixel decide what counts as ink while the code is looked for. */
function middleOf({ values }: Reflectances): number {
  let [lowest, highest] = [1, 0];
  for (const value of values) {
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  }
  return (lowest + highest) / 2;
}

/** The grade of the code in a picture; 0 throughout where none is found. Aperture in modules. */
export function gradeSymbol(image: Reflectances, aperture = 0.8): SymbolGrade {
  const grid = findSymbol(image, middleOf(image));
  if (grid === undefined) return nothing;
  const seen = look(image, grid, aperture);
  const format = readFormat(seen);
  if (format === undefined) return { ...nothing, version: grid.version };
  const data = gradeData(seen, format.mask, format.level);
  const fixed = gradeFixedPatterns(seen);
  const parameters = {
    decode: data.decode,
    contrast: gradeOf(seen.contrast, CONTRAST),
    modulation: data.modulation,
    fixedPatterns: fixed.grade,
    axial: gradeUpTo(
      (Math.abs(grid.pitchX - grid.pitchY) * 2) / (grid.pitchX + grid.pitchY),
      AXIAL,
    ),
    grid: gradeUpTo(grid.nonuniformity, GRID),
    unusedCorrection: gradeOf(data.unused, UNUSED),
    format: format.grade,
  };
  return {
    grade: Math.min(...Object.values(parameters)),
    parameters,
    measured: {
      contrast: seen.contrast,
      unusedCorrection: data.unused,
      finderDamage: fixed.finderDamage,
      alignmentDamage: fixed.alignmentDamage,
    },
    version: grid.version,
    level: format.level,
  };
}
