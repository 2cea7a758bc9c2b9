import type { PdfDict, PdfNode } from "./pdf-node.ts";

/** An operator of a content stream, or a keyword of a file. */
export class Keyword {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
}

/** Operators have three letters at most: each is the same keyword wherever it stands. */
const SHORT_WORD = 3;
const MAX_SHORT_WORDS = 500;
const shortWords = new Map<number, Keyword>();

function shortKeyword(packed: number): Keyword {
  const known = shortWords.get(packed);
  if (known !== undefined) return known;
  const codes = [packed & 255, (packed >> 8) & 255, packed >> 16].filter((code) => code > 0);
  const keyword = new Keyword(String.fromCharCode(...codes));
  if (shortWords.size < MAX_SHORT_WORDS) shortWords.set(packed, keyword);
  return keyword;
}

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const isWhite = new Uint8Array(256);
const isDelimiter = new Uint8Array(256);
for (const code of WHITE) isWhite[code] = 1;
for (const char of "()<>[]{}/%") isDelimiter[char.charCodeAt(0)] = 1;

const mark = {
  percent: 0x25,
  openParen: 0x28,
  closeParen: 0x29,
  slash: 0x2f,
  less: 0x3c,
  greater: 0x3e,
  openBracket: 0x5b,
  minus: 0x2d,
  point: 0x2e,
  backslash: 0x5c,
  closeBracket: 0x5d,
} as const;

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };
const END_ARRAY = new Keyword("]");
const END_DICT = new Keyword(">>");
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u;

const ZERO = 0x30;
const [FIRST_LETTER, LAST_LETTER] = [0x41, 0x7a];
const MAX_SHORT_DIGITS = 15;
const POWERS: readonly number[] = Array.from({ length: MAX_SHORT_DIGITS + 1 }, (_, n) => 10 ** n);

/** Of a list; a long text with its kerning has some hundreds. */
const MAX_VALUES = 1_000_000;
/** Of a text; PDF itself names 32 767. */
const MAX_STRING_BYTES = 1_048_576;
/** Of a name or number; PDF itself names 127 bytes of names. */
const MAX_WORD_BYTES = 4096;

function checkLength(what: string, length: number, most: number): void {
  if (length > most) throw new SyntaxError(`${what} must be at most ${most}, got more`);
}

/**
 * Reads PDF syntax: values of content streams and of cross-reference dictionaries. Written apart
 * from the writer and from the parser package, so that neither vouches for itself.
 */
export class PdfLexer {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get position(): number {
    return this.#at;
  }

