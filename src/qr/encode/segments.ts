/**
 * Splits a payload into numeric, alphanumeric and byte segments of the fewest bits
 * (docs/spec/qr.md section 2.2).
 *
 * Works on UTF-8 bytes: a byte from 128 on exists only in byte mode, so no character is ever
 * split. Costs are counted in sixths of a bit, since three digits take 10 bits and two
 * alphanumerics 11.
 */

export const NUMERIC = 0;
export const ALPHANUMERIC = 1;
export const BYTE = 2;

const SIXTHS = 6;
const DIGIT_COST = 20;
const ALPHANUMERIC_COST = 33;
const BYTE_COST = 48;
/** More than any payload costs, and still a small integer when costs are added to it. */
const NEVER = 1 << 28;

/** Mode indicator, 4 bits, by mode. */
export const modeIndicator = [0b0001, 0b0010, 0b0100] as const;

/** Bits of the character count by version group (1-9, 10-26, 27-40) and mode. */
const COUNT_BITS = [
  [10, 9, 8],
  [12, 11, 16],
  [14, 13, 16],
] as const;

/** The last version of each group. */
export const groupEnds = [9, 26, 40] as const;

export function groupOfVersion(version: number): number {
  return version <= 9 ? 0 : version <= 26 ? 1 : 2;
}

export function countBits(group: number, mode: number): number {
  return COUNT_BITS[group]?.[mode] ?? 0;
}

const ALPHANUMERICS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Value in alphanumeric mode, 255 where there is none; digits are their own value. */
export const alphanumericValue = new Uint8Array(256).fill(255);
for (let i = 0; i < ALPHANUMERICS.length; i += 1) {
  alphanumericValue[ALPHANUMERICS.charCodeAt(i)] = i;
}

/** A lower bound of bits for any segmentation: every character at its cheapest, one header. */
export function leastBits(bytes: Uint8Array, length: number): number {
  let cost = 0;
  for (let i = 0; i < length; i += 1) {
    const value = alphanumericValue[bytes[i] as number] as number;
    cost += value < 10 ? DIGIT_COST : value < 45 ? ALPHANUMERIC_COST : BYTE_COST;
  }
  return Math.ceil(cost / SIXTHS) + 4 + 8;
}

/** What `findSegments` found: it points into its own scratch memory, valid until the next call. */
export interface Segments {
  bits: number;
  count: number;
  /** Mode and end (exclusive byte index) of each segment, in order. */
  modes: Uint8Array;
  ends: Uint16Array;
}

/** A payload of more bytes than this fits no QR code in any mode. */
export const MAX_PAYLOAD_BYTES = 7089;

const backPointers = new Uint8Array(MAX_PAYLOAD_BYTES);
const found: Segments = {
  bits: 0,
  count: 0,
  modes: new Uint8Array(MAX_PAYLOAD_BYTES),
  ends: new Uint16Array(MAX_PAYLOAD_BYTES),
};

function toWholeBits(cost: number): number {
  return (((cost + SIXTHS - 1) / SIXTHS) | 0) * SIXTHS;
}

/**
 * The cheapest segments of `bytes[0, length)` for a version group. Ties stay in the mode; else, and
 * at the end, numeric comes before alphanumeric before byte.
 *
 * State of the dynamic programme: `numeric` is the least cost when the characters so far are
 * written and the header of a numeric segment is paid; the others likewise. Each back-pointer byte
 * has 2 bits per state: the mode in which the previous character was written.
 */
export function findSegments(bytes: Uint8Array, length: number, group: number): Segments {
  const numericHead = SIXTHS * (4 + countBits(group, NUMERIC));
  const alphanumericHead = SIXTHS * (4 + countBits(group, ALPHANUMERIC));
  const byteHead = SIXTHS * (4 + countBits(group, BYTE));
  let numeric = numericHead;
  let alphanumeric = alphanumericHead;
  let byte = byteHead;
  for (let i = 0; i < length; i += 1) {
    const value = alphanumericValue[bytes[i] as number] as number;
    byte += BYTE_COST;
    if (value === 255) {
      // Only byte mode can write it: both other states come from there.
      numeric = byte + numericHead;
      alphanumeric = byte + alphanumericHead;
      backPointers[i] = BYTE | (BYTE << 2) | (BYTE << 4);
      continue;
    }
    numeric = value < 10 ? numeric + DIGIT_COST : NEVER;
    alphanumeric += ALPHANUMERIC_COST;
    const wholeNumeric = toWholeBits(numeric);
    const wholeAlphanumeric = toWholeBits(alphanumeric);
    let fromNumeric = NUMERIC;
    let fromAlphanumeric = ALPHANUMERIC;
    let fromByte = BYTE;
    let nextNumeric = numeric;
    let nextAlphanumeric = alphanumeric;
    let nextByte = byte;
    if (wholeAlphanumeric + numericHead < nextNumeric) {
      nextNumeric = wholeAlphanumeric + numericHead;
      fromNumeric = ALPHANUMERIC;
    }
    if (byte + numericHead < nextNumeric) {
      nextNumeric = byte + numericHead;
      fromNumeric = BYTE;
    }
    if (wholeNumeric + alphanumericHead < nextAlphanumeric) {
      nextAlphanumeric = wholeNumeric + alphanumericHead;
      fromAlphanumeric = NUMERIC;
    }
    if (byte + alphanumericHead < nextAlphanumeric) {
      nextAlphanumeric = byte + alphanumericHead;
      fromAlphanumeric = BYTE;
    }
    if (wholeNumeric + byteHead < nextByte) {
      nextByte = wholeNumeric + byteHead;
      fromByte = NUMERIC;
    }
    if (wholeAlphanumeric + byteHead < nextByte) {
      nextByte = wholeAlphanumeric + byteHead;
      fromByte = ALPHANUMERIC;
    }
    numeric = nextNumeric;
    alphanumeric = nextAlphanumeric;
    byte = nextByte;
    backPointers[i] = fromNumeric | (fromAlphanumeric << 2) | (fromByte << 4);
  }
  return finish(length, toWholeBits(numeric), toWholeBits(alphanumeric), byte);
}

/** Chooses the last mode among the three final costs, in whole bits, and collects the segments. */
function finish(length: number, numeric: number, alphanumeric: number, byte: number): Segments {
  const least = Math.min(numeric, alphanumeric, byte);
  found.bits = least / SIXTHS;
  walkBack(length, numeric === least ? NUMERIC : alphanumeric === least ? ALPHANUMERIC : BYTE);
  return found;
}

/** Fills `found` from the back-pointers; the segments come out backwards and are reversed. */
function walkBack(length: number, last: number): void {
  const { modes, ends } = found;
  let count = 0;
  let state = last;
  let before = -1;
  for (let i = length - 1; i >= 0; i -= 1) {
    state = ((backPointers[i] as number) >> (state * 2)) & 3;
    if (state === before) continue;
    modes[count] = state;
    ends[count] = i + 1;
    count += 1;
    before = state;
  }
  modes.subarray(0, count).reverse();
  ends.subarray(0, count).reverse();
  found.count = count;
}
