/**
 * Text of East Asian programs, whose letters are two bytes each. Every byte is a letter of windows-1252,
 * too: what tells them apart is that all pairs are letters, and stand next to one another.
 */
import { createReadStream } from "node:fs";

/** Shift-JIS, GBK, code page 949 and Big5, as decoders name what holds them. */
const ENCODINGS = ["shift_jis", "gb18030", "euc-kr", "big5"] as const;

const LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3001\u3002\u30fb\u30fc]/gu;
/** A letter alone between others is what pairs of other encodings come out as. */
const NEXT_TO_ONE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3001\u3002\u30fb\u30fc]{2,}/gu;
const FEWEST = 2;
/** Of the letters, those that stand beside another one. */
const MOST_BESIDE = 0.8;
/** Bytes of Cyrillic and Greek code pages below their letters are signs, which are rare. */
const LOW_BYTES = 0.1;

const countLength = (text: string, pattern: RegExp): number =>
  (text.match(pattern) ?? []).reduce((sum, found) => sum + found.length, 0);

/** One encoding, tried until a byte does not fit. */
class Trial {
  readonly #decoder;
  #letters = 0;
  #beside = 0;
  #fits = true;

  constructor(label: (typeof ENCODINGS)[number]) {
    this.#decoder = new TextDecoder(label, { fatal: true });
  }

  add(bytes: Buffer | undefined): void {
    if (!this.#fits) return;
    try {
      const text = this.#decoder.decode(bytes, { stream: bytes !== undefined });
      this.#letters += countLength(text, LETTERS);
      this.#beside += countLength(text, NEXT_TO_ONE);
    } catch {
      this.#fits = false;
    }
  }

  get isLikely(): boolean {
    return this.#fits && this.#letters >= FEWEST && this.#beside >= this.#letters * MOST_BESIDE;
  }
}

/** True where the file is text of two-byte letters: which of the encodings, nobody can tell for sure. */
export async function isDoubleByte(
  file: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const trials = ENCODINGS.map((encoding) => new Trial(encoding));
  let high = 0;
  let low = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
    signal?.throwIfAborted();
    const bytes = chunk as Buffer;
    for (const byte of bytes) {
      if (byte >= 0x80) high += 1;
      if (byte >= 0x80 && byte < 0xc0) low += 1;
    }
    for (const trial of trials) trial.add(bytes);
  }
  for (const trial of trials) trial.add(undefined);
  return low >= high * LOW_BYTES && trials.some(({ isLikely }) => isLikely);
}