  /** The next value or keyword; undefined at the end. Throws a SyntaxError for broken syntax. */
  next(): PdfNode | Keyword | undefined {
    this.#skipWhite();
    const byte = this.#bytes[this.#at];
    switch (byte) {
      case undefined:
        return undefined;
      case mark.slash:
        return { name: this.#name() };
      case mark.openParen:
        return { bytes: this.#string() };
      case mark.openBracket:
        this.#at += 1;
        return this.#array();
      case mark.closeBracket:
        this.#at += 1;
        return END_ARRAY;
      case mark.less:
        return this.#bytes[this.#at + 1] === mark.less ? this.#dict() : { bytes: this.#hex() };
      case mark.greater:
        this.#at += 2;
        return END_DICT;
      default:
        return this.#word();
    }
  }

  #skipWhite(): void {
    const bytes = this.#bytes;
    for (;;) {
      while (isWhite[bytes[this.#at] ?? 255] === 1) this.#at += 1;
      if (bytes[this.#at] !== mark.percent) return;
      while (this.#at < bytes.length && bytes[this.#at] !== 10 && bytes[this.#at] !== 13)
        this.#at += 1;
    }
  }

  #regular(): string {
    const bytes = this.#bytes;
    const from = this.#at;
    let text = "";
    while (this.#at < bytes.length) {
      const byte = bytes[this.#at] ?? 0;
      if (isWhite[byte] === 1 || isDelimiter[byte] === 1) break;
      text += String.fromCharCode(byte);
      this.#at += 1;
      if (text.length > MAX_WORD_BYTES) checkLength("bytes of a word", text.length, MAX_WORD_BYTES);
    }
    if (this.#at === from) throw new SyntaxError(`unexpected byte at ${from}`);
    return text;
  }

  #word(): PdfNode | Keyword {
    const first = this.#bytes[this.#at] ?? 0;
    // Most words of a sheet are short numbers: they are read without a string.
    const isNumeric = (first >= ZERO && first <= ZERO + 9) || first === mark.minus;
    if (isNumeric || first === mark.point) {
      const number = this.#shortNumber();
      if (number !== undefined) return number;
    } else {
      const keyword = this.#shortWord();
      if (keyword !== undefined) return keyword;
    }
    const word = this.#regular();
    if (NUMBER.test(word)) return Number(word);
    if (word === "true" || word === "false") return word === "true";
    return word === "null" ? null : new Keyword(word);
  }

  /** Undefined for longer words, and with a sign in front. */
  #shortWord(): Keyword | undefined {
    const bytes = this.#bytes;
    let packed = 0;
    for (let length = 0; length <= SHORT_WORD; length += 1) {
      const byte = bytes[this.#at + length] ?? 32;
      if (isWhite[byte] === 1 || isDelimiter[byte] === 1) {
        if (length === 0) return undefined;
        this.#at += length;
        return shortKeyword(packed);
      }
      if (byte < FIRST_LETTER || byte > LAST_LETTER) return undefined;
      packed |= byte << (8 * length);
    }
    return undefined;
  }

  /** Undefined for anything but a number, and for long ones: a double holds up to 15 digits exactly. */
  #shortNumber(): number | undefined {
    const start = this.#at;
    const isNegative = this.#bytes[start] === mark.minus;
    if (isNegative) this.#at += 1;
    const whole = this.#at;
    let value = this.#digits(0);
    let digits = this.#at - whole;
    let decimals = 0;
    if (this.#bytes[this.#at] === mark.point) {
      this.#at += 1;
      const fraction = this.#at;
      value = this.#digits(value);
      decimals = this.#at - fraction;
      digits += decimals;
    }
    const end = this.#bytes[this.#at] ?? 32;
    const isWord = isWhite[end] === 1 || isDelimiter[end] === 1;
    if (isWord && digits > 0 && digits <= MAX_SHORT_DIGITS) {
      // One division of two exact numbers is rounded as the whole text would be.
      const number = decimals === 0 ? value : value / (POWERS[decimals] as number);
      return isNegative ? -number : number;
    }
    this.#at = start;
    return undefined;
  }

  /** The number that `value` becomes with the digits that follow. */
  #digits(value: number): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let grown = value;
    for (;;) {
      const digit = (bytes[at] ?? 32) - ZERO;
      if (digit < 0 || digit > 9) break;
      grown = grown * 10 + digit;
      at += 1;
    }
    this.#at = at;
    return grown;
  }

  #name(): string {
    this.#at += 1;
    const next = this.#bytes[this.#at] ?? 32;
    if (isWhite[next] === 1 || isDelimiter[next] === 1) return "";
    return this.#regular().replaceAll(/#([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  #string(): Uint8Array {
    const out: number[] = [];
    let depth = 1;
    this.#at += 1;
    while (depth > 0) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new SyntaxError("string without end");
      this.#at += 1;
      if (byte === mark.backslash) {
        this.#escape(out);
        continue;
      }
      if (byte === mark.openParen) depth += 1;
      if (byte === mark.closeParen) depth -= 1;
      if (depth > 0) out.push(byte);
      checkLength("bytes of a text", out.length, MAX_STRING_BYTES);
    }
    return Uint8Array.from(out);
  }

  #escape(out: number[]): void {
    const rest = Buffer.from(this.#bytes.subarray(this.#at, this.#at + 3)).toString("latin1");
    const octal = /^[0-7]{1,3}/u.exec(rest)?.[0];
    if (octal !== undefined) {
      out.push(Number.parseInt(octal, 8) & 255);
      this.#at += octal.length;
      return;
    }
    const char = rest[0] ?? "";
    this.#at += rest.startsWith("\r\n") ? 2 : 1;
    if (char !== "\r" && char !== "\n") out.push(escapes[char] ?? char.charCodeAt(0));
  }

  #hex(): Uint8Array {
    const end = this.#bytes.indexOf(mark.greater, this.#at);
    if (end < 0) throw new SyntaxError("hexadecimal string without end");
    checkLength("digits of a text", end - this.#at, 2 * MAX_STRING_BYTES);
    const digits = Buffer.from(this.#bytes.subarray(this.#at + 1, end))
      .toString("latin1")
      .replaceAll(/\s/gu, "");
    if (/[^0-9a-f]/iu.test(digits))
      throw new SyntaxError("hexadecimal string with other characters");
    this.#at = end + 1;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex");
  }

  /** Values up to an end mark; `12 0 R` becomes a reference. */
  #until(end: Keyword): PdfNode[] {
    const values: PdfNode[] = [];
    for (;;) {
      const value = this.next();
      if (value === end) return values;
      if (value === undefined) throw new SyntaxError(`${end.word} is missing`);
      checkLength("values of a list", values.length, MAX_VALUES);
      if (!(value instanceof Keyword)) values.push(value);
      else if (value.word === "R" && values.length >= 2)
        values.splice(-2, 2, { ref: Number(values.at(-2)) });
      else throw new SyntaxError(`unexpected ${value.word} before ${end.word}`);
    }
  }

  #array(): PdfNode[] {
    return this.#until(END_ARRAY);
  }

  #dict(): PdfDict {
    this.#at += 2;
    const values = this.#until(END_DICT);
    const dict = new Map<string, PdfNode>();
    for (let i = 0; i + 1 < values.length; i += 2) {
      dict.set((values[i] as { name: string }).name, values[i + 1] ?? null);
    }
    return dict;
  }
}
