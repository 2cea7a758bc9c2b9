/** Control characters other than tabs and line ends, and U+FFFD, which replaces a lost letter. */
export const ODD_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/u;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** A quoted cell with more text after its closing quote: it is read as far as possible. */
export interface QuoteFault {
  /** Line on which the quote opens. */
  readonly line: number;
  /** Line on which the parser sees it closed. */
  readonly endLine: number;
  /** Position of the cell in its row, from 0. */
  readonly position: number;
}

export const CLOSE_QUOTE = 'close it, or double a quote that belongs to the text: ""';

/** The cell contains rows, because its quote was closed on a later line. */
export const hasSwallowed = (fault: QuoteFault | undefined): boolean =>
  fault !== undefined && fault.endLine > fault.line;

/** Kinds of bytes for the watch; all others are plain text. */
const [PLAIN, DELIMITER, BREAK, QUOTES, ODD] = [0, 1, 2, 3, 4] as const;
/** U+FFFD, for a lost letter, in UTF-8. */
const LOST_LETTER = [0xef, 0xbf, 0xbd] as const;

function makeKinds(delimiter: Buffer): Uint8Array {
  const kinds = new Uint8Array(256);
  for (let byte = 0; byte < 0x80; byte += 1) {
    if (ODD_CHARACTER.test(String.fromCharCode(byte))) kinds[byte] = ODD;
  }
  kinds[LOST_LETTER[0]] = ODD;
  kinds[LINE_FEED] = BREAK;
  kinds[RETURN] = BREAK;
  kinds[QUOTE] = QUOTES;
  kinds[delimiter[0] ?? 0] = DELIMITER;
  return kinds;
}

/**
 * Goes through CSV text in UTF-8 as the parser does. It knows where the open quote began, which cells
 * were quoted wrongly, and which lines are blank.
 */
export class QuoteWatch {
  /** Line of the quote that is open. */
  openedAt: number | undefined;
  /** No character so far that a cell must not contain. */
  isPlain: boolean;
  /** A quoted cell so far contains a line break. */
  hasLongCells = false;
  /** Line of the first quote that stays open for too long. */
  overlongAt: number | undefined;
  readonly #maxBytes: number;
  /** False for a watch that only looks for an open quote: its findings aren't fetched. */
  readonly #keeps: boolean;
  readonly #delimiter: Buffer;
  readonly #kinds: Uint8Array;
  /** By the line on which their row begins, until they are taken. */
  readonly #faults = new Map<number, QuoteFault>();
  /** Blocks of blank lines by their first line, until they are taken. */
  readonly #blanks = new Map<number, { lines: number }>();
  /** The block that is still growing. */
  #blank: { lines: number } | undefined;
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes since the quote opened. */
  #openBytes = 0;
  #line = 1;
  #rowLine = 1;
  #position = 0;
  #isAtStart = true;
  /** The byte before the pending ones. */
  #last = 0;

  constructor(delimiter: string, maxBytes?: number) {
    this.#maxBytes = maxBytes ?? Number.POSITIVE_INFINITY;
    this.#keeps = maxBytes === undefined;
    this.#delimiter = Buffer.from(delimiter);
    this.#kinds = makeKinds(this.#delimiter);
    const hidesOdd = this.#delimiter[0] === LOST_LETTER[0] || ODD_CHARACTER.test(delimiter);
    this.isPlain = !hidesOdd;
  }

  add(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    // The meaning of a quote depends on the next character; U+FFFD has three bytes.
    const reach = Math.max(this.#delimiter.length, LOST_LETTER.length - 1);
    this.#walk(bytes, bytes.length - reach);
  }

  end(): void {
    this.#walk(this.#pending, this.#pending.length);
  }

  /** True when no quote is open in front of the next chunk. */
  get isOutside(): boolean {
    return this.openedAt === undefined && !this.#pending.includes(QUOTE);
  }

  /** The first wrongly quoted cell of the row that begins on this line. */
  takeFault(rowLine: number): QuoteFault | undefined {
    if (this.#faults.size === 0) return undefined;
    const fault = this.#faults.get(rowLine);
    if (fault !== undefined) this.#faults.delete(rowLine);
    return fault;
  }

  /** Number of successive blank lines from this line on. */
  takeBlanks(line: number): number {
    if (this.#blanks.size === 0) return 0;
    const lines = this.#blanks.get(line)?.lines ?? 0;
    if (lines > 0) this.#blanks.delete(line);
    return lines;
  }

  #walk(bytes: Buffer, end: number): void {
    let at = 0;
    while (at < end) {
      at =
        this.openedAt === undefined ? this.#outside(bytes, at, end) : this.#inside(bytes, at, end);
    }
    this.#last = bytes[at - 1] ?? this.#last;
    this.#pending = bytes.subarray(at);
  }

  /** Goes on behind the next opening quote. */
  #outside(bytes: Buffer, from: number, end: number): number {
    const kinds = this.#kinds;
    let isAtStart = this.#isAtStart;
    let at = from;
    for (; at < end; at += 1) {
      const kind = kinds[bytes[at] as number];
      if (kind === PLAIN) isAtStart = false;
      else if (kind === QUOTES && isAtStart) return this.#open(at);
      else {
        isAtStart =
          kind === BREAK ? this.#endRow(bytes, at, isAtStart) : this.#pass(bytes, at, kind);
        if (isAtStart && kind === DELIMITER) at += this.#delimiter.length - 1;
      }
    }
    this.#isAtStart = isAtStart;
    return at;
  }

  #open(at: number): number {
    this.openedAt = this.#line;
    this.#openBytes = 0;
    this.#isAtStart = false;
    return at + 1;
  }

