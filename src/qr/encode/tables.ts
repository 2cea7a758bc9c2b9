/**
 * The numbers of the QR code symbology, versions 1 to 40 (docs/spec/qr.md section 2.4).
 */

/** Error correction, weakest to strongest: about 7, 15, 25 and 30% of the codewords. */
export type QrLevel = "L" | "M" | "Q" | "H";

export const qrLevels = ["L", "M", "Q", "H"] as const satisfies readonly QrLevel[];

export const MAX_VERSION = 40;

/** Clear modules on every side of a code. */
export const QUIET_ZONE = 4;

/** The two bits that name a level in the format information. */
export const levelBits = { L: 1, M: 0, Q: 3, H: 2 } as const satisfies Record<QrLevel, number>;

/** Check codewords of one block, by version - 1. */
const CHECK_PER_BLOCK: Record<QrLevel, readonly number[]> = {
  L: [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30,
    26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  M: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  Q: [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30,
    30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  H: [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
};

/** Blocks into which the codewords are split, by version - 1. */
const BLOCKS: Record<QrLevel, readonly number[]> = {
  L: [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15,
    16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
  ],
  M: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25,
    26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ],
  Q: [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34,
    35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
  ],
  H: [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37,
    40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
  ],
};

/** How the codewords of one version and level are split into blocks. */
export interface BlockPlan {
  readonly blocks: number;
  /** Check codewords of every block. */
  readonly check: number;
  /** Data codewords of the short blocks; the long ones, which come last, have one more. */
  readonly shortData: number;
  readonly shortBlocks: number;
  /** Data codewords of all blocks. */
  readonly data: number;
  /** Data and check codewords of all blocks. */
  readonly total: number;
}

/** Modules of a side. */
export function sizeOfVersion(version: number): number {
  return version * 4 + 17;
}

/** Modules left for codewords and remainder bits once the function patterns are drawn. */
export function rawModules(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const a = Math.floor(version / 7) + 2;
    modules -= (25 * a - 10) * a - 55;
    if (version >= 7) modules -= 36;
  }
  return modules;
}

/** Centres of the alignment patterns along one axis; empty for version 1. */
export function alignmentCentres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : 2 * Math.ceil((version * 4 + 4) / (count * 2 - 2));
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - (count - 2 - i) * step)];
}

function makePlan(version: number, level: QrLevel): BlockPlan {
  const blocks = BLOCKS[level][version - 1] ?? 0;
  const check = CHECK_PER_BLOCK[level][version - 1] ?? 0;
  const total = Math.floor(rawModules(version) / 8);
  const perBlock = Math.floor(total / blocks);
  return {
    blocks,
    check,
    shortData: perBlock - check,
    shortBlocks: blocks - (total % blocks),
    data: total - blocks * check,
    total,
  };
}

const plans: Record<QrLevel, readonly BlockPlan[]> = {
  L: planAll("L"),
  M: planAll("M"),
  Q: planAll("Q"),
  H: planAll("H"),
};

function planAll(level: QrLevel): BlockPlan[] {
  return Array.from({ length: MAX_VERSION }, (_, i) => makePlan(i + 1, level));
}

/** The blocks of a version (1 to 40) at a level. */
export function blockPlan(version: number, level: QrLevel): BlockPlan {
  const plan = plans[level][version - 1];
  if (plan === undefined) throw new RangeError(`version must be 1 to 40, got ${version}`);
  return plan;
}
