/**
 * Reed-Solomon check codewords over GF(256), polynomial 0x11D (docs/spec/qr.md section 2.5).
 *
 * The remainder is a shift register of 32-bit words in local variables. A data byte shifts it by
 * one byte and xors one row of a table: the generator times the byte that fell out.
 */

const WORDS = 8;
const tables = new Map<number, Int32Array>();

/** Product in the field, bit by bit: only the tables are built with it. */
function multiply(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((y >>> bit) & 1) * x;
  }
  return product & 255;
}

/** Coefficients of (x - 1)(x - 2)(x - 4)..., highest first, without the leading 1. */
function makeGenerator(degree: number): Uint8Array {
  const generator = new Uint8Array(degree);
  generator[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; i += 1) {
    for (let j = 0; j < degree; j += 1) {
      const next = j + 1 < degree ? (generator[j + 1] as number) : 0;
      generator[j] = multiply(generator[j] as number, root) ^ next;
    }
    root = multiply(root, 2);
  }
  return generator;
}

/** 256 rows of 8 words: the generator times each factor, its bytes packed from the top. */
function makeTable(degree: number): Int32Array {
  const generator = makeGenerator(degree);
  const table = new Int32Array(256 * WORDS);
  for (let factor = 0; factor < 256; factor += 1) {
    for (let i = 0; i < degree; i += 1) {
      const at = factor * WORDS + (i >> 2);
      const product = multiply(generator[i] as number, factor);
      table[at] = (table[at] as number) | (product << (24 - (i & 3) * 8));
    }
  }
  return table;
}

function tableOf(degree: number): Int32Array {
  let table = tables.get(degree);
  if (table === undefined) {
    table = makeTable(degree);
    tables.set(degree, table);
  }
  return table;
}

/** Where the check codewords of a block go. */
export interface CheckTarget {
  readonly out: Uint8Array;
  /** Index of the first check codeword. */
  readonly at: number;
  /** Distance to the next one: the number of blocks, as blocks are interleaved. */
  readonly step: number;
}

/** Writes `degree` (7 to 30) check codewords of `data[from, to)` to `target`. */
export function writeCheck(
  data: Uint8Array,
  range: { readonly from: number; readonly to: number },
  degree: number,
  target: CheckTarget,
): void {
  const register =
    degree <= 20 ? divideShort(data, range, degree) : divideLong(data, range, degree);
  const { out, step } = target;
  let at = target.at;
  for (let i = 0; i < degree; i += 1) {
    out[at] = (register[i >> 2] as number) >>> (24 - (i & 3) * 8);
    at += step;
  }
}

const result = new Int32Array(WORDS);

function divideShort(
  data: Uint8Array,
  range: { readonly from: number; readonly to: number },
  degree: number,
): Int32Array {
  const table = tableOf(degree);
  let [a, b, c, d, e] = [0, 0, 0, 0, 0];
  for (let i = range.from; i < range.to; i += 1) {
    const row = (((a >>> 24) ^ (data[i] as number)) & 255) * WORDS;
    a = ((a << 8) | (b >>> 24)) ^ (table[row] as number);
    b = ((b << 8) | (c >>> 24)) ^ (table[row + 1] as number);
    c = ((c << 8) | (d >>> 24)) ^ (table[row + 2] as number);
    d = ((d << 8) | (e >>> 24)) ^ (table[row + 3] as number);
    e = (e << 8) ^ (table[row + 4] as number);
  }
  result[0] = a;
  result[1] = b;
  result[2] = c;
  result[3] = d;
  result[4] = e;
  return result;
}

function divideLong(
  data: Uint8Array,
  range: { readonly from: number; readonly to: number },
  degree: number,
): Int32Array {
  const table = tableOf(degree);
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = range.from; i < range.to; i += 1) {
    const row = (((a >>> 24) ^ (data[i] as number)) & 255) * WORDS;
    a = ((a << 8) | (b >>> 24)) ^ (table[row] as number);
    b = ((b << 8) | (c >>> 24)) ^ (table[row + 1] as number);
    c = ((c << 8) | (d >>> 24)) ^ (table[row + 2] as number);
    d = ((d << 8) | (e >>> 24)) ^ (table[row + 3] as number);
    e = ((e << 8) | (f >>> 24)) ^ (table[row + 4] as number);
    f = ((f << 8) | (g >>> 24)) ^ (table[row + 5] as number);
    g = ((g << 8) | (h >>> 24)) ^ (table[row + 6] as number);
    h = (h << 8) ^ (table[row + 7] as number);
  }
  result[0] = a;
  result[1] = b;
  result[2] = c;
  result[3] = d;
  result[4] = e;
  result[5] = f;
  result[6] = g;
  result[7] = h;
  return result;
}
