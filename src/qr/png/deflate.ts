/**
 * Deflate for images of equal rows (docs/spec/qr.md section 7): one fixed-Huffman block in which a
 * row of modules is written once and its copies are matches of one row's distance.
 */

import { deflateSync } from "node:zlib";

interface Code {
  /** Bits in the order in which deflate sends them, extra bits included. */
  readonly bits: number;
  readonly width: number;
}

function reverseBits(value: number, width: number): number {
  let out = 0;
  for (let i = 0; i < width; i += 1) out |= ((value >>> i) & 1) << (width - 1 - i);
  return out;
}

/** Literal and length symbols 0 to 287 of the fixed code. */
function fixedCode(symbol: number): Code {
  if (symbol < 144) return { bits: reverseBits(0x30 + symbol, 8), width: 8 };
  if (symbol < 256) return { bits: reverseBits(0x190 + symbol - 144, 9), width: 9 };
  if (symbol < 280) return { bits: reverseBits(symbol - 256, 7), width: 7 };
  return { bits: reverseBits(0xc0 + symbol - 280, 8), width: 8 };
}

const LEAST_MATCH = 3;
const LONGEST_MATCH = 258;
const END_OF_BLOCK = fixedCode(256);

const literalBits = new Uint16Array(256);
const literalWidth = new Uint8Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  const code = fixedCode(byte);
  literalBits[byte] = code.bits;
  literalWidth[byte] = code.width;
}

const lengthBits = new Uint16Array(LONGEST_MATCH + 1);
const lengthWidth = new Uint8Array(LONGEST_MATCH + 1);
for (let symbol = 257, length = LEAST_MATCH; symbol <= 284; symbol += 1) {
  const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
  const code = fixedCode(symbol);
  for (let i = 0; i < 1 << extra; i += 1, length += 1) {
    lengthBits[length] = code.bits | (i << code.width);
    lengthWidth[length] = code.width + extra;
  }
}
lengthBits[LONGEST_MATCH] = fixedCode(285).bits;
lengthWidth[LONGEST_MATCH] = fixedCode(285).width;

/** Distance 1 to 32768: 5 bits of symbol, then up to 13 extra bits. */
function distanceCode(distance: number): Code {
  if (distance <= 4) return { bits: reverseBits(distance - 1, 5), width: 5 };
  const log = 31 - Math.clz32(distance - 1);
  const extra = log - 1;
  const symbol = log * 2 + (((distance - 1) >> extra) & 1);
  const rest = (distance - 1) & ((1 << extra) - 1);
  return { bits: reverseBits(symbol, 5) | (rest << 5), width: 5 + extra };
}

/** Distance 1: the byte before. */
const NEAREST: Code = distanceCode(1);
const ADLER_MODULUS = 65_521;

/** Takes the rows of an image, top to bottom, and makes one zlib stream of them. */
export interface RowSink {
  /** Adds `copies` (1 or more) equal rows. */
  add(row: Uint8Array, copies: number): void;
  /** The whole zlib stream. Nothing may be added afterwards. */
  finish(): Uint8Array;
}

/** zlib at its usual level: a third of the bytes of `RowDeflater`, at ten times its time. */
export class ZlibRows implements RowSink {
  readonly #rows: Uint8Array[] = [];

  add(row: Uint8Array, copies: number): void {
    const kept = row.slice();
    for (let i = 0; i < copies; i += 1) this.#rows.push(kept);
  }

  finish(): Uint8Array {
    return deflateSync(Buffer.concat(this.#rows), { level: 6 });
  }
}

/** Builds one zlib stream from rows of equal length. It can't be reused after `finish`. */
export class RowDeflater implements RowSink {
  readonly #rowBytes: number;
  readonly #distance: Code;
  #out = new Uint8Array(8192);
  #at = 0;
  #pending = 0;
  #count = 0;
  #a = 1;
  #b = 0;

  /** `rowBytes`, filter byte included, is 3 to 32768. */
  constructor(rowBytes: number) {
    this.#rowBytes = rowBytes;
    this.#distance = distanceCode(rowBytes);
    this.#out[0] = 0x78;
    this.#out[1] = 0x01;
    this.#at = 2;
    // Last block, fixed Huffman codes.
    this.#put(0b011, 3);
  }

  add(row: Uint8Array, copies: number): void {
    this.#reserve(row.length * 2 + ((row.length * copies) >> 6) + 64);
    this.#addLiterals(row);
    this.#addCopies((copies - 1) * this.#rowBytes);
    this.#sum(row, copies);
  }

  finish(): Uint8Array {
    this.#reserve(16);
    this.#put(END_OF_BLOCK.bits, END_OF_BLOCK.width);
    if (this.#count > 0) this.#put(0, 8 - this.#count);
    new DataView(this.#out.buffer).setUint32(this.#at, this.#b * 65_536 + this.#a);
    return this.#out.subarray(0, this.#at + 4);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const larger = new Uint8Array(Math.max(this.#out.length * 2, this.#at + bytes));
    larger.set(this.#out.subarray(0, this.#at));
    this.#out = larger;
  }

  /** At most 24 bits at a time. */
  #put(bits: number, width: number): void {
    let pending = this.#pending | (bits << this.#count);
    let count = this.#count + width;
    while (count >= 8) {
      this.#out[this.#at] = pending;
      this.#at += 1;
      pending >>>= 8;
      count -= 8;
    }
    this.#pending = pending;
    this.#count = count;
  }

  #literal(byte: number): void {
    this.#put(literalBits[byte] as number, literalWidth[byte] as number);
  }

  #match(length: number, distance: Code): void {
    this.#put(lengthBits[length] as number, lengthWidth[length] as number);
    this.#put(distance.bits, distance.width);
  }

  /** A row, repeats as matches of distance 1. */
  #addLiterals(row: Uint8Array): void {
    let i = 0;
    while (i < row.length) {
      const byte = row[i] as number;
      let end = i + 1;
      while (end < row.length && row[end] === byte) end += 1;
      this.#literal(byte);
      let repeats = end - i - 1;
      while (repeats >= LEAST_MATCH) {
        const length = Math.min(repeats, LONGEST_MATCH);
        this.#match(length, NEAREST);
        repeats -= length;
      }
      for (; repeats > 0; repeats -= 1) this.#literal(byte);
      i = end;
    }
  }

  #addCopies(bytes: number): void {
    let rest = bytes;
    while (rest > 0) {
      let length = Math.min(rest, LONGEST_MATCH);
      // A rest of 1 or 2 bytes is too short for a match.
      if (rest > LONGEST_MATCH && rest - length < LEAST_MATCH) length = LONGEST_MATCH - LEAST_MATCH;
      this.#match(length, this.#distance);
      rest -= length;
    }
  }

  /** Adler-32 of all copies in closed form. */
  #sum(row: Uint8Array, copies: number): void {
    let sum = 0;
    let weighted = 0;
    for (const byte of row) {
      sum += byte;
      weighted += sum;
    }
    const bytes = row.length;
    this.#b =
      (this.#b +
        copies * bytes * this.#a +
        ((bytes * sum * copies * (copies - 1)) / 2 + copies * weighted)) %
      ADLER_MODULUS;
    this.#a = (this.#a + copies * sum) % ADLER_MODULUS;
  }
}
