/**
 * Roll-ups of scans. A pack counts the scans of one code (or workspace) on one UTC day, by key (a
 * profile, or a code) and by age.
 *
 * The age of a scan is the number of days since the same scanner's previous scan of the same code: 0
 * = on the same day, `NEVER` = there was none. A scan is the scanner's first in a window if the
 * previous one lies before the window's start. So unique scans of any window of whole days are
 * exact, without knowing who scanned (docs/spec/design.md section 5).
 *
 * An entry is two 32-bit words: key; age in the upper half, count (signed) in the lower one.
 */

export const NEVER = 0xffff;

const MAX_COUNT = 0x7fff;
const AGES = 0x10000;

const toWords = (pack: Uint8Array): Uint32Array => {
  const bytes = pack.byteOffset % 4 === 0 ? pack : pack.slice();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
};

/** Calls `take` with each entry. */
export function readPack(
  pack: Uint8Array,
  take: (key: number, age: number, count: number) => void,
): void {
  const words = toWords(pack);
  for (let at = 0; at + 1 < words.length; at += 2) {
    const word = words[at + 1] ?? 0;
    take(words[at] ?? 0, word >>> 16, (word << 16) >> 16);
  }
}

export class Tally {
  readonly #counts = new Map<number, number>();

  add(key: number, age: number, count: number): void {
    const at = key * AGES + age;
    this.#counts.set(at, (this.#counts.get(at) ?? 0) + count);
  }

  /** Adds all counts of a pack; `sign` -1 subtracts them. */
  addPack(pack: Uint8Array, sign: 1 | -1 = 1): void {
    readPack(pack, (key, age, count) => this.add(key, age, sign * count));
  }

  /** Calls `take` with each entry. */
  each(take: (key: number, age: number, count: number) => void): void {
    for (const [at, count] of this.#counts) take(Math.floor(at / AGES), at % AGES, count);
  }

  toPack(): Uint8Array {
    const words: number[] = [];
    this.each((key, age, total) => {
      for (let rest = total; rest !== 0;) {
        const count = Math.max(-MAX_COUNT, Math.min(MAX_COUNT, rest));
        words.push(key, ((age << 16) | (count & 0xffff)) >>> 0);
        rest -= count;
      }
    });
    return new Uint8Array(Uint32Array.from(words).buffer);
  }
}
