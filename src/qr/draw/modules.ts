/** The dark modules of a code as path data, in the design's pattern. */
import type { Design, PatternName } from "./design.ts";
import { isDark, type QrMatrix } from "../encode/encode.ts";
import { ALIGNMENT, DATA, EYE, moduleKinds, TIMING } from "./module-kinds.ts";
import { rectPath, toNumber, toNumbers } from "./outline.ts";
import { type Pattern, patternTable } from "./patterns.ts";

export interface ModuleOptions {
  /** Where the code's top left corner stands, in whole modules. */
  readonly x: number;
  readonly y: number;
  /** Modules that are left out, row by row, 1 for each; for the logo. */
  readonly cleared?: Uint8Array | undefined;
  /** Draws the eyes as modules too: square eyes in the data colour. */
  readonly withEyes: boolean;
}

/** One module of a pattern, centred in the module at 0, 0; whole modules are squares of 1. */
export function modulePath(name: PatternName, x: number, y: number): string {
  const { stamp, size }: Pattern = patternTable[name];
  if (stamp === undefined) return rectPath({ x, y, width: 1, height: 1 });
  const { dx, dy, tail } = stamp(size);
  return `M${toNumbers(x + 0.5 + dx, y + 0.5 + dy)}${tail}`;
}

/** The dark modules of the alignment patterns: solid in every pattern. */
export function alignmentPath(matrix: QrMatrix, options: ModuleOptions): string {
  const kinds = moduleKinds(matrix.version);
  return runsPath(matrix, options, (at) => kinds[at] === ALIGNMENT && options.cleared?.[at] !== 1);
}

/** Eyes that need no path of their own. */
export function hasPlainEyes(
  design: Pick<Design, "eyeStyle" | "eyeColor" | "primaryColor">,
): boolean {
  return design.eyeStyle === "Square" && design.eyeColor === design.primaryColor;
}

/** Runs of whole modules as rectangles, row by row. */
function runsPath(
  matrix: QrMatrix,
  options: ModuleOptions,
  isWhole: (at: number) => boolean,
): string {
  const { size } = matrix;
  let path = "";
  for (let y = 0; y < size; y += 1) {
    let start = -1;
    for (let x = 0; x <= size; x += 1) {
      const drawn = x < size && isDark(matrix, x, y) && isWhole(y * size + x);
      if (drawn && start < 0) start = x;
      if (drawn || start < 0) continue;
      path += `M${start + options.x} ${y + options.y}h${x - start}v1h${start - x}z`;
      start = -1;
    }
  }
  return path;
}

/** One stamp per data module; what must stay whole is drawn as runs. */
function stampsPath(matrix: QrMatrix, options: ModuleOptions, pattern: Pattern): string {
  const { size } = matrix;
  const kinds = moduleKinds(matrix.version);
  const { dx, dy, tail } = (pattern.stamp as NonNullable<Pattern["stamp"]>)(pattern.size);
  const isStamped = (at: number): boolean =>
    kinds[at] === DATA || (kinds[at] === TIMING && !pattern.solidTiming);
  let path = "";
  for (let y = 0; y < size; y += 1) {
    const top = ` ${toNumber(y + options.y + 0.5 + dy)}${tail}`;
    for (let x = 0; x < size; x += 1) {
      const at = y * size + x;
      if (!isDark(matrix, x, y) || !isStamped(at) || options.cleared?.[at] === 1) continue;
      path += `M${toNumber(x + options.x + 0.5 + dx)}${top}`;
    }
  }
  const isWhole = (at: number): boolean =>
    options.cleared?.[at] !== 1 &&
    (kinds[at] === ALIGNMENT ||
      (kinds[at] === TIMING && pattern.solidTiming) ||
      (kinds[at] === EYE && options.withEyes));
  return path + runsPath(matrix, options, isWhole);
}

/** All dark modules but, unless asked for, the eyes. */
export function modulesPath(matrix: QrMatrix, name: PatternName, options: ModuleOptions): string {
  const pattern: Pattern = patternTable[name];
  if (pattern.stamp !== undefined) return stampsPath(matrix, options, pattern);
  const kinds = moduleKinds(matrix.version);
  const { cleared, withEyes } = options;
  if (withEyes && cleared === undefined) return runsPath(matrix, options, () => true);
  return runsPath(matrix, options, (at) => (withEyes || kinds[at] !== EYE) && cleared?.[at] !== 1);
}
