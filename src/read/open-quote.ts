/** Control characters but tabs and line ends, and what stands for a letter that was lost. */
export const ODD_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/u;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** A quoted cell whose closing quote is followed by more text: it is read as far as it goes. */
export interface QuoteFault {
  /** Line on which the quote opens. */
  readonly line: number;
  /** Line on which the parser takes it for closed. */
  readonly endLine: number;
  /** Position of the cell in its row, from 0. */
  readonly position: number;
}

export const CLOSE_QUOTE = 'close it, or double a quote that belongs to the text: ""';

/** Rows stand in the cell, which the quote was never meant for. */
export const hasSwallowed = (fault: QuoteFault | undefined): boolean =>
  fault !== undefined && fault.endLine > fault.line;

/**
 * Walks over CSV text as the parser does, knows where the open quote began, which cells were not
 * quoted well and where lines are blank.
 */
export class QuoteWatch {
  /** Line of the quote that is open. */
  openedAt: number | undefined;
  /** So far, no character was found that a cell must not hold. */
  isPlain = true;
  /** Line of the first quote that stays open for longer than it may. */
  overlongAt: number | undefined;
  readonly #maxLength: number;
  /** Nobody takes anything of a watch that only looks for an open quote. */
  readonly #keeps: boolean;
  readonly #delimiter: string;
  readonly #first: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** By the line on which their row begins; those of rows that were taken are gone. */
  readonly #faults = new Map<number, QuoteFault>();
  /** Blank lines that follow each other, by the line of the first; those that were taken are gone. */
  readonly #blanks = new Map<number, { lines: number }>();
  /** Those of the last line, while that is blank. */
  #blank: { lines: number } | undefined;
  #pending = "";
  /** Characters since the quote opened. */
  #length = 0;
  #line = 1;
  #rowLine = 1;
  #position = 0;
  #isAtStart = true;
  #afterReturn = false;

  constructor(delimiter: string, maxLength?: number) {
    this.#maxLength = maxLength ?? Number.POSITIVE_INFINITY;
    this.#keeps = maxLength === undefined;
    this.#delimiter = delimiter;
    this.#first = delimiter.charCodeAt(0);
  }

  add(chunk: Buffer): void {
    const decoded = this.#decoder.decode(chunk, { stream: true });
    if (this.isPlain && ODD_CHARACTER.test(decoded)) this.isPlain = false;
    const text = this.#pending + decoded;
    // What a quote means is told by the character behind it, which may have two units.
    const end = text.length - 2;
    let at = 0;
    while (at < end)
      at = this.openedAt === undefined ? this.#outside(text, at, end) : this.#inside(text, at);
    this.#pending = text.slice(at);
  }

  end(): void {
    const text = this.#pending;
    const end = text.length;
    let at = 0;
    while (at < end) {
      at = this.openedAt === undefined ? this.#outside(text, at, end) : this.#inside(text, at);
    }
    this.#pending = "";
  }

  /** The first cell that is not quoted well in the row that begins on this line. */
  takeFault(rowLine: number): QuoteFault | undefined {
    if (this.#faults.size === 0) return undefined;
    const fault = this.#faults.get(rowLine);
    if (fault !== undefined) this.#faults.delete(rowLine);
    return fault;
  }

  /** How many blank lines follow each other from this line on. */
  takeBlanks(line: number): number {
    const lines = this.#blanks.get(line)?.lines ?? 0;
    if (lines > 0) this.#blanks.delete(line);
    return lines;
  }

  /** Up to the next quote that opens: every character of a file comes by here. */
  #outside(text: string, from: number, end: number): number {
    let isAtStart = this.#isAtStart;
    let at = from;
    for (; at < end && this.openedAt === undefined; at += 1) {
      const code = text.charCodeAt(at);
      if (code === this.#first && text.startsWith(this.#delimiter, at)) {
        isAtStart = true;
        this.#afterReturn = false;
        this.#position += 1;
        at += this.#delimiter.length - 1;
      } else if (code === LINE_FEED || code === RETURN) {
        this.#endRow(code, isAtStart && this.#position === 0);
        this.#rowLine = this.#line;
        this.#position = 0;
        isAtStart = true;
      } else if (code === QUOTE && isAtStart) {
        this.openedAt = this.#line;
        this.#length = 0;
        this.#afterReturn = false;
      } else if (isAtStart) {
        isAtStart = false;
        this.#afterReturn = false;
      }
    }
    this.#isAtStart = isAtStart;
    return at;
  }

  #inside(text: string, at: number): number {
    const code = text.charCodeAt(at);
    this.#length += 1;
    if (this.#length > this.#maxLength) this.overlongAt ??= this.openedAt;
    if (code === LINE_FEED || code === RETURN) this.#countBreak(code);
    else this.#afterReturn = false;
    if (code !== QUOTE) return at + 1;
    const next = text.charCodeAt(at + 1);
    if (next === QUOTE) return at + 2;
    if (!this.#isEnd(next, text, at + 1)) this.#addFault();
    this.openedAt = undefined;
    this.#isAtStart = false;
    return at + 1;
  }

  /** The end of the text has no code; the parser takes NUL for it. */
  #isEnd(code: number, text: string, at: number): boolean {
    if (code === LINE_FEED || code === RETURN || code === 0 || Number.isNaN(code)) return true;
    return code === this.#first && text.startsWith(this.#delimiter, at);
  }

  #addFault(): void {
    if (!this.#keeps || this.#faults.has(this.#rowLine)) return;
    const fault = { line: this.openedAt ?? 0, endLine: this.#line, position: this.#position };
    this.#faults.set(this.#rowLine, fault);
  }

  #endRow(code: number, isBlank: boolean): void {
    const line = this.#line;
    this.#countBreak(code);
    // The second half of `\r\n`.
    if (this.#line === line) return;
    if (!isBlank || !this.#keeps) this.#blank = undefined;
    else if (this.#blank !== undefined) this.#blank.lines += 1;
    else {
      this.#blank = { lines: 1 };
      this.#blanks.set(line, this.#blank);
    }
  }

  #countBreak(code: number): void {
    if (code === RETURN || !this.#afterReturn) this.#line += 1;
    this.#afterReturn = code === RETURN;
  }
}

/**
 * Line on which a quote opens that is never closed, or stays open for more than `maxLength`
 * characters. Only asked for when the parser has failed on it.
 */
export async function findOpenQuote(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  maxLength: number,
): Promise<number | undefined> {
  const watch = new QuoteWatch(delimiter, maxLength);
  for await (const chunk of chunks) {
    watch.add(chunk);
    if (watch.overlongAt !== undefined) return watch.overlongAt;
  }
  watch.end();
  return watch.openedAt;
}
