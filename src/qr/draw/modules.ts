/** The dark modules of a code as path data, in the design's pattern. */
import type { Design, PatternName } from "./design.ts";
import { isDark, type QrMatrix } from "../encode/encode.ts";
import { ALIGNMENT, DATA, EYE, moduleKinds, TIMING } from "./module-kinds.ts";
import { MAX_VERSION, sizeOfVersion } from "../encode/tables.ts";
import { rectPath, toNumber, toNumbers } from "./outline.ts";
import { type Pattern, patternTable, type Stamp } from "./patterns.ts";

const MAX_SIDE = sizeOfVersion(MAX_VERSION);

export interface ModuleOptions {
  /** Place of the code's top left corner, in whole modules. */
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
  const pen = new PathPen(patternTable.Original);
  const isWhole = (at: number): boolean => kinds[at] === ALIGNMENT && options.cleared?.[at] !== 1;
  walkRuns(matrix, options, { isWhole, pen });
  return pen.path;
}

/** True for eyes that are drawn as ordinary modules. */
export function hasPlainEyes(
  design: Pick<Design, "eyeStyle" | "eyeColor" | "primaryColor">,
): boolean {
  return design.eyeStyle === "Square" && design.eyeColor === design.primaryColor;
}

/** Draws modules at given places: path data here, page operators elsewhere. */
export interface ModulePen {
  /** `length` whole modules of one row. */
  run(x: number, y: number, length: number): void;
  /** The pattern's shape in one module. */
  stamp(x: number, y: number): void;
}

/** Draws runs of whole modules, row by row. */
function walkRuns(
  matrix: QrMatrix,
  options: ModuleOptions,
  { isWhole, pen }: { readonly isWhole: (at: number) => boolean; readonly pen: ModulePen },
): void {
  const { size } = matrix;
  for (let y = 0; y < size; y += 1) {
    let start = -1;
    for (let x = 0; x <= size; x += 1) {
      const drawn = x < size && isDark(matrix, x, y) && isWhole(y * size + x);
      if (drawn && start < 0) start = x;
      if (drawn || start < 0) continue;
      pen.run(start + options.x, y + options.y, x - start);
      start = -1;
    }
  }
}

/** Draws one stamp per data module; parts that must stay whole are drawn as runs. */
function walkStamps(
  matrix: QrMatrix,
  options: ModuleOptions,
  { pattern, pen }: { readonly pattern: Pattern; readonly pen: ModulePen },
): void {
  const { size } = matrix;
  const kinds = moduleKinds(matrix.version);
  const isStamped = (at: number): boolean =>
    kinds[at] === DATA || (kinds[at] === TIMING && !pattern.solidTiming);
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const at = y * size + x;
      if (!isDark(matrix, x, y) || !isStamped(at) || options.cleared?.[at] === 1) continue;
      pen.stamp(x + options.x, y + options.y);
    }
  }
  const isWhole = (at: number): boolean =>
    options.cleared?.[at] !== 1 &&
    (kinds[at] === ALIGNMENT ||
      (kinds[at] === TIMING && pattern.solidTiming) ||
      (kinds[at] === EYE && options.withEyes));
  walkRuns(matrix, options, { isWhole, pen });
}

/** All dark modules (the eyes only on request), in the order in which they are drawn. */
export function walkModules(
  matrix: QrMatrix,
  name: PatternName,
  { pen, ...options }: ModuleOptions & { readonly pen: ModulePen },
): void {
  const pattern: Pattern = patternTable[name];
  if (pattern.stamp !== undefined) return walkStamps(matrix, options, { pattern, pen });
  const kinds = moduleKinds(matrix.version);
  const { cleared, withEyes } = options;
  const isWhole =
    withEyes && cleared === undefined
      ? () => true
      : (at: number) => (withEyes || kinds[at] !== EYE) && cleared?.[at] !== 1;
  return walkRuns(matrix, options, { isWhole, pen });
}

/** The rest of a run's path after its start, by length. */
const runTails: readonly string[] = Array.from(
  { length: MAX_SIDE + 1 },
  (_, length) => `h${length}v1h${-length}z`,
);

/** Writes path data. */
class PathPen implements ModulePen {
  path = "";
  readonly #stamp: Stamp;
  /** Coordinates of columns and rows as text: many stamps share them. */
  readonly #lefts: string[] = [];
  readonly #tops: string[] = [];

  constructor({ stamp, size }: Pattern) {
    this.#stamp = stamp?.(size) ?? { dx: 0, dy: 0, tail: "" };
  }

  run(x: number, y: number, length: number): void {
    this.path += `M${x} ${y}${runTails[length] as string}`;
  }

  stamp(x: number, y: number): void {
    const { dx, dy, tail } = this.#stamp;
    const left = (this.#lefts[x] ??= toNumber(x + 0.5 + dx));
    const top = (this.#tops[y] ??= toNumber(y + 0.5 + dy));
    this.path += `M${left} ${top}${tail}`;
  }
}

/** All dark modules; the eyes only on request. */
export function modulesPath(matrix: QrMatrix, name: PatternName, options: ModuleOptions): string {
  const pen = new PathPen(patternTable[name]);
  walkModules(matrix, name, { ...options, pen });
  return pen.path;
}
