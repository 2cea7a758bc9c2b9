import { hash as digest } from "node:crypto";

const WORDS = 4;
const FIRST_CAPACITY = 1 << 12;
/** Above this share of used slots, their number is doubled. */
const FULLNESS = 0.7;

/**
 * A number for each of many texts, without storing the texts: 16 bytes of the SHA-256 identify one,
 * which is enough for any job. A million texts take 40 MB, outside of the heap; a `Map` would take
 * several times that on the heap.
 */
export class TextNumbers {
  readonly #sought = new Uint32Array(WORDS);
  #capacity = FIRST_CAPACITY;
  #words = new Uint32Array(FIRST_CAPACITY * WORDS);
  /** 0 = a free slot; else the number plus 1. */
  #numbers = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  /** The text's number; undefined when it has none. */
  get(text: string): number | undefined {
    const found = this.#numbers[this.#slotOf(readWords(text, this.#sought))] ?? 0;
    return found === 0 ? undefined : found - 1;
  }

  /** `number` is a whole number from 0 to 2 ** 32 - 2. */
  set(text: string, number: number): void {
    const words = readWords(text, this.#sought);
    let slot = this.#slotOf(words);
    if (this.#numbers[slot] === 0) {
      this.#size += 1;
      if (this.#size > this.#capacity * FULLNESS) {
        this.#grow();
        slot = this.#slotOf(words);
      }
      this.#words.set(words, slot * WORDS);
    }
    this.#numbers[slot] = number + 1;
  }

  has(text: string): boolean {
    return this.get(text) !== undefined;
  }

  /** The slot of these words, or the free one for them. */
  #slotOf(words: Uint32Array): number {
    const mask = this.#capacity - 1;
    let slot = (words[0] ?? 0) & mask;
    while (this.#numbers[slot] !== 0 && !this.#isAt(slot, words)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(slot: number, words: Uint32Array): boolean {
    const at = slot * WORDS;
    for (let word = 0; word < WORDS; word += 1) {
      if (this.#words[at + word] !== words[word]) return false;
    }
    return true;
  }

  #grow(): void {
    const [words, numbers] = [this.#words, this.#numbers];
    this.#capacity *= 2;
    this.#words = new Uint32Array(this.#capacity * WORDS);
    this.#numbers = new Uint32Array(this.#capacity);
    for (let slot = 0; slot < numbers.length; slot += 1) {
      const number = numbers[slot] ?? 0;
      if (number === 0) continue;
      const own = words.subarray(slot * WORDS, (slot + 1) * WORDS);
      const free = this.#slotOf(own);
      this.#words.set(own, free * WORDS);
      this.#numbers[free] = number;
    }
  }
}

/** Into `words`, which is reused: a text is looked up in every row. */
function readWords(text: string, words: Uint32Array): Uint32Array {
  const bytes = digest("sha256", text, "binary");
  for (let word = 0; word < WORDS; word += 1) {
    const at = word * 4;
    words[word] =
      bytes.charCodeAt(at) |
      (bytes.charCodeAt(at + 1) << 8) |
      (bytes.charCodeAt(at + 2) << 16) |
      (bytes.charCodeAt(at + 3) << 24);
  }
  return words;
}
