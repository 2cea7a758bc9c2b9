/**
 * Segments -> data codewords -> blocks with check codewords, interleaved
 * (docs/spec/qr.md sections 2.3 to 2.5).
 */
import { writeCheck } from "./reed-solomon.ts";
import {
  ALPHANUMERIC,
  alphanumericValue,
  BYTE,
  countBits,
  modeIndicator,
  NUMERIC,
  type Segments,
} from "./segments.ts";
import { blockPlan, type QrLevel } from "./tables.ts";

const MAX_CODEWORDS = 3706;
const ECI_MODE = 0b0111;
const ECI_UTF8 = 26;
/** Mode indicator and assignment number of an ECI below 128. */
export const ECI_BITS = 12;
const PAD = [0xec, 0x11] as const;

const data = new Uint8Array(MAX_CODEWORDS);
const interleaved = new Uint8Array(MAX_CODEWORDS);

/** Most significant bit first into `data`; at most 17 bits at a time. */
const bits = { pending: 0, count: 0, at: 0 };

function put(value: number, width: number): void {
  let pending = (bits.pending << width) | value;
  let count = bits.count + width;
  while (count >= 8) {
    count -= 8;
    data[bits.at] = pending >>> count;
    bits.at += 1;
  }
  pending &= (1 << count) - 1;
  bits.pending = pending;
  bits.count = count;
}

function putDigits(bytes: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i += 3) {
    const length = Math.min(3, to - i);
    let value = 0;
    for (let j = 0; j < length; j += 1) value = value * 10 + (bytes[i + j] as number) - 48;
    put(value, length * 3 + 1);
  }
}

function putAlphanumerics(bytes: Uint8Array, from: number, to: number): void {
  let i = from;
  for (; i + 1 < to; i += 2) {
    const high = alphanumericValue[bytes[i] as number] as number;
    put(high * 45 + (alphanumericValue[bytes[i + 1] as number] as number), 11);
  }
  if (i < to) put(alphanumericValue[bytes[i] as number] as number, 6);
}

function putBytes(bytes: Uint8Array, from: number, to: number): void {
  // Between whole bytes the number of pending bits stays the same, so the loop needs no counting.
  const { count } = bits;
  let { pending, at } = bits;
  for (let i = from; i < to; i += 1) {
    pending = (pending << 8) | (bytes[i] as number);
    data[at] = pending >>> count;
    at += 1;
  }
  bits.pending = pending & ((1 << count) - 1);
  bits.at = at;
}

const writers = {
  [NUMERIC]: putDigits,
  [ALPHANUMERIC]: putAlphanumerics,
  [BYTE]: putBytes,
} as const;

/** Terminator of up to 4 zero bits, zeros to the byte, then the two pad bytes in turn. */
function pad(capacity: number): void {
  const free = capacity * 8 - bits.at * 8 - bits.count;
  put(0, Math.min(4, free));
  if (bits.count > 0) put(0, 8 - bits.count);
  for (let i = 0; bits.at < capacity; i += 1) {
    data[bits.at] = PAD[i & 1] as number;
    bits.at += 1;
  }
}

/** The payload's bytes, their segments, and whether an ECI for UTF-8 comes first. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly segments: Segments;
  readonly group: number;
  readonly eci: boolean;
}

/** Fills the shared data codewords; the payload must fit `capacity` codewords. */
function writeData({ bytes, segments, group, eci }: Payload, capacity: number): void {
  bits.pending = 0;
  bits.count = 0;
  bits.at = 0;
  if (eci) {
    put(ECI_MODE, 4);
    put(ECI_UTF8, 8);
  }
  let from = 0;
  for (let i = 0; i < segments.count; i += 1) {
    const mode = segments.modes[i] as typeof NUMERIC | typeof ALPHANUMERIC | typeof BYTE;
    const to = segments.ends[i] as number;
    put(modeIndicator[mode], 4);
    put(to - from, countBits(group, mode));
    writers[mode](bytes, from, to);
    from = to;
  }
  pad(capacity);
}

/**
 * All codewords of a code in drawing order. Scratch memory, valid until the next call;
 * `blockPlan(version, level).total` is their number.
 */
export function makeCodewords(payload: Payload, version: number, level: QrLevel): Uint8Array {
  const plan = blockPlan(version, level);
  writeData(payload, plan.data);
  let from = 0;
  for (let block = 0; block < plan.blocks; block += 1) {
    const long = block >= plan.shortBlocks;
    const to = from + plan.shortData + (long ? 1 : 0);
    let out = block;
    for (let i = 0; i < plan.shortData; i += 1) {
      interleaved[out] = data[from + i] as number;
      out += plan.blocks;
    }
    // Only the long blocks have a last column of data codewords.
    if (long) interleaved[out - plan.shortBlocks] = data[to - 1] as number;
    writeCheck(data, { from, to }, plan.check, {
      out: interleaved,
      at: plan.data + block,
      step: plan.blocks,
    });
    from = to;
  }
  return interleaved;
}

/** The block that the codeword at `index` of the drawn order belongs to. */
export function blockOfCodeword(index: number, version: number, level: QrLevel): number {
  const plan = blockPlan(version, level);
  if (index >= plan.data) return (index - plan.data) % plan.blocks;
  const column = Math.floor(index / plan.blocks);
  return column < plan.shortData
    ? index % plan.blocks
    : plan.shortBlocks + (index - plan.shortData * plan.blocks);
}