  /** Passes a byte that may be more than text; true when a cell may begin after it. */
  #pass(bytes: Buffer, at: number, kind: number | undefined): boolean {
    const isDelimiter = kind === DELIMITER && this.#isDelimiter(bytes, at);
    if (isDelimiter) this.#position += 1;
    else if (kind === ODD) this.#addOdd(bytes, at);
    return isDelimiter;
  }

  #endRow(bytes: Buffer, at: number, isAtStart: boolean): true {
    const line = this.#line;
    this.#countBreak(bytes, at);
    this.#rowLine = this.#line;
    // Otherwise it is the second half of `\r\n`.
    if (this.#line > line) this.#countBlank(line, isAtStart && this.#position === 0);
    this.#position = 0;
    return true;
  }

  #countBlank(line: number, isBlank: boolean): void {
    if (!isBlank || !this.#keeps) this.#blank = undefined;
    else if (this.#blank !== undefined) this.#blank.lines += 1;
    else {
      this.#blank = { lines: 1 };
      this.#blanks.set(line, this.#blank);
    }
  }

  /** Goes on behind the quote that closes the cell. */
  #inside(bytes: Buffer, from: number, end: number): number {
    const kinds = this.#kinds;
    const openedAt = this.openedAt;
    let at = from;
    for (; at < end && this.openedAt !== undefined; at += 1) {
      const kind = kinds[bytes[at] ?? 0];
      if (kind === PLAIN) continue;
      if (kind === BREAK) this.#addBreak(bytes, at);
      else if (kind === ODD) this.#addOdd(bytes, at);
      else if (kind === QUOTES && bytes[at + 1] === QUOTE) at += 1;
      else if (kind === QUOTES) this.#close(bytes, at + 1);
    }
    this.#openBytes += at - from;
    if (this.#openBytes > this.#maxBytes) this.overlongAt ??= openedAt;
    return at;
  }

  #close(bytes: Buffer, behind: number): void {
    if (!this.#isEnd(bytes, behind)) this.#addFault();
    this.openedAt = undefined;
  }

  #isDelimiter(bytes: Buffer, at: number): boolean {
    const delimiter = this.#delimiter;
    if (delimiter.length === 1) return bytes[at] === delimiter[0];
    return delimiter.every((byte, offset) => bytes[at + offset] === byte);
  }

  /** After the end of the text there is no byte; the parser treats that as NUL. */
  #isEnd(bytes: Buffer, at: number): boolean {
    const byte = bytes[at] ?? 0;
    return byte === 0 || this.#kinds[byte] === BREAK || this.#isDelimiter(bytes, at);
  }

  #addOdd(bytes: Buffer, at: number): void {
    const isHigh = bytes[at] === LOST_LETTER[0];
    if (isHigh && LOST_LETTER.some((byte, offset) => bytes[at + offset] !== byte)) return;
    this.isPlain = false;
  }

  #addFault(): void {
    if (!this.#keeps || this.#faults.has(this.#rowLine)) return;
    const fault = { line: this.openedAt ?? 0, endLine: this.#line, position: this.#position };
    this.#faults.set(this.#rowLine, fault);
  }

  #addBreak(bytes: Buffer, at: number): void {
    this.hasLongCells = true;
    this.#countBreak(bytes, at);
  }

  /** `\r\n` is one line break, and so is `\n` or `\r` alone. */
  #countBreak(bytes: Buffer, at: number): void {
    const before = at === 0 ? this.#last : bytes[at - 1];
    if (bytes[at] === RETURN || before !== RETURN) this.#line += 1;
  }
}

/**
 * Line of a quote that is never closed, or stays open for more than `maxBytes`. Only used after the
 * parser has failed.
 */
export async function findOpenQuote(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  maxBytes: number,
): Promise<number | undefined> {
  const watch = new QuoteWatch(delimiter, maxBytes);
  for await (const chunk of chunks) {
    watch.add(chunk);
    if (watch.overlongAt !== undefined) return watch.overlongAt;
  }
  watch.end();
  return watch.openedAt;
}
