/**
 * How large a logo a code can have (docs/spec/qr.md section 5): counted in codewords of the blocks
 * that correct them. The area would promise far too much.
 */
import { versionBoards } from "../encode/boards.ts";
import { blockOfCodeword } from "../encode/codewords.ts";
import { blockPlan, type QrLevel, sizeOfVersion } from "../encode/tables.ts";
import { ALIGNMENT, moduleKinds } from "./module-kinds.ts";

/**
 * Share of the worst block's correction that a logo may use: a verifier then finds 0.37 of the
 * correction unused, grade 2 (C).
 */
export const LOGO_BUDGET = 0.62;
/** The same for a large logo: phones still read it; above this they begin to fail. */
export const LARGE_LOGO_BUDGET = 0.85;
/** In smaller codes a logo would be too small to recognise. */
export const LEAST_LOGO_VERSION = 5;
/** A smaller logo is only a blot; the shorter side of a long one may be less. */
export const LEAST_LOGO_SIDE = 5;
const LEAST_SHORT_SIDE = 3;
/** Finders, separators and format bits of both sides: a logo must not cover them. */
const EDGES = 17;

export interface LogoShape {
  /** Width divided by height. */
  readonly aspect: number;
  readonly isRound: boolean;
  /** As large as phones can read, whatever a verifier's grade; it may cover alignment patterns. */
  readonly isLarge?: boolean | undefined;
}

/** The area that is cleared for a logo, around the code's centre, in modules. */
export interface LogoArea {
  readonly width: number;
  readonly height: number;
  readonly isRound: boolean;
}

/** A cleared area, and how much of it the picture fills. */
export interface LogoPlan {
  readonly area: LogoArea;
  /** Width and height of the picture as shares of the area's. */
  readonly pictureShare: number;
}

/** The rest of the area separates the picture from the modules. */
const MOST_PICTURE_SHARE = 0.9;

interface CodewordMap {
  /** Codeword of each module, row by row; -1 where there is none. */
  readonly codewords: Int16Array;
  readonly size: number;
}

const maps = new Map<number, CodewordMap>();

/** Which codeword each module of a version belongs to. */
export function codewordMap(version: number): CodewordMap {
  let map = maps.get(version);
  if (map === undefined) {
    const { size, words, plainOrder } = versionBoards(version);
    const codewords = new Int16Array(size * size).fill(-1);
    const total = plainOrder.length - (plainOrder.length % 8);
    for (let bit = 0; bit < total; bit += 1) {
      const place = plainOrder[bit] as number;
      const word = place >> 5;
      codewords[Math.floor(word / words) * size + (word % words) * 32 + (place & 31)] = bit >> 3;
    }
    map = { codewords, size };
    maps.set(version, map);
  }
  return map;
}

/** True for a module with its centre under the area. */
function isCleared(area: LogoArea, size: number, x: number, y: number): boolean {
  const dx = Math.abs(x + 0.5 - size / 2) / (area.width / 2);
  const dy = Math.abs(y + 0.5 - size / 2) / (area.height / 2);
  return area.isRound ? dx * dx + dy * dy < 1 : dx < 1 && dy < 1;
}

/** Modules under an area, row by row, 1 for each. */
export function clearedModules(version: number, area: LogoArea): Uint8Array {
  const size = sizeOfVersion(version);
  return Uint8Array.from({ length: size * size }, (_, at) =>
    isCleared(area, size, at % size, Math.floor(at / size)) ? 1 : 0,
  );
}

/** Share of its correction that the worst block needs for the area: 1 is all of it. */
export function logoLoad(version: number, level: QrLevel, area: LogoArea): number {
  const { codewords, size } = codewordMap(version);
  const plan = blockPlan(version, level);
  const touched = new Set<number>();
  const [left, top] = [Math.floor((size - area.width) / 2), Math.floor((size - area.height) / 2)];
  for (let y = top; y < size - top; y += 1) {
    for (let x = left; x < size - left; x += 1) {
      const codeword = codewords[y * size + x] as number;
      if (codeword >= 0 && isCleared(area, size, x, y)) touched.add(codeword);
    }
  }
  const perBlock = new Uint16Array(plan.blocks);
  for (const codeword of touched) {
    const block = blockOfCodeword(codeword, version, level);
    perBlock[block] = (perBlock[block] as number) + 1;
  }
  return Math.max(...perBlock) / Math.floor(plan.check / 2);
}

