/**
 * Scores of the eight masks, 32 modules at a time (docs/spec/qr.md sections 2.7 and 2.8).
 *
 * Four rules: runs of five and more equal modules (3, and 1 for each beyond five); patterns like a
 * finder, with four light modules on either side (40); 2 x 2 boxes of one colour (3); an uneven
 * share of dark modules (10 for each step of 5%). Format bits are drawn; everything outside is
 * light. A finder-like pattern counts once, even with light modules on both sides.
 */
import type { BoardPair, VersionBoards } from "./boards.ts";

const MAX_SIZE = 177;
/** Rows beyond either end that a finder-like pattern may look at. */
const EDGE = 4;
const FINDER_LIKE = 40;
const BOX = 3;
const BALANCE = 10;

/** One column of words with the mask applied, four light rows at each end. */
const column = new Int32Array(MAX_SIZE + EDGE * 2);
const nextColumn = new Int32Array(MAX_SIZE + EDGE * 2);

/** How many bits of a word are set. */
export function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Bits of a popcount kept in four bytes, each at most 8 more than before. */
function byteCounts(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (x + (x >>> 4)) & 0x0f0f0f0f;
}

function sumBytes(counts: number): number {
  return (counts & 255) + ((counts >>> 8) & 255) + ((counts >>> 16) & 255) + (counts >>> 24);
}

interface Board {
  readonly data: Int32Array;
  readonly mask: Int32Array;
  readonly size: number;
  readonly words: number;
}

function loadColumn(board: Board, word: number, into: Int32Array): void {
  const { data, mask, size, words } = board;
  let at = word;
  for (let y = 0; y < size; y += 1) {
    into[y + EDGE] = (data[at] as number) ^ (mask[at] as number);
    at += words;
  }
  into.fill(0, size + EDGE, size + EDGE * 2);
}

/** Bits of the last word of a row that are modules. */
function usedBits(size: number, word: number): number {
  const rest = size - word * 32;
  return rest >= 32 ? -1 : (1 << rest) - 1;
}

/** Runs and finder-likes down the rows of the loaded column. */
function scoreColumn(size: number, used: number): number {
  let score = 0;
  let counts = 0;
  let room = 0;
  let before = 0;
  // Seven rows roll through r0 to r6; e: equal to the row before; t: equal to the two before.
  let [r0, r1, r2, r3, r4] = [0, 0, 0, 0, 0];
  let r5 = column[EDGE] as number;
  let [e, t1, t2] = [0, 0, 0];
  for (let y = EDGE + 1; y < size + EDGE; y += 1) {
    const r6 = column[y] as number;
    const equal = ~(r5 ^ r6);
    const three = e & equal;
    const runs = three & t2 & used;
    if (runs !== 0) {
      // Each mark is worth one point, the first of its run two more.
      counts += byteCounts(runs);
      score += popcount(runs & ~before) * 2;
      room += 1;
      if (room === 31) {
        score += sumBytes(counts);
        counts = 0;
        room = 0;
      }
    }
    const like = r0 & ~r1 & r2 & r3 & r4 & ~r5 & r6;
    if (like !== 0) score += FINDER_LIKE * popcount(like & lightAround(y));
    before = runs;
    e = equal;
    t2 = t1;
    t1 = three;
    r0 = r1;
    r1 = r2;
    r2 = r3;
    r3 = r4;
    r4 = r5;
    r5 = r6;
  }
  return score + sumBytes(counts);
}

/** Modules with four light ones before or after the seven rows that end at `y` of the column. */
function lightAround(y: number): number {
  const before =
    (column[y - 10] as number) |
    (column[y - 9] as number) |
    (column[y - 8] as number) |
    (column[y - 7] as number);
  const after =
    (column[y + 1] as number) |
    (column[y + 2] as number) |
    (column[y + 3] as number) |
    (column[y + 4] as number);
  return ~(before & after);
}

/** 2 x 2 boxes whose left modules lie in the loaded column; adds its dark modules to `tally`. */
function scoreBoxes(size: number, used: number): number {
  let boxes = 0;
  let r0 = column[EDGE] as number;
  let h0 = r0 ^ ((r0 >>> 1) | ((nextColumn[EDGE] as number) << 31));
  tally.dark += popcount(r0);
  for (let y = EDGE + 1; y < size + EDGE; y += 1) {
    const r1 = column[y] as number;
    const h1 = r1 ^ ((r1 >>> 1) | ((nextColumn[y] as number) << 31));
    const same = ~(h0 | h1 | (r0 ^ r1)) & used;
    if (same !== 0) boxes += popcount(same);
    tally.dark += popcount(r1);
    r0 = r1;
    h0 = h1;
  }
  return boxes * BOX;
}

const tally = { dark: 0 };

function scorePlain(board: Board, limit: number): number {
  const { size, words } = board;
  let score = 0;
  tally.dark = 0;
  for (let word = 0; word < words; word += 1) {
    loadColumn(board, word, column);
    if (word + 1 < words) loadColumn(board, word + 1, nextColumn);
    score += scoreColumn(size, usedBits(size, word));
    score += scoreBoxes(size, usedBits(size - 1, word));
    if (score >= limit) return score;
  }
  const modules = size * size;
  const imbalance = Math.abs(tally.dark * 20 - modules * 10);
  return score + BALANCE * Math.floor(imbalance / modules);
}

function scoreTransposed(board: Board, limit: number): number {
  const { size, words } = board;
  let score = 0;
  for (let word = 0; word < words; word += 1) {
    loadColumn(board, word, column);
    score += scoreColumn(size, usedBits(size, word));
    if (score >= limit) return score;
  }
  return score;
}

/**
 * The mask of the lowest score; of equal ones the first. `data` holds the function patterns and
 * the codeword bits. A mask is given up as soon as it reaches the best score so far.
 */
export function chooseMask(
  { size, words }: Pick<VersionBoards, "size" | "words">,
  data: BoardPair,
  masks: readonly BoardPair[],
): number {
  let best = Number.POSITIVE_INFINITY;
  let chosen = 0;
  for (const [index, mask] of masks.entries()) {
    let score = scorePlain({ data: data.plain, mask: mask.plain, size, words }, best);
    if (score >= best) continue;
    const transposed = { data: data.transposed, mask: mask.transposed, size, words };
    score += scoreTransposed(transposed, best - score);
    if (score >= best) continue;
    best = score;
    chosen = index;
  }
  return chosen;
}