/** The area of a shape whose longer side is `side`. */
function toArea({ aspect, isRound }: LogoShape, side: number): LogoArea {
  if (isRound) return { width: side, height: side, isRound };
  return {
    width: aspect >= 1 ? side : side * aspect,
    height: aspect >= 1 ? side / aspect : side,
    isRound,
  };
}

/** True where an area covers a module of an alignment pattern. */
export function coversAlignment(version: number, area: LogoArea): boolean {
  const size = sizeOfVersion(version);
  return moduleKinds(version).some(
    (kind, at) => kind === ALIGNMENT && isCleared(area, size, at % size, Math.floor(at / size)),
  );
}

/**
 * The largest area at a version and level: within the budget, off the alignment patterns, with
 * whole modules on its longer side, an odd number if it is square. Undefined when not even the
 * smallest fits.
 */
export function largestArea(
  { version, level }: { readonly version: number; readonly level: QrLevel },
  shape: LogoShape,
): LogoArea | undefined {
  const isSquare = !shape.isRound && shape.aspect === 1;
  const isLarge = shape.isLarge === true;
  const budget = isLarge ? LARGE_LOGO_BUDGET : LOGO_BUDGET;
  const most = sizeOfVersion(version) - EDGES;
  let largest: LogoArea | undefined;
  for (let side = 3; side <= most; side += isSquare ? 2 : 1) {
    const area = toArea(shape, side);
    // A larger area covers everything that a smaller one does: the load only grows.
    if (logoLoad(version, level, area) > budget) break;
    if (!isLarge && coversAlignment(version, area)) break;
    largest = area;
  }
  return largest;
}

/**
 * Distance from a module's centre at which a picture may begin: the module's edge, and a little for
 * soft rims.
 */
const NEAREST_INK = 0.65;

/** The share at which the picture just touches a module, from the centre outwards. */
function touchingShare({ width, height, isRound }: LogoArea, dx: number, dy: number): number {
  const x = Math.max(0, Math.abs(dx) - NEAREST_INK) / (width / 2);
  const y = Math.max(0, Math.abs(dy) - NEAREST_INK) / (height / 2);
  return isRound ? Math.hypot(x, y) : Math.max(x, y);
}

/** The largest picture that covers no part of a drawn module. */
function findPictureShare(version: number, area: LogoArea): number {
  const size = sizeOfVersion(version);
  const middle = (size - 1) / 2;
  let share = MOST_PICTURE_SHARE;
  for (const [at, isCleared] of clearedModules(version, area).entries()) {
    if (isCleared === 1) continue;
    const [dx, dy] = [(at % size) - middle, Math.floor(at / size) - middle];
    share = Math.min(share, touchingShare(area, dx, dy));
  }
  return share;
}

const PLANS_KEPT = 1000;
const plans = new Map<string, LogoPlan | undefined>();

/**
 * The area for a logo; undefined when it would be too small to recognise. Remembered, since the
 * codes of a job share their logo.
 */
export function planLogo(version: number, level: QrLevel, shape: LogoShape): LogoPlan | undefined {
  const key = `${version} ${level} ${shape.aspect} ${shape.isRound} ${shape.isLarge}`;
  if (!plans.has(key)) {
    if (plans.size >= PLANS_KEPT) plans.clear();
    const area = chooseArea(version, level, shape);
    plans.set(key, area && { area, pictureShare: findPictureShare(version, area) });
  }
  return plans.get(key);
}

function chooseArea(version: number, level: QrLevel, shape: LogoShape): LogoArea | undefined {
  const area = largestArea({ version, level }, shape);
  if (area === undefined) return undefined;
  const [short, long] = [Math.min(area.width, area.height), Math.max(area.width, area.height)];
  return long >= LEAST_LOGO_SIDE && short >= LEAST_SHORT_SIDE ? area : undefined;
}
